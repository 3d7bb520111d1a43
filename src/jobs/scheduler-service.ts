import type { MetricRegistry } from '../http/metric-registry.ts'
import type { Log } from '../lib/log.ts'
import { traceJob } from '../lib/trace.ts'

export type Job = {
  /** Label of the metrics. */
  readonly name: string
  /** Pause after a run; a function is called after every run. */
  readonly everyMs: number | (() => number)
  /** Delay of the first run; `everyMs` when absent. */
  readonly firstAfterMs?: number
  /** `signal` is aborted when the job is stopped. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

export type Scheduler = ReturnType<typeof openScheduler>

type SchedulerOptions = {
  readonly registry: MetricRegistry
  readonly log: Log
  /** Milliseconds that do not jump with the clock. */
  readonly uptime?: () => number
  /** Calls back once after `ms`; returns a function that cancels it. */
  readonly setTimer?: (callback: () => void, ms: number) => () => void
}

const DURATION_BOUNDS_SECONDS = [0.01, 0.1, 1, 10, 60, 600]
const CLOSE_TIMEOUT_MS = 2_000

/** Runs background jobs, each at most once at a time. A failed job is logged, counted and runs again after its pause. */
export function openScheduler(options: SchedulerOptions) {
  const { registry, log, uptime = () => performance.now(), setTimer = unrefTimer } = options
  const runsTotal = registry.counter('job_runs_total', 'Runs of background jobs in this process, by result.')
  const durationSeconds = registry.histogram(
    'job_duration_seconds',
    'Duration of background jobs in this process.',
    DURATION_BOUNDS_SECONDS,
  )
  const metricsOf = (job: string) => ({
    ok: runsTotal({ job, result: 'ok' }),
    failed: runsTotal({ job, result: 'failed' }),
    duration: durationSeconds({ job }),
  })
  const succeededAt = new Map<string, number>()
  registry.gauges('job_success_age_seconds', 'Time since a background job of this process last succeeded.', () =>
    [...succeededAt].map(([job, at]) => [{ job }, (uptime() - at) / 1000]),
  )
  const stops = new Set<() => Promise<void>>()

  return {
    /** Starts a job; returns a function that stops it and waits for a run in progress. */
    add(job: Job): () => Promise<void> {
      const stopping = new AbortController()
      const { signal } = stopping
      let isFailing = false
      let running: Promise<void> | undefined
      let cancelTimer = () => {}

      async function run(): Promise<void> {
        const startedAt = uptime()
        const metrics = metricsOf(job.name)
        try {
          await traceJob(job.name, () => job.run(signal))
          metrics.ok.add()
          succeededAt.set(job.name, uptime())
          if (isFailing) log.info('job succeeded again', { job: job.name })
          isFailing = false
        } catch (error) {
          if (signal.aborted) return
          metrics.failed.add()
          if (!isFailing) log.warn('job failed; retrying', { job: job.name, cause: String(error) })
          isFailing = true
        } finally {
          metrics.duration.observe((uptime() - startedAt) / 1000)
        }
      }

      function schedule(ms: number): void {
        cancelTimer = setTimer(() => {
          running = run().finally(() => {
            running = undefined
            if (!signal.aborted) schedule(pauseMs())
          })
        }, ms)
      }
      const pauseMs = () => (typeof job.everyMs === 'number' ? job.everyMs : job.everyMs())

      async function stop(): Promise<void> {
        stopping.abort()
        stops.delete(stop)
        cancelTimer()
        await running
      }
      stops.add(stop)
      schedule(job.firstAfterMs ?? pauseMs())
      return stop
    },

    /** Stops all jobs. A run that takes longer than two seconds is abandoned. */
    async close(): Promise<void> {
      await Promise.race([Promise.all([...stops].map((stop) => stop())), Bun.sleep(CLOSE_TIMEOUT_MS)])
    },
  }
}

function unrefTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

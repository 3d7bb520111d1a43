import { readTail } from '../lib/child-process.ts'
import type { Log } from '../lib/log.ts'
import type { Job, JobKind, JobStore } from './job-store.ts'

/** Jobs of one lane run one after the other, lanes side by side: a long upload does not delay a feed. */
const LANES = { upload: ['upload-check', 'upload'], feed: ['feed'] } as const satisfies Record<
  string,
  readonly JobKind[]
>
type Lane = keyof typeof LANES

const POLL_INTERVAL_MS = 1_000
const STOP_TIMEOUT_MS = 8_000

/**
 * Held by the process of the running job of a lane: a job that outlives a killed leader is not run a second time beside
 * itself.
 */
export const laneLock = (kind: JobKind): string => {
  const lane = (Object.keys(LANES) as Lane[]).find((name) => (LANES[name] as readonly JobKind[]).includes(kind))
  if (!lane) throw new Error(`jobs of the kind ${kind} are not queued`)
  return `job-${lane}`
}

export type JobRunnerOptions = {
  readonly store: Pick<JobStore, 'find' | 'findNext'>
  /** Starts a process that runs the job. */
  readonly spawn: (id: string) => Bun.Subprocess<'ignore', 'ignore', 'pipe'>
  /** Records that the process of a job ended without a result. */
  readonly failInterrupted: (job: Job) => Promise<void>
  /** Calls `react` when a job was queued. */
  readonly onChange: (react: () => void) => () => void
  readonly maskMessage: (message: string) => string
  readonly log: Log
}

/**
 * Runs queued jobs in child processes, because an import blocks the event loop for seconds. Only the leader does so.
 */
export function startJobRunner({ store, spawn, failInterrupted, onChange, maskMessage, log }: JobRunnerOptions) {
  const children = new Set<Bun.Subprocess>()
  let wake = Promise.withResolvers<void>()
  let isStopping = false
  const stopListening = onChange(() => wake.resolve())

  async function run(job: Job): Promise<void> {
    const child = spawn(job.id)
    children.add(child)
    const [errorOutput, code] = await Promise.all([readTail(child.stderr), child.exited])
    children.delete(child)
    const after = await store.find(job.id)
    const subject = job.kind === 'feed' ? { feed: job.subject } : { upload: job.subject }
    const fields = { job: job.id, kind: job.kind, ...subject }
    const isUnfinished = after?.state === 'queued' || after?.state === 'running'
    if (code === 0) log.info(job.kind === 'feed' ? 'feed run' : 'upload read', fields)
    else if (!isStopping)
      log.warn(job.kind === 'feed' ? 'feed failed' : 'upload failed', {
        ...fields,
        exit: code,
        cause: maskMessage(errorOutput.trim().split('\n').at(-1) ?? ''),
      })
    if (after && isUnfinished && code !== 0 && !isStopping) await failInterrupted(after)
  }

  /** Returns whether there was a job. */
  async function runNext(lane: Lane): Promise<boolean> {
    const job = await store.findNext(LANES[lane])
    if (!job || isStopping) return false
    await run(job)
    return true
  }

  async function runLane(lane: Lane): Promise<void> {
    while (!isStopping) {
      try {
        if (await runNext(lane)) continue
      } catch (error) {
        log.warn('cannot run jobs; retrying', { lane, cause: String(error) })
      }
      const timer = setTimeout(() => wake.resolve(), POLL_INTERVAL_MS)
      await wake.promise
      clearTimeout(timer)
      wake = Promise.withResolvers<void>()
    }
  }

  const lanes = Object.keys(LANES) as Lane[]
  const running = lanes.map(runLane)
  return {
    /** Lets the current steps finish within a time limit; interrupted jobs are continued by the next leader. */
    async stop(): Promise<void> {
      isStopping = true
      stopListening()
      wake.resolve()
      for (const child of children) child.kill('SIGTERM')
      await Promise.race([Promise.all(running), Bun.sleep(STOP_TIMEOUT_MS)])
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(running)
    },
  }
}

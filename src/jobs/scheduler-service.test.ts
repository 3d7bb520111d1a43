import { expect, test } from 'bun:test'
import { metricRegistry } from '../http/metric-registry.ts'
import { openScheduler } from './scheduler-service.ts'

/** A scheduler whose clock only moves when the test moves it. */
function schedulerAt0() {
  let clock = 0
  const timers = new Map<() => void, number>()
  const logged: string[] = []
  const registry = metricRegistry()
  const note = (message: string) => void logged.push(message)
  const scheduler = openScheduler({
    registry,
    log: { debug: note, info: note, warn: note, error: note, flush() {} } as never,
    uptime: () => clock,
    setTimer(callback, ms) {
      timers.set(callback, clock + ms)
      return () => timers.delete(callback)
    },
  })
  async function advance(ms: number): Promise<void> {
    const end = clock + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...timers].filter(([, at]) => at <= end).sort(([, left], [, right]) => left - right)
      if (!next) break
      clock = next[1]
      timers.delete(next[0])
      next[0]()
    }
    clock = end
  }
  const metric = (line: string) =>
    registry
      .text()
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')
      .at(-1)
  return { scheduler, advance, logged, metric }
}

test('a job runs after its first delay and then after every pause', async () => {
  const { scheduler, advance, metric } = schedulerAt0()
  let runs = 0
  scheduler.add({ name: 'count', everyMs: 30_000, firstAfterMs: 1_000, run: async () => ++runs })
  await advance(999)
  expect(runs).toBe(0)
  await advance(1)
  expect(runs).toBe(1)
  await advance(60_000)
  expect(runs).toBe(3)
  expect(metric('job_runs_total{job="count",result="ok"}')).toBe('3')
  expect(metric('job_duration_seconds_count{job="count"}')).toBe('3')
})

test('a job that takes longer than its pause never runs twice at once', async () => {
  const { scheduler, advance } = schedulerAt0()
  const release = Promise.withResolvers<void>()
  let runs = 0
  scheduler.add({
    name: 'long',
    everyMs: 1_000,
    run() {
      runs++
      return release.promise
    },
  })
  await advance(10_000)
  expect(runs).toBe(1)
  release.resolve()
  await advance(0)
  await advance(1_000)
  expect(runs).toBe(2)
})

test('a failing job is logged once, counted every time, and reported when it succeeds again', async () => {
  const { scheduler, advance, logged, metric } = schedulerAt0()
  let isAway = true
  scheduler.add({
    name: 'write',
    everyMs: 1_000,
    async run() {
      if (isAway) throw new Error('away')
    },
  })
  await advance(3_000)
  expect(logged).toEqual(['job failed; retrying'])
  expect(metric('job_runs_total{job="write",result="failed"}')).toBe('3')
  expect(metric('job_success_age_seconds{job="write"}')).toBeUndefined()
  isAway = false
  await advance(1_500)
  expect(logged).toEqual(['job failed; retrying', 'job succeeded again'])
  expect(metric('job_success_age_seconds{job="write"}')).toBe('0.5')
})

test('closing stops all jobs and waits for a run in progress', async () => {
  const { scheduler, advance } = schedulerAt0()
  const release = Promise.withResolvers<void>()
  let runs = 0
  let isClosed = false
  scheduler.add({ name: 'idle', everyMs: 1_000, firstAfterMs: 5_000, run: async () => ++runs })
  scheduler.add({ name: 'busy', everyMs: 1_000, run: () => release.promise })
  await advance(1_000)
  const closing = scheduler.close().then(() => {
    isClosed = true
  })
  await advance(10_000)
  expect({ runs, isClosed }).toEqual({ runs: 0, isClosed: false })
  release.resolve()
  await closing
  expect(isClosed).toBe(true)
})

import { expect, spyOn, test } from 'bun:test'
import { waitUntil } from '../../test/support/wait.ts'
import { type ReloadPacing, reloadOnChange, reloadOnTopic } from './reload-on-change.ts'

/** A counter and a cached copy of it that reloads on change. */
function copy(options: ReloadPacing & { failTimes?: number } = {}) {
  let truth = 0
  let held = 0
  let reads = 0
  let failing = options.failTimes ?? 0
  const failures: unknown[] = []
  const recoveries: number[] = []
  let gate: PromiseWithResolvers<void> | undefined
  let announce = () => {}
  const follow = reloadOnChange({
    subscribe(react) {
      announce = react
      return () => {
        announce = () => {}
      }
    },
    onFailure: (error) => failures.push(error),
    onRecovery: (tries) => recoveries.push(tries),
  })
  const following = follow(
    async () => {
      reads++
      const seen = truth
      await gate?.promise
      if (failing-- > 0) throw new Error('away')
      held = seen
    },
    { firstRetryMs: 10, ...options },
  )
  return {
    following,
    change() {
      truth++
      announce()
    },
    fail(times: number) {
      failing = times
    },
    /** Reads that begin from now on end only after `release`. */
    holdReads() {
      gate = Promise.withResolvers()
    },
    release() {
      gate?.resolve()
      gate = undefined
    },
    held: () => held,
    reads: () => reads,
    failures,
    recoveries,
  }
}

test('a change during a reload triggers another reload', async () => {
  const it = copy()
  it.holdReads()
  it.change()
  await waitUntil(() => it.reads() === 1, { describe: 'the first read' })
  it.change()
  it.release()
  await waitUntil(() => it.held() === 2, { describe: 'the second change' })
  expect(it.reads()).toBe(2)
  it.following.close()
})

test('many changes in a row need one reload', async () => {
  const it = copy()
  it.holdReads()
  it.change()
  await waitUntil(() => it.reads() === 1, { describe: 'the first read' })
  for (let i = 0; i < 20; i++) it.change()
  it.release()
  await waitUntil(() => it.held() === 21, { describe: 'the last change' })
  expect(it.reads()).toBe(2)
  it.following.close()
})

test('reloads keep the minimum interval and include changes made meanwhile', async () => {
  const delays = spyOn(globalThis, 'setTimeout')
  const it = copy({ minIntervalMs: () => 50 })
  try {
    it.change()
    await waitUntil(() => it.held() === 1, { describe: 'the first change' })
    for (let i = 0; i < 20; i++) it.change()
    await waitUntil(() => it.held() === 21, { describe: 'the last change' })
    expect(it.reads()).toBe(2)
    expect(delays.mock.calls.map(([, ms]) => ms)).toContain(50)
  } finally {
    delays.mockRestore()
    it.following.close()
  }
})

test('a refresh during a reload waits for the next one', async () => {
  const it = copy()
  it.holdReads()
  const first = it.following.refresh()
  it.change()
  const second = it.following.refresh()
  it.release()
  await second
  expect(it.held()).toBe(1)
  await first
  it.following.close()
})

test('a failed reload is retried until it succeeds, with one failure and one recovery reported', async () => {
  const it = copy({ failTimes: 3 })
  it.change()
  await waitUntil(() => it.recoveries.length === 1, { describe: 'the first success' })
  expect(it.held()).toBe(1)
  expect(it.failures).toHaveLength(1)
  expect(it.recoveries).toEqual([4])
  it.fail(1)
  it.change()
  await waitUntil(() => it.recoveries.length === 2, { describe: 'the second success' })
  expect(it.held()).toBe(2)
  expect(it.failures).toHaveLength(2)
  expect(it.recoveries).toEqual([4, 2])
  it.following.close()
})

test('the retry delay grows up to its maximum', async () => {
  const it = copy({ failTimes: 7, firstRetryMs: 11, maxRetryMs: 44 })
  const delays = spyOn(globalThis, 'setTimeout')
  try {
    it.change()
    await waitUntil(() => it.held() === 1, { describe: 'the first success' })
    const pauses = delays.mock.calls.map(([, ms]) => ms).filter((ms) => ms !== 0)
    expect(pauses).toEqual([11, 22, 44, 44, 44, 44, 44])
  } finally {
    delays.mockRestore()
    it.following.close()
  }
})

test('nothing is read or reported after close', async () => {
  const it = copy({ failTimes: 1 })
  it.change()
  it.following.close()
  it.change()
  it.following.invalidate()
  await Bun.sleep(0)
  await Bun.sleep(0)
  expect(it.reads()).toBe(0)
  expect(it.failures).toHaveLength(0)
})

test('the log names the failed reload and its recovery', async () => {
  const lines: string[] = []
  const write = (level: string) => (message: string, facts: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`)
  let announce = () => {}
  const follow = reloadOnTopic(
    {
      onChange: (topic, react) => {
        expect(topic).toBe('lists')
        announce = react
        return () => {}
      },
    },
    { info: write('info'), warn: write('warn') },
  )
  let fails = 2
  const following = follow('lists', 'lists')(
    async () => {
      if (fails-- > 0) throw new Error('away')
    },
    { firstRetryMs: 1 },
  )
  announce()
  await waitUntil(() => lines.length === 2, { describe: 'both lines' })
  expect(lines).toEqual([
    'warn reload failed; retrying {"what":"lists","cause":"Error: away"}',
    'info reload succeeded after retries {"what":"lists","tries":3}',
  ])
  following.close()
})

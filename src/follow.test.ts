import { expect, test } from 'bun:test'
import { follower, type Pace, storeFollower } from './follow.ts'

/** A thing whose changes are counted, and a copy of it that is kept up to date. */
function copy(options: Pace & { takesMs?: number; failTimes?: number } = {}) {
  let truth = 0
  let held = 0
  let reads = 0
  let failing = options.failTimes ?? 0
  const failures: unknown[] = []
  const recoveries: number[] = []
  const readAt: number[] = []
  let announce = () => {}
  const follow = follower({
    listen(react) {
      announce = react
      return () => {
        announce = () => {}
      }
    },
    failing: (error) => failures.push(error),
    recovered: (tries) => recoveries.push(tries),
  })
  const following = follow(
    async () => {
      reads++
      readAt.push(performance.now())
      const seen = truth
      await Bun.sleep(options.takesMs ?? 0)
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
    held: () => held,
    reads: () => reads,
    readAt,
    failures,
    recoveries,
  }
}

test('what changed while it was being read is read again', async () => {
  const it = copy({ takesMs: 20 })
  it.change()
  await Bun.sleep(10)
  it.change()
  await Bun.sleep(80)
  expect(it.held()).toBe(2)
  it.following.close()
})

test('many changes in a row are taken in together', async () => {
  const it = copy({ takesMs: 5, restMs: () => 50 })
  for (let i = 0; i < 20; i++) {
    it.change()
    await Bun.sleep(2)
  }
  await Bun.sleep(150)
  expect(it.held()).toBe(20)
  expect(it.reads()).toBeLessThan(8)
  it.following.close()
})

test('a refresh that is asked for during a read waits for the next one', async () => {
  const it = copy({ takesMs: 20 })
  const first = it.following.refresh()
  it.change()
  await it.following.refresh()
  expect(it.held()).toBe(1)
  await first
  it.following.close()
})

test('a read that fails is tried until it succeeds, and told of once at its beginning and once at its end', async () => {
  const it = copy({ failTimes: 3 })
  it.change()
  await Bun.sleep(150)
  expect(it.held()).toBe(1)
  expect(it.failures).toHaveLength(1)
  expect(it.recoveries).toEqual([4])
  it.fail(1)
  it.change()
  await Bun.sleep(50)
  expect(it.held()).toBe(2)
  expect(it.failures).toHaveLength(2)
  expect(it.recoveries).toEqual([4, 2])
  it.following.close()
})

test('the pauses between tries grow, up to the longest', async () => {
  const it = copy({ failTimes: 7, firstRetryMs: 10, longestRetryMs: 40 })
  it.change()
  await Bun.sleep(500)
  expect(it.held()).toBe(1)
  const pauses = it.readAt.slice(1).map((at, index) => at - (it.readAt[index] ?? 0))
  for (const [index, least] of [10, 20, 40, 40, 40, 40, 40].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(least - 2)
  }
  // Without an upper bound the last pause alone would be 640 ms.
  expect(Math.max(...pauses)).toBeLessThan(300)
  it.following.close()
})

test('nothing is read or told of after it was closed', async () => {
  const it = copy({ failTimes: 1 })
  it.change()
  it.following.close()
  it.change()
  it.following.changed()
  await Bun.sleep(30)
  expect(it.reads()).toBe(0)
  expect(it.failures).toHaveLength(0)
})

test('the log says what cannot be followed, and when it can again', async () => {
  const lines: string[] = []
  const write = (level: string) => (message: string, facts: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`)
  let announce = () => {}
  const follow = storeFollower(
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
  await Bun.sleep(60)
  expect(lines).toEqual([
    'warn cannot follow the store; trying until it works {"what":"lists","cause":"Error: away"}',
    'info following the store again {"what":"lists","tries":3}',
  ])
  following.close()
})

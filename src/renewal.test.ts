import { expect, test } from 'bun:test'
import { renewal } from './renewal.ts'

/** A thing whose changes are counted, and a copy of it that a renewal keeps up to date. */
function follower(options: { takesMs?: number; restMs?: number; failTimes?: number } = {}) {
  let truth = 0
  let held = 0
  let runs = 0
  let failing = options.failTimes ?? 0
  const failures: unknown[] = []
  const follow = renewal({
    async renew() {
      runs++
      const seen = truth
      await Bun.sleep(options.takesMs ?? 0)
      if (failing-- > 0) throw new Error('away')
      held = seen
    },
    failed: (error) => failures.push(error),
    restMs: () => options.restMs ?? 0,
    retryMs: 10,
  })
  return {
    follow,
    change() {
      truth++
      follow.changed()
    },
    truth: () => truth,
    held: () => held,
    runs: () => runs,
    failures,
  }
}

test('what changed while it was being read is read again', async () => {
  const it = follower({ takesMs: 20 })
  it.change()
  await Bun.sleep(10)
  it.change()
  await Bun.sleep(80)
  expect(it.held()).toBe(2)
  it.follow.close()
})

test('many changes in a row are taken in together', async () => {
  const it = follower({ takesMs: 5, restMs: 50 })
  for (let i = 0; i < 20; i++) {
    it.change()
    await Bun.sleep(2)
  }
  await Bun.sleep(150)
  expect(it.held()).toBe(20)
  expect(it.runs()).toBeLessThan(8)
  it.follow.close()
})

test('a refresh that is asked for during a run waits for the next one', async () => {
  const it = follower({ takesMs: 20 })
  const first = it.follow.refresh()
  it.change()
  await it.follow.refresh()
  expect(it.held()).toBe(1)
  await first
  it.follow.close()
})

test('a run that fails is tried again, and told of once', async () => {
  const it = follower({ failTimes: 3 })
  it.change()
  await Bun.sleep(150)
  expect(it.held()).toBe(1)
  expect(it.failures).toHaveLength(1)
  it.follow.close()
})

test('nothing runs after it was closed', async () => {
  const it = follower()
  it.follow.close()
  it.change()
  await Bun.sleep(20)
  expect(it.runs()).toBe(0)
})

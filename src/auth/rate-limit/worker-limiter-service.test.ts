import { expect, test } from 'bun:test'
import { memoryLimiter } from './memory-limiter-service.ts'
import { type SpentByKey, type WorkerChannel, workerLimiter } from './worker-limiter-service.ts'

/** Processes that hear each other at once when `round` is called. */
function machine(count: number) {
  const hearers: ((spent: SpentByKey, isOwn: boolean) => void)[] = []
  const limiters = Array.from({ length: count }, (_, at) => {
    const channel: WorkerChannel = {
      report: (spent) => {
        for (const [other, heard] of hearers.entries()) heard(spent, other === at)
      },
      onReport: (heard) => {
        hearers[at] = heard
      },
    }
    return workerLimiter(memoryLimiter(), count, channel)
  })
  return limiters
}

test('together they let through the limit, however the requests are spread', async () => {
  for (const spread of [(n: number) => n % 2, (n: number) => (n % 10 === 0 ? 1 : 0), () => 0]) {
    const limiters = machine(2)
    const decisions = await Promise.all(
      Array.from({ length: 900 }, async (_, n) => {
        if (n % 60 === 0) await Bun.sleep(n / 6)
        return limiters[spread(n)]?.take('key', 300, 1, Date.now())
      }),
    )
    const allowed = decisions.filter((one) => one?.allowed).length
    expect(allowed).toBeLessThanOrEqual(306)
    expect(allowed).toBeGreaterThan(270)
  }
})

test('a burst at one moment to all of them does not pass the limit', async () => {
  const limiters = machine(4)
  const decisions = await Promise.all(
    Array.from({ length: 2_000 }, async (_, n) => limiters[n % 4]?.take('key', 400, 1, Date.now())),
  )
  expect(decisions.filter((one) => one?.allowed).length).toBeLessThanOrEqual(400)
})

test('one that hears nobody counts for itself', async () => {
  const alone = workerLimiter(memoryLimiter(), 2, { report() {}, onReport() {} })
  const decisions = await Promise.all(Array.from({ length: 40 }, async () => alone.take('key', 30, 1, Date.now())))
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30)
})

import { expect, test } from 'bun:test'
import { memoryLimiter } from './memory-limiter-service.ts'
import { type SpentByKey, type WorkerChannel, workerLimiter } from './worker-limiter-service.ts'

/** Processes that exchange their counts when `round` is called. */
function machine(count: number) {
  const hearers: ((spent: SpentByKey, isOwn: boolean) => void)[] = []
  const limiters = Array.from({ length: count }, (_, at) => {
    const channel: WorkerChannel = {
      report: (spent) => {
        for (const [other, report] of hearers.entries()) report(spent, other === at)
      },
      onReport: (report) => {
        hearers[at] = report
      },
    }
    return workerLimiter(memoryLimiter(), count, channel)
  })
  return limiters
}

test('all processes together allow the limit, however the requests are distributed', async () => {
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

test('a simultaneous burst to all processes does not exceed the limit', async () => {
  const limiters = machine(4)
  const decisions = await Promise.all(
    Array.from({ length: 2_000 }, async (_, n) => limiters[n % 4]?.take('key', 400, 1, Date.now())),
  )
  expect(decisions.filter((one) => one?.allowed).length).toBeLessThanOrEqual(400)
})

test('a process without peers counts alone', async () => {
  const alone = workerLimiter(memoryLimiter(), 2, { report() {}, onReport() {} })
  const decisions = await Promise.all(Array.from({ length: 40 }, async () => alone.take('key', 30, 1, Date.now())))
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30)
})

import { afterAll, expect, test } from 'bun:test'
import { watchLoopStretches } from './loop-stretches.ts'

const watches: { close(): void }[] = []
afterAll(() => {
  for (const watch of watches) watch.close()
})

function watch() {
  const lines: { message: string; facts: Record<string, unknown> }[] = []
  const clock = { at: 0, cpu: 0 }
  const stretches = watchLoopStretches({
    log: { warn: (message, facts) => void lines.push({ message, facts: { ...facts } }) },
    monotonicMs: () => clock.at,
    cpuMs: () => clock.cpu,
    // Never by itself: the test calls it.
    everyMs: 1_000_000,
  })
  watches.push(stretches)
  const pass = (ms: number, cpuMs: number) => {
    clock.at += 1_000_000 + ms
    clock.cpu += cpuMs
    stretches.check()
  }
  return { lines, pass, stretches }
}

test('a long stretch is logged with the requests in progress, also one that ended in it', () => {
  const { lines, pass, stretches } = watch()
  const [slow, other] = [
    { route: '/api/slow', loggedId: 'r1' },
    { route: '/api/other', loggedId: 'r2' },
  ]
  stretches.begin(slow)
  stretches.begin(other)
  stretches.end(slow)
  pass(120, 120)
  expect(lines).toEqual([
    {
      message: 'event loop held',
      facts: { ms: 120, requests: ['/api/slow r1', '/api/other r2'], in_progress: 2 },
    },
  ])
  pass(80, 80)
  expect(lines[1]?.facts).toEqual({ ms: 80, requests: ['/api/other r2'], in_progress: 1 })
  expect(stretches.longestMs()).toBe(120)
})

test('short stretches, an idle service and a machine that is busy elsewhere are not logged', () => {
  const { lines, pass, stretches } = watch()
  pass(200, 200)
  stretches.begin({ route: '/api/fast', loggedId: 'r1' })
  pass(40, 40)
  pass(400, 20)
  expect(lines).toEqual([])
})

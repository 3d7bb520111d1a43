import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { createResolver, type Resolver } from '../../src/catalog/matching/resolver.ts'
import { showTable } from './results.ts'
import { syntheticDevices } from './synthetic-registry.ts'
import { syntheticTitles } from './synthetic-titles.ts'
import { atLeast, type BenchTarget, below } from './targets.ts'

const TITLES = 4_000
const DEVICES = 45_000
/** Titles are timed in short runs. The fastest of several passes over a run counts: on a busy machine the others include waiting time. */
const RUN = 20
const PASSES = 30
/** Untimed passes, so that the engine has compiled the code. */
const WARM_UP = 12

function perSecond(resolve: Resolver, titles: readonly string[]): number {
  let total = 0
  for (let pass = 0; pass < WARM_UP; pass++) for (const text of titles) resolve({ text })
  for (let from = 0; from < titles.length; from += RUN) {
    const run = titles.slice(from, from + RUN)
    let best = Number.POSITIVE_INFINITY
    for (let pass = 0; pass < PASSES; pass++) {
      const started = performance.now()
      for (const text of run) resolve({ text })
      best = Math.min(best, performance.now() - started)
    }
    total += best
  }
  return (1000 * titles.length) / total
}

const HOSTILE = [
  'a'.repeat(5000),
  '1'.repeat(5000),
  'a1'.repeat(2500),
  'iphone '.repeat(700),
  'iphone 13 '.repeat(500),
  'pro max plus ultra '.repeat(250),
  '+'.repeat(5000),
  '1,'.repeat(2500),
  'SM-G991B '.repeat(500),
  'ﷺ'.repeat(300),
  '아이폰프로맥스'.repeat(50),
  'galaxyiphonepromax'.repeat(300),
  'for '.repeat(1000),
  '64/128/256/512'.repeat(300),
  '('.repeat(5000),
]

/** Titles resolved per second on one core, with the bundled catalogue and with 45,000 synthetic devices. */
export function measureMatching(): BenchTarget[] {
  const targets: BenchTarget[] = []
  const rows: string[][] = []
  for (const [name, devices, minPerSecond] of [
    ['bundled catalogue', bundledDevices(), 50_000],
    ['45,000 devices', syntheticDevices(DEVICES), 20_000],
  ] as const) {
    const started = performance.now()
    const resolve = createResolver(devices)
    const built = performance.now() - started
    const titles = syntheticTitles(devices, TITLES)
    const matched = titles.filter((text) => resolve({ text }).decision === 'matched').length
    const rate = perSecond(resolve, titles)
    const slowest = Math.max(
      ...HOSTILE.map((text) => {
        let best = Number.POSITIVE_INFINITY
        for (let round = 0; round < 15; round++) {
          const startedAt = performance.now()
          resolve({ text })
          best = Math.min(best, performance.now() - startedAt)
        }
        return best
      }),
    )
    rows.push([
      name,
      `${devices.length}`,
      built.toFixed(0),
      rate.toFixed(0),
      `${matched}/${titles.length}`,
      slowest.toFixed(2),
    ])
    targets.push(atLeast(`${name}: titles per second`, rate, minPerSecond, 0))
    targets.push(below(`${name}: most hostile title`, slowest, 5, 'ms', 2))
  }
  showTable({
    title: 'Titles resolved on one core',
    head: ['catalogue', 'devices', 'build ms', 'titles/s', 'matched', 'hostile ms'],
    rows,
  })
  return targets
}

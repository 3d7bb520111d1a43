/**
 * Search over 50,000 made-up devices: how long one search holds the event loop. Targets: p99 under 5 ms as typed and
 * under 20 ms with a typing error, and no search at all over 50 ms.
 */

import { parseSearchTerm } from '../src/catalog/search/search-term.ts'
import { buildSnapshot } from '../src/catalog/snapshot.ts'
import { runToEnd } from '../src/lib/time-sliced.ts'
import { showTable } from './support/results.ts'
import { seededRandom, syntheticDevices } from './support/synthetic-registry.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const DEVICES = 50_000
const SEARCHES = 2_000
/** Of so many runs of a search the shortest counts: on a busy machine the others tell how long it waited for its turn. */
const ROUNDS = 3

const devices = syntheticDevices(DEVICES)
const random = seededRandom(7)
const any = () => devices[Math.floor(random() * devices.length)] ?? fail()

function fail(): never {
  throw new Error('the registry is empty')
}

function mistyped(word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const [before, after] = [word.slice(0, at), word.slice(at)]
  switch (Math.floor(random() * 4)) {
    case 0:
      return before + after.slice(1)
    case 1:
      return `${before}q${after}`
    case 2:
      return `${before}q${after.slice(1)}`
    default:
      return before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2)
  }
}

const longWord = () => {
  for (;;) {
    const word = `${any().make} ${any().name}`.split(' ').find((each) => /^[a-z]{6,}$/i.test(each))
    if (word) return word
  }
}
const many = (make: () => string) => Array.from({ length: SEARCHES }, make)

const WORST = [
  'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9',
  's',
  's m',
  'smartphone',
  'smartphone tablet laptop',
  'smartphon tablett laptopp headphnes consol',
  'smartphone qaqaqaqa',
  'a'.repeat(100),
  `${'ab '.repeat(33)}c`,
  'é'.repeat(100),
  'ﷺ'.repeat(100),
  '中文 手机 平板',
  '\u0000'.repeat(100),
  'xx-'.repeat(33),
  `${'x'.repeat(49)} ${'y'.repeat(50)}`,
]

const SETS: readonly (readonly [name: string, limitMs: number, terms: readonly string[]])[] = [
  ['whole names', 5, many(() => any().name)],
  ['make and name', 5, many(() => ((device) => `${device.make} ${device.name}`)(any()))],
  ['three letters', 5, many(() => any().name.slice(0, 3))],
  ['model numbers', 5, many(() => any().modelNumbers[0] ?? '')],
  ['one typing error', 20, many(() => mistyped(longWord()))],
  ['two mistyped words', 20, many(() => `${mistyped(longWord())} ${mistyped(longWord())}`)],
  ['the worst we could think of', 50, WORST.flatMap((term) => Array.from({ length: 20 }, () => term))],
]

const began = performance.now()
const snapshot = runToEnd(buildSnapshot(null, { changed: devices }, 'http://127.0.0.1:3000'))
const builtMs = performance.now() - began
console.log(`${DEVICES} devices, ${snapshot.variants.length} variants: snapshot built in ${builtMs.toFixed(0)} ms`)

const targets: BenchTarget[] = []
const rows: string[][] = []
for (const kind of ['searchDevices', 'searchVariants'] as const) {
  for (const [name, limitMs, terms] of SETS) {
    const read = terms.map((text) => parseSearchTerm(text)).filter((term) => term !== null)
    for (const term of read.slice(0, 200)) snapshot[kind](term)
    const times: number[] = []
    let found = 0
    for (const term of read) {
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now()
        found += snapshot[kind](term).length > 0 ? 1 : 0
        best = Math.min(best, performance.now() - start)
      }
      times.push(best)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    const share = `${Math.round((100 * found) / read.length / ROUNDS)} %`
    rows.push([kind, name, at(0.5).toFixed(2), at(0.99).toFixed(2), at(1).toFixed(2), share])
    targets.push(below(`${kind}, ${name}: p99`, at(0.99), limitMs, 'ms', 2))
  }
}
showTable({ title: 'Searches', head: ['over', 'terms', 'p50 ms', 'p99 ms', 'most ms', 'found'], rows })
reportTargets(targets)

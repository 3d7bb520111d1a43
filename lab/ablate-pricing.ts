/**
 * Ablation of the price model: switches one part off at a time and prints how median error and 80 % cover change on every set.
 *   npm run lab -- ablate                             all parts
 *   npm run lab -- ablate --part 'late variants'   some parts; may be repeated
 *   ABLATE_ROUNDS=4 npm run lab -- ablate             fewer rounds per split (12)
 *   npm run lab -- ablate --splits                    every split of the whole model, as JSON
 *   npm run lab -- ablate --part A --part B --together   without all of them at once
 */

import { parseArgs } from 'node:util'
import { leaveOut, MODEL_PARTS, type ModelPart } from '../src/pricing/model/model-parts.ts'
import { PRIOR_COEFFICIENTS } from '../src/pricing/model/prior-coefficients.ts'
import { evaluateAccuracy } from './pricing/accuracy.ts'
import { coldStartAccuracy } from './pricing/cold-start-accuracy.ts'
import { DATASETS } from './pricing/datasets.ts'
import { EVALUATIONS } from './pricing/evaluations.ts'
import {
  hideAll,
  hideFolds,
  marketOutcomes,
  mergeDevices,
  ownShopAccuracy,
  recentRows,
  sampleEvenly,
  summarize,
} from './pricing/market-accuracy.ts'
import { findDatasetFolder, type PriceDataset, readLaunches } from './pricing/price-set.ts'

type Accuracy = { readonly mdape: number; readonly cover: number; readonly expected: number }
type Result = Readonly<Record<string, Accuracy>>

/** A part stays if without it the mean over all splits gets worse by this, in percentage points. */
const MIN_ERROR_CHANGE = 0.05
const MIN_DISTANCE_CHANGE = 0.3
const EXPECTED_COVER = 80
/** Enough of each split to see a part's effect; the whole evaluation for every part would take hours. */
const MAX_ROUNDS = Number(process.env.ABLATE_ROUNDS ?? 12)
/** Of splits that hide one price per round. */
const MAX_SINGLE_ROUNDS = 8 * MAX_ROUNDS
const MAX_FIRST_PRICES = 1_500
/** Of the rows of other sets, in splits that combine sets. */
const MAX_OTHER_ROWS = 6_000
/** Samples of the own prices of an organization. */
const OWN_SAMPLES = 5
/** In a smaller split, a single test would move the coverage by more than a point. */
const MIN_TESTS = 100

async function readSets(): Promise<PriceDataset[]> {
  const folder = findDatasetFolder()
  if (!folder) throw new Error('No price sets found. Set SHARED_DATA to the folder that holds prices/.')
  const launches = await readLaunches(folder)
  return Promise.all(Object.values(DATASETS).map((read) => read(folder, launches)))
}

function evaluate(sets: readonly PriceDataset[], without: readonly ModelPart[]): Result {
  leaveOut(without)
  const results: Record<string, Accuracy> = {}
  const record = (split: string, tests: number, { mdape, cover, expected }: Accuracy) => {
    if (tests >= MIN_TESTS) results[split] = { mdape: 100 * mdape, cover: 100 * cover, expected: 100 * expected }
  }
  for (const set of sets) {
    const { name } = set
    for (const { split, rounds } of EVALUATIONS.filter((each) => each.set === name)) {
      const all = rounds(set)
      const max = all.every(({ test }) => test.length === 1) ? MAX_SINGLE_ROUNDS : MAX_ROUNDS
      const sampled = sampleEvenly(all, max)
      if (sampled.reduce((sum, { test }) => sum + test.length, 0) < MIN_TESTS) continue
      const { quoted, tests } = evaluateAccuracy(set.devices, sampled, PRIOR_COEFFICIENTS)
      record(`${name}, ${split}`, tests, quoted)
    }
    const first = coldStartAccuracy({ ...set, observations: sampleEvenly(set.observations, MAX_FIRST_PRICES) })
    const rows = first.reduce((sum, group) => sum + group.rows, 0)
    const mean = (of: (group: (typeof first)[number]) => number) =>
      first.reduce((sum, group) => sum + of(group) * group.rows, 0) / rows
    record(`${name}, no observations`, rows, {
      mdape: mean((g) => g.mdape),
      cover: mean((g) => g.cover),
      expected: mean((g) => g.expected),
    })
  }
  const devices = mergeDevices(sets)
  for (const set of sets) {
    const others = sets.filter((other) => other !== set).flatMap(({ observations }) => observations)
    const abroad = others.filter(({ market }) => market !== set.observations[0]?.market)
    for (const [split, hidden, known] of [
      ['together', hideFolds(set)[0], others],
      ['market left out', hideAll(set)[0], abroad],
    ] as const) {
      const outcomes = hidden ? marketOutcomes(devices, hidden, sampleEvenly(known, MAX_OTHER_ROWS)) : []
      record(`${set.name}, ${split}`, outcomes.length, summarize(outcomes))
    }
  }
  for (const set of sets.filter(({ name }) => OWN_PRICE_SETS.includes(name))) {
    const others = sets.filter((other) => other !== set).flatMap(({ observations }) => observations)
    const common = recentRows(sampleEvenly(others, MAX_OTHER_ROWS), set.observations)
    for (const { own, accuracy } of ownShopAccuracy(
      devices,
      common,
      recentRows(set.observations),
      [50, 977],
      OWN_SAMPLES,
    ))
      record(`${set.name}, ${own} own prices`, accuracy.tests, accuracy)
  }
  const unlocked = sets.flatMap(({ name, observations }) =>
    name === 'refit_wholesale_us' ? observations.filter(({ lock }) => lock !== 'locked') : [],
  )
  for (const shop of ['KT', 'SA']) {
    const own = unlocked.filter(({ source }) => source === shop)
    const common = unlocked.filter(({ source }) => source !== shop)
    for (const { own: prices, accuracy } of ownShopAccuracy(devices, common, own, [30, 300], OWN_SAMPLES))
      record(`refit_wholesale_us, ${shop} with ${prices} own prices`, accuracy.tests, accuracy)
  }
  return results
}

/** Sets that are tested as the own prices of one organization. */
const OWN_PRICE_SETS = ['bunjang_kr', 'daangn_kr_half', 'ebay_active_condition', 'shops_vn_2024', 'njuskalo_hr']

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`

function largestChange(full: Result, without: Result, of: keyof Accuracy): { split: string; change: number } {
  const changes = Object.entries(full).map(([split, before]) => ({
    split,
    change: (without[split]?.[of] ?? Number.NaN) - before[of],
  }))
  return changes.reduce((largest, each) => (Math.abs(each.change) > Math.abs(largest.change) ? each : largest))
}

function tableRow(part: string, full: Result, without: Result): string {
  const error = largestChange(full, without, 'mdape')
  const cover = largestChange(full, without, 'cover')
  const meanOf = (result: Result, of: (accuracy: Accuracy) => number) =>
    Object.keys(full).reduce((sum, split) => sum + of(result[split] as Accuracy), 0) / Object.keys(full).length
  const meanChange = (of: (accuracy: Accuracy) => number) => meanOf(without, of) - meanOf(full, of)
  const meanError = meanChange(({ mdape }) => mdape)
  const meanDistance = meanChange(({ cover: covered }) => Math.abs(covered - EXPECTED_COVER))
  const stays = meanError >= MIN_ERROR_CHANGE || meanDistance >= MIN_DISTANCE_CHANGE
  return `| ${[
    part,
    `${signed(error.change)} (${error.split})`,
    signed(meanError),
    `${signed(cover.change)} (${cover.split})`,
    signed(meanDistance),
    stays ? 'stays' : '**goes**',
  ].join(' | ')} |`
}

const isPart = (name: string): name is ModelPart => (MODEL_PARTS as readonly string[]).includes(name)

function partsOf(names: readonly string[]): ModelPart[] {
  const unknown = names.filter((name) => !isPart(name))
  if (unknown.length > 0) throw new Error(`Unknown part: ${unknown.join(', ')}. Parts: ${MODEL_PARTS.join(', ')}`)
  return names.filter(isPart)
}

function summary(result: Result): string {
  const all = Object.values(result)
  const mean = (of: (accuracy: Accuracy) => number) => all.reduce((sum, each) => sum + of(each), 0) / all.length
  const inside = all.filter(({ cover }) => Math.abs(cover - EXPECTED_COVER) <= 4).length
  return `${[
    `mean error ${mean(({ mdape }) => mdape).toFixed(2)}`,
    `mean distance from 80 % ${mean(({ cover }) => Math.abs(cover - EXPECTED_COVER)).toFixed(2)}`,
    `76 to 84 % in ${inside} of ${all.length}`,
    `stated error off by ${mean(({ mdape, expected }) => Math.abs(mdape - expected)).toFixed(2)}`,
  ].join(', ')}\n`
}

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    together: { type: 'boolean' },
    splits: { type: 'boolean' },
  },
})
const sets = await readSets()
const full = evaluate(sets, [])
console.log(summary(full))
if (values.splits) console.log(JSON.stringify(full))
else {
  const parts = partsOf(values.part ?? MODEL_PARTS)
  console.log(
    'Change without the part, in percentage points: largest of all splits, mean error, mean distance from 80 %.\n',
  )
  console.log('| part | median error | mean error | 80 % cover | mean distance from 80 | |\n|---|---|---|---|---|---|')
  for (const without of values.together ? [parts] : parts.map((part) => [part]))
    console.log(tableRow(without.join('; '), full, evaluate(sets, without)))
}

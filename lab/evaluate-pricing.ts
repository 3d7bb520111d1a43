/**
 * Evaluates the pricing engine of the service on real prices that it has not seen.
 *   npm run lab -- evaluate                                     all sets and splits
 *   npm run lab -- evaluate --set swappa_2018                one set
 *   npm run lab -- evaluate FILE --split future --at DATE    any file of observations
 *   npm run lab -- evaluate --variations                     the sets with changes as in unknown markets: a tenth of the rows, one
 *                                                        grade, no launch prices, another currency, junk, other days, …
 *   npm run lab -- evaluate --board                          prices of the bundled catalogue without observations, and how many variants have none
 *   npm run lab -- evaluate --markets                        every set alone and with all others, with its market left out, own prices
 *   npm run lab -- evaluate --own                            shops and sets as the own prices of one organization
 *   npm run lab -- evaluate --boosting                       every set alone, compared with gradient boosting
 *   npm run lab -- evaluate --http                           every set, alone and mixed, through the API of the started program
 *   npm run lab -- evaluate --launch                         launch prices estimated from specifications, compared with known ones
 *   npm run lab -- evaluate --first                          prices without observations, by family and age
 */
import { parseArgs } from 'node:util'
import { quotedCondition } from '../src/catalog/grade.ts'
import { PRICE_OPTIONS } from '../src/import/prices/price-options.ts'
import { PRICING_METHOD } from '../src/pricing/model/method.ts'
import type { Observation } from '../src/pricing/model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../src/pricing/model/prior-coefficients.ts'
import { type AccuracyReport, buckets, evaluateAccuracy, type QuotePrediction } from './pricing/accuracy.ts'
import { priceBundledCatalogue } from './pricing/bundled-catalogue-prices.ts'
import { coldStartAccuracy } from './pricing/cold-start-accuracy.ts'
import { DATASETS, type DatasetName } from './pricing/datasets.ts'
import { EVALUATIONS } from './pricing/evaluations.ts'
import { fitBoosting } from './pricing/gradient-boosting.ts'
import { httpAccuracy } from './pricing/http-accuracy.ts'
import { launchPriceAccuracy } from './pricing/launch-price-accuracy.ts'
import { leaveOneSetOut, type SplitResult } from './pricing/leave-one-set-out.ts'
import {
  type HiddenRows,
  hideAll,
  hideFolds,
  hideFuture,
  type MarketAccuracy,
  marketOutcomes,
  mergeDevices,
  type Outcome,
  ownShopAccuracy,
  recentRows,
  sampleEvenly,
  summarize,
} from './pricing/market-accuracy.ts'
import { medianOf } from './pricing/median-error.ts'
import { catalogueMacbooks, type FileOptions, readPriceFile } from './pricing/price-file.ts'
import { findDatasetFolder, type PriceDataset, readLaunches } from './pricing/price-set.ts'
import { type EvaluationRound, foldRounds, futureRound, hiddenRounds, quantileMoment } from './pricing/splits.ts'
import { variationsOf } from './pricing/stress-variations.ts'

const percent = (value: number) => (Number.isFinite(value) ? (100 * value).toFixed(1) : '-')

const MAX_POOLED = 2_000

function requireDatasetFolder(): string {
  const folder = findDatasetFolder()
  if (folder) return folder
  console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
  process.exit(0)
}

const calibrationOf = (list: AccuracyReport['buckets']) =>
  list
    .map(({ from, expected, measured, count }) => `${from}: ${expected.toFixed(1)}/${measured.toFixed(1)} (${count})`)
    .join(', ')

const floorOf = ({ oracle, served, count }: AccuracyReport['oracle']) =>
  count ? `${percent(oracle)}/${percent(served)} (${count})` : '-'

function resultLine(name: string, split: string, result: AccuracyReport): string {
  const { last, mean, median, curve } = result.baselines as Record<'last' | 'mean' | 'median' | 'curve', number>
  const calibration = calibrationOf(result.buckets)
  return `| ${[name, split, result.tests, percent(last), percent(mean), percent(median), percent(curve), `**${percent(result.quoted.mdape)}**`, percent(result.quoted.mape), floorOf(result.oracle), `**${percent(result.quoted.cover)}**`, `${result.violations}/${result.pairs}`, calibration].join(' | ')} |`
}

const HEAD = `| set | split | tests | last | mean | median | curve | served MdAPE | MAPE | best single number/served, same listings (n) | 80 % cover | order broken | confidence: expected/measured (n) |
|---|---|---|---|---|---|---|---|---|---|---|---|---|`

async function evaluateDatasets(only: string | undefined, onlySplit: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  const launches = await readLaunches(folder)
  const sets = new Map<DatasetName, PriceDataset>()
  const all: QuotePrediction[] = []
  const results: SplitResult[] = []
  console.log(`engine ${PRICING_METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const { set: name, split, rounds } of EVALUATIONS) {
    if ((only && name !== only) || (onlySplit && !split.startsWith(onlySplit))) continue
    const set = sets.get(name) ?? (await DATASETS[name](folder, launches))
    sets.set(name, set)
    const result = evaluateAccuracy(set.devices, rounds(set), PRIOR_COEFFICIENTS)
    console.log(resultLine(name, split, result))
    // Limits the weight of large sets.
    const step = Math.max(1, Math.floor(result.predictions.length / MAX_POOLED))
    all.push(...result.predictions.filter((_, index) => index % step === 0))
    if (result.tests)
      results.push({ set: name, kind: split.split(/[ ,]/)[0] as string, predictions: result.predictions })
  }
  console.log(`\nconfidence over all sets, expected/measured error: ${calibrationOf(buckets(all))}`)
  console.log(
    `\nwhole sets left out: intervals scaled by the factor that the other sets need in the same kind of split\n\n| split | set | 80 % cover | scale needed | scale from other sets | cover with it | error / expected |\n|---|---|---|---|---|---|---|`,
  )
  for (const result of leaveOneSetOut(results).sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0))) {
    const numbers = [
      result.requiredScale.toFixed(2),
      result.otherSetsScale.toFixed(2),
      percent(result.coverByOthers),
      result.error.toFixed(2),
    ]
    console.log(`| ${[result.kind, result.set, percent(result.cover), ...numbers].join(' | ')} |`)
  }
}

async function evaluateVariations(only: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  const launches = await readLaunches(folder)
  console.log(`engine ${PRICING_METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const [name, read] of Object.entries(DATASETS)) {
    if (only && name !== only) continue
    for (const { name: variation, set, rounds } of variationsOf(await read(folder, launches))) {
      const result = evaluateAccuracy(set.devices, rounds, PRIOR_COEFFICIENTS)
      if (result.tests) console.log(resultLine(name, variation, result))
      else console.error(`${name}, ${variation}: no basis for a price, none given (${result.unpriced} rows)`)
    }
  }
}

async function evaluateColdStart(only: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  const launches = await readLaunches(folder)
  console.log(
    `engine ${PRICING_METHOD}, no observations; in percent of the price, single listings\n\n| set | side | family | age | rows | devices | bias | MdAPE | expected | 80 % cover |\n|---|---|---|---|---|---|---|---|---|---|`,
  )
  for (const [name, read] of Object.entries(DATASETS)) {
    if (only && name !== only) continue
    for (const first of coldStartAccuracy(await read(folder, launches))) {
      console.log(
        `| ${[name, first.group, first.rows, first.devices, percent(first.bias), percent(first.mdape), percent(first.expected), percent(first.cover)].join(' | ')} |`,
      )
    }
  }
}

/** Every set alone and with all others, with its whole market left out, and shops with own prices. */
async function evaluateMarkets(only: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  const launches = await readLaunches(folder)
  const sets: PriceDataset[] = []
  for (const read of Object.values(DATASETS)) sets.push(await read(folder, launches))
  const devices = mergeDevices(sets)
  const macbooks = await catalogueMacbooks(folder)
  const line = ({ tests, mdape, bias, cover }: MarketAccuracy) => [tests, percent(mdape), percent(bias), percent(cover)]
  console.log(
    `engine ${PRICING_METHOD}; in percent of the price, single listings, as served for the market of each set\n`,
  )
  console.log(
    '| set | market | split | tests | alone: MdAPE | bias | cover | mixed: MdAPE | bias | cover |\n|---|---|---|---|---|---|---|---|---|---|',
  )
  for (const set of sets) {
    if (only && set.name !== only) continue
    const others = sets.filter((other) => other !== set).flatMap(({ observations }) => observations)
    for (const [split, rows] of [
      ['fold', hideFolds(set)],
      ['future', hideFuture(set)],
    ] as const) {
      if (!rows.length) continue
      const [alone, mixed] = [[], others].map((foreign) =>
        summarize(rows.flatMap((part) => marketOutcomes(devices, part, foreign))),
      ) as [MarketAccuracy, MarketAccuracy]
      console.log(
        `| ${[set.name, set.observations[0]?.market, split, ...line(alone), ...line(mixed).slice(1)].join(' | ')} |`,
      )
    }
  }
  console.log('\n| market left out | set | tests | MdAPE | bias | cover |\n|---|---|---|---|---|---|')
  const bySide = new Map<string, Outcome[][]>()
  for (const set of sets.map((each) => (each.name === macbooks.name ? macbooks : each))) {
    const market = set.observations[0]?.market ?? ''
    if (only && set.name !== only) continue
    const others = sets.flatMap(({ observations }) => observations).filter((row) => row.market !== market)
    const registry = set === macbooks ? mergeDevices([...sets, macbooks]) : devices
    const outcomes = hideAll(set).flatMap((rows) => marketOutcomes(registry, rows, others))
    console.log(`| ${[market, set.name, ...line(summarize(outcomes))].join(' | ')} |`)
    for (const [group, part] of Map.groupBy(outcomes, quoteGroup))
      if (group) console.log(`| ${[market, `${set.name}, ${group}`, ...line(summarize(part))].join(' | ')} |`)
    const side = `${market}, ${set.observations[0]?.side === 'quote' ? 'buyback' : 'resale'}`
    // Sets with few prices, such as consoles, do not get the weight of a set.
    if (outcomes.length >= 100) bySide.set(side, [...(bySide.get(side) ?? []), outcomes])
  }
  for (const [side, parts] of bySide) {
    const pooled = parts.flatMap((part) => sampleEvenly(part, Math.min(...parts.map(({ length }) => length))))
    if (parts.length > 1)
      console.log(`| ${[side, `${parts.length} sets, equal weight`, ...line(summarize(pooled))].join(' | ')} |`)
  }
}

/** One sample of 30 own prices decides little: the coverage of two samples differs by up to 18 points. */
const OWN_SAMPLES = 10
/** Of the rows of other sets, as the common market of a set. */
const MAX_COMMON_ROWS = 6_000
const MIN_SHOP_PRICES = 200
/** The other sets hold hardly any device that the model can price without their own rows. */
const MIN_OWN_TESTS = 500

/** The buyers of a wholesale set, and whole sets, each as the own prices of one organization beside the prices of the others. */
async function evaluateOwnPrices(only: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  const launches = await readLaunches(folder)
  const sets: PriceDataset[] = []
  for (const read of Object.values(DATASETS)) sets.push(await read(folder, launches))
  const devices = mergeDevices(sets)
  console.log(
    `engine ${PRICING_METHOD}; in percent of the price, single listings, ${OWN_SAMPLES} samples\n\n| shop or set | own prices | tests | MdAPE | bias | cover | expected error |\n|---|---:|---:|---:|---:|---:|---:|`,
  )
  const results: MarketAccuracy[] = []
  const print = (name: string, common: readonly Observation[], shop: readonly Observation[], counts: number[]) => {
    if (only && name !== only) return
    for (const { own, accuracy } of ownShopAccuracy(devices, common, shop, counts, OWN_SAMPLES)) {
      const { tests, mdape, bias, cover, expected } = accuracy
      if (tests < MIN_OWN_TESTS) continue
      console.log(`| ${[name, own, tests, ...[mdape, bias, cover, expected].map(percent)].join(' | ')} |`)
      if (own > 0) results.push(accuracy)
    }
  }
  const wholesale = sets.flatMap(({ name, observations }) =>
    name === 'refit_wholesale_us' ? observations.filter(({ lock }) => lock !== 'locked') : [],
  )
  for (const [vendor, shop] of Map.groupBy(wholesale, ({ source }) => source)) {
    const common = wholesale.filter(({ source }) => source !== vendor)
    if (shop.length >= MIN_SHOP_PRICES) print(vendor, common, shop, [0, 10, 30, 100, 300])
  }
  for (const set of sets.filter(({ observations }) => observations[0]?.side !== 'quote')) {
    const others = sets.filter((other) => other !== set).flatMap(({ observations }) => observations)
    const shop = recentRows(set.observations)
    print(set.name, recentRows(sampleEvenly(others, MAX_COMMON_ROWS), set.observations), shop, [10, 30, 100, 300, 977])
  }
  const meanOf = (value: (accuracy: MarketAccuracy) => number) =>
    percent(results.reduce((sum, accuracy) => sum + value(accuracy), 0) / results.length)
  console.log(
    `\nmean of ${results.length} rows with own prices: error ${meanOf(({ mdape }) => mdape)}, absolute bias ${meanOf(({ bias }) => Math.abs(bias))}, distance of the coverage from 80 % ${meanOf(({ cover }) => Math.abs(cover - 0.8))}, stated error off by ${meanOf(({ mdape, expected }) => Math.abs(mdape - expected))}`,
  )
}

/** More rows take minutes and change the error of boosted trees by less than half a point. */
const MAX_BOOSTED_ROWS = 8_000

/**
 * Every set alone, each hidden price predicted by the service and by boosted trees that know the same, and more: the date of the hidden
 * price, which may be between known ones, and whether its seller stated the grade. Prices without a grade count as Good for trees that
 * are asked what callers ask, and the future has no date between known ones.
 */
async function evaluateBoosting(only: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  const launches = await readLaunches(folder)
  console.log(
    `engine ${PRICING_METHOD}; median error in percent of the price, single listings\n\n| set | tests | served | boosting | boosting without stated grade | future: tests | served | boosting |\n|---|---:|---:|---:|---:|---:|---:|---:|`,
  )
  for (const read of Object.values(DATASETS)) {
    const set = await read(folder, launches)
    if (only && set.name !== only) continue
    const compare = (parts: readonly HiddenRows[], seenAs: (row: Observation) => Observation = (row) => row) => {
      const errors = parts.flatMap((part) => {
        const predict = fitBoosting(set.devices, sampleEvenly(part.known, MAX_BOOSTED_ROWS).map(seenAs))
        return marketOutcomes(set.devices, part, []).map(({ row, error }) => ({
          served: Math.abs(error),
          boosted: Math.abs(predict(seenAs(row)) / row.cents - 1),
        }))
      })
      const medianErrorOf = (which: 'served' | 'boosted') => percent(medianOf(errors.map((error) => error[which])))
      return { tests: errors.length, served: medianErrorOf('served'), boosted: medianErrorOf('boosted') }
    }
    const folds = compare(hideFolds(set))
    const { boosted } = compare(hideFolds(set), (row) => ({ ...row, grade: quotedCondition(row.grade) ?? row.grade }))
    const future = compare(hideFuture(set))
    const ahead = future.tests ? [future.tests, future.served, future.boosted] : ['', '', '']
    console.log(`| ${[set.name, folds.tests, folds.served, folds.boosted, boosted, ...ahead].join(' | ')} |`)
  }
}

/** Dealers' quotes of one set by buyer, lock and grade: these differ more than markets. */
function quoteGroup({ row }: Outcome): string {
  if (row.source !== 'SA' && row.source !== 'KT') return ''
  return `${row.source}, ${row.lock}, grade ${/^[ab]/.test(row.label) ? 'A to B' : row.label.toUpperCase()}`
}

function printBundledCataloguePrices(): void {
  const { variants, unpriced, borrowed, families } = priceBundledCatalogue(Date.now())
  const share = (part: number) => `${part} (${((100 * part) / variants).toFixed(2)} %)`
  console.log(`${variants} bundled variants, no observations`)
  console.log(`without a price: ${share(unpriced.length)}${unpriced.map((id) => `\n  ${id}`).join('')}`)
  console.log(`priced by an announced price or by their product line: ${share(borrowed)}\n`)
  console.log('| family | devices | Good, % of launch price | max confidence |\n|---|---|---|---|')
  for (const [name, { devices, minShare, maxShare, confidence }] of [...families].sort()) {
    const range = maxShare > 0 ? `${percent(minShare)} to ${percent(maxShare)}` : '-'
    console.log(`| ${name} | ${devices} | ${range} | ${confidence} |`)
  }
}

function printLaunchPriceAccuracy(): void {
  console.log(
    'in percent, ln(launch price)\n\n| category | devices | median | 90th percentile | bias | 80 % cover |\n|---|---|---|---|---|---|',
  )
  for (const { category, devices, ...share } of launchPriceAccuracy()) {
    const numbers = [share.median, share.percentile90, share.bias, share.cover].map(percent)
    console.log(`| ${[category, devices, ...numbers].join(' | ')} |`)
  }
}

/** Rounds of a split; none if the file does not allow it: one day has no future, one device no unseen model. */
function fileRounds(set: PriceDataset, split: string, at: number | undefined): EvaluationRound[] {
  const { observations } = set
  const devices = new Set(set.devices.filter((d) => d.variants.length).map((d) => d.deviceId))
  if (split === 'fold') return foldRounds(observations)
  if (split === 'variant') return hiddenRounds(set, observations, 'variant')
  if (split === 'model') return devices.size > 1 ? hiddenRounds(set, observations, 'model') : []
  const moment = at ?? quantileMoment(observations, 0.7)
  const rounds = futureRound(observations, moment)
  return rounds.every(({ train, test }) => train.length && test.length) ? rounds : []
}

/** Compares held-out prices with responses of the started program and with the engine in this process. */
async function evaluateHttp(only: string | undefined): Promise<void> {
  const folder = requireDatasetFolder()
  console.log(
    `engine ${PRICING_METHOD}; in percent of the price, single listings\n\n| set | others | tests | HTTP: MdAPE | bias | cover | in process: MdAPE | bias | cover |\n|---|---|---|---|---|---|---|---|---|`,
  )
  for await (const { set, others, http, inProcess } of httpAccuracy(folder, only)) {
    const numbers = [http, inProcess].flatMap(({ mdape, bias, cover }) => [mdape, bias, cover].map(percent))
    console.log(`| ${[set, others, http.tests, ...numbers].join(' | ')} |`)
  }
}

async function evaluateFile(path: string, split: string | undefined, at: string | undefined, options: FileOptions) {
  const moment = at === undefined ? undefined : Date.parse(at)
  const splits = ['fold', 'future', 'variant', 'model']
  if ((split && !splits.includes(split)) || Number.isNaN(moment)) {
    console.error(
      `Usage: evaluate FILE [--split ${splits.join('|')}] [--at YYYY-MM-DD] [--rates FILE] and the options of import observations (--map, --side, --currency, --date, --condition, …)`,
    )
    process.exit(2)
  }
  const { set, rejected } = await readPriceFile(path, options)
  for (const [reason, count] of rejected) console.error(`skipped: ${count} rows, ${reason}`)
  const withLaunchPrice = set.devices.filter((device) => device.releasedAt !== null).length
  console.error(
    `${set.observations.length} observations of ${set.devices.length} devices, ${withLaunchPrice} with a launch price`,
  )
  if (!set.observations.length) {
    console.error('no observations to evaluate')
    process.exit(1)
  }
  console.log(`engine ${PRICING_METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const splitName of split ? [split] : splits) {
    const rounds = fileRounds(set, splitName, moment)
    if (!rounds.length) {
      console.error(`skipped: ${splitName} (no rows on one side of the split)`)
      continue
    }
    const result = evaluateAccuracy(set.devices, rounds, PRIOR_COEFFICIENTS)
    if (result.tests) console.log(resultLine(path.split('/').at(-1) ?? path, splitName, result))
    if (result.unpriced) console.error(`${splitName}: no basis for a price of ${result.unpriced} rows, none given`)
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string' },
    split: { type: 'string' },
    at: { type: 'string' },
    rates: { type: 'string' },
    ...Object.fromEntries(Object.keys(PRICE_OPTIONS).map((name) => [name, { type: 'string' as const }])),
    variations: { type: 'boolean' },
    first: { type: 'boolean' },
    board: { type: 'boolean' },
    launch: { type: 'boolean' },
    markets: { type: 'boolean' },
    boosting: { type: 'boolean' },
    http: { type: 'boolean' },
    own: { type: 'boolean' },
  },
})
const [file] = positionals
const priceOptions = Object.entries(values).filter(([name]) => name === 'rates' || Object.hasOwn(PRICE_OPTIONS, name))
if (file) await evaluateFile(file, values.split, values.at, Object.fromEntries(priceOptions) as Record<string, string>)
else if (values.http) await evaluateHttp(values.set)
else if (values.own) await evaluateOwnPrices(values.set)
else if (values.boosting) await evaluateBoosting(values.set)
else if (values.markets) await evaluateMarkets(values.set)
else if (values.board) printBundledCataloguePrices()
else if (values.launch) printLaunchPriceAccuracy()
else if (values.first) await evaluateColdStart(values.set)
else if (values.variations) await evaluateVariations(values.set)
else {
  if (!values.set && !values.split) await evaluateMarkets(undefined)
  await evaluateDatasets(values.set, values.split)
}

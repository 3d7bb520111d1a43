/**
 * The judge: runs the engine of the service on real prices it has not seen.
 *   npm run evaluate                                     all sets, all splits
 *   npm run evaluate -- --set swappa_2018                one set
 *   npm run evaluate -- FILE --split future --at DATE    any file of observations
 *   npm run evaluate -- --variations                     the sets changed as unknown markets may differ: a tenth of the rows, one
 *                                                        grade, no launch prices, another currency, junk, other days, …
 *   npm run evaluate -- --board                          what is served of the catalogue on board, and how much of it has no price
 *   npm run evaluate -- --first                          what is served before anything was observed, by family and age
 */
import { parseArgs } from 'node:util'
import { PRICE_OPTIONS } from '../src/import/market/price-options.ts'
import { METHOD } from '../src/pricing/engine/method.ts'
import { PRIOR_COEFFICIENTS } from '../src/pricing/engine/prior-coefficients.ts'
import { board } from './judge/board.ts'
import { DATASETS, type DatasetName } from './judge/datasets.ts'
import { type FileOptions, readPriceFile } from './judge/file.ts'
import { firstPrices } from './judge/first-prices.ts'
import { JUDGED } from './judge/judged.ts'
import { leftOut, type SplitResult } from './judge/left-out.ts'
import { type PriceSet, priceFolder, readLaunches } from './judge/price-set.ts'
import { buckets, type Foretold, type Score, score } from './judge/score.ts'
import { foldRounds, futureRound, hiddenRounds, quantileMoment, type Round } from './judge/splits.ts'
import { variationsOf } from './judge/variations.ts'

const percent = (value: number) => (Number.isFinite(value) ? (100 * value).toFixed(1) : '-')

const MOST_POOLED = 2_000

const calibrationOf = (list: Score['buckets']) =>
  list
    .map(({ from, expected, measured, count }) => `${from}: ${expected.toFixed(1)}/${measured.toFixed(1)} (${count})`)
    .join(', ')

const floorOf = ({ best, served, count }: Score['hindsight']) =>
  count ? `${percent(best)}/${percent(served)} (${count})` : '-'

function line(name: string, split: string, result: Score): string {
  const { last, mean, median, curve } = result.baselines as Record<'last' | 'mean' | 'median' | 'curve', number>
  const calibration = calibrationOf(result.buckets)
  return `| ${[name, split, result.tests, percent(last), percent(mean), percent(median), percent(curve), percent(result.informed.mdape), percent(result.informed.cover), `**${percent(result.served.mdape)}**`, percent(result.served.mape), floorOf(result.hindsight), `**${percent(result.served.cover)}**`, `${result.violations}/${result.pairs}`, calibration].join(' | ')} |`
}

const HEAD = `| set | split | tests | last | mean | median | curve | informed MdAPE | cover | served MdAPE | MAPE | one number in hindsight/served there (n) | 80 % cover | order broken | confidence: expected/measured (n) |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|`

async function judgeSets(only: string | undefined, onlySplit: string | undefined): Promise<void> {
  const folder = priceFolder()
  if (!folder) {
    console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
    return
  }
  const launches = await readLaunches(folder)
  const sets = new Map<DatasetName, PriceSet>()
  const all: Foretold[] = []
  const results: SplitResult[] = []
  console.log(`engine ${METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const { set: name, split, rounds } of JUDGED) {
    if ((only && name !== only) || (onlySplit && !split.startsWith(onlySplit))) continue
    const set = sets.get(name) ?? (await DATASETS[name](folder, launches))
    sets.set(name, set)
    const result = score(set.devices, rounds(set), PRIOR_COEFFICIENTS)
    console.log(line(name, split, result))
    // One large set must not drown the others.
    const step = Math.max(1, Math.floor(result.foretold.length / MOST_POOLED))
    all.push(...result.foretold.filter((_, at) => at % step === 0))
    if (result.tests) results.push({ set: name, kind: split.split(/[ ,]/)[0] as string, foretold: result.foretold })
  }
  console.log(`\nconfidence over all of them, expected/measured error: ${calibrationOf(buckets(all))}`)
  console.log(
    `\nwhole sets left out: ranges scaled by what the other sets needed in the same kind of split\n\n| split | set | 80 % cover | scale needed | scale the others say | cover by it | error / expected |\n|---|---|---|---|---|---|---|`,
  )
  for (const one of leftOut(results).sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0))) {
    const numbers = [one.needed.toFixed(2), one.others.toFixed(2), percent(one.coverByOthers), one.error.toFixed(2)]
    console.log(`| ${[one.kind, one.set, percent(one.cover), ...numbers].join(' | ')} |`)
  }
}

async function judgeVariations(only: string | undefined): Promise<void> {
  const folder = priceFolder()
  if (!folder) {
    console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
    return
  }
  const launches = await readLaunches(folder)
  console.log(`engine ${METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const [name, read] of Object.entries(DATASETS)) {
    if (only && name !== only) continue
    for (const { name: variation, set, rounds } of variationsOf(await read(folder, launches))) {
      const result = score(set.devices, rounds, PRIOR_COEFFICIENTS)
      if (result.tests) console.log(line(name, variation, result))
      else console.error(`${name}, ${variation}: no basis for a price, none given (${result.unanswered} rows)`)
    }
  }
}

async function judgeFirst(only: string | undefined): Promise<void> {
  const folder = priceFolder()
  if (!folder) {
    console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
    return
  }
  const launches = await readLaunches(folder)
  console.log(
    `engine ${METHOD}, no observations; in percent of the price, single listings\n\n| set | side | family | age | rows | devices | bias | bias with tax | MdAPE | expected | 80 % cover |\n|---|---|---|---|---|---|---|---|---|---|---|`,
  )
  for (const [name, read] of Object.entries(DATASETS)) {
    if (only && name !== only) continue
    for (const first of firstPrices(await read(folder, launches))) {
      console.log(
        `| ${[name, first.group, first.rows, first.devices, percent(first.bias), percent(first.biasWithTax), percent(first.mdape), percent(first.expected), percent(first.cover)].join(' | ')} |`,
      )
    }
  }
}

function showBoard(): void {
  const { variants, unpriced, borrowed, families } = board(Date.now())
  const share = (part: number) => `${part} (${((100 * part) / variants).toFixed(2)} %)`
  console.log(`${variants} variants on board, nothing observed`)
  console.log(`without a price: ${share(unpriced.length)}${unpriced.map((id) => `\n  ${id}`).join('')}`)
  console.log(`priced by what was announced elsewhere or by their line: ${share(borrowed)}\n`)
  console.log('| family | devices | Good, % of launch price | confidence at most |\n|---|---|---|---|')
  for (const [name, { devices, least, most, confidence }] of [...families].sort()) {
    const range = most > 0 ? `${percent(least)} to ${percent(most)}` : '-'
    console.log(`| ${name} | ${devices} | ${range} | ${confidence} |`)
  }
}

/** Which splits a file can bear: one day has no future, one device no unseen model. */
function fileRounds(set: PriceSet, split: string, at: number | undefined): Round[] {
  const { observations } = set
  const devices = new Set(set.devices.filter((d) => d.variants.length).map((d) => d.deviceId))
  if (split === 'fold') return foldRounds(observations)
  if (split === 'variant') return hiddenRounds(set, observations, 'variant')
  if (split === 'model') return devices.size > 1 ? hiddenRounds(set, observations, 'model') : []
  const moment = at ?? quantileMoment(observations, 0.7)
  const rounds = futureRound(observations, moment)
  return rounds.every(({ train, test }) => train.length && test.length) ? rounds : []
}

async function judgeFile(path: string, split: string | undefined, at: string | undefined, options: FileOptions) {
  const moment = at === undefined ? undefined : Date.parse(at)
  const splits = ['fold', 'future', 'variant', 'model']
  if ((split && !splits.includes(split)) || Number.isNaN(moment)) {
    console.error(
      `Usage: evaluate FILE [--split ${splits.join('|')}] [--at YYYY-MM-DD] [--rates FILE] and the options of import observations (--map, --side, --currency, --date, --condition, …)`,
    )
    process.exit(2)
  }
  const { set, refused } = await readPriceFile(path, options)
  for (const [reason, count] of refused) console.error(`left out: ${count} rows, ${reason}`)
  const listed = set.devices.filter((device) => device.releasedAt !== null).length
  console.error(
    `${set.observations.length} observations of ${set.devices.length} devices, ${listed} with a launch price`,
  )
  if (!set.observations.length) {
    console.error('nothing to judge')
    process.exit(1)
  }
  console.log(`engine ${METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const one of split ? [split] : splits) {
    const rounds = fileRounds(set, one, moment)
    if (!rounds.length) {
      console.error(`skipped: ${one} (no rows on one side of the split)`)
      continue
    }
    const result = score(set.devices, rounds, PRIOR_COEFFICIENTS)
    if (result.tests) console.log(line(path.split('/').at(-1) ?? path, one, result))
    if (result.unanswered) console.error(`${one}: no basis for a price of ${result.unanswered} rows, none given`)
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
  },
})
const [file] = positionals
const given = Object.entries(values).filter(([name]) => name === 'rates' || Object.hasOwn(PRICE_OPTIONS, name))
if (file) await judgeFile(file, values.split, values.at, Object.fromEntries(given) as Record<string, string>)
else if (values.board) showBoard()
else if (values.first) await judgeFirst(values.set)
else if (values.variations) await judgeVariations(values.set)
else await judgeSets(values.set, values.split)

/**
 * The judge: runs the engine of the service on real prices it has not seen.
 *   npm run evaluate                                     all sets, all splits
 *   npm run evaluate -- --set swappa_2018                one set
 *   npm run evaluate -- FILE --split future --at DATE    any file of observations
 */
import { DAY_MS, type Observation } from '../src/pricing/observation.ts'
import { PRIOR_COEFFICIENTS } from '../src/pricing/prior-coefficients.ts'
import { METHOD } from '../src/pricing/quote.ts'
import { DATASETS, type DatasetName, type PriceSet, priceFolder, readLaunches } from './judge/datasets.ts'
import { type Score, score } from './judge/score.ts'
import { foldRounds, futureRound, hiddenRounds, quantileMoment, type Round } from './judge/splits.ts'

type Judged = { readonly set: DatasetName; readonly split: string; readonly rounds: (set: PriceSet) => Round[] }

/** The median of a few hundred listings wobbles with the shuffle: five shuffles are judged together. */
const SEEDS = [1, 2, 3, 4, 5]
const folds = (set: PriceSet) => SEEDS.flatMap((seed) => foldRounds(set.observations, 5, seed))
const oneFold = (set: PriceSet) => foldRounds(set.observations)
const future = (set: PriceSet) => futureRound(set.observations, quantileMoment(set.observations, 0.7))

const JUDGED: readonly Judged[] = [
  { set: 'swappa_2018', split: '5-fold', rounds: folds },
  { set: 'swappa_2018', split: 'future', rounds: future },
  { set: 'swappa_2018', split: 'variant unseen', rounds: (set) => hiddenRounds(set, set.observations, 'variant') },
  { set: 'swappa_2018', split: 'model unseen', rounds: (set) => hiddenRounds(set, set.observations, 'model') },
  { set: 'ebay_iphone5s_2015', split: '5-fold', rounds: oneFold },
  { set: 'ebay_iphone5s_2015', split: 'future', rounds: future },
  { set: 'ebay_active_condition', split: '5-fold', rounds: folds },
  {
    set: 'ebay_active_condition',
    split: 'variant unseen',
    rounds: (set) => hiddenRounds(set, set.observations, 'variant'),
  },
  {
    set: 'ebay_active_condition',
    split: 'model unseen',
    rounds: (set) => hiddenRounds(set, set.observations, 'model'),
  },
  { set: 'howmuch_one', split: 'variant hidden', rounds: hiddenInTime },
  { set: 'howmuch_one', split: 'future, 5 months', rounds: (set) => ahead(set, 150) },
  { set: 'refit_wholesale_us', split: '5-fold', rounds: oneFold },
  {
    set: 'refit_wholesale_us',
    split: 'future',
    rounds: (set) => futureRound(set.observations, Date.parse('2026-01-01')),
  },
  { set: 'cex_macbooks_uk', split: '5-fold', rounds: oneFold },
  {
    set: 'ebay_sold_2020_consoles_gpus',
    split: 'future',
    rounds: (set) => futureRound(set.observations, Date.parse('2020-11-25')),
  },
]

/**
 * Daily averages: the variant is hidden and its price of that month foretold, at eight moments half a year apart. Only
 * models whose launch price is in the list of launch prices.
 */
function hiddenInTime(set: PriceSet): Round[] {
  const released = releases(set)
  const listed = new Set(
    set.devices.filter((d) => d.releasedAt !== null).flatMap((d) => d.variants.map((v) => v.variantId)),
  )
  const days = [
    '2020-09-15',
    '2021-01-15',
    '2021-07-15',
    '2022-01-15',
    '2022-07-15',
    '2023-01-15',
    '2023-07-15',
    '2024-01-15',
  ]
  return days.flatMap((day) => {
    const now = Date.parse(day)
    const recent = set.observations.filter((row) => recentDay(row, now, 30) && released(row))
    const today = recent.filter((row) => row.observedAt === now && listed.has(row.variantId))
    return today.map((test) => {
      const month = recent.filter((row) => row.variantId === test.variantId).map((row) => row.cents)
      const cents = month.sort((a, b) => a - b)[month.length >> 1] as number
      return { train: recent.filter((row) => row.variantId !== test.variantId), test: [{ ...test, cents }], now }
    })
  })
}

/** The last month is known, the price some days later is foretold. */
function ahead(set: PriceSet, days: number): Round[] {
  const released = releases(set)
  return ['2021-01-15', '2021-10-15', '2022-07-15', '2023-04-15', '2024-01-15'].map((day) => {
    const now = Date.parse(day)
    return {
      train: set.observations.filter((row) => recentDay(row, now, 180) && released(row)),
      test: set.observations.filter((row) => row.observedAt === now + days * DAY_MS),
      now,
    }
  })
}

const recentDay = (row: Observation, now: number, days: number) =>
  row.observedAt <= now && row.observedAt > now - days * DAY_MS

/** A price from before the launch is another product under the same name. */
function releases(set: PriceSet): (row: Observation) => boolean {
  const at = new Map(set.devices.flatMap((device) => device.variants.map((v) => [v.variantId, device.releasedAt ?? 0])))
  return (row) => row.observedAt > (at.get(row.variantId) ?? 0) + 20 * DAY_MS
}

const percent = (value: number) => (Number.isFinite(value) ? (100 * value).toFixed(1) : '-')

function line(name: string, split: string, result: Score): string {
  const { last, mean, median, curve } = result.baselines as Record<'last' | 'mean' | 'median' | 'curve', number>
  const calibration = result.buckets
    .map(({ from, expected, measured, count }) => `${from}: ${expected.toFixed(1)}/${measured.toFixed(1)} (${count})`)
    .join(', ')
  return `| ${[name, split, result.tests, percent(last), percent(mean), percent(median), percent(curve), `**${percent(result.mdape)}**`, percent(result.mape), percent(result.cover), `${result.violations}/${result.pairs}`, calibration].join(' | ')} |`
}

const HEAD = `| set | split | tests | last | mean | median | curve | engine MdAPE | MAPE | 80 % cover | order broken | confidence: expected/measured (n) |
|---|---|---|---|---|---|---|---|---|---|---|---|`

async function judgeSets(only: string | undefined): Promise<void> {
  const folder = priceFolder()
  if (!folder) {
    console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
    return
  }
  const launches = await readLaunches(folder)
  const sets = new Map<DatasetName, PriceSet>()
  console.log(`engine ${METHOD}; all errors in percent of the price, single listings\n\n${HEAD}`)
  for (const { set: name, split, rounds } of JUDGED) {
    if (only && name !== only) continue
    const set = sets.get(name) ?? (await DATASETS[name](folder, launches))
    sets.set(name, set)
    console.log(line(name, split, score(set.devices, rounds(set), PRIOR_COEFFICIENTS)))
  }
}

const args = process.argv.slice(2)
const setAt = args.indexOf('--set')
await judgeSets(setAt >= 0 ? args[setAt + 1] : undefined)

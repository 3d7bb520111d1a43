import { DAY_MS } from '../../src/lib/time.ts'
import type { Observation } from '../../src/pricing/model/observation.ts'
import type { DatasetName } from './datasets.ts'
import type { PriceDataset } from './price-set.ts'
import { type EvaluationRound, foldRounds, futureRound, HALF_YEARS, hiddenRounds, quantileMoment } from './splits.ts'

/** A set, and one way to hide some of it. */
type Evaluation = {
  readonly set: DatasetName
  readonly split: string
  readonly rounds: (set: PriceDataset) => EvaluationRound[]
}

/** The median of a few hundred listings wobbles with the shuffle: five shuffles are judged together. */
const SEEDS = [1, 2, 3, 4, 5]
const folds = (set: PriceDataset) => SEEDS.flatMap((seed) => foldRounds(set.observations, 5, seed))
const oneFold = (set: PriceDataset) => foldRounds(set.observations)
const future = (set: PriceDataset) => futureRound(set.observations, quantileMoment(set.observations, 0.7))

export const EVALUATIONS: readonly Evaluation[] = [
  { set: 'swappa_2018', split: '5-fold', rounds: folds },
  { set: 'swappa_2018', split: 'future', rounds: (set) => futureRound(set.observations, Date.parse('2018-10-04')) },
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
  { set: 'howmuch_one', split: 'variant hidden', rounds: hiddenVariantRounds },
  { set: 'howmuch_one', split: 'future, 5 months', rounds: (set) => futureRounds(set, 150) },
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
  ...(['njuskalo_hr', 'shops_vn_2024'] as const).flatMap((set): Evaluation[] => [
    { set, split: '5-fold', rounds: oneFold },
    ...(set === 'njuskalo_hr' ? [{ set, split: 'future', rounds: future }] : []),
    { set, split: 'variant unseen', rounds: (one) => hiddenRounds(one, one.observations, 'variant') },
    { set, split: 'model unseen', rounds: (one) => hiddenRounds(one, one.observations, 'model') },
  ]),
]

/**
 * Daily averages: the variant is hidden and its price of that month predicted, at eight moments half a year apart. Only
 * models whose launch price is in the list of launch prices.
 */
function hiddenVariantRounds(set: PriceDataset): EvaluationRound[] {
  const released = releases(set)
  const listed = new Set(
    set.devices.filter((d) => d.releasedAt !== null).flatMap((d) => d.variants.map((v) => v.variantId)),
  )
  return ['2020-09-15', ...HALF_YEARS].flatMap((day) => {
    const now = Date.parse(day)
    const recent = set.observations.filter((row) => recentDay(row, now, 30) && released(row))
    const today = recent.filter((row) => row.observedAt === now && listed.has(row.variantId))
    return today.map((test) => {
      const month = recent.filter((row) => row.variantId === test.variantId).map((row) => row.cents)
      const cents = month.sort((a, b) => a - b)[month.length >> 1] as number
      // The median of a month is the price of its middle.
      const hidden = { ...test, cents, observedAt: now - 15 * DAY_MS }
      return { train: recent.filter((row) => row.variantId !== test.variantId), test: [hidden], now }
    })
  })
}

/** The last month is known, the price some days later is predicted. */
function futureRounds(set: PriceDataset, days: number): EvaluationRound[] {
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
function releases(set: PriceDataset): (row: Observation) => boolean {
  const at = new Map(set.devices.flatMap((device) => device.variants.map((v) => [v.variantId, device.releasedAt ?? 0])))
  return (row) => row.observedAt > (at.get(row.variantId) ?? 0) + 20 * DAY_MS
}

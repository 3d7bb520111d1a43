import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { isotonicDescending } from '../model/isotonic.ts'
import { type Observation, type Trade, tradeOf } from '../model/observation.ts'
import { GRADE_COUNT, gradeIndex } from '../model/observation-columns.ts'
import { NORMAL_HALF_WIDTH80, NORMAL_MEDIAN } from '../model/quantile.ts'
import { confidenceOf, errorOfConfidence } from './confidence.ts'
import type { LevelSubject } from './level-tree.ts'
import { agreedCenter, isNear, poolDevice } from './own-device.ts'
import { type Distance, ownDistances, withoutPremium } from './own-distances.ts'
import type { OwnLevel, OwnLevels } from './own-levels.ts'
import {
  DATA_POINT_DAYS,
  medianCents,
  OWN_SOURCE,
  type PriceRange,
  type Quote,
  RECENT_DAYS,
  type SideQuote,
  type SourceShare,
} from './quote.ts'

/** Number of own prices that weigh as much as the common market in the width of a range. */
const HALF_WEIGHT_PRICES = 15
/** The same for the width of a range where own prices are wider: too narrow a range does more harm than too wide a one. */
const HALF_WEIGHT_WIDENING = 3

/** The levels of an organization for one device. */
type DeviceOwnLevels = Readonly<Record<Trade, OwnLevel>>

/** Own prices near the organization's level or near each other. An outlier is stored, but changes nothing. */
function acceptedOwnRows<Row extends Observation>(
  quotes: readonly Quote[],
  rows: readonly Row[],
  levels: DeviceOwnLevels,
  now: number,
): Row[] {
  const measured = rows.map((row) => ({
    row,
    side: tradeOf(row),
    ln: withoutPremium(ownDistances(quotes, [row], tradeOf(row), now), levels[tradeOf(row)].askPremium)[0]?.ln,
  }))
  const centerOf = (side: Trade) => {
    const distances = measured.flatMap((entry) => (entry.side === side && entry.ln !== undefined ? entry.ln : []))
    return agreedCenter(distances) ?? levels[side].level
  }
  const centers = { resale: centerOf('resale'), buyback: centerOf('buyback') }
  return measured.flatMap(({ row, side, ln }) => {
    return ln === undefined || isNear(ln, levels[side].level) || isNear(ln, centers[side]) ? row : []
  })
}

/**
 * The quotes of a device for one organization: the common quotes shifted by its own level and by those of its own prices of
 * this device that are no outliers, and these prices. Its prices do not affect other organizations.
 */
export function withOwnPrices<Row extends Observation>(
  device: LevelSubject,
  common: readonly Quote[],
  rows: readonly Row[],
  ownLevels: OwnLevels,
  now: number,
): { readonly quotes: Quote[]; readonly acceptedRows: Row[] } {
  const levels = { resale: ownLevels.resale.levelOf(device), buyback: ownLevels.buyback.levelOf(device) }
  const acceptedRows = acceptedOwnRows(common, rows, levels, now)
  return { quotes: quotesWithOwnRows(common, acceptedRows, levels, now), acceptedRows }
}

function quotesWithOwnRows(
  quotes: readonly Quote[],
  rows: readonly Observation[],
  levels: DeviceOwnLevels,
  now: number,
): Quote[] {
  const resale = adjustedSides(quotes, ownDistances(quotes, rows, 'resale', now), 'resale', levels.resale)
  const buyback = adjustedSides(quotes, ownDistances(quotes, rows, 'buyback', now), 'buyback', levels.buyback)
  const recentSince = now - DATA_POINT_DAYS * DAY_MS
  return quotes.map((quote, at) => {
    const [ownResale, ownBuyback] = [resale[at] as AdjustedSide, buyback[at] as AdjustedSide]
    const isOfVariant = ({ variantId }: Observation) => variantId === quote.variantId
    const variantRows = rows.filter(isOfVariant)
    const error = errorOfConfidence(quote.marketConfidence)
    const { halfWidth } = levels.resale.prices ? ownResale : ownBuyback
    return {
      ...quote,
      resale: { ...quote.resale, ...ownResale.side, source: ownSource(quote.resale, variantRows, 'resale') },
      buyback: {
        ...quote.buyback,
        ...belowResale(ownBuyback.side, ownResale.side),
        source: ownSource(quote.buyback, variantRows, 'buyback'),
      },
      // The error follows the range: own prices that scatter more make both larger.
      marketConfidence: quote.resale.cents
        ? confidenceOf(ERROR_PER_HALF_WIDTH * halfWidth(error / ERROR_PER_HALF_WIDTH))
        : quote.marketConfidence,
      sources: [
        ...withOwnSource(quote, 'resale', variantRows, ownResale.share, now),
        ...withOwnSource(quote, 'buyback', variantRows, ownBuyback.share, now),
      ],
      dataPoints: quote.dataPoints + variantRows.filter(({ observedAt }) => observedAt >= recentSince).length,
    }
  })
}

/** The sources of one side with the own prices of the variant beside those of the market. */
function withOwnSource(
  { sources, resale: { driftPerMonth } }: Quote,
  trade: Trade,
  variantRows: readonly Observation[],
  share: number,
  now: number,
): SourceShare[] {
  const common = sources.filter((source) => source.trade === trade)
  const rows = variantRows.filter((row) => tradeOf(row) === trade)
  if (rows.length === 0) return common
  const ownWeight = common.length > 0 ? share : 1
  return [
    {
      source: OWN_SOURCE,
      trade,
      observations: rows.length,
      recent: rows.filter(({ observedAt }) => observedAt > now - RECENT_DAYS * DAY_MS).length,
      newestAt: Math.max(...rows.map(({ observedAt }) => observedAt)),
      goodCents: medianCents(
        rows
          .filter(({ grade }) => grade === 'Good')
          .map(({ cents, observedAt }) => Math.log(cents) + (driftPerMonth * (now - observedAt)) / MONTH_MS),
      ),
      weight: ownWeight,
    },
    ...common.map((source) => ({ ...source, weight: source.weight * (1 - ownWeight) })),
  ]
}

const ownSource = (side: SideQuote, rows: readonly Observation[], name: Trade) =>
  rows.some((row) => tradeOf(row) === name) ? 'market' : side.source

type Amounts = Pick<SideQuote, 'cents' | 'interval' | 'newestAt'>
type AdjustedSide = {
  readonly side: Amounts
  /** Weight of the own prices of the device in the Good price. */
  readonly share: number
  /** Half-width (ln) of a range with own prices, from that of the market. */
  readonly halfWidth: (common: number) => number
}

/** Median error of prices whose 80 % range has a half-width of 1. */
const ERROR_PER_HALF_WIDTH = NORMAL_MEDIAN / NORMAL_HALF_WIDTH80

function adjustedSides(
  quotes: readonly Quote[],
  distances: readonly Distance[],
  name: Trade,
  own: OwnLevel,
): AdjustedSide[] {
  const { level, grades, reach, prices } = own
  const { weight, pooled } = poolDevice(withoutPremium(distances, own.askPremium), quotes.length, own)
  const newest = distances.reduce((latest, { observedAt }) => Math.max(latest, observedAt), 0)
  // How far the price of a cell follows the own prices of the device: the pooling is linear.
  const following = poolDevice(
    distances.map((distance) => ({ ...distance, ln: level + grades[distance.cell % GRADE_COUNT]! + 1 })),
    quotes.length,
    own,
  ).pooled.level
  const seenPrices = distances.length > 0 ? reach.seenPrices : 0
  const mix = (measured: number, common: number, ownReach: number) => {
    const ownShare = measured / (measured + (ownReach > common ? HALF_WEIGHT_WIDENING : HALF_WEIGHT_PRICES))
    return Math.sqrt((1 - ownShare) * common ** 2 + ownShare * ownReach ** 2)
  }
  // Own prices of other devices widen a range, but do not narrow it: they may be of another category.
  const halfWidth = (common: number) => mix(seenPrices, Math.max(common, mix(prices, common, reach.unseen)), reach.seen)
  return quotes.map((quote, variant) => {
    const { cents, interval, newestAt } = quote[name]
    if (!cents || !interval) return { side: { cents, interval, newestAt }, share: 0, halfWidth }
    const shifted = CONDITIONS.map((condition) => {
      const cell = variant * GRADE_COUNT + gradeIndex(condition)
      return Math.log(Math.max(1, cents[condition])) + level + grades[cell % GRADE_COUNT]! + pooled.level[cell]!
    })
    const ordered = isotonicDescending(
      shifted,
      CONDITIONS.map((condition) => weight[variant * GRADE_COUNT + gradeIndex(condition)]! + 1),
    )
    const amounts = {} as Record<Condition, number>
    const ranges = {} as Record<Condition, PriceRange>
    CONDITIONS.forEach((condition, at) => {
      const ln = ordered[at]!
      const range = interval[condition]
      const below = halfWidth(Math.log(Math.max(1, cents[condition]) / Math.max(1, range.low)))
      const above = halfWidth(Math.log(Math.max(1, range.high) / Math.max(1, cents[condition])))
      const amount = Math.round(Math.exp(ln))
      amounts[condition] = amount
      ranges[condition] = {
        low: Math.min(amount, Math.floor(Math.exp(ln - below))),
        high: Math.max(amount, Math.ceil(Math.exp(ln + above))),
      }
    })
    return {
      side: { cents: amounts, interval: ranges, newestAt: newest > (newestAt ?? 0) ? newest : newestAt },
      share: Math.min(1, Math.max(0, following[variant * GRADE_COUNT + gradeIndex('Good')]!)),
      halfWidth,
    }
  })
}

function belowResale(buyback: Amounts, { cents: resale }: Amounts): Amounts {
  if (!buyback.cents || !buyback.interval || !resale) return buyback
  const cents = { ...buyback.cents }
  const interval = { ...buyback.interval }
  for (const condition of CONDITIONS) {
    const amount = Math.min(cents[condition], resale[condition])
    cents[condition] = amount
    interval[condition] = { ...interval[condition], low: Math.min(interval[condition].low, amount) }
  }
  return { ...buyback, cents, interval }
}

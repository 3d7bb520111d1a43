import { quotedCondition } from '../../catalog/grade.ts'
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { isotonicDescending } from '../model/isotonic.ts'
import { uses } from '../model/model-parts.ts'
import { isCarrierLocked, type Observation, type Trade, tradeOf } from '../model/observation.ts'
import { GRADE_COUNT, gradeIndex } from '../model/observation-columns.ts'
import { pool } from '../model/partial-pooling.ts'
import { median, NORMAL_HALF_WIDTH80, NORMAL_MEDIAN, quantile } from '../model/quantile.ts'
import { confidenceOf, errorOfConfidence } from './confidence.ts'
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

/** Distance (ln) of an organization's own prices from the common ones, for resale or buyback. */
export type OwnLevel = {
  readonly level: number
  /** Spread of single prices around it. */
  readonly spread: number
  /** Half-widths (ln) that hold 80 % of own prices: of devices without other own prices, and with some (`seenPrices`). */
  readonly reach: { readonly unseen: number; readonly seen: number; readonly seenPrices: number }
  readonly prices: number
  /** By how much (ln) own asking prices count as higher than own deals. */
  readonly askPremium: number
  /** Further distance (ln) of each grade, by grade index: an organization may pay less for worn devices than others do. */
  readonly grades: readonly number[]
}

export type OwnLevels = { readonly resale: OwnLevel; readonly buyback: OwnLevel }

/** Number of own prices at which half of the organization's level counts. */
const HALF_WEIGHT_LEVEL = 8
/** Number of own prices that weigh as much as the common market in the width of a range. */
const HALF_WEIGHT_PRICES = 15
/** The same for the width of a range where own prices are wider: too narrow a range does more harm than too wide a one. */
const HALF_WEIGHT_WIDENING = 3
/** Number of devices with own prices of a grade at which half of its distance counts. */
const HALF_WEIGHT_DEVICES = 6
/** A level needs prices of this many devices. */
const MIN_LEVEL_DEVICES = 3
/** The prices of one device weigh at most as much as so many in the level of all devices. */
const MAX_DEVICE_WEIGHT = 5
const EXPECTED_SPREAD = 0.1
const MIN_SPREAD = 0.04
const MIN_REACH = 0.02
const NO_REACH = { unseen: 0, seen: 0, seenPrices: 0 }
const HALF_LIFE_DAYS = 90
/** Beyond this (ln) from the median a price is an error, not the organization's level. */
const MAX_DISTANCE = 0.5
/** Beyond this (ln) it does not widen ranges either: three times the price. Sellers do pay half of what others pay. */
const MAX_MEASURED_DISTANCE = 1.1
/** How much higher (ln) asks are than deals, as in the prior of all markets. */
const ASK_PREMIUM = 0.05
/** Number of own deals at which half of the premium counts: prices of an organization that only asks are its asks. */
const HALF_PREMIUM_DEALS = 5
/** Beyond so many spreads from the others a price counts as if it were there: one in ten moves no price by more than 5 %. */
const MAX_SPREADS = 2.5
/** Expected deviations (ln) of a device, a variant and a grade from the organization's level. */
const DEVICE_SPREAD = 0.08
const VARIANT_SPREAD = 0.1
const CELL_SPREAD = 0.05

/** Distance (ln) of one own price from the common price of its variant and grade, and its weight. */
type Distance = {
  readonly cell: number
  readonly ln: number
  readonly weight: number
  readonly observedAt: number
  readonly isAsk: boolean
}

/** The distances of own prices of one device from its common quotes. */
export function ownDistances(
  quotes: readonly Quote[],
  rows: readonly Observation[],
  side: Trade,
  now: number,
): Distance[] {
  const byVariant = new Map(quotes.map((quote, at) => [quote.variantId, { quote, at }]))
  return rows.flatMap((row) => {
    const match = byVariant.get(row.variantId)
    const condition = quotedCondition(row.grade)
    const cents = condition && match?.quote[side].cents?.[condition]
    if (!match || !condition || !cents || tradeOf(row) !== side) return []
    const months = Math.max(0, now - row.observedAt) / MONTH_MS
    const lockDiscount = isCarrierLocked(row.lock) ? match.quote[side].lockDiscount.ln : 0
    const lnCents = Math.log(row.cents) + match.quote.resale.driftPerMonth * months - lockDiscount
    return {
      cell: match.at * GRADE_COUNT + gradeIndex(condition),
      ln: lnCents - Math.log(cents),
      weight: 2 ** (-(now - row.observedAt) / (HALF_LIFE_DAYS * DAY_MS)),
      observedAt: row.observedAt,
      isAsk: row.side === 'ask',
    }
  })
}

/** Beside own deals, asks count as lower by their usual premium. */
function askPremiumOf(distances: readonly Pick<Distance, 'weight' | 'isAsk'>[]): number {
  const deals = distances.reduce((sum, { weight, isAsk }) => (isAsk ? sum : sum + weight), 0)
  return uses('own prices: ask premium') ? (ASK_PREMIUM * deals) / (deals + HALF_PREMIUM_DEALS) : 0
}

const withoutPremium = <Row extends Pick<Distance, 'ln' | 'isAsk'>>(distances: readonly Row[], askPremium: number) =>
  distances.map((distance) => (distance.isAsk ? { ...distance, ln: distance.ln - askPremium } : distance))

/**
 * An organization's level from the distances of its prices, by device; few of them leave it near the common one. A deviation
 * of one device is its own until several devices show it, so that no device can move the prices of all others.
 */
export function ownLevel(byDevice: readonly (readonly Omit<Distance, 'observedAt'>[])[]): OwnLevel {
  const askPremium = askPremiumOf(byDevice.flat())
  const devices = byDevice
    .filter((distances) => distances.length > 0)
    .map((distances) => withoutPremium(distances, askPremium))
  const deviceLevels = devices.map((distances) => median(Float64Array.from(distances, ({ ln }) => ln)))
  const center = median(Float64Array.from(deviceLevels))
  const nearby = devices.flat().filter(({ ln }) => Math.abs(ln - center) <= MAX_DISTANCE)
  // Two prices may be so far apart that neither is near their median.
  if (nearby.length === 0)
    return { level: 0, spread: EXPECTED_SPREAD, reach: NO_REACH, prices: 0, askPremium, grades: NO_GRADES }
  const weight = devices.reduce(
    (sum, distances) =>
      sum +
      Math.min(
        MAX_DEVICE_WEIGHT,
        distances.reduce((total, distance) => total + distance.weight, 0),
      ),
    0,
  )
  const hasLevel = devices.length >= MIN_LEVEL_DEVICES
  const grades = hasLevel && uses('own prices: distance of each grade') ? gradeDistances(devices, center) : NO_GRADES
  const errors = nearby.map(({ ln, cell }) => Math.abs(ln - center - grades[cell % GRADE_COUNT]!))
  const measuredSpread = Math.max(quantile(errors, 0.8) / NORMAL_HALF_WIDTH80, median(errors) / NORMAL_MEDIAN)
  const blended =
    (measuredSpread * nearby.length + EXPECTED_SPREAD * HALF_WEIGHT_PRICES) / (nearby.length + HALF_WEIGHT_PRICES)
  const spread = Math.max(MIN_SPREAD, blended)
  const level =
    hasLevel && uses('own prices: level of the organization') ? (center * weight) / (weight + HALF_WEIGHT_LEVEL) : 0
  const served = { level, spread, grades }
  // A price in the wrong unit widens no range until others agree.
  const counted = devices.map((distances) => {
    const own = agreedCenter(distances.map(({ ln }) => ln)) ?? center
    return distances.filter(({ ln }) => Math.abs(ln - center) <= MAX_MEASURED_DISTANCE || isNear(ln, own))
  })
  const fromLevel = counted.map((distances) =>
    distances.map(({ ln, cell }) => Math.abs(ln - level - grades[cell % GRADE_COUNT]!)),
  )
  const heldOut = counted.flatMap((distances) => heldOutDistances(distances, served))
  const reachOfAll = reachOf(fromLevel.flat())
  const seen = heldOut.length ? Math.min(reachOf(heldOut), reachOfAll) : reachOfAll
  // Prices of one device that scatter do not widen the ranges of others either.
  const unseen = hasLevel ? reachOf(withoutFarthestDevice(fromLevel, reachOfAll)) : 0
  return {
    ...served,
    reach: { unseen, seen, seenPrices: heldOut.length },
    prices: nearby.length,
    askPremium,
  }
}

/** The distance that holds 80 % of further prices: of few measured ones, a higher share. */
const reachOf = (distances: readonly number[]) =>
  Math.max(MIN_REACH, quantile(distances, Math.min(1, 0.8 + 0.8 / distances.length)))

/** The distances of all devices but the one with the most that are beyond the limit. */
function withoutFarthestDevice(byDevice: readonly (readonly number[])[], limit: number): number[] {
  const counts = byDevice.map((distances) => distances.filter((distance) => distance >= limit).length)
  const farthest = counts.indexOf(Math.max(...counts))
  return byDevice.flatMap((distances, at) => (at === farthest ? [] : distances))
}

/** The deviations of a device's cells from the level, from its own prices. */
function poolDevice(
  distances: readonly Pick<Distance, 'cell' | 'ln' | 'weight'>[],
  variants: number,
  { level, spread, grades }: Pick<OwnLevel, 'level' | 'spread' | 'grades'>,
) {
  const weight = new Float64Array(variants * GRADE_COUNT)
  const sum = new Float64Array(weight.length)
  const deviations = distances.map(({ ln, cell }) => ({ cell, ln: ln - level - grades[cell % GRADE_COUNT]! }))
  const limited = limitedByOthers(deviations, MAX_SPREADS * spread)
  for (const [at, { cell, weight: rowWeight }] of distances.entries()) {
    weight[cell] = weight[cell]! + rowWeight
    sum[cell] = sum[cell]! + rowWeight * limited[at]!
  }
  const pooled = pool({
    variants,
    gradeCount: GRADE_COUNT,
    precision: weight.map((cellWeight) => cellWeight / spread ** 2),
    mean: sum.map((value, cell) => (weight[cell]! > 0 ? value / weight[cell]! : 0)),
    deviceMean: 0,
    deviceVariance: DEVICE_SPREAD ** 2,
    variantVariance: VARIANT_SPREAD ** 2,
    cellVariance: new Float64Array(GRADE_COUNT).fill(CELL_SPREAD ** 2),
  })
  return { weight, pooled }
}

/** Prices beyond the limit from the middle of their variant and grade, or of the device if these are few, count as if they were at it. */
function limitedByOthers(
  deviations: readonly { readonly cell: number; readonly ln: number }[],
  limit: number,
): number[] {
  const middleOf = (group: typeof deviations) =>
    group.length >= AGREEING_PRICES ? median(Float64Array.from(group, ({ ln }) => ln)) : null
  const ofDevice = middleOf(deviations)
  const byCell = new Map([...Map.groupBy(deviations, ({ cell }) => cell)].map(([cell, own]) => [cell, middleOf(own)]))
  return deviations.map(({ cell, ln }) => {
    const middle = byCell.get(cell) ?? ofDevice
    return middle === null ? ln : Math.max(middle - limit, Math.min(middle + limit, ln))
  })
}

/** Distance of each price of a device from the estimate of its other prices; none if it is the only one. */
function heldOutDistances(
  distances: readonly Pick<Distance, 'cell' | 'ln' | 'weight'>[],
  served: Pick<OwnLevel, 'level' | 'spread' | 'grades'>,
): number[] {
  if (distances.length < 2) return []
  const variants = distances.reduce((most, { cell }) => Math.max(most, Math.floor(cell / GRADE_COUNT) + 1), 0)
  const { pooled } = poolDevice(distances, variants, served)
  return distances.map(({ cell, ln, weight }) => {
    const residual = ln - served.level - served.grades[cell % GRADE_COUNT]! - pooled.level[cell]!
    const leverage = (weight * pooled.variance[cell]!) / served.spread ** 2
    return Math.abs(residual) / Math.max(0.05, 1 - leverage)
  })
}

const NO_GRADES: readonly number[] = new Array(GRADE_COUNT).fill(0)

/** Distance of each grade from the level, from the medians of several devices; few of them leave it near zero. */
function gradeDistances(devices: readonly (readonly Omit<Distance, 'observedAt'>[])[], center: number): number[] {
  return NO_GRADES.map((_, grade) => {
    const medians = devices.flatMap((distances) => {
      const own = distances.filter(
        ({ cell, ln }) => cell % GRADE_COUNT === grade && Math.abs(ln - center) <= MAX_DISTANCE,
      )
      return own.length > 0 ? median(own.map(({ ln }) => ln - center)) : []
    })
    if (medians.length < MIN_LEVEL_DEVICES) return 0
    return (median(medians) * medians.length) / (medians.length + HALF_WEIGHT_DEVICES)
  })
}

/** Number of agreeing own prices of a device that are accepted, however far they are from the common ones. */
const AGREEING_PRICES = 3

/** The median of distances if enough of them are near it. */
function agreedCenter(distances: readonly number[]): number | null {
  const center = median(Float64Array.from(distances))
  return distances.filter((ln) => isNear(ln, center)).length >= AGREEING_PRICES ? center : null
}

const isNear = (ln: number, center: number) => Math.abs(ln - center) <= MAX_DISTANCE

/** Own prices near the organization's level or near each other. An outlier is stored, but changes nothing. */
function acceptedOwnRows<Row extends Observation>(
  quotes: readonly Quote[],
  rows: readonly Row[],
  levels: OwnLevels,
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
  common: readonly Quote[],
  rows: readonly Row[],
  levels: OwnLevels,
  now: number,
): { readonly quotes: Quote[]; readonly acceptedRows: Row[] } {
  const acceptedRows = acceptedOwnRows(common, rows, levels, now)
  return { quotes: quotesWithOwnRows(common, acceptedRows, levels, now), acceptedRows }
}

function quotesWithOwnRows(
  quotes: readonly Quote[],
  rows: readonly Observation[],
  levels: OwnLevels,
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
  const total = distances.reduce((sum, distance) => sum + distance.weight, 0)
  const newest = distances.reduce((latest, { observedAt }) => Math.max(latest, observedAt), 0)
  // How far the price of a cell follows the own prices of the device: the pooling is linear.
  const following = poolDevice(
    distances.map((distance) => ({ ...distance, ln: level + grades[distance.cell % GRADE_COUNT]! + 1 })),
    quotes.length,
    own,
  ).pooled.level
  const hasDeviations = uses('own prices: deviations of devices')
  const unseenPrices = uses('own prices: reach of devices without own prices') ? prices : 0
  const seenPrices = total > 0 && uses('own prices: reach of devices with own prices') ? reach.seenPrices : 0
  const mix = (measured: number, common: number, ownReach: number) => {
    const ownShare = measured / (measured + (ownReach > common ? HALF_WEIGHT_WIDENING : HALF_WEIGHT_PRICES))
    return Math.sqrt((1 - ownShare) * common ** 2 + ownShare * ownReach ** 2)
  }
  // Own prices of other devices widen a range, but do not narrow it: they may be of another category.
  const halfWidth = (common: number) =>
    mix(seenPrices, Math.max(common, mix(unseenPrices, common, reach.unseen)), reach.seen)
  return quotes.map((quote, variant) => {
    const { cents, interval, newestAt } = quote[name]
    if (!cents || !interval) return { side: { cents, interval, newestAt }, share: 0, halfWidth }
    const shifted = CONDITIONS.map((condition) => {
      const cell = variant * GRADE_COUNT + gradeIndex(condition)
      return (
        Math.log(Math.max(1, cents[condition])) +
        level +
        grades[cell % GRADE_COUNT]! +
        (hasDeviations ? pooled.level[cell]! : 0)
      )
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

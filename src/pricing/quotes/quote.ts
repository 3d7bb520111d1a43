import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import type { MARKET_BASES, PRICE_SOURCES } from '../../contract/pricing.ts'
import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { isPriceOf } from '../country-market.ts'
import { type LockDiscount, lockDiscount } from '../model/channel-offsets.ts'
import { marginShareOf, resaleFromBuyback } from '../model/dealer-margin.ts'
import { familyOf, isPhone } from '../model/device-family.ts'
import { familyEffect } from '../model/effect-terms.ts'
import { estimateDevice, type FittedMarkets, type SideEstimate } from '../model/estimate.ts'
import { PRICING_METHOD } from '../model/method.ts'
import { uses } from '../model/model-parts.ts'
import type { DeviceInput, Observation, Trade } from '../model/observation.ts'
import { GOOD, GRADE_COUNT, gradeIndex } from '../model/observation-columns.ts'
import { median, NORMAL_HALF_WIDTH80 } from '../model/quantile.ts'
import { sourceOfChannel } from '../model/source-weights.ts'
import { confidenceOf, expectedError, expectedErrorOfMix } from './confidence.ts'
import { firstRowOfCell, observedSlope, type PricePoint, weeklyHistory } from './history.ts'
import { hazardPerWeek, liquidityScore } from './liquidity.ts'
import { agreeingTrend, type LineChange, type Trend, trendOf } from './trend.ts'

export type PriceSource = (typeof PRICE_SOURCES)[number]
export type PriceRange = { readonly low: number; readonly high: number }

export type SideQuote = {
  /** Null for all grades when there is no basis at all. */
  readonly cents: Readonly<Record<Condition, number>> | null
  readonly interval: Readonly<Record<Condition, PriceRange>> | null
  readonly history: readonly PricePoint[]
  /** Newest observation used, of the variant or its siblings. */
  readonly newestAt: number | null
  /** When the market of the price was fitted: its newest input if there are no observations. */
  readonly fittedAt: number
  readonly source: PriceSource
  /** What a carrier lock changes. */
  readonly lockDiscount: LockDiscount
}

/** What one source adds to the prices of a variant on one side of the trade. */
export type SourceShare = {
  /** Name of a list, id of a contributing organization, or `OWN_SOURCE`. */
  readonly source: string
  readonly trade: Trade
  readonly observations: number
  /** Observations of the last seven days. */
  readonly recent: number
  readonly newestAt: number
  /** Median of its prices in Good condition, moved to today; null without one. */
  readonly goodCents: number | null
  /** Share of the weight of all observations of the variant on this side. */
  readonly weight: number
}

/** Own prices of an organization count as one source. */
export const OWN_SOURCE = 'own'

export type MarketBasis = (typeof MARKET_BASES)[number]

export type Quote = {
  readonly variantId: string
  readonly buyback: SideQuote
  readonly resale: SideQuote & {
    readonly trend: Trend
    readonly liquidityScore: number
    /** Price drift of the make (ln per month); negative if prices fall. */
    readonly driftPerMonth: number
  }
  /** Whose prices these are, and what they rest on. */
  readonly market: {
    readonly code: string
    readonly basis: MarketBasis
    /** Observations of this market that its level was learned from. */
    readonly observations: number
  }
  readonly marketConfidence: number
  readonly dataPoints: number
  readonly sources: readonly SourceShare[]
  readonly method: string
  /** Rests on observations that no fit has seen, and is as uncertain as a price without them. */
  readonly isProvisional?: boolean
}

/** Older observations still have a small weight but are not counted as data points. */
export const DATA_POINT_DAYS = 180
/** Additional spread (ln) of a price derived from the other side of the trade. */
const DERIVED_SPREAD = 0.15
/** Distance (ln) of wholesale prices below trade-in prices, and the wholesale handling cost per device. */
const WHOLESALE_SPREAD = 0.2
const WHOLESALE_HANDLING_CENTS = 3_000
/** From this error on prices are rounded to whole dollars. */
const WHOLE_DOLLARS_FROM_ERROR = 0.05
const WHOLE_DOLLARS_FROM_CENTS = 2_000

/**
 * Quotes of an unobserved device with the history of a simulated market. Only the history comes from it: simulated rows must
 * not change a price or raise its confidence.
 */
export function quoteWithSampleHistory(
  markets: FittedMarkets,
  device: DeviceInput,
  simulated: readonly Observation[],
  now: number,
): Quote[] {
  const { resale, buyback } = estimateDevice(markets, device, simulated, now)
  return quoteDevice(markets, device, [], now).map((quote, variant) => ({
    ...quote,
    resale: { ...quote.resale, history: weeklyHistory(resale, variant), source: 'sample' },
    buyback: { ...quote.buyback, history: weeklyHistory(buyback, variant), source: 'sample' },
  }))
}

/** Quotes of all variants of a device. */
export function quoteDevice(
  markets: FittedMarkets,
  device: DeviceInput,
  observations: readonly Observation[],
  now: number,
): Quote[] {
  const sides = estimateDevice(markets, device, observations, now)
  // Confidence refers to the observed side: resale, unless there are dealer quotes only.
  const hasOnlyDealerQuotes =
    !isObserved(sides.resale) &&
    (isObserved(sides.buyback) || (sides.resale.market.rowCount === 0 && isMeasured(sides.buyback)))
  const market = marketOf(markets, observations)
  const siblingSlope = observedSlope(sides.resale, 0, sides.resale.rows.size)
  return device.variants.map(({ variantId }, variant) => {
    const resaleCells = gradeEstimates(sides.resale, variant) ?? estimatesFromBuyback(sides.buyback, variant)
    const buybackCells = widenToResale(gradeEstimates(sides.buyback, variant), resaleCells, device, sides.buyback)
    const resale = sideQuote(sides.resale, variant, resaleCells, undefined)
    const buyback = sideQuote(sides.buyback, variant, buybackCells, resale.cents ?? undefined)
    const [from, to] = variantRange(sides.resale, variant)
    const hazard = hazardPerWeek(sides.resale.rows, sides.resale.fit.residual, from, to)
    return {
      variantId,
      buyback,
      resale: {
        ...resale,
        trend: resale.cents
          ? agreeingTrend(
              trendOf(observedSlope(sides.resale, from, to), siblingSlope, sides.resale.rows.driftPerMonth),
              changeOfLine(resale, now),
            )
          : 'unknown',
        liquidityScore: resale.cents ? liquidityScore(hazard) : 0,
        driftPerMonth: sides.resale.rows.driftPerMonth,
      },
      market,
      marketConfidence: marketConfidence(hasOnlyDealerQuotes ? buybackCells : (resaleCells ?? buybackCells)),
      dataPoints: countDataPoints(sides.resale, variant, now) + countDataPoints(sides.buyback, variant, now),
      sources: [sides.resale, sides.buyback].flatMap((side) => sourceShares(side, variant, now)),
      method: PRICING_METHOD,
    }
  })
}

/** Change of the Good price from the first point of its history to today. */
function changeOfLine({ history, cents }: Pick<SideQuote, 'history' | 'cents'>, now: number): LineChange | undefined {
  const first = history.find(({ condition }) => condition === 'Good')
  if (!first || !cents || cents.Good <= 0) return undefined
  return { change: Math.log(cents.Good / first.cents), months: (now - Date.parse(first.date)) / MONTH_MS }
}

/** Includes prices of the device itself that were added after the last fit. */
function marketOf({ resale, buyback, world }: FittedMarkets, rows: readonly Observation[]): Quote['market'] {
  const domesticCount = rows.filter(({ market }) => isPriceOf(resale.country, market)).length
  const observations = Math.max(resale.rowCount + buyback.rowCount, domesticCount)
  const isBorrowed = (world && world.resale.rowCount + world.buyback.rowCount > 0) || rows.length > domesticCount
  return {
    code: resale.country,
    basis: observations > 0 ? 'observed' : isBorrowed ? 'borrowed' : 'estimated',
    observations,
  }
}

const isObserved = (side: SideEstimate) => side.fit.pooled.devicePrecision > 0

/** So many devices of a market show how far an unknown phone is off. */
const MEASURED_DEVICES = 8

/** Whether the range of a phone was measured on the quotes of other phones in its market. */
const isMeasured = ({ market, rows: { device } }: SideEstimate) =>
  market.observedDevices.size >= MEASURED_DEVICES &&
  isPhone(familyOf(device)) &&
  market.effects.has(familyEffect(familyOf(device)))

type GradeEstimates = {
  readonly ln: readonly number[]
  readonly spread: readonly number[]
  readonly lowerHalfWidth: readonly number[]
  readonly upperHalfWidth: readonly number[]
  readonly share: readonly number[]
}

function gradeEstimates(side: SideEstimate, variant: number): GradeEstimates | undefined {
  if (!side.hasBasis) return undefined
  const from = variant * GRADE_COUNT
  const cells = CONDITIONS.map((condition) => from + gradeIndex(condition))
  return {
    ln: cells.map((cell) => side.quotedLevel[cell]!),
    spread: cells.map((cell) => side.spread[cell]!),
    lowerHalfWidth: cells.map((cell) => side.lowerHalfWidth[cell]!),
    upperHalfWidth: cells.map((cell) => side.upperHalfWidth[cell]!),
    share: side.market.gradeShares,
  }
}

/** Older observations count as known before. */
export const RECENT_DAYS = 7

/** The sources of the accepted rows of a variant, the one with most weight first. */
function sourceShares(side: SideEstimate, variant: number, now: number): SourceShare[] {
  const [from, to] = variantRange(side, variant)
  if (from === to) return []
  const { rows, fit, channels } = side
  const recentSince = now - RECENT_DAYS * DAY_MS
  const [observations, recent, newestAt, weight] = Array.from(
    { length: 4 },
    () => new Float64Array(channels.length),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]
  const goodPrices = new Map<string, number[]>()
  const goodCell = variant * GRADE_COUNT + GOOD
  let total = 0
  for (let row = from; row < to; row += 1) {
    const trust = fit.trust[row]!
    if (trust === 0) continue
    const channel = rows.channel[row]!
    if (rows.cell[row] === goodCell) {
      goodPrices.getOrInsertComputed(sourceOfChannel(channels[channel] ?? ''), () => []).push(rows.lnCents[row]!)
    }
    const observedAt = rows.observedAt[row]!
    const rowWeight = trust * rows.weight[row]!
    observations[channel] = observations[channel]! + 1
    if (observedAt > recentSince) recent[channel] = recent[channel]! + 1
    if (observedAt > newestAt[channel]!) newestAt[channel] = observedAt
    weight[channel] = weight[channel]! + rowWeight
    total += rowWeight
  }
  const shares = new Map<string, Omit<SourceShare, 'goodCents'>>()
  for (let channel = 0; channel < channels.length; channel += 1) {
    if (observations[channel] === 0) continue
    const source = sourceOfChannel(channels[channel] ?? '')
    const known = shares.get(source)
    shares.set(source, {
      source,
      trade: side.market.trade,
      observations: (known?.observations ?? 0) + observations[channel]!,
      recent: (known?.recent ?? 0) + recent[channel]!,
      newestAt: Math.max(known?.newestAt ?? 0, newestAt[channel]!),
      weight: (known?.weight ?? 0) + weight[channel]! / (total || 1),
    })
  }
  return [...shares.values()]
    .map((share) => ({
      ...share,
      goodCents: medianCents(goodPrices.get(share.source) ?? []),
      weight: Math.round(1000 * share.weight) / 1000,
    }))
    .sort((a, b) => b.weight - a.weight || (a.source < b.source ? -1 : 1))
}

/** Of ln amounts; null if there are none. */
export const medianCents = (ln: readonly number[]): number | null =>
  ln.length === 0 ? null : Math.round(Math.exp(median(Float64Array.from(ln))))

/**
 * Buyback derives from resale, so without dealer quotes its interval is at least as wide, and wider while the dealer margin of
 * the market is unknown. For devices other than phones this holds even with quotes, because a few of them prove little.
 */
function widenToResale(
  buyback: GradeEstimates | undefined,
  resale: GradeEstimates | undefined,
  device: DeviceInput,
  side: SideEstimate,
): GradeEstimates | undefined {
  if (!buyback || !resale || (isObserved(side) && isPhone(familyOf(device))) || isMeasured(side)) return buyback
  if (!uses('buyback as wide as resale')) return buyback
  const isMarginKnown = side.market.rowCount > 0
  const margin = isMarginKnown ? 0 : DERIVED_SPREAD
  const wholesale = (at: number) =>
    isMarginKnown
      ? 0
      : uses('range down to wholesale prices')
        ? WHOLESALE_SPREAD + Math.min(1, WHOLESALE_HANDLING_CENTS / Math.exp(buyback.ln[at]!))
        : margin
  const widened = (field: 'lowerHalfWidth' | 'upperHalfWidth' | 'spread', marginOf: (at: number) => number) =>
    buyback[field].map((width, at) => Math.max(width, Math.hypot(resale[field][at]!, marginOf(at))))
  return {
    ...buyback,
    lowerHalfWidth: widened('lowerHalfWidth', (at) => NORMAL_HALF_WIDTH80 * wholesale(at)),
    upperHalfWidth: widened('upperHalfWidth', () => NORMAL_HALF_WIDTH80 * margin),
    spread: widened('spread', () => margin),
  }
}

/** Resale of a device with dealer quotes only: the quotes plus the dealer margin. */
function estimatesFromBuyback(buyback: SideEstimate, variant: number): GradeEstimates | undefined {
  const cells = gradeEstimates(buyback, variant)
  if (!cells) return undefined
  const widened = (halfWidth: number) => Math.hypot(halfWidth, NORMAL_HALF_WIDTH80 * DERIVED_SPREAD)
  return {
    ln: cells.ln.map((ln) => resaleFromBuyback(ln, marginShareOf(buyback.rows.device))),
    spread: cells.spread.map((spread) => Math.hypot(spread, DERIVED_SPREAD)),
    share: cells.share,
    lowerHalfWidth: cells.lowerHalfWidth.map(widened),
    upperHalfWidth: cells.upperHalfWidth.map(widened),
  }
}

function sideQuote(
  side: SideEstimate,
  variant: number,
  cells: GradeEstimates | undefined,
  ceiling: Readonly<Record<Condition, number>> | undefined,
): SideQuote {
  const range = variantRange(side, variant)
  const history = weeklyHistory(side, variant)
  const variantNewestAt = newestObservedAt(side, range[0], range[1])
  const shared = {
    history,
    newestAt: variantNewestAt ?? newestObservedAt(side, 0, side.rows.size),
    fittedAt: side.market.fittedAt,
    lockDiscount: lockDiscount(side.market, side.priceFactor),
    source: variantNewestAt === null ? ('estimate' as const) : ('market' as const),
  }
  if (!cells) return { cents: null, interval: null, ...shared }
  const cents = {} as Record<Condition, number>
  const ranges = {} as Record<Condition, PriceRange>
  CONDITIONS.forEach((condition, at) => {
    const ln = cells.ln[at]!
    const spread = cells.spread[at]!
    const amount = Math.min(roundCents(Math.exp(ln), spread), ceiling?.[condition] ?? Number.POSITIVE_INFINITY)
    const low = Math.floor(Math.exp(ln - cells.lowerHalfWidth[at]!))
    const high = Math.ceil(Math.exp(ln + cells.upperHalfWidth[at]!))
    // Amounts are rounded and buyback is capped by resale, so the interval is extended to contain its amount.
    cents[condition] = amount
    ranges[condition] = { low: Math.min(low, amount), high: Math.max(high, amount) }
  })
  return { cents: enforceGradeOrder(cents), interval: ranges, ...shared }
}

/** Rounding grades to dollars or cents must not reverse the order of two neighbouring grades. */
function enforceGradeOrder(cents: Record<Condition, number>): Record<Condition, number> {
  let previous = Number.POSITIVE_INFINITY
  for (const condition of CONDITIONS) {
    cents[condition] = Math.min(cents[condition], previous)
    previous = cents[condition]
  }
  return cents
}

function roundCents(cents: number, spread: number): number {
  const isWholeDollars = expectedError(spread) > WHOLE_DOLLARS_FROM_ERROR && cents >= WHOLE_DOLLARS_FROM_CENTS
  return isWholeDollars ? Math.round(cents / 100) * 100 : Math.round(cents)
}

/** One confidence per response, from the median error over all four grades, weighted by their share of deals. */
function marketConfidence(cells: GradeEstimates | undefined): number {
  return cells ? confidenceOf(expectedErrorOfMix(cells.spread, cells.share)) : 0
}

/** Row range of a variant; rows are sorted by cell, so it is contiguous. */
function variantRange(side: SideEstimate, variant: number): [number, number] {
  return [firstRowOfCell(side.rows, variant * GRADE_COUNT), firstRowOfCell(side.rows, (variant + 1) * GRADE_COUNT)]
}

function newestObservedAt(side: SideEstimate, from: number, to: number): number | null {
  let latest: number | null = null
  for (let row = from; row < to; row += 1) {
    if (side.fit.trust[row] === 0) continue
    const observedAt = side.rows.observedAt[row]!
    if (latest === null || observedAt > latest) latest = observedAt
  }
  return latest
}

function countDataPoints(side: SideEstimate, variant: number, now: number): number {
  const [from, to] = variantRange(side, variant)
  let count = 0
  for (let row = from; row < to; row += 1) {
    const recent = side.rows.observedAt[row]! >= now - DATA_POINT_DAYS * DAY_MS
    if (recent && side.fit.trust[row] !== 0) count += 1
  }
  return count
}

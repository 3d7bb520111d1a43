import { memoize, memoizeWeak } from '../../lib/memoize.ts'
import { channelOffset, ungradedOffset, withoutLock } from './channel-offsets.ts'
import type { DeviceDeviation } from './device-deviations.ts'
import type { DeviceFit, Spreads } from './device-fit.ts'
import type { FittedMarket } from './market.ts'
import { uses } from './model-parts.ts'
import { GOOD, GRADE_COUNT, type ObservationColumns, UNGRADED } from './observation-columns.ts'

/** Rows of each channel by grade in a market: the mix that a deal without further information comes from. */
export type ChannelMix = readonly ReadonlyMap<string, number>[]

/** More channels per grade cost time without a visible effect. */
const MAX_CHANNELS = 16
/** Prior weight of the market's mix, in rows. */
const MARKET_PRIOR_ROWS = 8

/** Weight of a row in a mix. It decays three times as fast as the price weight, so that silent sources drop out sooner. */
const mixWeight = (
  { weight, recency }: Pick<ObservationColumns, 'weight' | 'recency'>,
  row: number,
  newestRecency: number,
) => weight[row]! * (uses('stale sources leave the mix sooner') ? (recency[row]! / newestRecency) ** 2 : 1)

export function channelMix(devices: readonly ObservationColumns[], names: readonly string[]): ChannelMix {
  const counts = new Float64Array(GRADE_COUNT * names.length)
  for (const rows of devices) {
    for (let at = 0; at < rows.size; at += 1) {
      const index = (rows.cell[at]! % GRADE_COUNT) * names.length + rows.channel[at]!
      counts[index] = counts[index]! + mixWeight(rows, at, 1)
    }
  }
  return Array.from({ length: GRADE_COUNT }, (_, grade) => {
    const channelRows = names.map((name, at): [string, number] => [name, counts[grade * names.length + at]!])
    return new Map(
      channelRows
        .filter(([, rows]) => rows > 0)
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, MAX_CHANNELS),
    )
  })
}

/** Graded rows of a device that halve the weight of sources that never grade, and what ungraded rows say about a grade. */
const UNGRADED_PRIOR_ROWS = 2
/** The same for the graded rows of the market. */
const UNGRADED_PRIOR_MARKET_ROWS = 30

const sourceOf = (channel: string) => channel.slice(0, channel.indexOf('\t'))

const withoutLabel = memoize(1_000, (channel: string) => channel.split('\t').with(2, '').join('\t'))

type ChannelShare = {
  readonly ungraded: boolean
  readonly offset: number
  readonly factor: number
  readonly share: number
}
type ChannelMarket = Pick<
  FittedMarket,
  'country' | 'effects' | 'prior' | 'trade' | 'channelSpreadFactor' | 'channelMix'
>

type ChannelShares = ReadonlyMap<string, ChannelShare>
/** The mix of each grade, and the mix of Good together with ungraded rows, which trade as Good. */
type ChannelSharesByGrade = { readonly byGrade: readonly ChannelShares[]; readonly goodAndUngraded: ChannelShares }

/** Channel shares of a market; the same for all its devices. Fitted effects identify a market. */
const channelSharesOf = memoizeWeak((_: FittedMarket['effects'], market: ChannelMarket): ChannelSharesByGrade => {
  const all = new Map<string, number>()
  for (const rows of market.channelMix) {
    for (const [name, count] of rows) all.set(withoutLabel(name), (all.get(withoutLabel(name)) ?? 0) + count)
  }
  const toShares = (rows: ReadonlyMap<string, number>, graded = rows): ChannelShares => {
    const total = [...rows.values()].reduce((sum, count) => sum + count, 0)
    return new Map(
      [...rows].map(([name, count]): [string, ChannelShare] => [
        name,
        {
          offset: channelOffset(market, withoutLock(name)),
          ungraded: !graded.has(name),
          factor: market.channelSpreadFactor.get(name) ?? 1,
          share: count / total,
        },
      ]),
    )
  }
  const [good, ungraded] = [GOOD, UNGRADED].map((grade) => market.channelMix[grade] ?? new Map<string, number>()) as [
    ReadonlyMap<string, number>,
    ReadonlyMap<string, number>,
  ]
  return {
    // A grade without observations trades in the channels of the other grades, without a label.
    byGrade: market.channelMix.map((rows) => toShares(rows.size ? rows : all)),
    goodAndUngraded: toShares(new Map([...good, ...ungraded]), good),
  }
})

/** Sources that grade what they list. Averages of ungraded devices count less beside them. */
const gradingSourcesOf = memoizeWeak(
  (mix: ChannelMix): ReadonlySet<string> =>
    new Set(mix.flatMap((rows, grade) => (grade === UNGRADED ? [] : [...rows.keys()].map(sourceOf)))),
)

/** Weight of the ungraded rows of sources that never grade: less, the more graded rows a device has. */
function nonGradingWeightOf(rows: Pick<ObservationColumns, 'size' | 'cell' | 'weight'>): number {
  let graded = 0
  for (let at = 0; at < rows.size; at += 1) {
    if (rows.cell[at]! % GRADE_COUNT !== UNGRADED) graded += rows.weight[at]!
  }
  return uses('weight of sources that never grade') ? UNGRADED_PRIOR_ROWS / (UNGRADED_PRIOR_ROWS + graded) : 1
}

/** Weight of the ungraded rows of a device by channel. */
export function ungradedWeights(
  market: Pick<FittedMarket, 'channelMix'>,
  names: readonly string[],
  rows: Pick<ObservationColumns, 'size' | 'cell' | 'weight'>,
): Float64Array {
  const gradingSources = gradingSourcesOf(market.channelMix)
  const nonGradingWeight = nonGradingWeightOf(rows)
  return Float64Array.from(names, (name) => (gradingSources.has(sourceOf(name)) ? 1 : nonGradingWeight))
}

/**
 * A response has one price per grade of an unlocked device, for a caller who knows neither the source of the deal nor the
 * seller's words. The price is the median over all channels as they trade: the device's own rows, shrunk towards the market's
 * mix. Returns its offset (ln) from the level of an unlocked sale, by grade. How channels differ is part of the calibrated range.
 */
export function gradeOffsets(
  market: ChannelMarket,
  names: readonly string[],
  rows: ObservationColumns,
  fit: DeviceFit,
  spreads: Spreads,
): number[] {
  const count = names.length
  const ownWeight = new Float64Array(GRADE_COUNT * count)
  const newestRecency = rows.recency.reduce((most, recency) => Math.max(most, recency), 1e-9)
  for (let at = 0; at < rows.size; at += 1) {
    const index = (rows.cell[at]! % GRADE_COUNT) * count + rows.channel[at]!
    ownWeight[index] = ownWeight[index]! + mixWeight(rows, at, newestRecency) * (fit.trust[at] === 0 ? 0 : 1)
  }
  const gradingSources = gradingSourcesOf(market.channelMix)
  const nonGradingWeight = nonGradingWeightOf(rows)
  const ungradedWeight = ungradedWeights(market, names, rows)
  const deviceChannels = new Set(names)
  const namesWithoutLabel = names.map(withoutLabel)
  const { byGrade, goodAndUngraded } = channelSharesOf(market.effects, market)
  const offsets = byGrade.map((mix, grade) => mixOffset(mix, grade, false, 0))
  let ungraded = 0
  for (let channel = 0; channel < count; channel += 1) ungraded += ownWeight[UNGRADED * count + channel]!
  if (market.channelMix[UNGRADED]?.size === 0 && ungraded === 0) return offsets
  const good = mixOffset(goodAndUngraded, GOOD, true, ungradedOffset(market) + ungradedDeviation(fit))
  const shift = uses('ungraded rows shift all grades') ? good - offsets[GOOD]! : 0
  return offsets.map((offset, grade) =>
    grade === GOOD ? good : grade === UNGRADED ? offset : offset + shift * ungradedShare(grade),
  )

  /** Cheap ungraded rows lower a grade as Good, unless it has prices of its own: who states no grade does not sell the best devices. */
  function ungradedShare(grade: number): number {
    if (shift > 0) return 1
    let ownRows = 0
    let marketRows = 0
    for (let channel = 0; channel < count; channel += 1) ownRows += ownWeight[grade * count + channel]!
    for (const rowCount of market.channelMix[grade]?.values() ?? []) marketRows += rowCount
    const ofDevice = UNGRADED_PRIOR_ROWS / (UNGRADED_PRIOR_ROWS + ownRows)
    return (ofDevice * UNGRADED_PRIOR_MARKET_ROWS) / (UNGRADED_PRIOR_MARKET_ROWS + marketRows)
  }

  /** `includeUngraded`: adds the ungraded rows, whose offset is shifted by `ungradedStep`. */
  function mixOffset(
    marketShares: ChannelShares,
    grade: number,
    includeUngraded: boolean,
    ungradedStep: number,
  ): number {
    const maxSize = count + marketShares.size
    const offset = new Float64Array(maxSize)
    const factors = new Float64Array(maxSize)
    const weight = new Float64Array(maxSize)
    let size = 0
    let total = 0
    const add = (share: Omit<ChannelShare, 'share'>, deviation: DeviceDeviation | undefined, channelWeight: number) => {
      offset[size] = share.offset + (share.ungraded ? ungradedStep : 0) + (deviation?.offset ?? 0)
      factors[size] = share.factor
      weight[size] = channelWeight
      size += 1
      total += channelWeight
    }
    for (let channel = 0; channel < count; channel += 1) {
      const name = names[channel] as string
      const marketShare = marketShares.get(name)
      const ungradedRows = includeUngraded ? ungradedWeight[channel]! * ownWeight[UNGRADED * count + channel]! : 0
      const prior =
        MARKET_PRIOR_ROWS * (marketShare?.share ?? 0) * (marketShare?.ungraded ? ungradedWeight[channel]! : 1)
      const channelWeight = ownWeight[grade * count + channel]! + ungradedRows + prior
      if (channelWeight === 0) continue
      const share = marketShare ?? {
        offset: channelOffset(market, withoutLock(name)),
        factor: market.channelSpreadFactor.get(name) ?? 1,
        ungraded: ungradedRows > 0,
      }
      add(share, fit.channelDeviations.get(channel), channelWeight)
    }
    for (const [name, marketShare] of marketShares) {
      if (deviceChannels.has(name)) continue
      const sourceWeight = marketShare.ungraded && !gradingSources.has(sourceOf(name)) ? nonGradingWeight : 1
      // A grade without rows uses the device's deviation of the same source and lock from other grades.
      const sameChannel = namesWithoutLabel.indexOf(name)
      const deviation = sameChannel < 0 ? undefined : fit.channelDeviations.get(sameChannel)
      add(marketShare, deviation, MARKET_PRIOR_ROWS * marketShare.share * sourceWeight)
    }
    if (total === 0) return 0
    const spread = new Float64Array(size)
    const gradeFactor = spreads.gradeFactor[grade]!
    for (let at = 0; at < size; at += 1) {
      spread[at] = factors[at]! * spreads.listing * gradeFactor
      weight[at] = weight[at]! / total
    }
    return uses('offset of the channel mix') ? medianOfMix({ size, offset, weight }, spread) : 0
  }
}

/** Mean difference between the ungraded and Good levels of this device. */
function ungradedDeviation({ level, trustedWeight: weight }: DeviceFit): number {
  let sum = 0
  let total = 0
  for (let from = 0; from < level.length; from += GRADE_COUNT) {
    const cellWeight = weight[from + UNGRADED]!
    sum += cellWeight * (level[from + UNGRADED]! - level[from + GOOD]!)
    total += cellWeight
  }
  return total > 0 ? sum / total : 0
}

/** Bisection steps: ten are precise enough for a range of a few tenths. */
const HALVINGS = 10
/** Search range in spreads around each channel's offset; enough for the quantiles that are used. */
const MAX_SPREADS = 2.5

/** Offset, weight (sum 1) and number of the channels of a mix. */
type Mix = { readonly size: number; readonly offset: Float64Array; readonly weight: Float64Array }

/** Median of the deals of a mix, in which each channel has its own spread around its offset. */
function medianOfMix({ size, offset, weight }: Mix, spread: Float64Array): number {
  if (size === 1) return offset[0]!
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let at = 0; at < size; at += 1) {
    const halfWidth = MAX_SPREADS * spread[at]!
    low = Math.min(low, offset[at]! - halfWidth)
    high = Math.max(high, offset[at]! + halfWidth)
  }
  for (let step = 0; step < HALVINGS; step += 1) {
    const midpoint = (low + high) / 2
    let below = 0
    for (let at = 0; at < size; at += 1) {
      const distance = (midpoint - offset[at]!) / spread[at]!
      // The logistic function is a close and cheap approximation of the normal distribution.
      below += weight[at]! / (1 + Math.exp(-1.702 * distance))
    }
    if (below < 0.5) low = midpoint
    else high = midpoint
  }
  return (low + high) / 2
}

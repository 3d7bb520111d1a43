import { remembered } from '../../remembered.ts'
import type { DeviceFit, OwnDeviation, Spreads } from './device-fit.ts'
import { type DeviceRows, RUNG_COUNT } from './device-rows.ts'
import { channelOffset, type Market } from './market.ts'

/**
 * An answer has one number per grade, for a caller who sees neither which source a deal will be in, nor the seller's words, nor a
 * lock. So the number is the middle of all of them as they trade, and what they differ in is part of the range.
 */
export type ServedRung = {
  /** What the mix of channels adds (ln) to the level of a sale without a lock. */
  readonly center: number
  /** Variance of the channels' offsets around it. */
  readonly between: number
  /** How much listings differ in this mix beside others, squared. */
  readonly factor: number
  /** Variance of what is not known of the channels on this device. */
  readonly unsure: number
  /** Offsets from the center, spreads beside others, and weights (adding up to one) of its channels. */
  readonly channels: { readonly offset: Float64Array; readonly factor: Float64Array; readonly weight: Float64Array }
}

/** Rows of each channel by rung, as a market has them: the mix that a deal nobody knows more of comes from. */
export type ChannelMix = readonly ReadonlyMap<string, number>[]

/** More channels than this in one rung add time and nothing to see. */
const MOST_CHANNELS = 16
/** So many rows of the whole market's mix stand beside the device's own. */
const MARKET_ROWS = 8

export function channelMix(devices: readonly DeviceRows[], names: readonly string[]): ChannelMix {
  const counts = new Float64Array(RUNG_COUNT * names.length)
  for (const { size, cell, channel, recency } of devices) {
    for (let at = 0; at < size; at += 1) {
      const place = ((cell[at] as number) % RUNG_COUNT) * names.length + (channel[at] as number)
      counts[place] = (counts[place] as number) + (recency[at] as number)
    }
  }
  return Array.from({ length: RUNG_COUNT }, (_, rung) => {
    const of = names.map((name, at): [string, number] => [name, counts[rung * names.length + at] as number])
    return new Map(
      of
        .filter(([, rows]) => rows > 0)
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, MOST_CHANNELS),
    )
  })
}

const withoutWord = remembered(1_000, (channel: string) => channel.split('\t').with(2, '').join('\t'))

type Known = { readonly offset: number; readonly factor: number; readonly share: number }
type Served = Pick<Market, 'effects' | 'prior' | 'channelFactor' | 'channelMix'>

/** What a market says of its channels, by rung; the same for all its devices. */
const knownMixes = new WeakMap<object, readonly ReadonlyMap<string, Known>[]>()

function mixOf(market: Served): readonly ReadonlyMap<string, Known>[] {
  const before = knownMixes.get(market.effects)
  if (before) return before
  const all = new Map<string, number>()
  for (const rows of market.channelMix) {
    for (const [name, count] of rows) all.set(withoutWord(name), (all.get(withoutWord(name)) ?? 0) + count)
  }
  const made = market.channelMix.map((rows) => {
    // A grade nobody has seen yet trades where the others trade; only its words are not known.
    const seen = rows.size ? rows : all
    const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
    return new Map(
      [...seen].map(([name, count]): [string, Known] => [
        name,
        {
          offset: channelOffset(market, name),
          factor: market.channelFactor.get(name) ?? 1,
          share: count / total,
        },
      ]),
    )
  })
  knownMixes.set(market.effects, made)
  return made
}

/** The mix of each rung on one device: its own rows first, and some of the whole market's. */
export function servedRungs(
  market: Served,
  names: readonly string[],
  rows: DeviceRows,
  fit: DeviceFit,
  spreads: Spreads,
): ServedRung[] {
  const own = new Float64Array(RUNG_COUNT * names.length)
  for (let at = 0; at < rows.size; at += 1) {
    const place = ((rows.cell[at] as number) % RUNG_COUNT) * names.length + (rows.channel[at] as number)
    own[place] = (own[place] as number) + (rows.recency[at] as number) * (fit.trust[at] === 0 ? 0 : 1)
  }
  const wordless = names.map(withoutWord)
  const strange = spreads.channel ** 2 / (rows.size > 0 ? 1 : 2)
  return mixOf(market).map((mix, rung) => {
    const offsets: number[] = []
    const factors: number[] = []
    const weights: number[] = []
    let unsure = 0
    const add = (known: Pick<Known, 'offset' | 'factor'>, deviation: OwnDeviation | undefined, weight: number) => {
      offsets.push(known.offset + (deviation?.offset ?? 0))
      factors.push(known.factor)
      weights.push(weight)
      unsure += weight * (deviation ? deviation.variance * deviation.apart : strange)
    }
    names.forEach((name, channel) => {
      const known = mix.get(name)
      const weight = (own[rung * names.length + channel] as number) + MARKET_ROWS * (known?.share ?? 0)
      if (weight === 0) return
      const told = known ?? { offset: channelOffset(market, name), factor: market.channelFactor.get(name) ?? 1 }
      add(told, fit.channelOwn.get(channel), weight)
    })
    for (const [name, known] of mix) {
      if (names.includes(name)) continue
      // Of a grade without rows only the source and the lock are known, in other grades of the same device.
      const same = wordless.indexOf(name)
      add(known, same < 0 ? undefined : fit.channelOwn.get(same), MARKET_ROWS * known.share)
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    if (total === 0) return { center: 0, between: 0, factor: 1, unsure: 0, channels: NO_CHANNELS }
    const offset = Float64Array.from(offsets)
    const spread = Float64Array.from(factors, (one) => one * fit.listing * (spreads.rungFactor[rung] as number))
    const weight = Float64Array.from(weights, (one) => one / total)
    const center = quantileOfMix(offset, spread, weight, 0.5)
    let between = 0
    let factor = 0
    for (let at = 0; at < weight.length; at += 1) {
      offset[at] = (offset[at] as number) - center
      between += (weight[at] as number) * (offset[at] as number) ** 2
      factor += (weight[at] as number) * (factors[at] as number) ** 2
    }
    return {
      center,
      between,
      factor,
      unsure: unsure / total,
      channels: { offset, factor: Float64Array.from(factors), weight },
    }
  })
}

const NO_CHANNELS = { offset: new Float64Array(0), factor: new Float64Array(0), weight: new Float64Array(0) }
/** Ten halvings of a range of some tenths leave less than anybody would notice. */
const HALVINGS = 10
/** No deal of a share that anybody asks for lies farther from its channel than this many spreads. */
const FARTHEST = 2.5

/** Where a share of the deals of a mix lie below, each channel with its own spread around its offset. */
export function quantileOfMix(offset: Float64Array, spread: Float64Array, weight: Float64Array, share: number): number {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let at = 0; at < offset.length; at += 1) {
    const reach = offset.length > 1 ? FARTHEST * (spread[at] as number) : 0
    low = Math.min(low, (offset[at] as number) - reach)
    high = Math.max(high, (offset[at] as number) + reach)
  }
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2
    let below = 0
    for (let at = 0; at < offset.length; at += 1) {
      const apart = (middle - (offset[at] as number)) / (spread[at] as number)
      // The logistic curve is close enough to the normal one, and cheap.
      below += (weight[at] as number) / (1 + Math.exp(-1.702 * apart))
    }
    if (below < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}

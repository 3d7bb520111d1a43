import { memoize, memoizeWeak } from '../../lib/memoize.ts'
import type { ChannelEffects } from './device-fit.ts'
import { channelTerms, evaluateTerms, gradeTerms, LOCK_SLOPE, LOCK_SPREAD } from './effect-terms.ts'
import type { FittedMarket } from './market.ts'
import { uses } from './model-parts.ts'
import { isCarrierLocked } from './observation.ts'
import { UNGRADED } from './observation-columns.ts'

/** Level (ln) of ungraded devices relative to Good. */
export function ungradedOffset({ effects, prior, trade }: Pick<FittedMarket, 'effects' | 'prior' | 'trade'>): number {
  return evaluateTerms(gradeTerms(UNGRADED, prior, trade), effects)
}

type ChannelContext = Pick<FittedMarket, 'effects' | 'prior' | 'trade' | 'country'>

const LOCK_FIELD = 3

/** The channel without carrier lock. */
export const withoutLock = memoize(1_000, (channel: string) => channel.split('\t').with(LOCK_FIELD, '').join('\t'))

export const isLockedChannel = (channel: string) => isCarrierLocked(channel.split('\t')[LOCK_FIELD] ?? '')

/** Price (ln) of each channel relative to the same channel without a carrier lock: 0 for unlocked devices. */
export function lockOffsets(market: ChannelContext, channels: readonly string[], priceFactor: number): Float64Array {
  return Float64Array.from(channels, (name) =>
    isLockedChannel(name)
      ? channelOffset(market, name) - channelOffset(market, withoutLock(name)) + priceFactor * lockSlope(market)
      : 0,
  )
}

const lockSlope = ({ effects }: Pick<FittedMarket, 'effects'>) =>
  uses('lock discount by price') ? (effects.get(LOCK_SLOPE.name) ?? LOCK_SLOPE.expected) : 0

/** Price (ln) of a carrier-locked device relative to an unlocked one, and its standard error. Never above zero. */
export type LockDiscount = { readonly ln: number; readonly spread: number }

/** Dealers differ more: a trade-in shop pays 7 % less for locked phones, wholesale buyers 35 to 40 %. */
const BUYBACK_LOCK_SPREAD = 0.3

/** Mean over the observed locks of this market, at the price of the device; the prior if there are none. */
export function lockDiscount(
  market: Pick<FittedMarket, 'channelMix' | 'spreads'> & ChannelContext,
  priceFactor: number,
): LockDiscount {
  let rows = 0
  let sum = 0
  for (const mix of market.channelMix) {
    for (const [name, count] of mix) {
      if (!isLockedChannel(name)) continue
      rows += count
      sum += count * (channelOffset(market, name) - channelOffset(market, withoutLock(name)))
    }
  }
  const isWide = market.trade === 'buyback' && uses('wide lock discount of unobserved buyback')
  return rows > 0
    ? { ln: Math.min(0, sum / rows + priceFactor * lockSlope(market)), spread: market.spreads.channel }
    : {
        ln: Math.min(0, market.prior.lockedDiscount),
        spread: Math.hypot(market.spreads.channel, isWide ? BUYBACK_LOCK_SPREAD : LOCK_SPREAD),
      }
}

/** Fitted effects are immutable, and all devices use the same few channels. */
const offsetCache = memoizeWeak((_: FittedMarket['effects']) => new Map<string, number>())

export function channelOffset(market: ChannelContext, channel: string): number {
  const offsets = offsetCache(market.effects)
  const cached = offsets.get(channel)
  if (cached !== undefined) return cached
  const offset = evaluateTerms(channelTerms(channel, market), market.effects)
  offsets.set(channel, offset)
  return offset
}

export function channelEffects(
  market: ChannelContext & Pick<FittedMarket, 'channelSpreadFactor'>,
  channels: readonly string[],
  priceFactor: number,
): ChannelEffects {
  const offset = new Float64Array(channels.length)
  const spreadFactor = new Float64Array(channels.length)
  for (let at = 0; at < channels.length; at += 1) {
    const name = channels[at] as string
    offset[at] = channelOffset(market, name) + (isLockedChannel(name) ? priceFactor * lockSlope(market) : 0)
    spreadFactor[at] = market.channelSpreadFactor.get(name) ?? 1
  }
  return { offset, spreadFactor }
}

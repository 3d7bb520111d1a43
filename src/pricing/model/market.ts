import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { memoize, memoizeWeak } from '../../lib/memoize.ts'
import { COUNTRY_LEVEL_SPREAD, countryLevel } from './country-levels.ts'
import { buybackFromResale } from './dealer-margin.ts'
import { CURVE_SPREAD } from './depreciation-curves.ts'
import { type DepreciationFamily, familyOf, isPhone } from './device-family.ts'
import type { ChannelEffects, Spreads } from './device-fit.ts'
import { DEFAULT_DRIFT_ERROR, type Drift, priorDrift } from './drift.ts'
import { MARKET_GRADES } from './grade.ts'
import type { ChannelMix } from './grade-mix.ts'
import type { IntervalCalibration } from './holdout-calibration.ts'
import type { ErrorShape } from './market-spreads.ts'
import { type DeviceInput, isCarrierLocked, type Trade } from './observation.ts'
import { GOOD, GRADE_COUNT, gradeIndex, UNGRADED } from './observation-columns.ts'
import { ageYears, combinedStep, curveLevel, LN_700_DOLLARS, type StorageSteps, storageSteps } from './prior.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { median } from './quantile.ts'

/** Fitted model of one side of the trade in a market, as plain data. */
export type FittedMarket = {
  readonly trade: Trade
  /** Country of the market; for prices of several countries, the reference country. */
  readonly country: string
  readonly fittedAt: number
  readonly prior: PriorCoefficients
  /** Fitted effects by name: `level`, `age`, `grade:Fair`, `lock:sprint`, `make:Apple`, … */
  readonly effects: ReadonlyMap<string, number>
  readonly spreads: Spreads
  /** Drift of each make. */
  readonly drift: ReadonlyMap<string, Drift>
  /** Factor on the spread of listings by channel; 1 if unknown. */
  readonly channelSpreadFactor: ReadonlyMap<string, number>
  /** Prices of cheap devices vary more, by `slope` per unit of ln below the market's typical price. */
  readonly typicalPrice: { readonly ln: number; readonly slope: number }
  /** Share of deals by grade, for the four grades of the API. */
  readonly gradeShares: readonly number[]
  readonly channelMix: ChannelMix
  /** Distribution of single listings around their level. */
  readonly listingErrors: ErrorShape
  /** Distribution of listings around the served price of their grade, without knowledge of channel and lock. */
  readonly quoteErrors: readonly ErrorShape[]
  /** Interval calibration from held-out rows (`seen`), variants (`unseen`) and devices (`unknown`). */
  readonly calibration: {
    readonly seen: IntervalCalibration
    readonly unseen: IntervalCalibration
    readonly unknown: IntervalCalibration
  }
  /** Deviation of each observed device from its base level by its own rows, and the precision of that. */
  readonly observedDevices: ReadonlyMap<string, { readonly deviation: number; readonly precision: number }>
  readonly rowCount: number
  /** Variance of the country's level, which is large while few of its devices were observed. */
  readonly levelVariance: number
}

/** A named effect with its prior mean and standard deviation. */
export type Effect = { readonly name: string; readonly expected: number; readonly spread: number }
export type EffectTerm = { readonly effect: Effect; readonly factor: number }

const effectTerm = (name: string, expected: number, spread: number): EffectTerm => ({
  effect: { name, expected, spread },
  factor: 1,
})

/** Without launch price or release day only the make's other devices inform the price. */
const UNKNOWN_SPREAD = 0.7
const UNKNOWN_LEVEL = Math.log(25_000)
/** Prior share of deals by grade. */
export const TYPICAL_GRADE_MIX: Readonly<Record<Condition, number>> = {
  Excellent: 0.3,
  Good: 0.5,
  Fair: 0.17,
  Poor: 0.03,
}

const familyEffect = (family: DepreciationFamily) => `family:${family}`

/** Terms of all cells of a device. Effects of age and launch price are separate for phones and other families. */
export function deviceTerms(device: DeviceInput, now: number): EffectTerm[] {
  const launchLn = storageSteps(device).baseLn
  const age = ageYears(device, now)
  const make = effectTerm(`make:${device.make}`, 0, 0.08)
  if (launchLn === null || age === null) return [effectTerm('unlisted', 0, 1.5), make]
  const family = familyOf(device)
  const level = [
    effectTerm('level', 0, 0.12),
    effectTerm(familyEffect(family), 0, isPhone(family) ? 0.1 : CURVE_SPREAD),
    make,
  ]
  if (!isPhone(family))
    return [...level, { effect: { name: `age:${family}`, expected: 0, spread: 0.06 }, factor: age - 3 }]
  return [
    ...level,
    { effect: { name: 'age', expected: 0, spread: 0.06 }, factor: age - 3 },
    { effect: { name: 'list', expected: 0, spread: 0.15 }, factor: launchLn - LN_700_DOLLARS },
  ]
}

/** Storage terms of a variant. */
export function storageTerms(
  steps: StorageSteps,
  variant: number,
  age: number | null,
  prior: PriorCoefficients,
): EffectTerm[] {
  return [
    {
      effect: { name: 'storage:list', expected: prior.launchPriceStep, spread: 0.2 },
      factor: steps.lnLaunchPrice[variant]!,
    },
    {
      effect: { name: 'storage:doubling', expected: prior.doublingStep, spread: 0.03 },
      factor: steps.doublings[variant]!,
    },
    {
      effect: { name: 'storage:age', expected: prior.storageByAge, spread: 0.08 },
      factor: combinedStep(steps, variant) * (Math.min(8, age ?? 3) - 3),
    },
    // Demand for some sizes differs from the storage steps.
    { effect: { name: `storage:${steps.gigabytes[variant]}GB`, expected: 0, spread: 0.03 }, factor: 1 },
    {
      effect: { name: 'storage:late', expected: prior.lateVariantStep, spread: 0.08 },
      factor: steps.isLate[variant]!,
    },
  ]
}

/** A grade relative to Good; the larger the expected difference, the weaker the prior. */
export function gradeTerms(grade: number, prior: PriorCoefficients, trade: Trade): EffectTerm[] {
  const priorByGrade = trade === 'resale' ? prior.resaleByGrade : prior.buybackByGrade
  // Ungraded devices are at the mean of the typical grade mix. The mix of graded devices would be biased: sellers state the
  // grade of their best devices and omit it for the rest.
  if (grade === UNGRADED) {
    const mean = CONDITIONS.reduce(
      (sum, condition) => sum + TYPICAL_GRADE_MIX[condition] * priorByGrade[gradeIndex(condition)]!,
      0,
    )
    return [effectTerm('grade:Ungraded', mean, 0.03)]
  }
  const expected = priorByGrade[grade]!
  return grade === GOOD ? [] : [effectTerm(`grade:${MARKET_GRADES[grade]}`, expected, 0.02 + 0.4 * Math.abs(expected))]
}

/** Terms of a channel relative to a sold, unlocked device of the reference country. */
export function channelTerms(
  channel: string,
  { prior, trade, country }: Pick<FittedMarket, 'prior' | 'trade' | 'country'>,
): EffectTerm[] {
  const [source, side, label, lock, origin] = channel.split('\t') as [string, string, string, string, string]
  const terms: EffectTerm[] = []
  if (origin !== country) {
    const expected = countryLevel(origin, trade) - countryLevel(country, trade)
    terms.push(effectTerm(`country:${origin}`, expected, COUNTRY_LEVEL_SPREAD))
  }
  if (side === 'ask') terms.push(effectTerm('ask', prior.askPremium, 0.02))
  if (isCarrierLocked(lock)) terms.push(effectTerm(`lock:${lock}`, prior.lockedDiscount, LOCK_SPREAD))
  terms.push(effectTerm(`market:${source}/${side}`, 0, 0.08))
  terms.push(effectTerm(`label:${source}/${label}`, 0, 0.08))
  return terms
}

function evaluateTerms(terms: readonly EffectTerm[], effects: ReadonlyMap<string, number>): number {
  let total = 0
  for (const { effect, factor } of terms) total += (effects.get(effect.name) ?? effect.expected) * factor
  return total
}

/** Level (ln) of ungraded devices relative to Good. */
export function ungradedOffset({ effects, prior, trade }: Pick<FittedMarket, 'effects' | 'prior' | 'trade'>): number {
  return evaluateTerms(gradeTerms(UNGRADED, prior, trade), effects)
}

type ChannelContext = Pick<FittedMarket, 'effects' | 'prior' | 'trade' | 'country'>

const LOCK_FIELD = 3

/** The channel without carrier lock. */
export const withoutLock = memoize(1_000, (channel: string) => channel.split('\t').with(LOCK_FIELD, '').join('\t'))

const isLockedChannel = (channel: string) => isCarrierLocked(channel.split('\t')[LOCK_FIELD] ?? '')

/** Price (ln) of each channel relative to the same channel without a carrier lock: 0 for unlocked devices. */
export function lockOffsets(market: ChannelContext, channels: readonly string[]): Float64Array {
  return Float64Array.from(channels, (name) =>
    isLockedChannel(name) ? channelOffset(market, name) - channelOffset(market, withoutLock(name)) : 0,
  )
}

/** Price (ln) of a carrier-locked device relative to an unlocked one, and its standard error. Never above zero. */
export type LockDiscount = { readonly ln: number; readonly spread: number }

/** Spread (ln) of single carrier locks around the discount of all locks. */
const LOCK_SPREAD = 0.06
/** Dealers differ more: a trade-in shop pays 7 % less for locked phones, wholesale buyers 35 to 40 %. */
const BUYBACK_LOCK_SPREAD = 0.3

/** Mean over the observed locks of this market; the prior if there are none. */
export function lockDiscount(market: Pick<FittedMarket, 'channelMix' | 'spreads'> & ChannelContext): LockDiscount {
  let rows = 0
  let sum = 0
  for (const mix of market.channelMix) {
    for (const [name, count] of mix) {
      if (!isLockedChannel(name)) continue
      rows += count
      sum += count * (channelOffset(market, name) - channelOffset(market, withoutLock(name)))
    }
  }
  return rows > 0
    ? { ln: Math.min(0, sum / rows), spread: market.spreads.channel }
    : {
        ln: Math.min(0, market.prior.lockedDiscount),
        spread: Math.hypot(market.spreads.channel, market.trade === 'buyback' ? BUYBACK_LOCK_SPREAD : LOCK_SPREAD),
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
): ChannelEffects {
  const offset = new Float64Array(channels.length)
  const spreadFactor = new Float64Array(channels.length)
  for (let at = 0; at < channels.length; at += 1) {
    const name = channels[at] as string
    offset[at] = channelOffset(market, name)
    spreadFactor[at] = market.channelSpreadFactor.get(name) ?? 1
  }
  return { offset, spreadFactor }
}

/** Variance of the offset of a channel: the sum over its effects that this market has not observed. */
export function channelVariance(
  market: ChannelContext & Pick<FittedMarket, 'channelSpreadFactor'>,
  channel: string,
): number {
  const [source, side, label] = channel.split('\t') as [string, string, string]
  const observedChannels = [...market.channelSpreadFactor.keys()].map(
    (name) => name.split('\t') as [string, string, string],
  )
  const isObserved = (name: string) =>
    market.effects.has(name) ||
    // A single source, or a single label of a source, has no effect of its own: it is part of the level.
    (name.startsWith('market:') && observedChannels.some((fields) => fields[0] === source && fields[1] === side)) ||
    (name.startsWith('label:') && observedChannels.some((fields) => fields[0] === source && fields[2] === label))
  return channelTerms(channel, market).reduce(
    (sum, { effect }) => sum + (observedChannels.length === 0 || isObserved(effect.name) ? 0 : effect.spread ** 2),
    0,
  )
}

const SPREAD_FACTOR_LIMITS = [0.4, 3.5] as const

/** The same amount in dollars is a larger share of a cheap phone's price than of an expensive one's. */
function cheapDeviceSpreadFactor({ typicalPrice }: Pick<FittedMarket, 'typicalPrice'>, ln: number): number {
  return Math.max(
    SPREAD_FACTOR_LIMITS[0],
    Math.min(SPREAD_FACTOR_LIMITS[1], Math.exp(typicalPrice.slope * (typicalPrice.ln - ln))),
  )
}

export function marketDrift(market: FittedMarket, make: string): number {
  return market.drift.get(make)?.perMonth ?? priorDrift(make, market.prior)
}

/** Variance over months without observations or ahead: volatility and uncertainty of the drift. */
export function timeVariance(market: FittedMarket, make: string, months: number): number {
  const driftError = market.drift.get(make)?.standardError ?? DEFAULT_DRIFT_ERROR
  return market.spreads.volatility ** 2 * months + (driftError * months) ** 2
}

/** Starting point of a device's prices other than launch price and age. */
export type StartBasis = {
  /** For buyback: the resale market. */
  readonly resale?: FittedMarket
  /** For the market of one country: the device's level in other countries. */
  readonly borrowedFor?: (device: DeviceInput) => BorrowedLevel | undefined
}

/** Level of a device in other countries, moved to this country's expected level. */
export type BorrowedLevel = {
  /** ln cents of the smallest variant in Good. */
  readonly level: number
  /** Variance in addition to the spread of devices, such as that of an estimated launch price. */
  readonly variance: number
  /** Deviation of each cell from that level, in addition to the general storage and grade effects. */
  readonly cells: Float64Array
  readonly hasBasis: boolean
}

export type BaseLevel = {
  /** ln cents of the smallest variant in Good before the device's own rows, and its variance. */
  readonly mean: number
  readonly variance: number
  /** Deviations of single cells from other countries. */
  readonly cells?: Float64Array
  /** The market's spreads, adjusted to this device. */
  readonly spreads: Spreads
  readonly spreadFactor: number
  /** Whether there is more information than the average of all devices. */
  readonly hasBasis: boolean
}

/** Initial level of a device: from launch price and age, from other countries, or, for buyback, from resale. */
export function startLevel(
  { prior, trade, country }: Pick<FittedMarket, 'prior' | 'trade' | 'country'>,
  device: DeviceInput,
  now: number,
  { resale, borrowedFor }: StartBasis = {},
): { level: number; variance: number; hasBasis: boolean; cells?: Float64Array } {
  if (trade === 'buyback' && resale) {
    const base = baseLevel(resale, device, now, borrowedFor ? { borrowedFor } : {})
    const observed = resale.observedDevices.get(device.deviceId)
    const precision = observed?.precision ?? 0
    const totalPrecision = precision + 1 / base.variance
    const level = base.mean + ((observed?.deviation ?? 0) * precision) / totalPrecision
    return {
      level: buybackFromResale(level) + countryLevel(country, 'buyback') - countryLevel(country, 'resale'),
      // Dealer quotes share the uncertainty of resale prices, so it is added only for devices without any basis.
      variance: base.hasBasis || precision > 0 ? 0 : UNKNOWN_SPREAD ** 2,
      hasBasis: base.hasBasis || precision > 0,
    }
  }
  const borrowed = borrowedFor?.(device)
  if (borrowed) return borrowed
  const level = curveLevel(device, now, prior)
  const countryShift = countryLevel(country, 'resale')
  return level === null
    ? { level: UNKNOWN_LEVEL + countryShift, variance: UNKNOWN_SPREAD ** 2, hasBasis: false }
    : { level: level + countryShift, variance: (device.launchPriceSpread ?? 0) ** 2, hasBasis: true }
}

/** Variance of a curve without observed prices of its family in this market. Only the curve of iPhones fits all data sets. */
function curveVariance({ trade, effects }: FittedMarket, device: DeviceInput): number {
  const family = familyOf(device)
  // Buyback starts from resale, which already contains this variance.
  return trade === 'buyback' || family === 'iphone' || effects.has(familyEffect(family)) ? 0 : CURVE_SPREAD ** 2
}

/** `ownLnCents`: ln cents of the device's own rows, used for devices without any other basis. */
export function baseLevel(
  market: FittedMarket,
  device: DeviceInput,
  now: number,
  basis: StartBasis = {},
  ownLnCents: ArrayLike<number> = [],
): BaseLevel {
  const start = startLevel(market, device, now, basis)
  const mean = start.level + evaluateTerms(deviceTerms(device, now), market.effects)
  const spreadFactor = cheapDeviceSpreadFactor(
    market,
    start.hasBasis ? mean : ownLnCents.length ? median(Float64Array.from(ownLnCents)) : market.typicalPrice.ln,
  )
  const spreads = { ...market.spreads, listing: market.spreads.listing * spreadFactor }
  return {
    mean,
    variance:
      start.variance + (start.cells ? 0 : curveVariance(market, device)) + market.levelVariance + spreads.device ** 2,
    ...(start.cells ? { cells: start.cells } : {}),
    spreads,
    spreadFactor,
    hasBasis: start.hasBasis,
  }
}

/** Expected ln cents of every cell of a device, from its base level. */
export function expectedCells(
  steps: StorageSteps,
  base: Pick<BaseLevel, 'mean' | 'cells'>,
  age: number | null,
  market: Pick<FittedMarket, 'effects' | 'prior' | 'trade'>,
): Float64Array {
  const expected = new Float64Array(steps.lnLaunchPrice.length * GRADE_COUNT)
  const gradeOffsets = MARKET_GRADES.map((_, grade) =>
    evaluateTerms(gradeTerms(grade, market.prior, market.trade), market.effects),
  )
  for (let variant = 0; variant < steps.lnLaunchPrice.length; variant += 1) {
    const level = base.mean + evaluateTerms(storageTerms(steps, variant, age, market.prior), market.effects)
    for (let grade = 0; grade < GRADE_COUNT; grade += 1) {
      const cell = variant * GRADE_COUNT + grade
      expected[cell] = level + gradeOffsets[grade]! + (base.cells?.[cell] ?? 0)
    }
  }
  return expected
}

import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { memoize } from '../../lib/memoize.ts'
import { COUNTRY_LEVEL_SPREAD, countryLevel } from './country-levels.ts'
import { buybackFromResale } from './dealer-margin.ts'
import { EXPERT_CURVE_SPREAD } from './depreciation-curves.ts'
import { type DepreciationFamily, familyOf, isPhone } from './device-family.ts'
import type { ChannelEffects, Spreads } from './device-fit.ts'
import { DEFAULT_DRIFT_ERROR, type Drift, priorDrift } from './drift.ts'
import { MARKET_GRADES } from './grade.ts'
import type { ChannelMix } from './grade-mix.ts'
import type { IntervalCalibration } from './holdout-calibration.ts'
import type { ErrorShape } from './market-spreads.ts'
import { type DeviceInput, isCarrierLocked } from './observation.ts'
import { GRADE_COUNT, gradeIndex } from './observation-columns.ts'
import { ageYears, combinedStep, curveLevel, type StorageSteps, storageSteps } from './prior.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { median } from './quantile.ts'

export type Trade = 'resale' | 'buyback'

/** What a whole market teaches about one side of the trade. Plain data: every single price is read against it. */
export type FittedMarket = {
  readonly trade: Trade
  /** The country whose level this is; of prices of several countries, the one the others are compared with. */
  readonly country: string
  readonly fittedAt: number
  readonly prior: PriorCoefficients
  /** The learnt numbers by name: `level`, `age`, `rung:Fair`, `lock:sprint`, `make:Apple`, … */
  readonly effects: ReadonlyMap<string, number>
  readonly spreads: Spreads
  /** Drift of each make. */
  readonly drift: ReadonlyMap<string, Drift>
  /** How much the listings of a channel differ beside those of others in the same grade; 1 where nothing was learnt. */
  readonly channelSpreadFactor: ReadonlyMap<string, number>
  /** Listings of cheap things differ more, by `slope` per unit of ln below the price that is usual in this market. */
  readonly typicalPrice: { readonly ln: number; readonly slope: number }
  /** How the deals of this market are spread over the grades, the four of an answer only. */
  readonly gradeShares: readonly number[]
  readonly channelMix: ChannelMix
  /** How single listings lie around their level. */
  readonly listingErrors: ErrorShape
  /** How listings lie around the one number of their grade, by rung: nobody told their seller, words or lock. */
  readonly quoteErrors: readonly ErrorShape[]
  /** How much wider or narrower ranges had to be, when rows, variants or devices that are known were hidden and foretold. */
  readonly calibration: {
    readonly seen: IntervalCalibration
    readonly unseen: IntervalCalibration
    readonly unknown: IntervalCalibration
  }
  /** How far each observed device is from its base by its own rows, and how surely they say so. */
  readonly observedDevices: ReadonlyMap<string, { readonly deviation: number; readonly precision: number }>
  readonly rowCount: number
  /** What is unsure of the country's level while few of its devices, or none, were observed. */
  readonly levelVariance: number
}

/** A named number a market can teach, with what is expected of it beforehand and how firmly. */
export type Effect = { readonly name: string; readonly expected: number; readonly spread: number }
export type EffectTerm = { readonly effect: Effect; readonly factor: number }

const effectTerm = (name: string, expected: number, spread: number): EffectTerm => ({
  effect: { name, expected, spread },
  factor: 1,
})

/** Without launch price or release day nothing but the make's other devices speaks for a device. */
const UNKNOWN_SPREAD = 0.7
const UNKNOWN_LEVEL = Math.log(25_000)
/** What trades in each grade before a market has said so: most deals are in Good and Excellent. */
export const TYPICAL_GRADE_MIX: Readonly<Record<Condition, number>> = {
  Excellent: 0.3,
  Good: 0.5,
  Fair: 0.17,
  Poor: 0.03,
}
const LN_700_DOLLARS = Math.log(70_000)

const familyEffect = (family: DepreciationFamily) => `family:${family}`

/** The terms that hold for all cells of a device. What phones teach of age and launch price says nothing of other things. */
export function deviceTerms(device: DeviceInput, now: number): EffectTerm[] {
  const list = storageSteps(device).baseLn
  const age = ageYears(device, now)
  const make = effectTerm(`make:${device.make}`, 0, 0.08)
  if (list === null || age === null) return [effectTerm('unlisted', 0, 1.5), make]
  const family = familyOf(device)
  const level = [
    effectTerm('level', 0, 0.12),
    effectTerm(familyEffect(family), 0, isPhone(family) ? 0.1 : EXPERT_CURVE_SPREAD),
    make,
  ]
  if (!isPhone(family))
    return [...level, { effect: { name: `age:${family}`, expected: 0, spread: 0.06 }, factor: age - 3 }]
  return [
    ...level,
    { effect: { name: 'age', expected: 0, spread: 0.06 }, factor: age - 3 },
    { effect: { name: 'list', expected: 0, spread: 0.15 }, factor: list - LN_700_DOLLARS },
  ]
}

/** How the variants of a device differ by storage. */
export function storageTerms(
  steps: StorageSteps,
  variant: number,
  age: number | null,
  prior: PriorCoefficients,
): EffectTerm[] {
  return [
    {
      effect: { name: 'storage:list', expected: prior.launchPriceStep, spread: 0.2 },
      factor: steps.lnLaunchPrice[variant] as number,
    },
    {
      effect: { name: 'storage:doubling', expected: prior.doublingStep, spread: 0.03 },
      factor: steps.doublings[variant] as number,
    },
    {
      effect: { name: 'storage:age', expected: prior.storageByAge, spread: 0.08 },
      factor: combinedStep(steps, variant) * (Math.min(8, age ?? 3) - 3),
    },
    // Buyers like some sizes better than the steps between them say.
    { effect: { name: `storage:${steps.gigabytes[variant]}GB`, expected: 0, spread: 0.03 }, factor: 1 },
    {
      effect: { name: 'storage:late', expected: prior.lateVariantStep, spread: 0.08 },
      factor: steps.isLate[variant] as number,
    },
  ]
}

/** A rung against Good. The farther it is expected to be, the less firmly. */
export function gradeTerms(grade: number, prior: PriorCoefficients, trade: Trade): EffectTerm[] {
  const ladder = trade === 'resale' ? prior.resaleByGrade : prior.buybackByGrade
  // Ungraded goods stand where the usual mix of grades stands on the whole, and say nothing of the steps between grades. The mix
  // of the graded goods would be the wrong one: sellers name the grade of their best things and leave out that of the rest.
  if (MARKET_GRADES[grade] === 'Ungraded') {
    const mean = CONDITIONS.reduce(
      (sum, grade) => sum + TYPICAL_GRADE_MIX[grade] * (ladder[gradeIndex(grade)] as number),
      0,
    )
    return [effectTerm('rung:Ungraded', mean, 0.03)]
  }
  const expected = ladder[grade] as number
  return MARKET_GRADES[grade] === 'Good'
    ? []
    : [effectTerm(`rung:${MARKET_GRADES[grade]}`, expected, 0.02 + 0.4 * Math.abs(expected))]
}

/** What a channel adds to the price of a sold, unlocked device: never mix asks with sales, or one market with another. */
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

/** What goods that nobody graded add (ln) to the level of Good. */
export function ungradedOffset({ effects, prior, trade }: Pick<FittedMarket, 'effects' | 'prior' | 'trade'>): number {
  return evaluateTerms(gradeTerms(gradeIndex('Ungraded'), prior, trade), effects)
}

type ChannelContext = Pick<FittedMarket, 'effects' | 'prior' | 'trade' | 'country'>

const LOCK_FIELD = 3

/** The channel as if its devices had no carrier lock. */
export const withoutLock = memoize(1_000, (channel: string) => channel.split('\t').with(LOCK_FIELD, '').join('\t'))

const isLockedChannel = (channel: string) => isCarrierLocked(channel.split('\t')[LOCK_FIELD] ?? '')

/** Price (ln) of each channel beside the same channel without a carrier lock: 0 for unlocked devices. */
export function lockOffsets(market: ChannelContext, channels: readonly string[]): Float64Array {
  return Float64Array.from(channels, (name) =>
    isLockedChannel(name) ? channelOffset(market, name) - channelOffset(market, withoutLock(name)) : 0,
  )
}

/** Price (ln) of a carrier-locked device beside an unlocked one, and its standard error. Never above zero. */
export type LockDiscount = { readonly ln: number; readonly spread: number }

/** Carrier locks differ by this much (ln) around the discount of all locks. */
const LOCK_SPREAD = 0.06

/** Mean over the locks that trade in this market, or the prior's where none was observed. */
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
    : { ln: Math.min(0, market.prior.lockedDiscount), spread: Math.hypot(market.spreads.channel, LOCK_SPREAD) }
}

/** What a market has learnt never changes, it is replaced; and every device asks for the same few channels. */
const offsetCache = new WeakMap<FittedMarket['effects'], Map<string, number>>()

export function channelOffset(market: ChannelContext, channel: string): number {
  const { effects } = market
  let offsets = offsetCache.get(effects)
  if (!offsets) {
    offsets = new Map()
    offsetCache.set(effects, offsets)
  }
  const before = offsets.get(channel)
  if (before !== undefined) return before
  const offset = evaluateTerms(channelTerms(channel, market), effects)
  offsets.set(channel, offset)
  return offset
}

export function channelEffects(
  market: ChannelContext & Pick<FittedMarket, 'channelSpreadFactor'>,
  channels: readonly string[],
): ChannelEffects {
  const offset = new Float64Array(channels.length)
  const factor = new Float64Array(channels.length)
  for (let at = 0; at < channels.length; at += 1) {
    const name = channels[at] as string
    offset[at] = channelOffset(market, name)
    factor[at] = market.channelSpreadFactor.get(name) ?? 1
  }
  return { offset, spreadFactor: factor }
}

/** How unsure the offset of a channel is that this market has not seen: of each word in it that is new. */
export function channelVariance(
  market: ChannelContext & Pick<FittedMarket, 'channelSpreadFactor'>,
  channel: string,
): number {
  const [source, side, label] = channel.split('\t') as [string, string, string]
  const seen = [...market.channelSpreadFactor.keys()].map((name) => name.split('\t') as [string, string, string])
  const isKnown = (name: string) =>
    market.effects.has(name) ||
    // Where there is only one market, or one word for a grade, it has no effect of its own: it is the level.
    (name.startsWith('market:') && seen.some((one) => one[0] === source && one[1] === side)) ||
    (name.startsWith('label:') && seen.some((one) => one[0] === source && one[2] === label))
  return channelTerms(channel, market).reduce(
    (sum, { effect }) => sum + (seen.length === 0 || isKnown(effect.name) ? 0 : effect.spread ** 2),
    0,
  )
}

const SPREAD_FACTOR_LIMITS = [0.4, 3.5] as const

/** Twenty dollars more or less are little on a dear phone and much on a cheap one. */
function cheapDeviceSpreadFactor({ typicalPrice: usual }: Pick<FittedMarket, 'typicalPrice'>, ln: number): number {
  return Math.max(SPREAD_FACTOR_LIMITS[0], Math.min(SPREAD_FACTOR_LIMITS[1], Math.exp(usual.slope * (usual.ln - ln))))
}

export function marketDrift(market: FittedMarket, make: string): number {
  return market.drift.get(make)?.perMonth ?? priorDrift(make, market.prior)
}

/** What months without news, or ahead, may bring beside the drift: prices wander, and the drift itself is not sure. */
export function timeVariance(market: FittedMarket, make: string, months: number): number {
  const unsure = market.drift.get(make)?.standardError ?? DEFAULT_DRIFT_ERROR
  return market.spreads.volatility ** 2 * months + (unsure * months) ** 2
}

/** Where a device's prices in a market start from, as far as that is not launch price and age. */
export type StartBasis = {
  /** For buyback: what devices resell for. */
  readonly resale?: FittedMarket
  /** For a market of one country: what prices of other countries say of a device. */
  readonly borrowedFor?: (device: DeviceInput) => BorrowedLevel | undefined
}

/** What prices of other countries say of a device, moved to this country's expected level. */
export type BorrowedLevel = {
  /** ln cents of the smallest variant in Good. */
  readonly level: number
  /** What is unsure of it beside the spread of devices: a guessed launch price, a family never seen. */
  readonly variance: number
  /** How each cell deviates from that, beside what storage and grades say in general. */
  readonly cells: Float64Array
  readonly known: boolean
}

export type BaseLevel = {
  /** ln cents of the smallest variant in Good before the device's own rows, and how unsure that is. */
  readonly mean: number
  readonly variance: number
  /** What other countries say of single cells. */
  readonly cells?: Float64Array
  /** The market's spreads as they are on this device. */
  readonly spreads: Spreads
  readonly spreadFactor: number
  /** Whether anything but the average of all devices speaks for it. */
  readonly hasBasis: boolean
}

/** Where a device's prices start from: launch price and age, or, for buyback, what it resells for. */
export function startLevel(
  { prior, trade, country }: Pick<FittedMarket, 'prior' | 'trade' | 'country'>,
  device: DeviceInput,
  now: number,
  { resale, borrowedFor }: StartBasis = {},
): { level: number; variance: number; known: boolean; cells?: Float64Array } {
  if (trade === 'buyback' && resale) {
    const base = baseLevel(resale, device, now, borrowedFor ? { borrowedFor } : {})
    const seen = resale.observedDevices.get(device.deviceId)
    const precision = seen?.precision ?? 0
    const all = precision + 1 / base.variance
    const level = base.mean + ((seen?.deviation ?? 0) * precision) / all
    return {
      level: buybackFromResale(level) + countryLevel(country, 'buyback') - countryLevel(country, 'resale'),
      // Dealers read the same market: what resale is unsure of, a quote shares; only the excess over a known device counts.
      variance: base.hasBasis || precision > 0 ? 0 : UNKNOWN_SPREAD ** 2,
      known: base.hasBasis || precision > 0,
    }
  }
  const borrowed = borrowedFor?.(device)
  if (borrowed) return borrowed
  const level = curveLevel(device, now, prior)
  const abroad = countryLevel(country, 'resale')
  return level === null
    ? { level: UNKNOWN_LEVEL + abroad, variance: UNKNOWN_SPREAD ** 2, known: false }
    : { level: level + abroad, variance: (device.launchPriceSpread ?? 0) ** 2, known: true }
}

/** What is unsure of a curve that no price of its kind was seen for: neither when the prior was fitted, nor in this market. */
function curveVariance({ trade, effects }: FittedMarket, device: DeviceInput): number {
  const family = familyOf(device)
  // Dealers read the same market: their quotes start from what it resells for.
  return trade === 'buyback' || isPhone(family) || effects.has(familyEffect(family)) ? 0 : EXPERT_CURVE_SPREAD ** 2
}

/** `seen`: ln cents of the device's own rows, for one that nothing else speaks for. */
export function baseLevel(
  market: FittedMarket,
  device: DeviceInput,
  now: number,
  basis: StartBasis = {},
  ownLnCents: ArrayLike<number> = [],
): BaseLevel {
  const start = startLevel(market, device, now, basis)
  const mean = start.level + evaluateTerms(deviceTerms(device, now), market.effects)
  const wide = cheapDeviceSpreadFactor(
    market,
    start.known ? mean : ownLnCents.length ? median(Float64Array.from(ownLnCents)) : market.typicalPrice.ln,
  )
  const spreads = { ...market.spreads, listing: market.spreads.listing * wide }
  return {
    mean,
    variance:
      start.variance + (start.cells ? 0 : curveVariance(market, device)) + market.levelVariance + spreads.device ** 2,
    ...(start.cells ? { cells: start.cells } : {}),
    spreads,
    spreadFactor: wide,
    hasBasis: start.known,
  }
}

/** ln cents of every cell of a device as the market expects them from its base. */
export function expectedCells(
  steps: StorageSteps,
  base: Pick<BaseLevel, 'mean' | 'cells'>,
  age: number | null,
  market: Pick<FittedMarket, 'effects' | 'prior' | 'trade'>,
): Float64Array {
  const expected = new Float64Array(steps.lnLaunchPrice.length * GRADE_COUNT)
  const ladder = MARKET_GRADES.map((_, rung) =>
    evaluateTerms(gradeTerms(rung, market.prior, market.trade), market.effects),
  )
  for (let variant = 0; variant < steps.lnLaunchPrice.length; variant += 1) {
    const level = base.mean + evaluateTerms(storageTerms(steps, variant, age, market.prior), market.effects)
    for (let rung = 0; rung < GRADE_COUNT; rung += 1) {
      const cell = variant * GRADE_COUNT + rung
      expected[cell] = level + (ladder[rung] as number) + (base.cells?.[cell] ?? 0)
    }
  }
  return expected
}

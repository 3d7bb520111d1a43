import { CONDITIONS, type Condition } from '../../contract/grades.ts'
import { dealersPay } from './dealer-margin.ts'
import { type Family, familyOf, isPhone } from './device-family.ts'
import type { ChannelFacts, Spreads } from './device-fit.ts'
import { RUNG_COUNT, rungIndex } from './device-rows.ts'
import { type Drift, priorDrift, UNSURE_DRIFT } from './drift.ts'
import { UNFITTED_SPREAD } from './family-curves.ts'
import type { Outcome } from './hidden-outcome.ts'
import type { Shape } from './market-spreads.ts'
import { median } from './median.ts'
import type { DeviceFacts } from './observation.ts'
import { ageYears, combinedStep, curveLevel, type StorageSteps, storageSteps } from './prior.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { RUNGS } from './rung.ts'
import type { ChannelMix } from './served.ts'

export type Trade = 'resale' | 'buyback'

/** What a whole market teaches about one side of the trade. Plain data: every single price is read against it. */
export type Market = {
  readonly trade: Trade
  readonly fittedAt: number
  readonly prior: PriorCoefficients
  /** The learnt numbers by name: `level`, `age`, `rung:Fair`, `lock:sprint`, `make:Apple`, … */
  readonly effects: ReadonlyMap<string, number>
  readonly spreads: Spreads
  /** Drift of each make. */
  readonly drift: ReadonlyMap<string, Drift>
  /** How much the listings of a channel differ beside those of others in the same grade; 1 where nothing was learnt. */
  readonly channelFactor: ReadonlyMap<string, number>
  /** Listings of cheap things differ more, by `slope` per unit of ln below the price that is usual in this market. */
  readonly usual: { readonly ln: number; readonly slope: number }
  /** How the deals of this market are spread over the grades, the four of an answer only. */
  readonly gradeShare: readonly number[]
  readonly channelMix: ChannelMix
  /** How single listings lie around their level, and how levels lie around what siblings say of them. */
  readonly listings: Shape
  /** How listings lie around the one number of their grade, by rung: nobody told their seller, words or lock. */
  readonly served: readonly Shape[]
  readonly levels: Shape
  /** The same of devices around launch price and age. */
  readonly devices: Shape
  /** How much wider or narrower ranges had to be, when rows, variants or devices that are known were hidden and foretold. */
  readonly outcome: { readonly seen: Outcome; readonly unseen: Outcome; readonly unknown: Outcome }
  /** How far each observed device is from its base by its own rows, and how surely they say so. */
  readonly observed: ReadonlyMap<string, { readonly deviation: number; readonly precision: number }>
  readonly rowCount: number
}

/** A named number a market can teach, with what is expected of it beforehand and how firmly. */
export type Effect = { readonly name: string; readonly expected: number; readonly spread: number }
export type Term = { readonly effect: Effect; readonly factor: number }

const one = (name: string, expected: number, spread: number): Term => ({
  effect: { name, expected, spread },
  factor: 1,
})

/** Without launch price or release day nothing but the make's other devices speaks for a device. */
const UNKNOWN_SPREAD = 0.7
const UNKNOWN_LEVEL = Math.log(25_000)
/** What trades in each grade before a market has said so: most deals are in Good and Excellent. */
export const USUAL_MIX: Readonly<Record<Condition, number>> = { Excellent: 0.3, Good: 0.5, Fair: 0.17, Poor: 0.03 }
const LN_700_DOLLARS = Math.log(70_000)

const familyEffect = (family: Family) => `family:${family}`

/** The terms that hold for all cells of a device. What phones teach of age and launch price says nothing of other things. */
export function deviceTerms(device: DeviceFacts, now: number): Term[] {
  const list = storageSteps(device).baseLn
  const age = ageYears(device, now)
  const make = one(`make:${device.make}`, 0, 0.08)
  if (list === null || age === null) return [one('unlisted', 0, 1.5), make]
  const family = familyOf(device)
  const level = [one('level', 0, 0.12), one(familyEffect(family), 0, isPhone(family) ? 0.1 : UNFITTED_SPREAD), make]
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
): Term[] {
  return [
    {
      effect: { name: 'storage:list', expected: prior.storageStep, spread: 0.2 },
      factor: steps.list[variant] as number,
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
    { effect: { name: 'storage:late', expected: prior.lateStep, spread: 0.08 }, factor: steps.late[variant] as number },
  ]
}

/** A rung against Good. The farther it is expected to be, the less firmly. */
export function rungTerms(rung: number, prior: PriorCoefficients, trade: Trade): Term[] {
  const ladder = trade === 'resale' ? prior.resaleLadder : prior.buybackLadder
  // Ungraded goods stand where the usual mix of grades stands on the whole, and say nothing of the steps between grades. The mix
  // of the graded goods would be the wrong one: sellers name the grade of their best things and leave out that of the rest.
  if (RUNGS[rung] === 'Ungraded') {
    const mean = CONDITIONS.reduce((sum, grade) => sum + USUAL_MIX[grade] * (ladder[rungIndex(grade)] as number), 0)
    return [one('rung:Ungraded', mean, 0.03)]
  }
  const expected = ladder[rung] as number
  return RUNGS[rung] === 'Good' ? [] : [one(`rung:${RUNGS[rung]}`, expected, 0.02 + 0.4 * Math.abs(expected))]
}

/** What a channel adds to the price of a sold, unlocked device: never mix asks with sales, or one market with another. */
export function channelTerms(channel: string, prior: PriorCoefficients): Term[] {
  const [source, side, label, lock] = channel.split('\t') as [string, string, string, string]
  const terms: Term[] = []
  if (side === 'ask') terms.push(one('ask', prior.askOverSold, 0.02))
  if (lock && lock !== 'unlocked') terms.push(one(`lock:${lock}`, prior.lockedUnderFree, 0.06))
  terms.push(one(`market:${source}/${side}`, 0, 0.08))
  terms.push(one(`label:${source}/${label}`, 0, 0.08))
  return terms
}

function sum(terms: readonly Term[], effects: ReadonlyMap<string, number>): number {
  let total = 0
  for (const { effect, factor } of terms) total += (effects.get(effect.name) ?? effect.expected) * factor
  return total
}

/** What goods that nobody graded add (ln) to the level of Good. */
export function ungradedStep({ effects, prior, trade }: Pick<Market, 'effects' | 'prior' | 'trade'>): number {
  return sum(rungTerms(rungIndex('Ungraded'), prior, trade), effects)
}

/** What a market has learnt never changes, it is replaced; and every device asks for the same few channels. */
const knownOffsets = new WeakMap<Market['effects'], Map<string, number>>()

export function channelOffset({ effects, prior }: Pick<Market, 'effects' | 'prior'>, channel: string): number {
  let offsets = knownOffsets.get(effects)
  if (!offsets) {
    offsets = new Map()
    knownOffsets.set(effects, offsets)
  }
  const before = offsets.get(channel)
  if (before !== undefined) return before
  const offset = sum(channelTerms(channel, prior), effects)
  offsets.set(channel, offset)
  return offset
}

export function channelFacts(
  market: Pick<Market, 'effects' | 'prior' | 'channelFactor'>,
  channels: readonly string[],
): ChannelFacts {
  const offset = new Float64Array(channels.length)
  const factor = new Float64Array(channels.length)
  for (let at = 0; at < channels.length; at += 1) {
    const name = channels[at] as string
    offset[at] = channelOffset(market, name)
    factor[at] = market.channelFactor.get(name) ?? 1
  }
  return { offset, factor }
}

/** How unsure the offset of a channel is that this market has not seen: of each word in it that is new. */
export function channelUnsure(market: Pick<Market, 'effects' | 'prior' | 'channelFactor'>, channel: string): number {
  const [source, side, label] = channel.split('\t') as [string, string, string]
  const seen = [...market.channelFactor.keys()].map((name) => name.split('\t') as [string, string, string])
  const isKnown = (name: string) =>
    market.effects.has(name) ||
    // Where there is only one market, or one word for a grade, it has no effect of its own: it is the level.
    (name.startsWith('market:') && seen.some((one) => one[0] === source && one[1] === side)) ||
    (name.startsWith('label:') && seen.some((one) => one[0] === source && one[2] === label))
  return channelTerms(channel, market.prior).reduce(
    (sum, { effect }) => sum + (seen.length === 0 || isKnown(effect.name) ? 0 : effect.spread ** 2),
    0,
  )
}

const WIDENING = [0.4, 3.5] as const

/** Twenty dollars more or less are little on a dear phone and much on a cheap one. */
function widening({ usual }: Pick<Market, 'usual'>, ln: number): number {
  return Math.max(WIDENING[0], Math.min(WIDENING[1], Math.exp(usual.slope * (usual.ln - ln))))
}

export function marketDrift(market: Market, make: string): number {
  return market.drift.get(make)?.perMonth ?? priorDrift(make, market.prior)
}

/** What months without news, or ahead, may bring beside the drift: prices wander, and the drift itself is not sure. */
export function timeVariance(market: Market, make: string, months: number): number {
  const unsure = market.drift.get(make)?.unsure ?? UNSURE_DRIFT
  return market.spreads.wander ** 2 * months + (unsure * months) ** 2
}

export type Base = {
  /** ln cents of the smallest variant in Good before the device's own rows, and how unsure that is. */
  readonly mean: number
  readonly variance: number
  /** The market's spreads as they are on this device. */
  readonly spreads: Spreads
  readonly wide: number
  /** Whether anything but the average of all devices speaks for it. */
  readonly known: boolean
}

/** Where a device's prices start from: launch price and age, or, for buyback, what it resells for. */
export function startLevel(
  device: DeviceFacts,
  now: number,
  prior: PriorCoefficients,
  trade: Trade,
  resale?: Market,
): { level: number; variance: number; known: boolean } {
  if (trade === 'buyback' && resale) {
    const base = baseLevel(resale, device, now)
    const seen = resale.observed.get(device.deviceId)
    const precision = seen?.precision ?? 0
    const all = precision + 1 / base.variance
    const level = base.mean + ((seen?.deviation ?? 0) * precision) / all
    return {
      level: dealersPay(level, device.make),
      // Dealers read the same market: what resale is unsure of, a quote shares; only the excess over a known device counts.
      variance: base.known || precision > 0 ? 0 : UNKNOWN_SPREAD ** 2,
      known: base.known || precision > 0,
    }
  }
  const level = curveLevel(device, now, prior)
  return level === null
    ? { level: UNKNOWN_LEVEL, variance: UNKNOWN_SPREAD ** 2, known: false }
    : { level, variance: (device.basisSpread ?? 0) ** 2, known: true }
}

/** What is unsure of a curve that no price of its kind was seen for: neither when the prior was fitted, nor in this market. */
function unfitted({ trade, effects }: Market, device: DeviceFacts): number {
  const family = familyOf(device)
  // Dealers read the same market: their quotes start from what it resells for.
  return trade === 'buyback' || isPhone(family) || effects.has(familyEffect(family)) ? 0 : UNFITTED_SPREAD ** 2
}

/** `seen`: ln cents of the device's own rows, for one that nothing else speaks for. */
export function baseLevel(
  market: Market,
  device: DeviceFacts,
  now: number,
  resale?: Market,
  seen: ArrayLike<number> = [],
): Base {
  const start = startLevel(device, now, market.prior, market.trade, resale)
  const mean = start.level + sum(deviceTerms(device, now), market.effects)
  const wide = widening(market, start.known ? mean : seen.length ? median(Float64Array.from(seen)) : market.usual.ln)
  const spreads = { ...market.spreads, listing: market.spreads.listing * wide }
  return {
    mean,
    variance: start.variance + unfitted(market, device) + spreads.device ** 2,
    spreads,
    wide,
    known: start.known,
  }
}

/** ln cents of every cell of a device as the market expects them from its base. */
export function expectedCells(
  steps: StorageSteps,
  base: number,
  age: number | null,
  market: Pick<Market, 'effects' | 'prior' | 'trade'>,
): Float64Array {
  const expected = new Float64Array(steps.list.length * RUNG_COUNT)
  const ladder = RUNGS.map((_, rung) => sum(rungTerms(rung, market.prior, market.trade), market.effects))
  for (let variant = 0; variant < steps.list.length; variant += 1) {
    const level = base + sum(storageTerms(steps, variant, age, market.prior), market.effects)
    for (let rung = 0; rung < RUNG_COUNT; rung += 1) {
      expected[variant * RUNG_COUNT + rung] = level + (ladder[rung] as number)
    }
  }
  return expected
}

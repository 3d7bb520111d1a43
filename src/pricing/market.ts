import { RUNGS } from './condition.ts'
import type { Spreads } from './device-fit.ts'
import { RUNG_COUNT } from './device-rows.ts'
import { priorDrift } from './drift.ts'
import type { DeviceFacts } from './observation.ts'
import {
  ageYears,
  combinedStep,
  curveLevel,
  paceOf,
  type StorageSteps,
  storageSteps,
  UNFITTED_SPREAD,
} from './prior.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'

export type Trade = 'resale' | 'buyback'

/** What a whole market teaches about one side of the trade. Plain data: every single price is read against it. */
export type Market = {
  readonly trade: Trade
  readonly fittedAt: number
  readonly prior: PriorCoefficients
  /** The learnt numbers by name: `level`, `age`, `rung:Fair`, `lock:sprint`, `make:Apple`, … */
  readonly effects: ReadonlyMap<string, number>
  readonly spreads: Spreads
  /** Drift per month (ln) of each make. */
  readonly drift: ReadonlyMap<string, number>
  /** Half-width of the 80 % range of a single deal, in its standard deviations. */
  readonly reach: number
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
export const UNKNOWN_SPREAD = 0.7
const UNKNOWN_LEVEL = Math.log(25_000)
const LN_700_DOLLARS = Math.log(70_000)

/** The terms that hold for all cells of a device. */
export function deviceTerms(device: DeviceFacts, now: number, prior: PriorCoefficients, trade: Trade): Term[] {
  const list = storageSteps(device).baseLn
  const age = ageYears(device, now)
  const make = one(`make:${device.make}`, 0, 0.08)
  if (list === null || age === null) return [one('unlisted', 0, 1.5), make]
  return [
    one('level', 0, 0.12),
    { effect: { name: 'age', expected: 0, spread: 0.06 }, factor: age - 3 },
    {
      effect: { name: 'list', expected: trade === 'resale' ? prior.listSlope : 0, spread: 0.15 },
      factor: list - LN_700_DOLLARS,
    },
    make,
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

export function channelOffset(market: Pick<Market, 'effects' | 'prior'>, channel: string): number {
  return sum(channelTerms(channel, market.prior), market.effects)
}

export function marketDrift(market: Market, make: string): number {
  return market.drift.get(make) ?? priorDrift(make, market.prior)
}

export type Base = {
  /** ln cents of the smallest variant in Good before the device's own rows, and how unsure that is. */
  readonly mean: number
  readonly variance: number
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
      level: level + prior.buybackUnderResale,
      // Dealers read the same market: what resale is unsure of, a quote shares; only the excess over a known device counts.
      variance: base.known || precision > 0 ? 0 : UNKNOWN_SPREAD ** 2,
      known: base.known || precision > 0,
    }
  }
  const level = curveLevel(device, now, prior)
  return level === null
    ? { level: UNKNOWN_LEVEL, variance: UNKNOWN_SPREAD ** 2, known: false }
    : { level, variance: paceOf(device.category) === 1 ? 0 : UNFITTED_SPREAD ** 2, known: true }
}

export function baseLevel(market: Market, device: DeviceFacts, now: number, resale?: Market): Base {
  const start = startLevel(device, now, market.prior, market.trade, resale)
  const terms = deviceTerms(device, now, market.prior, market.trade)
  return {
    mean: start.level + sum(terms, market.effects),
    variance: start.variance + market.spreads.device ** 2,
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

import { MARKET_GRADES } from '../../catalog/grade.ts'
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { COUNTRY_LEVEL_SPREAD, countryLevel } from './country-levels.ts'
import { CURVE_SPREAD } from './depreciation-curves.ts'
import { type DepreciationFamily, familyOf, isPhone } from './device-family.ts'
import type { FittedMarket } from './market.ts'
import { uses } from './model-parts.ts'
import { type DeviceInput, isCarrierLocked, type Trade } from './observation.ts'
import { GOOD, gradeIndex, UNGRADED } from './observation-columns.ts'
import { ageYears, LN_700_DOLLARS, type StorageSteps, storageSteps } from './prior.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'

/** A named effect with its prior mean and standard deviation. */
export type Effect = { readonly name: string; readonly expected: number; readonly spread: number }

export type EffectTerm = { readonly effect: Effect; readonly factor: number }

const effectTerm = (name: string, expected: number, spread: number): EffectTerm => ({
  effect: { name, expected, spread },
  factor: 1,
})

/** Prior share of deals by grade. */
export const TYPICAL_GRADE_MIX: Readonly<Record<Condition, number>> = {
  Excellent: 0.3,
  Good: 0.5,
  Fair: 0.17,
  Poor: 0.03,
}

export const familyEffect = (family: DepreciationFamily) => `family:${family}`

/** Terms of all cells of a device. Effects of age and launch price are separate for phones and other families. */
export function deviceTerms(device: DeviceInput, now: number): EffectTerm[] {
  const launchLn = storageSteps(device).baseLn
  const age = ageYears(device, now)
  if (launchLn === null || age === null)
    return [effectTerm('unlisted', 0, 1.5), effectTerm(`make:${device.make}`, 0, 0.08)]
  const family = familyOf(device)
  const level = [
    effectTerm('level', 0, 0.12),
    effectTerm(familyEffect(family), 0, isPhone(family) ? 0.1 : CURVE_SPREAD),
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
export function storageTerms(steps: StorageSteps, variant: number, prior: PriorCoefficients): EffectTerm[] {
  return [
    {
      effect: { name: 'storage:list', expected: prior.launchPriceStep, spread: 0.2 },
      factor: steps.lnLaunchPrice[variant]!,
    },
    {
      effect: { name: 'storage:doubling', expected: prior.doublingStep, spread: 0.03 },
      factor: steps.doublings[variant]!,
    },
    // Demand for some sizes differs from the storage steps.
    { effect: { name: `storage:${steps.gigabytes[variant]}GB`, expected: 0, spread: 0.03 }, factor: 1 },
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

export function evaluateTerms(terms: readonly EffectTerm[], effects: ReadonlyMap<string, number>): number {
  let total = 0
  for (const { effect, factor } of terms) total += (effects.get(effect.name) ?? effect.expected) * factor
  return total
}

/** Dealers deduct a larger share from cheap locked phones than from expensive ones; per ln of the price. */
export const LOCK_SLOPE: Effect = { name: 'lock:by price', expected: 0, spread: 0.1 }
/** Grades of cheap devices differ by a larger share than those of expensive ones; a share of the expected step per ln. */
export const GRADE_SLOPE: Effect = { name: 'grade by price', expected: 0, spread: 0.15 }
const MAX_PRICE_FACTOR = 2

/** Factor of both for a device: its price (ln) before any effect relative to the typical one of the market. */
export const priceFactorOf = (ln: number, typicalLn: number): number =>
  Math.max(-MAX_PRICE_FACTOR, Math.min(MAX_PRICE_FACTOR, ln - typicalLn))

/** Factor of `GRADE_SLOPE` for a grade of a typical device. */
export const gradeSlopeFactor = (grade: number, prior: PriorCoefficients, trade: Trade): number =>
  grade === UNGRADED || !uses('grade steps by price')
    ? 0
    : ((trade === 'resale' ? prior.resaleByGrade : prior.buybackByGrade)[grade] ?? 0)

/** Spread (ln) of single carrier locks around the discount of all locks. */
export const LOCK_SPREAD = 0.06

import { MARKET_GRADES } from '../../catalog/grade.ts'
import { memoizeWeak } from '../../lib/memoize.ts'
import { YEAR_MS } from '../../lib/time.ts'
import {
  EXPERT_CURVES,
  FAMILY_AGES,
  MAX_LAUNCH_PRICE_SHARE,
  MIN_LAUNCH_PRICE_SHARE,
  PHONE_CURVE_SHIFTS,
  type PhoneCurveShift,
} from './depreciation-curves.ts'
import { type DepreciationFamily, familyOf, isPhone } from './device-family.ts'
import { uses } from './model-parts.ts'
import type { DeviceInput } from './observation.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'

/** Linear interpolation between the knots, constant before the first and after the last. */
function interpolate(knots: readonly number[], values: readonly number[], at: number): number {
  const last = knots.length - 1
  if (at <= knots[0]!) return values[0]!
  if (at >= knots[last]!) return values[last]!
  let right = 1
  while (knots[right]! < at) right += 1
  const from = knots[right - 1]!
  const share = (at - from) / (knots[right]! - from)
  return values[right - 1]! * (1 - share) + values[right]! * share
}

export function ageYears(device: DeviceInput, now: number): number | null {
  return device.releasedAt === null ? null : Math.max(0, (now - device.releasedAt) / YEAR_MS)
}

const ERA_FROM = Date.UTC(2021, 0, 1)
/** Range of the data the prior was fitted on; the trend is not extrapolated beyond it. */
const ERA_YEARS = [-4, 5.5] as const
const ERA_AGES = [0, 10] as const

/** Used phones keep more of their price than some years ago, especially old ones. */
export function eraShift(now: number, age: number, prior: PriorCoefficients): number {
  const years = Math.max(ERA_YEARS[0], Math.min(ERA_YEARS[1], (now - ERA_FROM) / YEAR_MS))
  const yearsPastThree = Math.max(ERA_AGES[0], Math.min(ERA_AGES[1], age)) - 3
  return uses('trend of the era') ? years * (prior.eraLevel + prior.eraByAge * yearsPastThree) : 0
}

/** A typical launch price. */
export const LN_700_DOLLARS = Math.log(70_000)
/** The slope on the launch price was fitted on phones from about 250 to 1,300 dollars. */
const LAUNCH_PRICE_LIMITS = [-1, 0.6] as const

/** ln cents of the smallest variant in Good, sold and unlocked, predicted from launch price and age. */
export function curveLevel(device: DeviceInput, now: number, prior: PriorCoefficients): number | null {
  const launchLn = storageSteps(device).baseLn
  const age = ageYears(device, now)
  if (launchLn === null || age === null) return null
  const family = familyOf(device)
  const share = isPhone(family)
    ? phoneCurve(family, launchLn, age, now, prior) +
      (uses('phone family shifts') ? familyShift(family, launchLn, age, now) : 0)
    : expertShare(family, age)
  const max = Math.log(MAX_LAUNCH_PRICE_SHARE) - prior.resaleByGrade[EXCELLENT]!
  const min = Math.log(MIN_LAUNCH_PRICE_SHARE) - prior.resaleByGrade[FAIR]!
  return launchLn + Math.max(min, Math.min(max, share))
}

const EXCELLENT = MARKET_GRADES.indexOf('Excellent')
const FAIR = MARKET_GRADES.indexOf('Fair')

/**
 * The shift of a phone. Mid-range phones and flagships pass into each other, so that of two phones of a series the one that cost
 * more at launch does not cost less used.
 */
function familyShift(family: DepreciationFamily, launchLn: number, age: number, now: number): number {
  if (family !== 'mid-range' && family !== 'flagship') return curveShift(CURVE_SHIFTS[family], age, now)
  const [from, until] = MID_RANGE_ENDS
  const share = Math.max(0, Math.min(1, (until - launchLn) / (until - from)))
  const { 'mid-range': midRange, flagship } = PHONE_CURVE_SHIFTS
  return share * curveShift(midRange, age, now) + (1 - share) * curveShift(flagship, age, now)
}

/** ln launch price in cents up to which a phone is mid-range, and from which on it is a flagship. */
const MID_RANGE_ENDS = [Math.log(35_000), Math.log(60_000)] as const

const CURVE_SHIFTS: Readonly<Partial<Record<DepreciationFamily, PhoneCurveShift>>> = PHONE_CURVE_SHIFTS

/** ln share of the launch price (`launchLn`: its ln) by the curve shared by all phones, before the shift of its family. */
export function phoneCurve(
  family: DepreciationFamily,
  launchLn: number,
  age: number,
  now: number,
  prior: PriorCoefficients,
): number {
  const curve = family === 'iphone' ? prior.appleCurve : prior.otherCurve
  const price =
    prior.launchPriceSlope *
    Math.max(LAUNCH_PRICE_LIMITS[0], Math.min(LAUNCH_PRICE_LIMITS[1], launchLn - LN_700_DOLLARS))
  return interpolate(prior.ageYears, curve, age) + eraShift(now, age, prior) + price
}

export function curveShift(shift: PhoneCurveShift | undefined, age: number, now: number): number {
  if (!shift) return 0
  const { atLaunch, phasedIn, later } = shift
  const phase = phasedIn ? Math.max(0, Math.min(1, (now - phasedIn[0]) / (phasedIn[1] - phasedIn[0]))) : 1
  return phase * (atLaunch + slopeUntil(shift, age) + (later ? slopeUntil(later, age) : 0))
}

/** A slope between two ages. */
function slopeUntil(
  { perYear, fromAge, untilAge }: Pick<PhoneCurveShift, 'perYear' | 'fromAge' | 'untilAge'>,
  age: number,
): number {
  return perYear * Math.max(0, Math.min(age, untilAge) - fromAge)
}

/** ln share of the launch price by the curve of a family other than phones. */
export function expertShare(family: DepreciationFamily, age: number): number {
  const shares = EXPERT_CURVES[(family in EXPERT_CURVES ? family : 'other') as keyof typeof EXPERT_CURVES]
  return interpolate(
    FAMILY_AGES,
    shares.map((share) => Math.log(share)),
    age,
  )
}

/** ln list price per doubling of storage if no list price is known. */
const LN_LIST_PER_DOUBLING = 0.11

export type StorageSteps = {
  /** ln launch price of the smallest variant; null if no list price is known. */
  readonly baseLn: number | null
  /** Distance from the device's smallest variant in ln of launch price, and in doublings of storage. */
  readonly lnLaunchPrice: Float64Array
  readonly doublings: Float64Array
  readonly gigabytes: Float64Array
}

/**
 * Distance of each variant from the device's smallest: used prices keep part of the difference in launch price and also pay
 * for storage. A variant that was added later at the price of a smaller one would look too cheap, so its list price is
 * replaced by the price that its storage would have had among the others. Memoized, because a market fit requests the steps
 * of each device many times.
 */
export const storageSteps = memoizeWeak((device: DeviceInput): StorageSteps => {
  const doublingsByVariant = device.variants.flatMap(({ storageGb }) => (storageGb ? Math.log2(storageGb) : []))
  // A variant with unknown storage counts as the smallest.
  const smallest = doublingsByVariant.length ? Math.min(...doublingsByVariant) : 0
  const order = device.variants
    .map(({ listCents, storageGb }, at) => ({
      at,
      list: listCents || 0,
      doublings: storageGb ? Math.log2(storageGb) : smallest,
    }))
    // Per storage the cheapest listed variant comes first: it defines the price of that storage.
    .sort((a, b) => a.doublings - b.doublings || (a.list || NO_LIST_PRICE) - (b.list || NO_LIST_PRICE) || a.at - b.at)
  const pricePoints: { doublings: number; ln: number }[] = []
  let highest = 0
  let largest = Number.NEGATIVE_INFINITY
  for (const { list, doublings } of order) {
    const isLarger = doublings > largest
    if (list && list > highest && isLarger) pricePoints.push({ doublings, ln: Math.log(list) })
    if (isLarger) largest = doublings
    highest = Math.max(highest, list)
  }
  const levels = new Float64Array(device.variants.length)
  const doublingSteps = new Float64Array(device.variants.length)
  const cheapest = new Map<number, number>()
  for (const { at, list, doublings } of order) {
    const cheapestList = cheapest.get(doublings) ?? list
    cheapest.set(doublings, cheapestList)
    // Variants of one storage differ in memory, size or modem: only their list prices show by how much.
    const premium = list && cheapestList ? Math.log(list / cheapestList) : 0
    levels[at] = interpolateLaunchPrice(pricePoints, doublings) + premium
    doublingSteps[at] = doublings > 0 ? doublings - smallest : 0
  }
  const lowest = levels.length ? Math.min(...levels) : 0
  return {
    baseLn: pricePoints.length ? lowest : null,
    lnLaunchPrice: levels.map((level) => Math.min(2, level - lowest)),
    doublings: doublingSteps,
    gigabytes: Float64Array.from(device.variants, (v) => v.storageGb ?? 0),
  }
})

const NO_LIST_PRICE = Number.MAX_SAFE_INTEGER

function interpolateLaunchPrice(points: readonly { doublings: number; ln: number }[], doublings: number): number {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return LN_LIST_PER_DOUBLING * doublings
  const span = last.doublings - first.doublings
  const slope = span > 0 ? (last.ln - first.ln) / span : LN_LIST_PER_DOUBLING
  if (doublings <= first.doublings) return first.ln - slope * (first.doublings - doublings)
  if (doublings >= last.doublings) return last.ln + slope * (doublings - last.doublings)
  return interpolate(
    points.map((point) => point.doublings),
    points.map((point) => point.ln),
    doublings,
  )
}

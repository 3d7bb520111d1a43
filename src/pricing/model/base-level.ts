import { MARKET_GRADES } from '../../catalog/grade.ts'
import { countryLevel } from './country-levels.ts'
import { buybackFromResale, marginShareOf } from './dealer-margin.ts'
import { CURVE_SPREAD, POOR_SHIFTS, WIDE_CURVE_FAMILIES, WIDE_CURVE_SPREAD } from './depreciation-curves.ts'
import { type DepreciationFamily, familyOf } from './device-family.ts'
import type { Spreads } from './device-fit.ts'
import {
  deviceTerms,
  evaluateTerms,
  familyEffect,
  GRADE_SLOPE,
  gradeSlopeFactor,
  gradeTerms,
  priceFactorOf,
  storageTerms,
} from './effect-terms.ts'
import type { FittedMarket } from './market.ts'
import { EXPECTED_SPREADS, PRIOR_DEVICE_SPREAD, typicalPrice } from './market-spreads.ts'
import { uses } from './model-parts.ts'
import type { DeviceInput } from './observation.ts'
import { GRADE_COUNT, gradeIndex } from './observation-columns.ts'
import { curveLevel, type StorageSteps } from './prior.ts'
import { median } from './quantile.ts'

/** Without launch price or release day only the make's other devices inform the price. */
const UNKNOWN_SPREAD = 0.7

const UNKNOWN_LEVEL = Math.log(25_000)

const POOR = gradeIndex('Poor')

const SPREAD_FACTOR_LIMITS = [0.4, 3.5] as const

/** Spread of listings before any price was observed. */
const priorListingSpread = (ln: number) =>
  EXPECTED_SPREADS.resale.listing * cheapDeviceSpreadFactor({ typicalPrice: typicalPrice([], 'resale') }, ln)

/** The same amount in dollars is a larger share of a cheap phone's price than of an expensive one's. */
function cheapDeviceSpreadFactor({ typicalPrice }: Pick<FittedMarket, 'typicalPrice'>, ln: number): number {
  return Math.max(
    SPREAD_FACTOR_LIMITS[0],
    Math.min(
      SPREAD_FACTOR_LIMITS[1],
      uses('spread of listings by price') ? Math.exp(typicalPrice.slope * (typicalPrice.ln - ln)) : 1,
    ),
  )
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
  readonly hasBasis: boolean
}

export type BaseLevel = {
  /** ln cents of the smallest variant in Good before the device's own rows, and its variance. */
  readonly mean: number
  readonly variance: number
  /** Further distance (ln) of Poor from Good in the family of the device. */
  readonly poorShift: number
  /** The market's spreads, adjusted to this device. */
  readonly spreads: Spreads
  readonly spreadFactor: number
  /** Of effects that depend on the price: the discount of locked devices and the steps between grades. */
  readonly priceFactor: number
  /** No price of the family was observed: prices of other families say nothing about how far this one is off. */
  readonly isFirst: boolean
  /** Whether there is more information than the average of all devices. */
  readonly hasBasis: boolean
}

/** Initial level of a device: from launch price and age, from other countries, or, for buyback, from resale. */
export function startLevel(
  { prior, trade, country }: Pick<FittedMarket, 'prior' | 'trade' | 'country'>,
  device: DeviceInput,
  now: number,
  { resale, borrowedFor }: StartBasis = {},
): { level: number; variance: number; hasBasis: boolean; isBorrowed?: boolean } {
  if (trade === 'buyback' && resale) {
    const base = baseLevel(resale, device, now, borrowedFor ? { borrowedFor } : {})
    const observed = resale.observedDevices.get(device.deviceId)
    const precision = observed?.precision ?? 0
    const totalPrecision = precision + 1 / base.variance
    const level = base.mean + ((observed?.deviation ?? 0) * precision) / totalPrecision
    return {
      level:
        buybackFromResale(level, marginShareOf(device)) +
        countryLevel(country, 'buyback') -
        countryLevel(country, 'resale'),
      // Dealer quotes share the uncertainty of resale prices, so it is added only for devices without any basis.
      variance: base.hasBasis || precision > 0 ? 0 : UNKNOWN_SPREAD ** 2,
      hasBasis: base.hasBasis || precision > 0,
    }
  }
  const borrowed = borrowedFor?.(device)
  if (borrowed && uses('levels borrowed from other countries')) return { ...borrowed, isBorrowed: true }
  const level = curveLevel(device, now, prior)
  const countryShift = countryLevel(country, 'resale')
  return level === null
    ? { level: UNKNOWN_LEVEL + countryShift, variance: UNKNOWN_SPREAD ** 2, hasBasis: false }
    : { level: level + countryShift, variance: (device.launchPriceSpread ?? 0) ** 2, hasBasis: true }
}

const curveSpreadOf = (family: DepreciationFamily) =>
  WIDE_CURVE_FAMILIES.has(family) ? WIDE_CURVE_SPREAD : CURVE_SPREAD

/** Whether no price of the family was observed in this market. Only the curve of iPhones fits all data sets. */
function isUnseenFamily({ trade, effects }: FittedMarket, family: DepreciationFamily): boolean {
  // Buyback starts from resale, which already contains the uncertainty of the curve.
  return (
    trade === 'resale' && family !== 'iphone' && !effects.has(familyEffect(family)) && uses('spread of expert curves')
  )
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
  const family = familyOf(device)
  const isUnseen = !start.isBorrowed && isUnseenFamily(market, family)
  const isFirst = isUnseen && ownLnCents.length === 0
  const spreads = isFirst
    ? { ...EXPECTED_SPREADS.resale, listing: priorListingSpread(mean), device: PRIOR_DEVICE_SPREAD }
    : { ...market.spreads, listing: market.spreads.listing * spreadFactor }
  const curveVariance = isUnseen ? curveSpreadOf(family) ** 2 : 0
  return {
    mean,
    variance: start.variance + curveVariance + market.levelVariance + spreads.device ** 2,
    isFirst,
    poorShift: POOR_SHIFTS[family] ?? 0,
    spreads,
    spreadFactor,
    priceFactor: start.hasBasis ? priceFactorOf(start.level, market.typicalPrice.ln) : 0,
    hasBasis: start.hasBasis,
  }
}

/** Expected ln cents of every cell of a device, from its base level. */
export function expectedCells(
  steps: StorageSteps,
  base: Pick<BaseLevel, 'mean' | 'poorShift' | 'priceFactor'>,
  market: Pick<FittedMarket, 'effects' | 'prior' | 'trade'>,
): Float64Array {
  const expected = new Float64Array(steps.lnLaunchPrice.length * GRADE_COUNT)
  const gradeOffsets = MARKET_GRADES.map((_, grade) =>
    evaluateTerms(gradeTerms(grade, market.prior, market.trade), market.effects),
  )
  const gradeSlope = (market.effects.get(GRADE_SLOPE.name) ?? GRADE_SLOPE.expected) * base.priceFactor
  for (let grade = 0; grade < GRADE_COUNT; grade += 1)
    gradeOffsets[grade] = gradeOffsets[grade]! + gradeSlope * gradeSlopeFactor(grade, market.prior, market.trade)
  for (let variant = 0; variant < steps.lnLaunchPrice.length; variant += 1) {
    const level = base.mean + evaluateTerms(storageTerms(steps, variant, market.prior), market.effects)
    for (let grade = 0; grade < GRADE_COUNT; grade += 1) {
      const cell = variant * GRADE_COUNT + grade
      const familyShift = grade === POOR ? base.poorShift : 0
      expected[cell] = level + gradeOffsets[grade]! + familyShift
    }
  }
  return expected
}

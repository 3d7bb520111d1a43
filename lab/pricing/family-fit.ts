import { resaleFromBuyback } from '../../src/pricing/model/dealer-margin.ts'
import { FAMILY_AGES, PHONE_CURVE_SHIFTS, type PhoneCurveShift } from '../../src/pricing/model/depreciation-curves.ts'
import { type DepreciationFamily, isPhone } from '../../src/pricing/model/device-family.ts'
import { curveShift, phoneCurve } from '../../src/pricing/model/prior.ts'
import type { PriorCoefficients } from '../../src/pricing/model/prior-coefficients.ts'
import { median } from '../../src/pricing/model/quantile.ts'
import type { DatasetName } from './datasets.ts'
import { bendTerms, knotWeights, leastSquares } from './least-squares.ts'
import type { ModelDepreciation } from './macbook-depreciation.ts'
import type { MarketSnapshot } from './prior-fit.ts'

/** Deviation (ln) of a device from the curve shared by all phones, in one set at one moment. */
export type CurveDeviation = {
  readonly set: DatasetName
  /** Number of the market snapshot, which has its own level and pace. */
  readonly moment: number
  readonly at: number
  readonly isForeign: boolean
  readonly family: DepreciationFamily
  readonly make: string
  readonly age: number
  readonly deviation: number
  readonly weight: number
}

export type Shifts = Readonly<Partial<Record<DepreciationFamily, PhoneCurveShift>>>

/** Converts dealers' quotes to resale prices with the margin of the pricing engine. */
export function curveDeviations(snapshots: readonly MarketSnapshot[], prior: PriorCoefficients): CurveDeviation[] {
  return snapshots.flatMap(({ set, at, isForeign, market, points }, snapshotIndex) =>
    points.flatMap(({ family, make, age, listLn, ratio, weight }) => {
      if (!isPhone(family)) return []
      const priceLn = listLn + ratio
      const level = market.trade === 'buyback' ? resaleFromBuyback(priceLn) : priceLn
      const deviation = level - listLn - phoneCurve(family, listLn, age, at, prior)
      const isOtherMake = market.trade === 'buyback' && make !== 'Apple'
      const moment = 2 * snapshotIndex + (isOtherMake ? 1 : 0)
      return { set, moment, at, isForeign, family, make, age, deviation, weight }
    }),
  )
}

/** Start of the fit: values set by hand, not the last result of the fit. */
export const START_SHIFTS: Shifts = {
  ...PHONE_CURVE_SHIFTS,
  'mid-range': { ...PHONE_CURVE_SHIFTS['mid-range'], atLaunch: 0.1, perYear: 0.05 },
}
export const START_MACBOOK = [0.84, 0.72, 0.63, 0.55, 0.41, 0.19, 0.09] as const

/** Prior spreads (ln, and ln per year) of families around the start values and of markets around each other. */
const LAUNCH_SPREAD = 0.1
const PACE_SPREAD = 0.02
/** Keeps a family at its start values. */
const FIXED_SPREAD = 1e-4
const LEVEL_SPREAD = 0.12
const FOREIGN_LEVEL_SPREAD = 1
const MARKET_PACE_SPREAD = 0.01
/** Devices of one set are not independent: together they weigh at most as much as this many. */
const MAX_SET_WEIGHT_DEVICES = 25
const PASSES = 5
/** Huber threshold, in standard errors. */
const HUBER_THRESHOLD = 1.345

/**
 * Fits level and pace of the `free` families relative to the shared curve, by robust least squares with a level and a pace for
 * each market. The other families keep their start values.
 */
export function fitShifts(all: readonly CurveDeviation[], free: readonly DepreciationFamily[]): Shifts {
  const start = START_SHIFTS
  const families = Object.keys(start) as DepreciationFamily[]
  const moments = [...new Set(all.map(({ moment }) => moment))]
  const size = 2 * families.length + 2 * moments.length
  const setWeights = new Map<string, number>()
  for (const { set, weight } of all) setWeights.set(set, (setWeights.get(set) ?? 0) + weight)
  const termsOf = (row: CurveDeviation): [number, number][] => {
    const shape = start[row.family] as PhoneCurveShift
    const familyIndex = 2 * families.indexOf(row.family)
    const marketIndex = 2 * families.length + 2 * moments.indexOf(row.moment)
    return [
      [familyIndex, curveShift({ ...shape, atLaunch: 1, perYear: 0 }, row.age, row.at)],
      [familyIndex + 1, curveShift({ ...shape, atLaunch: 0, perYear: 1 }, row.age, row.at)],
      [marketIndex, 1],
      [marketIndex + 1, row.age - 3],
    ]
  }
  let solution: Float64Array = new Float64Array(size)
  for (let pass = 0; pass < PASSES; pass += 1) {
    const squares = leastSquares(size)
    const addPrior = (at: number, spread: number, expected = 0) => squares.add([[at, 1]], expected, 1 / spread ** 2)
    families.forEach((family, at) => {
      const isFree = free.includes(family)
      addPrior(2 * at, isFree ? LAUNCH_SPREAD : FIXED_SPREAD, start[family]?.atLaunch)
      addPrior(2 * at + 1, isFree ? PACE_SPREAD : FIXED_SPREAD, start[family]?.perYear)
    })
    moments.forEach((moment, at) => {
      const isForeign = all.find((row) => row.moment === moment)?.isForeign
      addPrior(2 * families.length + 2 * at, isForeign ? FOREIGN_LEVEL_SPREAD : LEVEL_SPREAD)
      addPrior(2 * families.length + 2 * at + 1, MARKET_PACE_SPREAD)
    })
    for (const row of all) {
      const terms = termsOf(row)
      const residual = row.deviation - terms.reduce((sum, [at, x]) => sum + x * solution[at]!, 0)
      const standardErrors = (Math.abs(residual) * Math.sqrt(row.weight)) / HUBER_THRESHOLD
      const setFactor = Math.min(
        1,
        (MAX_SET_WEIGHT_DEVICES * meanWeight(all, row.set)) / (setWeights.get(row.set) as number),
      )
      const weight = row.weight * setFactor * (standardErrors > 1 ? 1 / standardErrors : 1)
      squares.add(terms, row.deviation, weight)
    }
    solution = squares.solve()
  }
  const round = (value: number) => Math.round(value * 1000) / 1000
  return Object.fromEntries(
    families.map((family, at) => [
      family,
      {
        ...(start[family] as PhoneCurveShift),
        atLaunch: round(solution[2 * at]!),
        perYear: round(solution[2 * at + 1]!),
      },
    ]),
  )
}

const meanWeight = (all: readonly CurveDeviation[], set: string) => {
  const setRows = all.filter((row) => row.set === set)
  return setRows.reduce((sum, row) => sum + row.weight, 0) / setRows.length
}

export type FamilyError = { readonly devices: number; readonly error: number; readonly bias: number }

/**
 * Median error of first prices (without observations) of the included devices. In foreign sets relative to the level of their
 * iPhones.
 */
export function shiftError(
  all: readonly CurveDeviation[],
  includes: (row: CurveDeviation) => boolean,
  shifts: Shifts,
): FamilyError {
  const residual = (row: CurveDeviation) => row.deviation - curveShift(shifts[row.family], row.age, row.at)
  const level = (row: CurveDeviation) => {
    const iphones = row.isForeign ? all.filter(({ set, family }) => set === row.set && family === 'iphone') : []
    return iphones.length ? median(iphones.map(residual)) : 0
  }
  return errorOf(all.filter(includes).map((row) => level(row) - residual(row)))
}

/** Median absolute error and bias of deviations (ln). */
export function errorOf(deviations: readonly number[]): FamilyError {
  return {
    devices: deviations.length,
    error: Math.expm1(median(deviations.map(Math.abs))),
    bias: Math.expm1(median(deviations)),
  }
}

/** Prior spreads (ln): of the bend of a curve at a knot, and of the curve around its start values. */
const BEND_SPREAD = 0.12
const START_SPREAD = 0.25
/** Spread (ln) of models around the curve of their family. */
const MODEL_SPREAD = 0.15

/** Fits shares of the launch price at the ages of `FAMILY_AGES` to prices of models of known age. */
export function fitCurve(models: readonly ModelDepreciation[]): number[] {
  const squares = leastSquares(FAMILY_AGES.length)
  for (const [knot, share] of START_MACBOOK.entries()) squares.add([[knot, 1]], Math.log(share), 1 / START_SPREAD ** 2)
  for (const terms of bendTerms(FAMILY_AGES)) squares.add(terms, 0, 1 / BEND_SPREAD ** 2)
  for (const { age, share } of models) squares.add(knotWeights(FAMILY_AGES, age), share, 1 / MODEL_SPREAD ** 2)
  return Array.from(squares.solve(), (ln) => Math.round(1000 * Math.exp(ln)) / 1000)
}

/** Share of the launch price (ln) at an age. */
export const curveAt = (curve: readonly number[], age: number) =>
  knotWeights(FAMILY_AGES, age).reduce((sum, [knot, share]) => sum + share * Math.log(curve[knot]!), 0)

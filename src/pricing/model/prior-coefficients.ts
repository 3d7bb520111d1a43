export type PriorCoefficients = {
  /** ln(used price of the smallest storage in Good / launch price) at each age in years, interpolated linearly. */
  readonly ageYears: readonly number[]
  readonly appleCurve: readonly number[]
  readonly otherCurve: readonly number[]
  /** ln added per unit of ln launch price above $700: expensive phones keep more of it. */
  readonly launchPriceSlope: number
  /** ln added per calendar year after 2021, at three years of age and per further year of age: phones keep their value longer. */
  readonly eraLevel: number
  readonly eraByAge: number
  /** ln price of each grade relative to Good. */
  readonly resaleByGrade: readonly number[]
  readonly buybackByGrade: readonly number[]
  /** Share of a launch price step (more storage) that used prices keep. */
  readonly launchPriceStep: number
  /** ln added by each doubling of storage. */
  readonly doublingStep: number
  readonly askPremium: number
  readonly lockedDiscount: number
  readonly driftPerMonthApple: number
  readonly driftPerMonthOther: number
}

/**
 * Written by `npm run lab -- calibrate`: fitted on 8 sets of real prices. Do not edit by hand. 330 device levels;
 * one device misses its market's curve by 0.125 (rms, ln), markets differ by 0.069 in level and 0.020
 * in yearly slope.
 */
export const PRIOR_COEFFICIENTS: PriorCoefficients = {
  ageYears: [0, 1, 2, 3, 4, 6, 8, 12],
  appleCurve: [-0.098, -0.509, -0.814, -1.178, -1.521, -2.239, -2.861, -4.209],
  otherCurve: [-0.155, -0.679, -1.097, -1.575, -2.031, -2.976, -3.598, -4.946],
  launchPriceSlope: 0.138,
  eraLevel: 0.041,
  eraByAge: 0.017,
  resaleByGrade: [0.235, 0.083, 0, -0.094, -0.43],
  buybackByGrade: [0.14, 0.061, 0, -0.181, -0.728],
  launchPriceStep: 0.751,
  doublingStep: 0.025,
  askPremium: 0.05,
  lockedDiscount: -0.098,
  driftPerMonthApple: -0.02,
  driftPerMonthOther: -0.024,
}

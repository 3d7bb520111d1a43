export type PriorCoefficients = {
  /** ln(used price of the smallest storage in Good / launch price) at each age in years; straight lines between. */
  readonly ageYears: readonly number[]
  readonly appleCurve: readonly number[]
  readonly otherCurve: readonly number[]
  /** ln added per unit of ln launch price above $700: dear phones keep more of it. */
  readonly listSlope: number
  /** ln added per calendar year after 2021, at three years of age and per further year of age: phones last longer than they did. */
  readonly eraLevel: number
  readonly eraByAge: number
  /** ln of a rung against Good. */
  readonly resaleLadder: readonly number[]
  readonly buybackLadder: readonly number[]
  /** Share of a launch price step (more storage) that used prices keep. */
  readonly storageStep: number
  /** ln added by a doubling of storage besides. */
  readonly doublingStep: number
  /** What a year of age adds to the storage step, as a share of it: old phones with little storage fall out of use. */
  readonly storageByAge: number
  /** ln added by a storage size that joined the model later. */
  readonly lateStep: number
  readonly askOverSold: number
  readonly lockedUnderFree: number
  readonly buybackUnderResale: number
  readonly driftPerMonthApple: number
  readonly driftPerMonthOther: number
}

/**
 * Written by `npm run calibrate`: fitted on 6 sets of real prices. Do not edit by hand. 273 device levels;
 * one device misses its market's curve by 0.136 (rms, ln), markets differ by 0.074 in level and 0.024
 * in yearly slope.
 */
export const PRIOR_COEFFICIENTS: PriorCoefficients = {
  ageYears: [0, 1, 2, 3, 4, 6, 8, 12],
  appleCurve: [-0.097, -0.482, -0.807, -1.193, -1.519, -2.263, -2.846, -4.493],
  otherCurve: [-0.156, -0.659, -1.102, -1.606, -2.05, -3.029, -3.613, -5.26],
  listSlope: 0.202,
  eraLevel: 0.036,
  eraByAge: 0.018,
  resaleLadder: [0.238, 0.093, 0, -0.104, -0.579],
  buybackLadder: [0.14, 0.06, 0, -0.219, -0.777],
  storageStep: 0.802,
  doublingStep: 0.014,
  storageByAge: 0.06,
  lateStep: 0.007,
  askOverSold: 0.05,
  lockedUnderFree: -0.125,
  buybackUnderResale: -0.259,
  driftPerMonthApple: -0.02,
  driftPerMonthOther: -0.024,
}

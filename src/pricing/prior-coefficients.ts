export type PriorCoefficients = {
  /** ln(used price of the smallest storage in Good / launch price) at each age in years; straight lines between. */
  readonly ageYears: readonly number[]
  readonly appleCurve: readonly number[]
  readonly otherCurve: readonly number[]
  /** ln added per unit of ln launch price above $700: dear phones keep more of it. */
  readonly listSlope: number
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

/** Written by `npm run calibrate`: fitted on 6 sets of real prices. Do not edit by hand. */
export const PRIOR_COEFFICIENTS: PriorCoefficients = {
  ageYears: [0, 1, 2, 3, 4, 6, 8, 12],
  appleCurve: [-0.132, -0.47, -0.802, -1.162, -1.462, -2.114, -2.742, -4.049],
  otherCurve: [-0.19, -0.642, -1.089, -1.564, -1.978, -2.86, -3.488, -4.795],
  listSlope: 0.073,
  resaleLadder: [0.234, 0.092, 0, -0.104, -0.582],
  buybackLadder: [0.14, 0.062, 0, -0.217, -0.775],
  storageStep: 0.789,
  doublingStep: 0.015,
  storageByAge: 0.055,
  lateStep: 0.008,
  askOverSold: 0.05,
  lockedUnderFree: -0.128,
  buybackUnderResale: -0.227,
  driftPerMonthApple: -0.02,
  driftPerMonthOther: -0.019,
}

/** How well it fits: rms of one device around its market's curve, and how markets differ in level and yearly slope (ln). */
export const PRIOR_FIT = {
  deviceLevels: 235,
  deviceError: 0.117,
  levelSpread: 0.063,
  ageSpread: 0.031,
} as const

import { NORMAL_MEDIAN } from '../model/quantile.ts'

/** Median error as a share of the price: half of all deals are closer to the estimate. */
export function expectedError(spread: number): number {
  return NORMAL_MEDIAN * spread
}

/** Bisection steps; the remaining error is far below one point of confidence. */
const HALVINGS = 12

/**
 * Median error over several grades, each with its spread and its share of the deals (the shares sum to 1). If the spreads differ
 * much, it is closer to the small ones than the mean of the errors would be.
 */
export function expectedErrorOfMix(spreads: readonly number[], shares: readonly number[]): number {
  let low = expectedError(Math.min(...spreads))
  let high = expectedError(Math.max(...spreads))
  for (let step = 0; step < HALVINGS && high - low > 1e-5; step += 1) {
    const midpoint = (low + high) / 2
    let shareOfDeals = 0
    for (let at = 0; at < spreads.length; at += 1) {
      shareOfDeals += shares[at]! * shareWithin(midpoint / spreads[at]!)
    }
    if (shareOfDeals < 0.5) low = midpoint
    else high = midpoint
  }
  return (low + high) / 2
}

/** Share of normal values within this many standard deviations, accurate to 0.0005 (Abramowitz and Stegun 7.1.27). */
function shareWithin(deviations: number): number {
  const x = deviations / Math.SQRT2
  return 1 - (1 + x * (0.278393 + x * (0.230389 + x * (0.000972 + x * 0.078108)))) ** -4
}

/** 100 = no error, 80 = 5 %, 60 = 10 %, 0 = 25 % and more. */
export function confidenceOf(error: number): number {
  return Math.round(100 * Math.max(0, 1 - 4 * error))
}

/** Inverse of `confidenceOf`. */
export function errorOfConfidence(confidence: number): number {
  return (100 - confidence) / 400
}

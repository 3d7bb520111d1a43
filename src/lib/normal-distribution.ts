/** The normal distribution, for the probability of a loss. */

/** Half-width of the central 80 % in standard deviations. */
export const Z80 = 1.2815515655446004

/** Cumulative distribution function (Abramowitz and Stegun 26.2.17, error under 1e-7). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z >= 0 ? 1 - tail : tail
}

const TAIL = 0.02425
const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
]
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1]
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1]

/** Coefficients start with the highest power. */
const polynomial = (coefficients: readonly number[], x: number) =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)

/** Quantile function, the inverse of `normalCdf` (Acklam, relative error under 1.2e-9). */
export function inverseNormalCdf(probability: number): number {
  if (probability > 1 - TAIL) return -inverseNormalCdf(1 - probability)
  if (probability < TAIL) {
    const q = Math.sqrt(-2 * Math.log(probability))
    return polynomial(C, q) / polynomial(D, q)
  }
  const q = probability - 0.5
  return (q * polynomial(A, q * q)) / polynomial(B, q * q)
}

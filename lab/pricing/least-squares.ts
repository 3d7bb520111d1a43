import { solveSymmetric } from '../../src/pricing/model/cholesky.ts'

/** Weighted least squares. A prior of a coefficient is an equation with the weight 1 / spread². */
export function leastSquares(size: number) {
  const normal = new Float64Array(size * size)
  const right = new Float64Array(size)
  return {
    /** Adds the equation Σ factor · coefficient = `target`; `terms` are pairs of coefficient index and factor. */
    add(terms: readonly (readonly [index: number, factor: number])[], target: number, weight = 1): void {
      for (const [i, x] of terms) {
        right[i] = right[i]! + weight * x * target
        for (const [j, z] of terms) normal[i * size + j] = normal[i * size + j]! + weight * x * z
      }
    },
    /** The coefficients; call it once, after all equations. */
    solve: (): Float64Array => solveSymmetric(normal, right),
  }
}

/** Linear interpolation between knots as weights of the two surrounding ones; constant outside. */
export function knotWeights(knots: readonly number[], at: number): [index: number, weight: number][] {
  const last = knots.length - 1
  if (at <= knots[0]!) return [[0, 1]]
  if (at >= knots[last]!) return [[last, 1]]
  const right = knots.findIndex((knot) => knot >= at)
  const share = (at - knots[right - 1]!) / (knots[right]! - knots[right - 1]!)
  return [
    [right - 1, 1 - share],
    [right, share],
  ]
}

/** Equations that make sharp bends of a curve at its inner knots unlikely; all have the target 0. */
export function bendTerms(knots: readonly number[]): [index: number, factor: number][][] {
  return knots.slice(1, -1).map((knot, at) => {
    const before = 1 / (knot - knots[at]!)
    const after = 1 / (knots[at + 2]! - knot)
    return [
      [at, before],
      [at + 1, -before - after],
      [at + 2, after],
    ]
  })
}

/**
 * A device, its variants, and the grades of each variant form a tree: every node is its parent plus its own deviation. Given
 * the observations at the leaves, two passes (leaves to root and back, Gaussian belief propagation) give the exact posterior
 * mean and variance of each leaf. This function does all the shrinkage of the model: cells with few observations lean on
 * their siblings, cells with many do not.
 */
export type PoolingInput = {
  /** Storage steps of each variant above the device's smallest (log2), for the device's own slope. */
  readonly steps: Float64Array
  /** Cells are numbered variant × gradeCount + grade. */
  readonly gradeCount: number
  /** Precision (n / σ²) and mean of the observations per cell, as a deviation from the expected value. */
  readonly precision: Float64Array
  readonly mean: Float64Array
  readonly deviceMean: number
  readonly deviceVariance: number
  readonly slopeVariance: number
  readonly variantVariance: number
  /** Variance of a cell's own deviation, by grade. */
  readonly cellVariance: Float64Array
}

export type PoolingResult = {
  /** Estimate and variance of every cell from all observations. */
  readonly level: Float64Array
  readonly variance: Float64Array
  /** The same without the cell's own observations: the prediction of its siblings. */
  readonly levelWithout: Float64Array
  readonly varianceWithout: Float64Array
  /** Estimate from the variant's own observations, and the prediction of its sibling variants. */
  readonly variantPrecision: Float64Array
  readonly variantMean: Float64Array
  readonly variantLevelWithout: Float64Array
  readonly variantVarianceWithout: Float64Array
  /** Estimate of the device from its observations, before its prior is added; precision 0 if there are none. */
  devicePrecision: number
  deviceMean: number
}

/** Allocates a result that can be reused. */
function emptyPoolingResult(variants: number, rungs: number): PoolingResult {
  const cells = variants * rungs
  return {
    level: new Float64Array(cells),
    variance: new Float64Array(cells),
    levelWithout: new Float64Array(cells),
    varianceWithout: new Float64Array(cells),
    variantPrecision: new Float64Array(variants),
    variantMean: new Float64Array(variants),
    variantLevelWithout: new Float64Array(variants),
    variantVarianceWithout: new Float64Array(variants),
    devicePrecision: 0,
    deviceMean: 0,
  }
}

export function pool(input: PoolingInput, reuse?: PoolingResult): PoolingResult {
  const { steps, gradeCount: rungs, precision, mean, slopeVariance, variantVariance, cellVariance } = input
  const variants = steps.length
  const out = reuse ?? emptyPoolingResult(variants, rungs)
  const { level, variance, levelWithout, varianceWithout } = out
  const { variantPrecision, variantMean, variantLevelWithout, variantVarianceWithout } = out

  const rootPrecision = 1 / input.deviceVariance
  const slopePrecision = 1 / slopeVariance
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let t0 = 0
  let t1 = 0
  for (let v = 0; v < variants; v += 1) {
    let weight = 0
    let sum = 0
    for (let c = v * rungs; c < (v + 1) * rungs; c += 1) {
      const own = precision[c] as number
      if (own === 0) continue
      const upward = own / (1 + (cellVariance[c - v * rungs] as number) * own)
      weight += upward
      sum += upward * (mean[c] as number)
    }
    variantPrecision[v] = weight
    variantMean[v] = 0
    if (weight === 0) continue
    const middle = sum / weight
    variantMean[v] = middle
    const upward = weight / (1 + variantVariance * weight)
    const step = steps[v] as number
    s0 += upward
    s1 += upward * step
    s2 += upward * step * step
    t0 += upward * middle
    t1 += upward * step * middle
  }

  for (let v = 0; v < variants; v += 1) {
    const own = variantPrecision[v] as number
    const upward = own / (1 + variantVariance * own)
    const step = steps[v] as number
    const middle = variantMean[v] as number
    const a = rootPrecision + s0 - upward
    const b = s1 - upward * step
    const d = slopePrecision + s2 - upward * step * step
    const determinant = a * d - b * b
    const right0 = rootPrecision * input.deviceMean + t0 - upward * middle
    const right1 = t1 - upward * step * middle
    const base = (d * right0 - b * right1) / determinant
    const slope = (a * right1 - b * right0) / determinant
    const from = base + slope * step
    const fromVariance = (d - 2 * b * step + a * step * step) / determinant + variantVariance
    variantLevelWithout[v] = from
    variantVarianceWithout[v] = fromVariance
    for (let c = v * rungs; c < (v + 1) * rungs; c += 1) {
      const leaf = precision[c] as number
      const apart = cellVariance[c - v * rungs] as number
      const up = leaf / (1 + apart * leaf)
      const others = 1 / fromVariance + own - up
      const without = (from / fromVariance + own * middle - up * (mean[c] as number)) / others
      const withoutVariance = 1 / others + apart
      levelWithout[c] = without
      varianceWithout[c] = withoutVariance
      const all = 1 / withoutVariance + leaf
      level[c] = (without / withoutVariance + leaf * (mean[c] as number)) / all
      variance[c] = 1 / all
    }
  }
  // The slope is integrated out, so that only the level of the device remains.
  const devicePrecision = s0 === 0 ? 0 : s0 - (s1 * s1) / (slopePrecision + s2)
  const deviceSum = t0 - (s1 * t1) / (slopePrecision + s2)
  out.devicePrecision = devicePrecision
  out.deviceMean = devicePrecision > 1e-9 ? deviceSum / devicePrecision : 0
  return out
}

/**
 * Computes the same levels for many sets of means over one tree: everything that depends only on the precisions is computed
 * once. `smooth` fills `into` with the level of every cell; the prior mean of the device is zero.
 */
export function createLevelSmoother(
  input: Omit<PoolingInput, 'mean' | 'deviceMean'>,
): (mean: Float64Array, into: Float64Array) => void {
  const { steps, gradeCount: rungs, precision, variantVariance, cellVariance } = input
  const variants = steps.length
  const cells = variants * rungs
  const up = precision.map((own, c) => own / (1 + (cellVariance[c % rungs] as number) * own))
  const weight = new Float64Array(variants)
  const upward = new Float64Array(variants)
  let s0 = 0
  let s1 = 0
  let s2 = 0
  for (let v = 0; v < variants; v += 1) {
    let sum = 0
    for (let c = v * rungs; c < (v + 1) * rungs; c += 1) sum += up[c] as number
    weight[v] = sum
    const share = sum / (1 + variantVariance * sum)
    upward[v] = share
    const step = steps[v] as number
    s0 += share
    s1 += share * step
    s2 += share * step * step
  }
  const a0 = 1 / input.deviceVariance + s0
  const d0 = 1 / input.slopeVariance + s2
  const middle = new Float64Array(variants)
  return (mean, into) => {
    let t0 = 0
    let t1 = 0
    for (let v = 0; v < variants; v += 1) {
      let sum = 0
      for (let c = v * rungs; c < (v + 1) * rungs; c += 1) sum += (up[c] as number) * (mean[c] as number)
      const own = weight[v] as number
      const at = own > 0 ? sum / own : 0
      middle[v] = at
      t0 += (upward[v] as number) * at
      t1 += (upward[v] as number) * (steps[v] as number) * at
    }
    for (let c = 0; c < cells; ) {
      const v = c / rungs
      const step = steps[v] as number
      const share = upward[v] as number
      const at = middle[v] as number
      const a = a0 - share
      const b = s1 - share * step
      const d = d0 - share * step * step
      const determinant = a * d - b * b
      const right0 = t0 - share * at
      const right1 = t1 - share * step * at
      const from = (d * right0 - b * right1 + (a * right1 - b * right0) * step) / determinant
      const fromPrecision = 1 / ((d - 2 * b * step + a * step * step) / determinant + variantVariance)
      const own = weight[v] as number
      for (let rung = 0; rung < rungs; rung += 1, c += 1) {
        const leaf = precision[c] as number
        const others = fromPrecision + own - (up[c] as number)
        const without = (from * fromPrecision + own * at - (up[c] as number) * (mean[c] as number)) / others
        const withoutPrecision = 1 / (1 / others + (cellVariance[rung] as number))
        into[c] = (without * withoutPrecision + leaf * (mean[c] as number)) / (withoutPrecision + leaf)
      }
    }
  }
}

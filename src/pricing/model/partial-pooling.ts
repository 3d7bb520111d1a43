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
function emptyPoolingResult(variants: number, gradeCount: number): PoolingResult {
  const cells = variants * gradeCount
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
  const { steps, gradeCount, precision, mean, slopeVariance, variantVariance, cellVariance } = input
  const variants = steps.length
  const result = reuse ?? emptyPoolingResult(variants, gradeCount)
  const { level, variance, levelWithout, varianceWithout } = result
  const { variantPrecision, variantMean, variantLevelWithout, variantVarianceWithout } = result

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
    for (let c = v * gradeCount; c < (v + 1) * gradeCount; c += 1) {
      const cellPrecision = precision[c]!
      if (cellPrecision === 0) continue
      const upward = cellPrecision / (1 + cellVariance[c - v * gradeCount]! * cellPrecision)
      weight += upward
      sum += upward * mean[c]!
    }
    variantPrecision[v] = weight
    variantMean[v] = 0
    if (weight === 0) continue
    const ownMean = sum / weight
    variantMean[v] = ownMean
    const upward = weight / (1 + variantVariance * weight)
    const step = steps[v]!
    s0 += upward
    s1 += upward * step
    s2 += upward * step * step
    t0 += upward * ownMean
    t1 += upward * step * ownMean
  }

  for (let v = 0; v < variants; v += 1) {
    const ownPrecision = variantPrecision[v]!
    const upward = ownPrecision / (1 + variantVariance * ownPrecision)
    const step = steps[v]!
    const ownMean = variantMean[v]!
    const a = rootPrecision + s0 - upward
    const b = s1 - upward * step
    const d = slopePrecision + s2 - upward * step * step
    const determinant = a * d - b * b
    const right0 = rootPrecision * input.deviceMean + t0 - upward * ownMean
    const right1 = t1 - upward * step * ownMean
    const base = (d * right0 - b * right1) / determinant
    const slope = (a * right1 - b * right0) / determinant
    const siblingMean = base + slope * step
    const siblingVariance = (d - 2 * b * step + a * step * step) / determinant + variantVariance
    variantLevelWithout[v] = siblingMean
    variantVarianceWithout[v] = siblingVariance
    for (let c = v * gradeCount; c < (v + 1) * gradeCount; c += 1) {
      const cellPrecision = precision[c]!
      const deviationVariance = cellVariance[c - v * gradeCount]!
      const cellUpward = cellPrecision / (1 + deviationVariance * cellPrecision)
      const othersPrecision = 1 / siblingVariance + ownPrecision - cellUpward
      const meanWithout =
        (siblingMean / siblingVariance + ownPrecision * ownMean - cellUpward * mean[c]!) / othersPrecision
      const withoutVariance = 1 / othersPrecision + deviationVariance
      levelWithout[c] = meanWithout
      varianceWithout[c] = withoutVariance
      const totalPrecision = 1 / withoutVariance + cellPrecision
      level[c] = (meanWithout / withoutVariance + cellPrecision * mean[c]!) / totalPrecision
      variance[c] = 1 / totalPrecision
    }
  }
  // The slope is integrated out, so that only the level of the device remains.
  const devicePrecision = s0 === 0 ? 0 : s0 - (s1 * s1) / (slopePrecision + s2)
  const deviceSum = t0 - (s1 * t1) / (slopePrecision + s2)
  result.devicePrecision = devicePrecision
  result.deviceMean = devicePrecision > 1e-9 ? deviceSum / devicePrecision : 0
  return result
}

/**
 * Computes the same levels for many sets of means over one tree: everything that depends only on the precisions is computed
 * once. `smooth` fills `into` with the level of every cell; the prior mean of the device is zero.
 */
export function createLevelSmoother(
  input: Omit<PoolingInput, 'mean' | 'deviceMean'>,
): (mean: Float64Array, into: Float64Array) => void {
  const { steps, gradeCount, precision, variantVariance, cellVariance } = input
  const variants = steps.length
  const cells = variants * gradeCount
  const cellUpward = precision.map(
    (cellPrecision, c) => cellPrecision / (1 + cellVariance[c % gradeCount]! * cellPrecision),
  )
  const variantPrecision = new Float64Array(variants)
  const upward = new Float64Array(variants)
  let s0 = 0
  let s1 = 0
  let s2 = 0
  for (let v = 0; v < variants; v += 1) {
    let sum = 0
    for (let c = v * gradeCount; c < (v + 1) * gradeCount; c += 1) sum += cellUpward[c]!
    variantPrecision[v] = sum
    const share = sum / (1 + variantVariance * sum)
    upward[v] = share
    const step = steps[v]!
    s0 += share
    s1 += share * step
    s2 += share * step * step
  }
  const a0 = 1 / input.deviceVariance + s0
  const d0 = 1 / input.slopeVariance + s2
  const variantMean = new Float64Array(variants)
  return (mean, into) => {
    let t0 = 0
    let t1 = 0
    for (let v = 0; v < variants; v += 1) {
      let sum = 0
      for (let c = v * gradeCount; c < (v + 1) * gradeCount; c += 1) sum += cellUpward[c]! * mean[c]!
      const ownPrecision = variantPrecision[v]!
      const ownMean = ownPrecision > 0 ? sum / ownPrecision : 0
      variantMean[v] = ownMean
      t0 += upward[v]! * ownMean
      t1 += upward[v]! * steps[v]! * ownMean
    }
    for (let c = 0; c < cells; ) {
      const v = c / gradeCount
      const step = steps[v]!
      const share = upward[v]!
      const ownMean = variantMean[v]!
      const a = a0 - share
      const b = s1 - share * step
      const d = d0 - share * step * step
      const determinant = a * d - b * b
      const right0 = t0 - share * ownMean
      const right1 = t1 - share * step * ownMean
      const siblingMean = (d * right0 - b * right1 + (a * right1 - b * right0) * step) / determinant
      const siblingPrecision = 1 / ((d - 2 * b * step + a * step * step) / determinant + variantVariance)
      const ownPrecision = variantPrecision[v]!
      for (let grade = 0; grade < gradeCount; grade += 1, c += 1) {
        const cellPrecision = precision[c]!
        const othersPrecision = siblingPrecision + ownPrecision - cellUpward[c]!
        const meanWithout =
          (siblingMean * siblingPrecision + ownPrecision * ownMean - cellUpward[c]! * mean[c]!) / othersPrecision
        const withoutPrecision = 1 / (1 / othersPrecision + cellVariance[grade]!)
        into[c] = (meanWithout * withoutPrecision + cellPrecision * mean[c]!) / (withoutPrecision + cellPrecision)
      }
    }
  }
}

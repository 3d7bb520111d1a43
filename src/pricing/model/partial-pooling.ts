/**
 * A device, its variants, and the grades of each variant form a tree: every node is its parent plus its own deviation. Given
 * the observations at the leaves, two passes (leaves to root and back, Gaussian belief propagation) give the exact posterior
 * mean and variance of each leaf. This function does all the shrinkage of the model: cells with few observations lean on
 * their siblings, cells with many do not.
 */
export type PoolingInput = {
  readonly variants: number
  /** Cells are numbered variant × gradeCount + grade. */
  readonly gradeCount: number
  /** Precision (n / σ²) and mean of the observations per cell, as a deviation from the expected value. */
  readonly precision: Float64Array
  readonly mean: Float64Array
  readonly deviceMean: number
  readonly deviceVariance: number
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
  const { variants, gradeCount, precision, mean, variantVariance, cellVariance } = input
  const result = reuse ?? emptyPoolingResult(variants, gradeCount)
  const { level, variance, levelWithout, varianceWithout } = result
  const { variantPrecision, variantMean, variantLevelWithout, variantVarianceWithout } = result

  const rootPrecision = 1 / input.deviceVariance
  let devicePrecision = 0
  let deviceSum = 0
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
    devicePrecision += upward
    deviceSum += upward * ownMean
  }

  for (let v = 0; v < variants; v += 1) {
    const ownPrecision = variantPrecision[v]!
    const upward = ownPrecision / (1 + variantVariance * ownPrecision)
    const ownMean = variantMean[v]!
    const siblingPrecision = rootPrecision + devicePrecision - upward
    const siblingMean = (rootPrecision * input.deviceMean + deviceSum - upward * ownMean) / siblingPrecision
    const siblingVariance = 1 / siblingPrecision + variantVariance
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
  const { variants, gradeCount, precision, variantVariance, cellVariance } = input
  const cells = variants * gradeCount
  const cellUpward = precision.map(
    (cellPrecision, c) => cellPrecision / (1 + cellVariance[c % gradeCount]! * cellPrecision),
  )
  const variantPrecision = new Float64Array(variants)
  const upward = new Float64Array(variants)
  let total = 1 / input.deviceVariance
  for (let v = 0; v < variants; v += 1) {
    let sum = 0
    for (let c = v * gradeCount; c < (v + 1) * gradeCount; c += 1) sum += cellUpward[c]!
    variantPrecision[v] = sum
    const share = sum / (1 + variantVariance * sum)
    upward[v] = share
    total += share
  }
  const variantMean = new Float64Array(variants)
  return (mean, into) => {
    let deviceSum = 0
    for (let v = 0; v < variants; v += 1) {
      let sum = 0
      for (let c = v * gradeCount; c < (v + 1) * gradeCount; c += 1) sum += cellUpward[c]! * mean[c]!
      const ownPrecision = variantPrecision[v]!
      const ownMean = ownPrecision > 0 ? sum / ownPrecision : 0
      variantMean[v] = ownMean
      deviceSum += upward[v]! * ownMean
    }
    for (let c = 0; c < cells; ) {
      const v = c / gradeCount
      const share = upward[v]!
      const ownMean = variantMean[v]!
      const othersShare = total - share
      const siblingMean = (deviceSum - share * ownMean) / othersShare
      const siblingPrecision = 1 / (1 / othersShare + variantVariance)
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

import { MARKET_GRADES } from '../../src/catalog/grade.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { type DeviceInput, isCarrierLocked, type Observation } from '../../src/pricing/model/observation.ts'

/** Usual settings for a few thousand rows, not tuned on any set. */
const TREES = 300
const LEARNING_RATE = 0.05
const DEPTH = 5
const MIN_LEAF = 5
/** Candidate thresholds per feature. */
const BINS = 32

type Tree = { readonly feature: number; readonly at: number; readonly low: Tree; readonly high: Tree } | number

/**
 * The usual alternative to the price model: boosted regression trees on ln price. Returns the predicted cents of a row. Models and
 * variants enter as the mean ln price of their rows, shrunk towards the mean of all.
 */
export function fitBoosting(
  devices: readonly DeviceInput[],
  rows: readonly Observation[],
): (row: Observation) => number {
  const variants = new Map(
    devices.flatMap((device) => device.variants.map((variant) => [variant.variantId, { device, variant }] as const)),
  )
  const target = rows.map(({ cents }) => Math.log(cents))
  const mean = target.reduce((sum, ln) => sum + ln, 0) / rows.length
  const deviceOf = ({ variantId }: Observation) => variants.get(variantId)?.device.deviceId ?? ''
  const byDevice = shrunkMeans(rows.map(deviceOf), target, mean)
  const byVariant = shrunkMeans(
    rows.map(({ variantId }) => variantId),
    target,
    mean,
  )
  const featuresOf = (row: Observation) => {
    const known = variants.get(row.variantId)
    const listed = known?.variant.listCents ?? 0
    return [
      byDevice.get(deviceOf(row)) ?? mean,
      byVariant.get(row.variantId) ?? byDevice.get(deviceOf(row)) ?? mean,
      Math.log2(known?.variant.storageGb ?? 1),
      listed > 0 ? Math.log(listed) : 0,
      (known?.device.releasedAt ?? 0) / DAY_MS,
      MARKET_GRADES.indexOf(row.grade),
      isCarrierLocked(row.lock) ? 1 : 0,
      row.observedAt / DAY_MS,
    ]
  }
  const features = rows.map(featuresOf)
  const thresholds = (features[0] ?? []).map((_, feature) => {
    const values = [...new Set(features.map((each) => each[feature]!))].sort((a, b) => a - b)
    const step = Math.max(1, values.length / BINS)
    return Array.from({ length: Math.min(BINS, values.length - 1) }, (__, bin) => values[Math.floor(bin * step)]!)
  })
  const residual = target.map((ln) => ln - mean)
  const trees = Array.from({ length: TREES }, () => {
    const tree = grow(
      rows.map((_, at) => at),
      DEPTH,
    )
    features.forEach((each, at) => {
      residual[at] = residual[at]! - LEARNING_RATE * leafOf(tree, each)
    })
    return tree
  })
  return (row) => {
    const each = featuresOf(row)
    return Math.exp(trees.reduce<number>((sum, tree) => sum + LEARNING_RATE * leafOf(tree, each), mean))
  }

  /** The tree that lowers the squared residuals of these rows most. */
  function grow(members: readonly number[], depth: number): Tree {
    const total = members.reduce((sum, at) => sum + residual[at]!, 0)
    let best: { feature: number; at: number; gain: number } | undefined
    if (depth > 0 && members.length >= 2 * MIN_LEAF) {
      for (const [feature, candidates] of thresholds.entries()) {
        const count = new Float64Array(candidates.length + 1)
        const sum = new Float64Array(candidates.length + 1)
        for (const member of members) {
          const bin = binOf(candidates, features[member]![feature]!)
          count[bin] = count[bin]! + 1
          sum[bin] = sum[bin]! + residual[member]!
        }
        let [lowCount, lowSum] = [0, 0]
        for (const [bin, at] of candidates.entries()) {
          lowCount += count[bin]!
          lowSum += sum[bin]!
          const highCount = members.length - lowCount
          if (lowCount < MIN_LEAF || highCount < MIN_LEAF) continue
          const gain = lowSum ** 2 / lowCount + (total - lowSum) ** 2 / highCount
          if (!best || gain > best.gain) best = { feature, at, gain }
        }
      }
    }
    if (!best) return total / members.length
    const { feature, at } = best
    return {
      feature,
      at,
      low: grow(
        members.filter((member) => features[member]![feature]! <= at),
        depth - 1,
      ),
      high: grow(
        members.filter((member) => features[member]![feature]! > at),
        depth - 1,
      ),
    }
  }
}

/** Index of the first threshold that is not below the value. */
function binOf(candidates: readonly number[], value: number): number {
  let [low, high] = [0, candidates.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (candidates[middle]! >= value) high = middle
    else low = middle + 1
  }
  return low
}

const leafOf = (tree: Tree, features: readonly number[]): number =>
  typeof tree === 'number' ? tree : leafOf(features[tree.feature]! <= tree.at ? tree.low : tree.high, features)

/** Rows of the overall mean that each group is shrunk with. */
const PRIOR_ROWS = 2

function shrunkMeans(groups: readonly string[], values: readonly number[], mean: number): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  groups.forEach((group, at) => {
    const { sum, count } = sums.get(group) ?? { sum: PRIOR_ROWS * mean, count: PRIOR_ROWS }
    sums.set(group, { sum: sum + values[at]!, count: count + 1 })
  })
  return new Map([...sums].map(([group, { sum, count }]) => [group, sum / count]))
}

/** Half of all normal values lie within this many standard deviations, 80 % within `NORMAL_HALF_WIDTH80`. */
export const NORMAL_MEDIAN = 0.6745
export const NORMAL_HALF_WIDTH80 = 1.2816

export function median(values: readonly number[] | Float64Array): number {
  return quantile(values, 0.5)
}

let scratch = new Float64Array(1024)

/** Linear interpolation between the two closest ranks. NaN for no values. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const count = values.length
  if (scratch.length < count) scratch = new Float64Array(2 * count)
  scratch.set(values)
  return quantileInPlace(scratch, 0, count, share)
}

/** Median of the values between two indexes; reorders them. */
export function medianInPlace(values: Float64Array, from: number, to: number): number {
  return quantileInPlace(values, from, to, 0.5)
}

function quantileInPlace(values: Float64Array, from: number, to: number, share: number): number {
  if (to === from) return Number.NaN
  const position = from + (to - from - 1) * share
  const rank = Math.floor(position)
  const low = select(values, from, to, rank)
  if (position === rank) return low
  // Values after the rank are not smaller: the next rank is their minimum.
  let high = Number.POSITIVE_INFINITY
  for (let at = rank + 1; at < to; at += 1) high = Math.min(high, values[at]!)
  return low + (high - low) * (position - rank)
}

/** Hoare's quickselect: afterwards no value before the rank is larger and none after it smaller. */
function select(values: Float64Array, first: number, end: number, rank: number): number {
  let from = first
  let to = end - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1]!
    let low = from
    let high = to
    while (low <= high) {
      while (values[low]! < pivot) low += 1
      while (values[high]! > pivot) high -= 1
      if (low > high) break
      const swapped = values[low]!
      values[low] = values[high]!
      values[high] = swapped
      low += 1
      high -= 1
    }
    if (rank <= high) to = high
    else if (rank >= low) from = low
    else break
  }
  return values[rank]!
}

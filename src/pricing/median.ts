export function median(values: readonly number[] | Float64Array): number {
  return quantile(values, 0.5)
}

let scratch = new Float64Array(1024)

/** Linear interpolation between the two closest ranks. NaN for no values. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const count = values.length
  if (count === 1) return values[0] as number
  if (count === 0) return Number.NaN
  if (scratch.length < count) scratch = new Float64Array(2 * count)
  scratch.set(values)
  const place = (count - 1) * share
  const rank = Math.floor(place)
  const low = select(scratch, count, rank)
  if (place === rank) return low
  // What lies behind the rank is not smaller: the next one is the least of it.
  let high = Number.POSITIVE_INFINITY
  for (let at = rank + 1; at < count; at += 1) high = Math.min(high, scratch[at] as number)
  return low + (high - low) * (place - rank)
}

/** The value of a rank; afterwards none before it is larger and none behind it smaller (Hoare's selection). */
function select(values: Float64Array, count: number, rank: number): number {
  let from = 0
  let to = count - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1] as number
    let low = from
    let high = to
    while (low <= high) {
      while ((values[low] as number) < pivot) low += 1
      while ((values[high] as number) > pivot) high -= 1
      if (low > high) break
      const held = values[low] as number
      values[low] = values[high] as number
      values[high] = held
      low += 1
      high -= 1
    }
    if (rank <= high) to = high
    else if (rank >= low) from = low
    else break
  }
  return values[rank] as number
}

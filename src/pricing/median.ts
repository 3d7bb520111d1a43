export function median(values: readonly number[] | Float64Array): number {
  return quantile(values, 0.5)
}

/** Linear interpolation between the two closest ranks. NaN for no values. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const count = values.length
  if (count === 1) return values[0] as number
  if (count === 0) return Number.NaN
  const sorted = new Float64Array(values).sort()
  const place = (count - 1) * share
  const low = sorted[Math.floor(place)] as number
  const high = sorted[Math.ceil(place)] as number
  return low + (high - low) * (place - Math.floor(place))
}

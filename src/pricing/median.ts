/** The value below which half of the weight lies; the mean of the two middle ones where the half falls between them. */
export function weightedMedian(values: ArrayLike<number>, weights: ArrayLike<number>): number {
  const order = Array.from({ length: values.length }, (_, at) => at).sort(
    (a, b) => (values[a] as number) - (values[b] as number),
  )
  let total = 0
  for (let at = 0; at < weights.length; at += 1) total += weights[at] as number
  let reached = 0
  for (let at = 0; at < order.length; at += 1) {
    const item = order[at] as number
    reached += weights[item] as number
    if (reached * 2 > total) return values[item] as number
    if (reached * 2 === total) {
      const next = order[at + 1]
      return next === undefined ? (values[item] as number) : ((values[item] as number) + (values[next] as number)) / 2
    }
  }
  return Number.NaN
}

export function median(values: readonly number[] | Float64Array): number {
  return quantile(values, 0.5)
}

/** Linear interpolation between the two closest ranks. NaN for no values. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort()
  if (!sorted.length) return Number.NaN
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] as number
  const high = sorted[Math.ceil(place)] as number
  return low + (high - low) * (place - Math.floor(place))
}

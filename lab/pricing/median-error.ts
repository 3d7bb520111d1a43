/** Median; NaN for no values. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  if (!sorted.length) return Number.NaN
  const half = sorted.length >> 1
  return sorted.length % 2 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

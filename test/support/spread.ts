/** Formats percentiles of measured times for a report: "p50 12 ms, p99 40 ms, longest 51 ms". */
export function spreadOf(times: readonly number[]): string {
  const sorted = [...times].sort((left, right) => left - right)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
  return `p50 ${ms(at(0.5))}, p99 ${ms(at(0.99))}, longest ${ms(at(1))}`
}

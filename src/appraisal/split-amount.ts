/** Splits an amount in proportion to weights, to the minor unit; equally if all weights are 0. */
export function splitAmount(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const exact = weights.map((weight) => (sum > 0 ? (total * weight) / sum : total / weights.length))
  const parts = exact.map(Math.floor)
  const rest = total - parts.reduce((all, part) => all + part, 0)
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((left, right) => right.remainder - left.remainder || left.at - right.at)
  for (const { at } of byRemainder.slice(0, rest)) parts[at] = (parts[at] ?? 0) + 1
  return parts
}

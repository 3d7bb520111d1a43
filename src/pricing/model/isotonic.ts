/**
 * Weighted isotonic regression (pool adjacent violators): the closest values that never rise from one grade to the next.
 * A few worn phones that sold high must not make a worse grade cost more.
 */
export function isotonicDescending(values: readonly number[], weights: readonly number[]): readonly number[] {
  if (values.every((value, at) => at === 0 || value <= values[at - 1]!)) return values
  const blocks: { value: number; weight: number; size: number }[] = []
  values.forEach((value, at) => {
    let block = { value, weight: weights[at] ?? 1, size: 1 }
    for (let last = blocks.at(-1); last && last.value < block.value; last = blocks.at(-1)) {
      blocks.pop()
      const weight = last.weight + block.weight
      const merged = (last.value * last.weight + block.value * block.weight) / weight
      block = { value: merged, weight, size: last.size + block.size }
    }
    blocks.push(block)
  })
  return blocks.flatMap((block) => new Array<number>(block.size).fill(block.value))
}

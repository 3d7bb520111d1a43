/** Damerau–Levenshtein distance (insertions, deletions, substitutions, transpositions), at most `max + 1`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  const width = b.length + 1
  let rowBeforeLast = new Uint16Array(width)
  let lastRow = Uint16Array.from({ length: width }, (_, index) => index)
  let row = new Uint16Array(width)
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1)
    let cost = i
    let minCost = i
    row[0] = i
    for (let j = 1; j < width; j++) {
      const isSame = code === b.charCodeAt(j - 1)
      cost = Math.min((lastRow[j] ?? 0) + 1, cost + 1, (lastRow[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && code === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) {
        cost = Math.min(cost, (rowBeforeLast[j - 2] ?? 0) + 1)
      }
      row[j] = cost
      minCost = Math.min(minCost, cost)
    }
    if (minCost > max) return max + 1
    ;[rowBeforeLast, lastRow, row] = [lastRow, row, rowBeforeLast]
  }
  return Math.min(lastRow[b.length] ?? 0, max + 1)
}

/** The candidate that `word` is probably a misspelling of: at most one typing error in three characters. */
export function closestWord(word: string, candidates: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(word.length / 3))
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase(), max) }))
    .filter(({ distance }) => distance <= max)
  return ranked.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

/** The assignment with the highest total score (Hungarian method): each row gets at most one column, each column one row. */

/**
 * `scores[row][column]`; an entry of 0 or less is never used. The result has the column of each row, −1 for none.
 */
export function bestAssignment(scores: readonly (readonly number[])[]): number[] {
  const rowCount = scores.length
  const fieldCount = scores[0]?.length ?? 0
  // A column of its own with score 0 lets every row stay without one.
  const width = fieldCount + rowCount
  const costOf = (row: number, column: number) =>
    column < fieldCount ? -Math.max(0, scores[row]?.[column] ?? 0) : column - fieldCount === row ? 0 : FORBIDDEN
  const rowPotential = new Float64Array(rowCount + 1)
  const columnPotential = new Float64Array(width + 1)
  const rowOfColumn = new Int32Array(width + 1)
  const previous = new Int32Array(width + 1)
  for (let row = 1; row <= rowCount; row++) {
    rowOfColumn[0] = row
    let at = 0
    const distance = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY)
    const isDone = new Uint8Array(width + 1)
    do {
      isDone[at] = 1
      const current = rowOfColumn[at] as number
      let step = Number.POSITIVE_INFINITY
      let next = 0
      for (let column = 1; column <= width; column++) {
        if (isDone[column]) continue
        const reduced =
          costOf(current - 1, column - 1) - (rowPotential[current] as number) - (columnPotential[column] as number)
        if (reduced < (distance[column] as number)) {
          distance[column] = reduced
          previous[column] = at
        }
        if ((distance[column] as number) < step) {
          step = distance[column] as number
          next = column
        }
      }
      for (let column = 0; column <= width; column++) {
        if (isDone[column]) {
          const owner = rowOfColumn[column] as number
          rowPotential[owner] = (rowPotential[owner] as number) + step
          columnPotential[column] = (columnPotential[column] as number) - step
        } else distance[column] = (distance[column] as number) - step
      }
      at = next
    } while (rowOfColumn[at] !== 0)
    while (at !== 0) {
      const from = previous[at] as number
      rowOfColumn[at] = rowOfColumn[from] as number
      at = from
    }
  }
  const assigned = Array.from({ length: rowCount }, () => -1)
  for (let column = 1; column <= fieldCount; column++) {
    const row = (rowOfColumn[column] as number) - 1
    if (row >= 0 && (scores[row]?.[column - 1] ?? 0) > 0) assigned[row] = column - 1
  }
  return assigned
}

const FORBIDDEN = 1e9

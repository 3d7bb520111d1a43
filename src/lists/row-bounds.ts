/** How much of a row of a list is stored: supplier sheets hold whole manuals in a cell now and then. */
import type { ListColumn } from '../contract/device-list-columns.ts'
import type { RowQuestion } from './device-list-row.ts'

export const MAX_CELL_CHARS = 2_000
export const MAX_ROW_BYTES = 16_000
const MAX_WORDS_CHARS = 100

/** The cells as far as they are stored, and a remark with the beginning of the first cell that was cut. */
export function boundRow(
  cells: readonly string[],
  columns: readonly (ListColumn | null)[],
): { readonly cells: readonly string[]; readonly remarks: readonly RowQuestion[] } {
  let room = MAX_ROW_BYTES
  const bounded = cells.map((cell) => {
    const kept = cutToBytes(cutToChars(cell), room)
    room -= Buffer.byteLength(kept)
    return kept
  })
  const cut = cells.findIndex((cell, at) => cell !== bounded[at])
  if (cut < 0) return { cells, remarks: [] }
  const words = (cells[cut] ?? '').slice(0, MAX_WORDS_CHARS).toWellFormed()
  return { cells: bounded, remarks: [{ code: 'cell_cut', column: columns[cut] ?? 'notes', words }] }
}

const cutToChars = (cell: string) =>
  cell.length <= MAX_CELL_CHARS ? cell : cell.slice(0, MAX_CELL_CHARS).toWellFormed()

/** Whole characters only. */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, maxBytes)))
  return text.slice(0, read)
}

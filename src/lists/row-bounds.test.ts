import { expect, test } from 'bun:test'
import { boundRow, MAX_ROW_BYTES } from './row-bounds.ts'

const bytesOf = (cells: readonly string[]) => cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0)

test('a usual row stays as it is', () => {
  const cells = ['iPhone 13', 'B', '120']
  expect(boundRow(cells, ['text', 'condition', 'asking_price'])).toEqual({ cells, remarks: [] })
})

test('a long cell is cut with a remark that names its column and its beginning', () => {
  const { cells, remarks } = boundRow(['iPhone 13', 'manual '.repeat(1_000)], ['text', 'notes'])
  expect(cells[0]).toBe('iPhone 13')
  expect(cells[1]).toHaveLength(2_000)
  expect(remarks).toEqual([{ code: 'cell_cut', column: 'notes', words: 'manual '.repeat(15).slice(0, 100) }])
})

test('a wide row of any script fits its bytes, and no character is split', () => {
  for (const text of ['x', 'й', '漢', '😀']) {
    const { cells, remarks } = boundRow(
      Array.from({ length: 200 }, () => text.repeat(1_999 / text.length)),
      [],
    )
    expect(cells).toHaveLength(200)
    expect(bytesOf(cells)).toBeLessThanOrEqual(MAX_ROW_BYTES)
    expect(bytesOf(cells)).toBeGreaterThan(MAX_ROW_BYTES - 8)
    expect(cells.every((cell) => cell.isWellFormed())).toBe(true)
    expect(remarks).toHaveLength(1)
  }
})

import { expect, test } from 'bun:test'
import { openPieceTable } from './piece-table.ts'

const at = (table: ReturnType<typeof openPieceTable>, text: string, piece: string) => {
  const from = text.indexOf(piece)
  return table.at(text, from, from + piece.length)
}

test('what was entered is found wherever it stands, and only as a whole', () => {
  const table = openPieceTable()
  const pro = { text: 'pro' }
  table.add(pro)
  expect(at(table, 'iphone 13 pro max', 'pro')).toBe(pro)
  expect(at(table, 'probably', 'prob')).toBe('prob')
  expect(at(table, 'iphone 13 pro max', 'max')).toBe('max')
})

test('each of many thousand texts is found again, those that fall on one place too', () => {
  const table = openPieceTable()
  const entries = Array.from({ length: 20_000 }, (_, at) => ({ text: `word${at.toString(36)}` }))
  for (const entry of entries) table.add(entry)
  for (const entry of entries) expect(table.at(entry.text, 0, entry.text.length)).toBe(entry)
  // The hash of these two is the same.
  const [one, other] = [{ text: 'Aa' }, { text: 'BB' }]
  table.add(one)
  table.add(other)
  expect([table.at('AaBB', 0, 2), table.at('AaBB', 2, 4)]).toEqual([one, other])
})

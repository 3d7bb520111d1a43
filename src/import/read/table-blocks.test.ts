import { expect, test } from 'bun:test'
import { readTableText } from './table-file.ts'

const read = async (text: string) => (await readTableText(text, 'list')).map(({ fields }) => fields)
const LINES = [
  ['model', 'grade', 'amount'],
  ['iPhone 12', 'A', '160'],
  ['Pixel 7', '', '120'],
]
const OBJECTS = [
  { model: 'iPhone 12', grade: 'A', price: { amount: 160 } },
  { model: 'Pixel 7', price: { amount: 120 } },
]

test('a list of devices may be JSON, also within an object, or one object per line', async () => {
  expect(await read(JSON.stringify(OBJECTS))).toEqual(LINES)
  expect(await read(JSON.stringify({ lot: 'L-77', data: { items: OBJECTS } }, null, 2))).toEqual(LINES)
  expect(await read(OBJECTS.map((object) => JSON.stringify(object)).join('\n'))).toEqual(LINES)
})

test('damaged JSON is rejected instead of read as text', async () => {
  expect(read('[{"model":"iPhone 12"')).rejects.toThrow('is not JSON')
})

test('a list of devices may be the table of a web page', async () => {
  const cells = LINES.map((fields) => `<tr>${fields.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  expect(await read(`<html><table>${cells.join('')}</table></html>`)).toEqual(LINES)
})

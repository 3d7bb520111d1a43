import { expect, test } from 'bun:test'
import { sideBySideSplitter } from './side-by-side.ts'

const rows = (...lines: readonly string[]) => lines.map((text, at) => ({ line: at + 1, fields: text.split(';') }))

test('tables beside each other are one table, with the lines above as they are', () => {
  const lines = rows('Tarifa', 'Modelo;Precio;;Modelo;Precio', 'iPhone 13;230;;Galaxy S22;150', 'iPhone 12;140;;;')
  expect(sideBySideSplitter(lines)?.(lines)).toEqual([
    { line: 1, fields: ['Tarifa'] },
    { line: 2, fields: ['Modelo', 'Precio', ''] },
    { line: 3, fields: ['iPhone 13', '230', ''] },
    { line: 3, fields: ['Galaxy S22', '150', ''] },
    { line: 4, fields: ['iPhone 12', '140', ''] },
  ])
})

test('three without a column between them', () => {
  const lines = rows('Model;Price;Model;Price;Model;Price', 'a;1;b;2;c;3')
  expect(sideBySideSplitter(lines)?.(lines).map(({ fields }) => fields)).toEqual([
    ['Model', 'Price'],
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ])
})

test.each(['Model;Grade;Price', 'Model;Price;Price', 'Model;A;B;A;B', 'x;x;x;x'])('%s is a single table', (header) => {
  expect(sideBySideSplitter(rows(header, 'iPhone 13;1;2;3;4'))).toBeNull()
})

test('tables of two makes, named above their devices', () => {
  const lines = rows('Apple;Cena;;Samsung;Cena', 'iPhone 13;950;;Galaxy S22;620', 'iPhone 12;600;;;')
  expect(sideBySideSplitter(lines)?.(lines).map(({ fields }) => fields)).toEqual([
    ['model', 'Cena', ''],
    ['iPhone 13', '950', ''],
    ['Galaxy S22', '620', ''],
    ['iPhone 12', '600', ''],
  ])
})

test('a price and a quantity of each grade are a single table', () => {
  expect(sideBySideSplitter(rows('Grade A;Qty;Grade B;Qty', '310;2;280;5'))).toBeNull()
})

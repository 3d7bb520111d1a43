import { expect, test } from 'bun:test'
import { alignedLineSplitter } from './aligned-text.ts'

const split = (...lines: readonly string[]) => {
  const splitLine = alignedLineSplitter(lines.join('\n'))
  return splitLine && lines.map(splitLine)
}

test('cells belong to the column that they stand below, also right-aligned ones and where one is empty', () => {
  expect(
    split(
      'PRICES OF NOVEMBER',
      'Model            Grade        Price',
      'iPhone 13 128GB  A        R$ 2.399,00',
      'iPhone 12 64GB   B          R$ 899,00',
      'iPhone 11 64GB              R$ 699,00',
      'Galaxy S22       Very Good  R$ 999,00',
    ),
  ).toEqual([
    ['PRICES OF NOVEMBER'],
    ['Model', 'Grade', 'Price'],
    ['iPhone 13 128GB', 'A', 'R$ 2.399,00'],
    ['iPhone 12 64GB', 'B', 'R$ 899,00'],
    ['iPhone 11 64GB', '', 'R$ 699,00'],
    ['Galaxy S22', 'Very Good', 'R$ 999,00'],
  ])
})

test.each([
  ['sentences', ['We buy phones.  All of them.', 'Call us.', 'Any time.']],
  ['padded CSV', ['a    ,  b  ,   c', '1    ,  2  ,   3', '4    ,  5  ,   6']],
  ['tabs', ['a\t  b  \t  c', '1\t  2  \t  3', '4\t  5  \t  6']],
] as const)('%s are not aligned', (_, lines) => {
  expect(split(...lines)).toBeNull()
})

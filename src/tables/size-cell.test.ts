import { expect, test } from 'bun:test'
import { isSizeCell, readSizePair, withCommonUnit } from './size-cell.ts'

test.each([
  ['8GB/256GB', '8GB', '256GB'],
  ['12 + 512', '12GB', '512GB'],
  ['RAM 16 GB | ROM 1 TB', '16GB', '1TB'],
  ['4/64', '4GB', '64GB'],
])('%p is memory and storage', (cell, ram, storage) => expect(readSizePair(cell)).toEqual({ ram, storage }))

test.each(['128GB', '5/10', '2/3', '12/11/2026', 'A/B', '8GB'])('%p is no pair of sizes', (cell) =>
  expect(readSizePair(cell)).toBe(null),
)

test('a bare number is a size only in a column that is named so', () => {
  expect([isSizeCell('128 Go', false), isSizeCell('1 To', false), isSizeCell('8/128', false)]).toEqual([
    true,
    true,
    true,
  ])
  expect([isSizeCell('128', false), isSizeCell('128', true), isSizeCell('8', true), isSizeCell('100', true)]).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('units of Finnish lists are common ones', () => {
  expect(['128 Gt', '1 Tt', '256GB', '128 Go'].map(withCommonUnit)).toEqual(['128GB', '1TB', '256GB', '128 Go'])
})

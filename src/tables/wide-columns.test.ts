import { expect, test } from 'bun:test'
import { wideDeviceSplitter, widePriceSplitter } from './wide-columns.ts'

const linesOf = (...rows: readonly (readonly string[])[]) => rows.map((fields, at) => ({ line: at + 1, fields }))
const split = (...rows: readonly (readonly string[])[]) => {
  const lines = linesOf(...rows)
  return widePriceSplitter(lines)?.(lines).map(({ line, fields }) => [line, ...fields])
}
const splitDevices = (...rows: readonly (readonly string[])[]) => {
  const lines = linesOf(...rows)
  return wideDeviceSplitter(lines)?.(lines).map(({ fields }) => fields)
}

test('a list with a column per grade has a row per device and grade', () => {
  expect(
    split(['Prices'], ['Model', 'Grade A', 'Grade B'], ['iPhone 13', '200', '180'], ['Pixel 7', '150', '']),
  ).toEqual([
    [1, 'Prices'],
    [2, 'Model', 'condition', 'price'],
    [3, 'iPhone 13', 'Grade A', '200'],
    [3, 'iPhone 13', 'Grade B', '180'],
    [4, 'Pixel 7', 'Grade A', '150'],
  ])
})

test('a list with a column per storage size has a row per size; the titles name the currency', () => {
  expect(
    split(
      ['Device', 'Price 64GB USD', 'Price 128 GB USD'],
      ['iPhone 11', '$150', '$170'],
      ['iPhone 13', 'n/a', '$300'],
    ),
  ).toEqual([
    [1, 'Device', 'storage', 'Price USD'],
    [2, 'iPhone 11', '64GB', '$150'],
    [2, 'iPhone 11', '128GB', '$170'],
    [3, 'iPhone 13', '128GB', '$300'],
  ])
  expect(split(['', '64', '128'], ['iPhone 11', '150', '170'])?.[1]).toEqual([2, 'iPhone 11', '64GB', '150'])
})

test('sizes above grades are read together, also where the cells of a size are merged', () => {
  expect(
    split(
      ['Buyback'],
      ['', '64 GB', '', '128 GB', ''],
      ['Model', 'A', 'B', 'A', 'B'],
      ['iPhone 11', '120', '105', '135', '120'],
    ),
  ).toEqual([
    [1, 'Buyback'],
    [3, 'Model', 'condition', 'storage', 'price'],
    [4, 'iPhone 11', 'A', '64GB', '120'],
    [4, 'iPhone 11', 'B', '64GB', '105'],
    [4, 'iPhone 11', 'A', '128GB', '135'],
    [4, 'iPhone 11', 'B', '128GB', '120'],
  ])
})

test('the sum at the end of a wide list is no row', () => {
  expect(
    split(['Modell', 'A', 'B'], ['iPhone 13', '200', '180'], ['Pixel 7', '150', '120'], ['Summe', '350,00', '300,00']),
  ).toHaveLength(5)
})

test('a list with a row per grade stays as it is', () => {
  expect(split(['Model', 'Grade', 'Price'], ['iPhone 13', 'A', '200'])).toBeUndefined()
  // Beside a column of grades these are two prices of one device.
  expect(split(['name', 'used_price', 'new_price', 'condition'], ['iPhone 13', '200', '400', 'good'])).toBeUndefined()
  // A row may name two grades, or a size and a grade.
  expect(split(['iPhone 13', 'good', 'used'], ['Pixel 7', 'fair', 'used'])).toBeUndefined()
  expect(split(['iPhone 13', '128GB', 'A', '250'], ['Pixel 7', '256GB', 'B', '150'])).toBeUndefined()
})

test('figures of a list of devices are quantities if they add up, prices if they look like money, else not guessed', () => {
  expect(
    splitDevices(['Model', 'A', 'B', 'Total'], ['iPhone 11', '12', '40', '52'], ['Pixel 7', '0', '3', '3']),
  ).toEqual([
    ['Model', 'Total', 'condition', 'quantity'],
    ['iPhone 11', '52', 'A', '12'],
    ['iPhone 11', '52', 'B', '40'],
    ['Pixel 7', '3', 'B', '3'],
  ])
  expect(splitDevices(['Model', 'A Qty', 'A Price', 'B Qty', 'B Price'], ['iPhone 11', '2', '100', '', ''])).toEqual([
    ['Model', 'condition', 'Price', 'quantity'],
    ['iPhone 11', 'A', '100', '2'],
  ])
  expect(splitDevices(['Model', 'A', 'B'], ['iPhone 11', '120 €', '100 €'])?.[1]).toEqual(['iPhone 11', 'A', '120 €'])
  expect(splitDevices(['Model', 'A', 'B'], ['iPhone 11', '12', '40'])).toBeUndefined()
})

test('a row that names a size and a grade is not the header of the rows below', () => {
  expect(
    split(
      ['Brand', 'Model', 'ROM (GB)', 'Condition', 'Selling Price'],
      ['Apple', 'iPhone 14 Pro Max', '1TB', 'Good', '₹ 1,04,999'],
      ['OPPO', 'Reno8 5G', '128', 'Good', '₹ 12,499'],
    ),
  ).toBeUndefined()
})

test('columns of grades are found in other languages, too', () => {
  for (const word of ['Stan', 'État', 'Estado', 'Stav', 'Skick', 'Kunto'])
    expect(split(['Model', `${word} A`, `${word} B`], ['iPhone 13', '1350', '1200'])?.slice(1)).toEqual([
      [2, 'iPhone 13', `${word} A`, '1350'],
      [2, 'iPhone 13', `${word} B`, '1200'],
    ])
})

import { describe, expect, test } from 'bun:test'
import { runToEnd } from '../lib/time-sliced.ts'
import { compareRows, createRowComparer, findPreviousVersion } from './compare-lists.ts'
import type { StoredRow } from './device-list-store.ts'

const COLUMNS = ['identifier', 'text', 'condition', 'asking_price', 'quantity'] as const
const toCompared = createRowComparer({ header: [], columns: COLUMNS })
const rowsOf = (...cells: readonly (readonly string[])[]) =>
  cells.map((each, at) =>
    toCompared({
      line: at + 2,
      cells: each,
      change: null,
      questions: [],
      quantity: 1,
      askingPrice: null,
      error: null,
      reason: null,
      appraisalId: null,
    } satisfies StoredRow),
  )
const IMEI = '351044631234567'
const OTHER_IMEI = '356938035643809'

/** Kinds with the line of each version. */
const differences = (before: ReturnType<typeof rowsOf>, after: ReturnType<typeof rowsOf>) =>
  runToEnd(compareRows(before, after)).map(({ kinds, before, after }) => [kinds.join('+'), before?.line, after?.line])

describe('the next version of a list', () => {
  test('has no differences if only the order changed', () => {
    const first = [IMEI, 'iPhone 13 128GB', 'B', '120 €', '1']
    const second = ['', 'Galaxy S23 256GB', 'gut', '90', '4']
    expect(differences(rowsOf(first, second), rowsOf(second, first))).toEqual([])
  })

  test('finds a device by its IMEI, however it is written', () => {
    const before = rowsOf([IMEI, 'iPhone 13 128GB', 'B', '120', ''])
    const after = rowsOf(
      ['', 'iPhone 13 128GB', 'B', '120', ''],
      ['35-104463-123456-7', 'Apple iPhone 13', 'B', '99', ''],
    )
    expect(differences(before, after)).toEqual([
      ['added', undefined, 2],
      ['price_changed', 2, 3],
    ])
  })

  test('does not take another device of the same model for the same one', () => {
    const before = rowsOf([IMEI, 'iPhone 13 128GB', 'B', '120', ''])
    expect(differences(before, rowsOf([OTHER_IMEI, 'iPhone 13 128GB', 'B', '120', '']))).toEqual([
      ['added', undefined, 2],
      ['gone', 2, undefined],
    ])
  })

  test('compares grades by what they mean and prices with their currency', () => {
    const before = rowsOf([IMEI, 'iPhone 13', 'B', '120', ''], [OTHER_IMEI, 'iPhone 12', 'gut', '80 €', ''])
    const after = rowsOf([IMEI, 'iPhone 13', 'Grade B', '120', ''], [OTHER_IMEI, 'iPhone 12', 'C', '80 $', ''])
    expect(differences(before, after)).toEqual([['price_changed+grade_changed', 3, 3]])
  })

  test('matches rows without IMEI by words and grade, and another grade only if it is certain', () => {
    const before = rowsOf(
      ['', 'iPhone 13', 'A', '150', '3'],
      ['', 'iPhone 13', 'B', '120', '5'],
      ['', 'Pixel 7', 'B', '', '1'],
    )
    const after = rowsOf(
      ['', 'iphone  13', 'B', '115', '5'],
      ['', 'iPhone 13', 'A', '150', '2'],
      ['', 'Pixel 7', 'C', '', '1'],
    )
    expect(differences(before, after)).toEqual([
      ['price_changed', 3, 2],
      ['quantity_changed', 2, 3],
      ['grade_changed', 4, 4],
    ])
    const ambiguous = rowsOf(['', 'iPhone 13', 'C', '', ''], ['', 'iPhone 13', 'D', '', ''])
    expect(differences(before.slice(0, 2), ambiguous).map(([kinds]) => kinds)).toEqual([
      'added',
      'added',
      'gone',
      'gone',
    ])
  })
})

describe('the previous version', () => {
  const HEADER = ['Model', 'Price']
  const list = (name: string, supplier: string, header = HEADER) => ({ name, supplier, header })

  test('is the last list of the supplier, before others one with the same columns', () => {
    const earlier = [list('Other.csv', 'North', ['Laptop']), list('Old.csv', 'NORTH '), list('Older.csv', 'South')]
    expect(findPreviousVersion(list('New.csv', 'North'), earlier)?.name).toBe('Old.csv')
    expect(findPreviousVersion(list('New.csv', 'North', ['Tablet']), earlier)?.name).toBe('Other.csv')
    expect(findPreviousVersion(list('New.csv', 'West'), earlier)).toBe(null)
  })

  test('without a supplier is the last one of the same name and columns, whatever its date', () => {
    const earlier = [list('Stock 2026-10.xlsx', ''), list('Stock 2026-09.xlsx', '')]
    expect(findPreviousVersion(list('stock_2026-11 (1).xlsx', ''), earlier)?.name).toBe('Stock 2026-10.xlsx')
    expect(findPreviousVersion(list('Stock 2026-11.xlsx', '', ['Other']), earlier)).toBe(null)
    expect(findPreviousVersion(list('2026.xlsx', ''), [list('2025.xlsx', '')])).toBe(null)
  })
})

test('the comparison of two long lists may pause often', () => {
  const rows = rowsOf(...Array.from({ length: 10_000 }, (_, at) => ['', `Phone ${at}`, 'A', '100', '']))
  const work = compareRows(rows, rows.slice(1))
  let pauses = 0
  while (!work.next().done) pauses++
  expect(pauses).toBeGreaterThan(200)
})

import { describe, expect, test } from 'bun:test'
import { createRateLookup } from '../../currency/rate-lookup.ts'
import { LOCKED_DEVICE } from '../../pricing/observations/subject-matcher.ts'
import { EMPTY_CELLS, type PriceColumn } from './price-columns.ts'
import { createPriceRowParser, type PriceRowRules } from './price-row.ts'

const NOW = Date.UTC(2026, 6, 1)
const SUBJECT = { deviceId: 'phone', configuration: '', variantId: null, listCents: 0, lock: '' }

type RowTerms = {
  readonly market?: string
  readonly defaultMarket?: string
  readonly currencySign?: string
  readonly unit?: number
  readonly statedUnit?: number
  readonly cells?: Partial<Record<PriceColumn, string>>
}

/** The row with this amount. */
function rowOf(amount: string, { market, defaultMarket = 'us', currencySign, unit, statedUnit, cells }: RowTerms) {
  const defaults = { source: 'shop', side: 'sold', condition: 'Good', ...(market ? { country: market } : {}) }
  const rates = createRateLookup([])
  const readRow = createPriceRowParser({
    findSubject: () => SUBJECT,
    firstPriceOf: () => null,
    rates,
    now: NOW,
    defaultMarket,
    currencySign,
    unit,
    statedUnit,
    defaults,
    grades: new Map(),
    ranges: 'refuse',
  })
  return readRow({ ...EMPTY_CELLS, model: 'Phone', date: '2026-05-04', amount, ...cells })
}

/** Its currency, or the reason for its rejection. */
function currencyOf(amount: string, terms: RowTerms): string {
  const row = rowOf(amount, terms)
  return 'problem' in row ? `${row.problem}: ${row.detail}` : row.terms.currency
}

for (const [amount, terms, currency] of [
  ['$455', { market: 'us' }, 'USD'],
  ['$455', { defaultMarket: 'us' }, 'USD'],
  ['$455', { market: 'ca' }, 'CAD'],
  ['$455', { defaultMarket: 'au' }, 'AUD'],
  ['$455', { cells: { country: 'Canada' } }, 'CAD'],
  ['$455 USD', { market: 'ca' }, 'USD'],
  ['$455', { market: 'ca', cells: { currency: 'USD' } }, 'USD'],
  ['4 500 kr', { market: 'dk' }, 'DKK'],
  ['4 500 kr.', { market: 'se' }, 'SEK'],
  ['kr 4500', { market: 'no' }, 'NOK'],
  ['4500:-', { market: 'se', cells: { currency: 'SEK' } }, 'SEK'],
  ['¥45,000', { market: 'jp' }, 'JPY'],
  ['¥2,600', { market: 'cn' }, 'CNY'],
  ['£455', { defaultMarket: 'us' }, 'GBP'],
  ['£455', { defaultMarket: 'gb' }, 'GBP'],
  ['Rs. 45,000', { market: 'lk' }, 'LKR'],
  ['Rs. 45,000', { market: 'us' }, 'INR'],
  ['455', { currencySign: '$', market: 'ca' }, 'CAD'],
  ['S$455', { market: 'us' }, 'SGD'],
  ['455 nok', { market: 'us' }, 'NOK'],
  ['455', { market: 'us', cells: { currency: '$' } }, 'USD'],
  ['455', { market: 'us', cells: { currency: '€' } }, 'EUR'],
] as const) {
  test(`"${amount}" in ${JSON.stringify(terms)} is ${currency}`, () => expect(currencyOf(amount, terms)).toBe(currency))
}

test('amounts of a list in cents or thousands are those units, unless they have a sign of their own', () => {
  const cells = { currency: 'USD' }
  expect(rowOf('33450', { unit: 0.01, cells })).toMatchObject({ cents: 33_450 })
  const dong = { cells: { currency: 'VND' }, market: 'vn' }
  expect(rowOf('8.990', { ...dong, unit: 1000 })).toEqual(rowOf('8.990.000', dong))
  expect(rowOf('$334.50', { unit: 0.01, cells })).toMatchObject({ cents: 33_450 })
})

for (const [amount, terms, problem] of [
  ['$455', { market: 'de' }, 'currency_missing: $455'],
  ['$455', { defaultMarket: 'us', cells: { country: 'Germany' } }, 'currency_missing: $455'],
  ['4500 kr', { market: 'us' }, 'currency_missing: 4500 kr'],
  ['455', { market: 'us' }, 'currency_missing: 455'],
  ['455', { currencySign: '$', market: 'de' }, 'currency_missing: 455'],
  ['$455', { market: 'us', cells: { currency: 'EUR' } }, 'currency_differs: $455 EUR'],
  ['455', { market: 'de', cells: { currency: '$' } }, 'currency_missing: 455 $'],
  ['$455 EUR', { market: 'us' }, 'amount_not_a_number: $455 EUR'],
] as const) {
  test(`"${amount}" in ${JSON.stringify(terms)} is rejected with the amount`, () =>
    expect(currencyOf(amount, terms)).toBe(problem))
}

/** A row of 100 EUR of a day, in a shop of a country, with a rate of 1.1 that is half a year old. */
function rowOfEuros(defaultMarket: string, isWithoutVat: boolean) {
  const row = createPriceRowParser({
    findSubject: () => SUBJECT,
    firstPriceOf: () => null,
    rates: createRateLookup([{ currency: 'EUR', day: '2029-11-01', usd: 1.1 }]),
    now: Date.UTC(2030, 6, 1),
    defaultMarket,
    isWithoutVat,
    defaults: { source: 'shop', side: 'sold', condition: 'Good', currency: 'EUR' },
    grades: new Map(),
    ranges: 'refuse',
  })({ ...EMPTY_CELLS, model: 'Phone', date: '2030-05-04', amount: '100' })
  if ('problem' in row) throw new Error(row.problem)
  return row
}

test('prices without VAT count with the VAT of their country', () => {
  expect(rowOfEuros('de', false).cents).toBe(11_000)
  expect(rowOfEuros('de', true).cents).toBe(13_090)
})

test('an old exchange rate is remarked on, except for the own currency of the shop', () => {
  expect(rowOfEuros('us', false).remarks).toHaveLength(1)
  expect(rowOfEuros('de', false).remarks ?? []).toEqual([])
})

test('an asking price that is still listed is one of the day it was read, not of the day of its listing', () => {
  const readWith = (defaults: Partial<Record<PriceColumn, string>>) => {
    const parse = createPriceRowParser({
      findSubject: () => SUBJECT,
      firstPriceOf: () => null,
      rates: createRateLookup([]),
      now: NOW,
      defaultMarket: 'us',
      currencySign: undefined,
      defaults: { source: 'shop', side: 'ask', condition: 'Good', ...defaults },
      grades: new Map(),
      ranges: 'refuse',
    })
    const row = parse({ ...EMPTY_CELLS, model: 'Phone', amount: '$455', listedOn: '2026-02-10' })
    return 'problem' in row ? row.problem : { observedAt: row.observedAt, listedAt: row.listedAt }
  }
  const listed = Date.UTC(2026, 1, 10)
  expect(readWith({ date: '2026-06-20' })).toEqual({ observedAt: Date.UTC(2026, 5, 20), listedAt: listed })
  expect(readWith({})).toEqual({ observedAt: listed, listedAt: listed })
})

describe('a row whose size is open', () => {
  const base = { ...SUBJECT, configuration: '128gb' }
  const read = (
    problem: 'storage_missing' | 'several_sizes' | null,
    amount: string,
    rules: Partial<PriceRowRules> = {},
  ) =>
    createPriceRowParser({
      findSubject: () => (problem === null ? SUBJECT : { problem, detail: 'Phone', base }),
      firstPriceOf: null,
      rates: createRateLookup([]),
      now: NOW,
      defaultMarket: 'us',
      defaults: { source: 'shop', side: 'ask', condition: 'Good', date: '2026-05-04' },
      grades: new Map(),
      ranges: 'sizes',
      openSizes: 'base',
      ...rules,
    })({ ...EMPTY_CELLS, model: 'Phone', amount })

  test('counts for the base model, and the report says so', () => {
    expect(read('storage_missing', '$400')).toMatchObject({
      subject: base,
      cents: 40_000,
      remarks: ['size_not_stated'],
    })
    expect(read('several_sizes', '$400')).toMatchObject({ subject: base, remarks: ['smallest_of_sizes'] })
  })

  test('is rejected where the sender knows the size', () => {
    expect(read('storage_missing', '$400', { openSizes: 'refuse' })).toMatchObject({ problem: 'storage_missing' })
  })

  test('of several sizes has the low end of a range; a device of one size only that of a narrow one', () => {
    expect(read('several_sizes', '$400 to $800')).toMatchObject({ cents: 40_000 })
    expect(read(null, '$400 to $440')).toMatchObject({ cents: 40_000, remarks: ['range_low_end'] })
    expect(read(null, '$400 to $800')).toMatchObject({ problem: 'amount_is_range' })
    expect(read('several_sizes', '$400 to $800', { ranges: 'refuse' })).toMatchObject({ problem: 'amount_is_range' })
    expect(read(null, '$400 to $800', { ranges: 'low' })).toMatchObject({ cents: 40_000 })
  })
})

test('notes are read like descriptions, and counted where they say nothing that is understood', () => {
  const withNotes = (notes: string) => rowOf('$455', { cells: { condition: 'good', notes } })
  expect(withNotes('iCloud locked')).toMatchObject({ problem: LOCKED_DEVICE })
  expect(withNotes('screen cracked')).toMatchObject({ terms: { grade: 'Poor' } })
  expect(withNotes('rack 14 / box B')).toMatchObject({ terms: { grade: 'Good' }, remarks: ['note_not_understood'] })
  expect(withNotes('-')).not.toHaveProperty('remarks')
})

test('a unit that the operator states holds for every amount', () => {
  expect(rowOf('45500', { statedUnit: 0.01, cells: { currency: 'USD' } })).toMatchObject({ cents: 45_500 })
  expect(rowOf('$45500', { statedUnit: 0.01, market: 'us' })).toMatchObject({ cents: 45_500 })
})

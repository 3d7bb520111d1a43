import { expect, test } from 'bun:test'
import { parseHeader } from '../import/read/header.ts'
import { outcomeFromRow } from './outcome-row.ts'

function read(header: string, row: string, currency = 'USD'): unknown {
  const { find } = parseHeader(header.split('|'))
  const cells = row.split('|')
  try {
    return outcomeFromRow((...names) => cells[find(...names)]?.trim() ?? '', currency)
  } catch (error) {
    return String(error).replace('DomainError: ', '')
  }
}

const HEADER = 'Appraisal ID|Status|Price|Currency|Date'

for (const [row, item] of [
  ['apr_1|Bought|120.50|EUR|2026-03-02', { status: 'bought', price: 12_050, currency: 'EUR', date: '2026-03-02' }],
  ['apr_1|sold|€1.234,56||02.03.2026', { status: 'sold', price: 123_456, currency: 'EUR', date: '2026-03-02' }],
  ['apr_1|sold|1500|JPY|', { status: 'sold', price: 1_500, currency: 'JPY' }],
  ['apr_1|bought|99.9||', { status: 'bought', price: 9_990, currency: 'USD' }],
  ['apr_1|bought|$99.9||', { status: 'bought', price: 9_990, currency: 'USD' }],
  ['apr_1|declined|||', { status: 'declined' }],
] as const) {
  test(`"${row}" is read`, () => expect(read(HEADER, row)).toEqual({ appraisal_id: 'apr_1', ...item }))
}

for (const [row, problem] of [
  ['apr_1|bought|lots||', 'price was "lots"; expected an amount such as 120.50.'],
  ['apr_1|bought|4500 kr||', 'price was "4500 kr"; expected an amount with its currency code, such as 120.50 SEK.'],
  ['apr_1|bought|$120|EUR|', 'price was "$120"; expected an amount with its currency code, such as 120.50 USD.'],
  ['apr_1|bought|5||03/04/2026', 'date was "03/04/2026"; expected a day such as 2026-03-02.'],
  ['apr_1|bought|5|euros|', 'currency was "EUROS"; expected a currency code of three letters such as EUR.'],
] as const) {
  test(`"${row}" is rejected with the value`, () => expect(read(HEADER, row)).toBe(problem))
}

test('a purchase names its seller as far as the shop records sellers, and may confirm that the device is bought again', () => {
  const header = parseHeader([...HEADER.split('|'), 'Seller', 'Seller address', 'Confirm duplicate'])
  const cells = 'apr_1|bought|99.9|||Kim Lee|1 Main St|Yes'.split('|')
  const cell = (...names: string[]) => cells[header.find(...names)]?.trim() ?? ''
  const item = { appraisal_id: 'apr_1', status: 'bought', price: 9_990, currency: 'USD', confirm_duplicate: true }
  expect(outcomeFromRow(cell, 'USD', 'off')).toEqual(item)
  expect(outcomeFromRow(cell, 'USD', 'name')).toEqual({ ...item, seller: { name: 'Kim Lee' } })
  expect(outcomeFromRow(cell, 'USD', 'full')).toEqual({ ...item, seller: { name: 'Kim Lee', address: '1 Main St' } })
})

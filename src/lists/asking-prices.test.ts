import { expect, test } from 'bun:test'
import { createAskingPrices } from './asking-prices.ts'
import { readDeviceListRow } from './device-list-row.ts'
import { createCellGetter, detectListLayout } from './list-columns.ts'

const RATES: Readonly<Record<string, number>> = { USD: 1, EUR: 1.1, CAD: 0.7, SEK: 0.1 }
const { amountOf } = createAskingPrices({
  findDevice: () => undefined,
  convert: (amount, from, to) => (amount * (RATES[from] ?? Number.NaN)) / (RATES[to] ?? Number.NaN),
})

/** The asking price of a row with this title and cell, in cents of an organization's currency. */
function askedOf(title: string, cell: string, own: string, more: Readonly<Record<string, string>> = {}) {
  const cells = { Model: 'iPhone 13', [title]: cell, ...more }
  const rows = [Object.keys(cells), Object.values(cells)].map((fields, at) => ({ line: at + 1, fields }))
  const { columns, header } = detectListLayout(rows)
  const cellOf = createCellGetter(columns, header)
  return amountOf(readDeviceListRow((column) => cellOf(Object.values(cells), column)).askingPrice, own)
}

test('an asking price with a sign that several currencies share is in that of the organization, else dollars are US dollars', () => {
  expect(askedOf('Price', '$430.00', 'USD')).toBe(43_000)
  expect(askedOf('Price', '$430.00', 'CAD')).toBe(43_000)
  expect(askedOf('Price', '$440.00', 'EUR')).toBe(40_000)
  expect(askedOf('Price ($)', '440', 'EUR')).toBe(40_000)
  expect(askedOf('Price', '$440', 'EUR', { Currency: 'CAD' })).toBe(28_000)
  expect(askedOf('Price', '440', 'EUR')).toBe(44_000)
})

test('crowns abroad may be of several countries, so that the price is open', () => {
  expect(askedOf('Pris', '2 900 kr', 'SEK')).toBe(290_000)
  expect(askedOf('Pris', '2 900 kr', 'EUR')).toBeNull()
})

test.each(['Prijs per stuk', 'Cena za szt. brutto', 'Prezzo al pezzo', 'Preis pro Stück', 'Precio por unidad'])(
  'the column %p is the price of one device',
  (title) => expect(askedOf(title, '165,00', 'EUR')).toBe(16_500),
)

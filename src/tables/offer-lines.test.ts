import { expect, test } from 'bun:test'
import { offerLineSplitter } from './offer-lines.ts'

const split = (...texts: readonly string[]) => {
  const lines = texts.map((text, at) => ({ line: at + 1, fields: text.split(';') }))
  return offerLineSplitter(lines)?.(lines).map(({ fields }) => fields)
}

test('offers of a message have a quantity, a device and a price, and lines above them stay', () => {
  expect(
    split(
      'STOCK OFFER 18/11',
      '10x iPhone 13 128GB Grade A - 250€',
      '• 5 x iPhone 13 Pro 256 B grade 390 EUR',
      '3pcs Samsung S22 Ultra 256GB A/B $330 each',
      'iPhone 12 64GB C - 120€ (20 units)',
      'iPhone 12 Mini 128 B x5 - 140,50 €',
      '25 iPhone 11 64 mix colors grade B @ 110',
      '14 Pro Max 256 B: 600 EUR + VAT',
      '2x Pixel 7 A 150€',
      'iPad Air 5 64GB WiFi – 64',
    ),
  ).toEqual([
    ['STOCK OFFER 18/11'],
    ['quantity', 'title', 'condition', 'price'],
    ['10', 'iPhone 13 128GB', 'A', '250€'],
    ['5', 'iPhone 13 Pro 256', 'B', '390 EUR'],
    ['3', 'Samsung S22 Ultra 256GB', 'A/B', '$330'],
    ['20', 'iPhone 12 64GB', 'C', '120€'],
    ['5', 'iPhone 12 Mini 128', 'B', '140,50 €'],
    ['25', 'iPhone 11 64 mix colors', 'B', '110'],
    ['', '14 Pro Max 256', 'B', '600 EUR'],
    ['2', 'Pixel 7 A', '', '150€'],
    ['', 'iPad Air 5 64GB WiFi – 64', '', ''],
  ])
})

test('tables and lists of names stay as they are', () => {
  expect(split('Model;Grade;Price', 'iPhone 13;A;250€', 'Pixel 7;B;150€')).toBeUndefined()
  expect(split('iPhone 13 128GB', 'Galaxy S22 256GB', 'iPad Air 5 - 64')).toBeUndefined()
  expect(split('356938035643809', '356938035643817')).toBeUndefined()
})

test('signs of messengers and of currencies with letters belong to no title', () => {
  expect(
    split('📱 *TABELA* 📱', '*iPhone 11 64GB* - R$ 1.499', '*iPhone 13 128GB* - R$ 2.799', '_Pixel 7_ - Rs. 18,500'),
  ).toEqual([
    ['📱 *TABELA* 📱'],
    ['quantity', 'title', 'condition', 'price'],
    ['', 'iPhone 11 64GB', '', 'R$ 1.499'],
    ['', 'iPhone 13 128GB', '', 'R$ 2.799'],
    ['', 'Pixel 7', '', 'Rs. 18,500'],
  ])
})

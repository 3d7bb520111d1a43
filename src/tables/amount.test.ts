import { expect, test } from 'bun:test'
import { parseAmount } from './amount.ts'

for (const [text, value, currency] of [
  ['650', 650, null],
  ['650 €', 650, 'EUR'],
  ['€1.299,00', 1299, 'EUR'],
  ['1 299,00', 1299, null],
  ['1 299,00 zł', 1299, 'PLN'],
  ['1\u00a0299,00 €', 1299, 'EUR'],
  ['1,299.00', 1299, null],
  ['US$ 489', 489, 'USD'],
  ['1.790.000', 1_790_000, null],
  ['1.790.000₫', 1_790_000, 'VND'],
  ['1790000 đ', 1_790_000, 'VND'],
  ['450,000원', 450_000, 'KRW'],
  ["1'299.00 CHF", 1299, 'CHF'],
  ['1.299', 1299, null],
  ['12,50', 12.5, null],
  ['1299,5', 1299.5, null],
  ['0.99', 0.99, null],
  ['0.999', 0.999, null],
  ['479.9871', 479.9871, null],
  ['-5', -5, null],
  ['350,-', 350, null],
  ['S$ 489', 489, 'SGD'],
  ['US $489.50', 489.5, 'USD'],
  ['€ 489 EUR', 489, 'EUR'],
  ['38만원', 380_000, 'KRW'],
  ['4.5万円', 45_000, 'JPY'],
  ['4500 NOK', 4500, 'NOK'],
  ['4500:-', 4500, null],
  ['$455 CAD', 455, 'CAD'],
] as const) {
  test(`"${text}" is ${value}${currency ? ` ${currency}` : ''}`, () => {
    expect(parseAmount(text)).toEqual({ value, currency, isRange: false })
  })
}

for (const [text, value, currency, shared] of [
  ['$1,299.50', 1299.5, null, ['USD', 'CAD', 'AUD']],
  ['¥45,000', 45_000, null, ['JPY', 'CNY']],
  ['4 500 kr', 4500, null, ['SEK', 'NOK', 'DKK']],
  ['£ 12.', 12, 'GBP', ['GBP', 'EGP']],
] as const) {
  test(`"${text}" is ${value} with a sign of several currencies`, () => {
    expect(parseAmount(text)).toEqual({
      value,
      currency,
      isRange: false,
      sharedBy: expect.arrayContaining([...shared]),
    })
  })
}

for (const text of ['149,-', '149,- €', '149,-- EUR', '149 € VB', 'VB 149 €', '149 € Festpreis', '149 EUR ono']) {
  test(`"${text}" is 149, whether or not the seller would take less`, () =>
    expect(parseAmount(text)).toEqual({ value: 149, currency: text === '149,-' ? null : 'EUR', isRange: false }))
}

for (const text of ['$489.00to$529.00', '$489.00 to $529.00', '489–529', '489 - 529']) {
  test(`"${text}" is a range, read by its low end`, () => {
    expect(parseAmount(text)).toEqual({
      value: 489,
      currency: null,
      isRange: true,
      high: 529,
      ...(text.includes('$') && { sharedBy: expect.arrayContaining(['USD', 'CAD']) }),
    })
  })
}

for (const text of [
  '',
  'VB',
  'Preis auf Anfrage',
  '$455 EUR',
  '€455 USD',
  '1.2.3',
  '1,29,00',
  '12 34',
  '1.29.000,00',
  '--',
  '12x',
  '1,2345',
  'a'.repeat(100),
]) {
  test(`"${text.slice(0, 20)}" is not an amount`, () =>
    expect(parseAmount(text)).toEqual({ problem: 'amount_not_a_number' }))
}

test.each([
  ['47만 5천원', 475_000, 'KRW'],
  ['38만원', 380_000, 'KRW'],
  ['1만2천', 12_000, null],
  ['₹1,04,999', 104_999, null],
  ['12,34,567.50', 1_234_567.5, null],
])('%p is %p', (text, value, currency) => {
  const amount = parseAmount(text)
  expect('problem' in amount ? amount : amount.value).toBe(value)
  if (currency !== null) expect(amount).toMatchObject({ currency })
})

test('a backslash is the yen or won sign of East Asian encodings', () => {
  expect(parseAmount('\\58,800')).toMatchObject({ value: 58_800, currency: null, sharedBy: ['JPY', 'KRW'] })
})

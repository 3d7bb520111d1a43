import { expect, test } from 'bun:test'
import { decideTerms, PRICE_FACTS, type PriceFact } from './price-terms.ts'

const USUAL = { source: 'list', date: '2026-11-18', market: 'us', currency: 'USD' }
const NOTHING = {
  options: { defaults: {}, vat: undefined, unit: undefined },
  fromProfile: new Set<string>(),
  layout: { names: {}, implied: {} },
  words: {},
  usual: USUAL,
}
const termOf = (fact: PriceFact, more: object) =>
  decideTerms({ ...NOTHING, ...more }).find((term) => term.fact === fact)

const OPTIONS = {
  source: { defaults: { source: 'shop' } },
  title: { defaults: { model: 'iPhone 13' } },
  side: { defaults: { side: 'ask' } },
  currency: { defaults: { currency: 'EUR' } },
  market: { defaults: { country: 'de' } },
  date: { defaults: { date: '2026-11-01' } },
  vat: { defaults: {}, vat: 'excluded' },
  unit: { defaults: {}, unit: 0.01 },
} as const
const COLUMNS = {
  source: 'source',
  title: 'model',
  side: 'side',
  currency: 'currency',
  market: 'country',
  date: 'date',
} as const

test.each([...PRICE_FACTS])('an option or a profile states the %s, whatever the file and the settings say', (fact) => {
  const column = COLUMNS[fact as keyof typeof COLUMNS]
  const layout = {
    names: column ? { [column]: 'X' } : {},
    implied: { currency: 'PLN', side: 'sold' },
    vat: 'excluded',
    unit: 1000,
  }
  expect(termOf(fact, { options: OPTIONS[fact], layout })).toMatchObject({ by: 'option' })
  expect(termOf(fact, { options: OPTIONS[fact], layout, fromProfile: new Set([fact]) })).toMatchObject({
    by: 'profile',
  })
})

test.each(Object.entries(COLUMNS))('a column states the %s before other words of the file', (fact, column) => {
  const words = { model: 'iPhone 13', side: 'sold', currency: 'PLN', country: 'pl' }
  expect(termOf(fact as PriceFact, { layout: { names: { [column]: 'X' }, implied: {} }, words })).toMatchObject({
    by: 'column',
    value: null,
  })
})

test('words of the file go before what is usual', () => {
  const layout = { names: {}, implied: { currency: 'PLN', side: 'quote' }, vat: 'excluded', unit: 0.01 }
  expect(termOf('currency', { layout })).toEqual({
    fact: 'currency',
    value: 'PLN',
    by: 'words',
    overrules: ['setting'],
  })
  expect(termOf('side', { layout })?.value).toBe('quote')
  expect(termOf('vat', { layout })?.value).toBe('excluded')
  expect(termOf('unit', { layout })?.value).toBe('0.01')
  expect(termOf('market', { words: { country: 'pl' } })?.value).toBe('pl')
})

test('what nothing states is usual, but never a side', () => {
  expect(decideTerms(NOTHING).map(({ fact, value, by }) => [fact, value, by])).toEqual([
    ['source', 'list', 'setting'],
    ['currency', 'USD', 'setting'],
    ['market', 'us', 'setting'],
    ['date', '2026-11-18', 'setting'],
    ['vat', 'included', 'setting'],
    ['unit', '1', 'setting'],
  ])
})

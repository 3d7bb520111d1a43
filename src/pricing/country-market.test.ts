import { expect, test } from 'bun:test'
import { DomainError } from '../lib/errors.ts'
import { COUNTRY_MARKETS, findMarket, isPriceOf, marketOfCurrency, parseMarket } from './country-market.ts'

test('at least 60 countries and the European Union are bundled, each code once', () => {
  expect(COUNTRY_MARKETS.length).toBeGreaterThan(60)
  expect(new Set(COUNTRY_MARKETS.map(({ code }) => code)).size).toBe(COUNTRY_MARKETS.length)
  for (const { code, currency, taxRate } of COUNTRY_MARKETS) {
    expect(code).toMatch(/^[a-z]{2}$/)
    expect(currency).toMatch(/^[A-Z]{3}$/)
    expect(taxRate).toBeGreaterThanOrEqual(0)
    expect(taxRate).toBeLessThan(0.3)
  }
})

test('a market is found by its code or name in any case', () => {
  for (const text of ['hr', 'HR', ' Croatia ']) expect(findMarket(text)?.code).toBe('hr')
  expect(findMarket('uk')?.code).toBe('gb')
})

for (const [text, code] of [
  ['hrr', 'hr'],
  ['croatja', 'hr'],
  ['KRW', 'kr'],
  ['germ', 'de'],
] as const) {
  test(`"${text}" is an error that suggests ${code}`, () => {
    expect(() => parseMarket(text)).toThrow(DomainError)
    expect(() => parseMarket(text)).toThrow(new RegExp(`did you mean .*\\b${code} \\(`))
  })
}

test('an error without a similar market still explains the format', () => {
  expect(() => parseMarket('atlantis')).toThrow(
    'market was "atlantis"; expected a country code such as us, gb or hr, or eu.',
  )
})

test('a currency gives the market if only one is plausible', () => {
  expect(marketOfCurrency('KRW', 'us')).toBe('kr')
  expect(marketOfCurrency('EUR', 'us')).toBe('eu')
  expect(marketOfCurrency('EUR', 'hr')).toBe('hr')
  expect(marketOfCurrency('USD', 'hr')).toBe('us')
  expect(marketOfCurrency('usd', 'ec')).toBe('ec')
  expect(marketOfCurrency('XAU', 'hr')).toBe('hr')
})

test('prices of member countries are prices of the European Union', () => {
  expect(isPriceOf('eu', 'de')).toBe(true)
  expect(isPriceOf('eu', 'es')).toBe(true)
  expect(isPriceOf('eu', 'gb')).toBe(false)
  expect(isPriceOf('de', 'eu')).toBe(false)
})

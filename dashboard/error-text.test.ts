import { afterAll, beforeAll, expect, test } from 'bun:test'
import i18next from 'i18next'
import { LANGUAGES } from '../src/contract/languages.ts'
import { toApiError } from '../src/http/api-error.ts'
import { invalid, notFound } from '../src/lib/errors.ts'
import { REASON_CODES, REASONS } from '../src/lib/reasons.ts'
import { errorText } from './error-text.ts'
import { loadLanguage } from './i18n.ts'
import en from './locales/en.json'

beforeAll(async () => {
  await Promise.all(LANGUAGES.map(loadLanguage))
  await i18next.changeLanguage('de')
})
afterAll(() => i18next.changeLanguage('en'))

test('every reason has a sentence, and no sentence is without a reason', () => {
  expect(Object.keys(en.errors).sort()).toEqual([...REASON_CODES].sort())
})

test.each(LANGUAGES)('every sentence in %s has values for its placeholders', (language) => {
  const unfilled = REASON_CODES.flatMap((code) => {
    const params = Object.fromEntries(REASONS[code].map((name) => [name, 'x']))
    const text = i18next.t(`errors:${code}` as 'errors:internal', { ...params, lng: language })
    return text === '' || text.includes('{{') || text === code ? [`${code}: ${text}`] : []
  })
  expect(unfilled).toEqual([])
})

test('pages say the sentence of the reason with its values, in their language', () => {
  const tier = { reason_code: 'tier_needed', params: { tier: 'Enterprise' } } as const
  expect(errorText({ code: 'FORBIDDEN', message: 'x', ...tier })).toContain('Enterprise')
  const { code, message, reason } = toApiError(notFound('The list'))
  expect(errorText({ code, message, reason_code: reason.code })).toBe('Das gibt es nicht oder nicht mehr.')
})

test('amounts of a reason have the form of the language', () => {
  const params = { low: 2500, high: 105_095, currency: 'EUR' }
  const text = errorText({ code: 'VALIDATION_ERROR', message: 'x', reason_code: 'price_implausible', params })
  expect(text.replaceAll('\u00a0', ' ')).toContain('25,00 € – 1.050,95 €')
})

test('a value that is not accepted is repeated, and English pages say what is expected', async () => {
  const { code, message, reason } = toApiError(invalid('days', 'soon', 'a number'))
  const error = { code, message, reason_code: reason.code, params: reason.params }
  expect(errorText(error)).toContain('soon')
  expect(errorText(error)).not.toContain('expected')
  await i18next.changeLanguage('en')
  expect(errorText(error)).toBe('days was "soon"; expected a number.')
  await i18next.changeLanguage('de')
})

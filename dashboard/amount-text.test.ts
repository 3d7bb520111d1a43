import { describe, expect, test } from 'bun:test'
import { readAmountText, toAmountText } from './amount-text.ts'

describe('an amount in a field', () => {
  test('has the decimal sign of the language, and none if it is whole', () => {
    expect(toAmountText(25_990, 'EUR', 'de')).toBe('259,90')
    expect(toAmountText(25_990, 'EUR', 'en')).toBe('259.90')
    expect(toAmountText(125_900, 'EUR', 'de')).toBe('1259')
    expect(toAmountText(147_840, 'KRW', 'ko')).toBe('147840')
  })

  test('is read as it is written', () => {
    for (const [text, minor] of [
      ['259,90', 25_990],
      ['259.90', 25_990],
      ['259,9', 25_990],
      ['1.259,90', 125_990],
      ['1,259.90', 125_990],
      ['1 259,90', 125_990],
      [' 42 ', 4_200],
    ] as const)
      for (const language of ['de', 'en'] as const)
        expect({ text, language, minor: readAmountText(text, 'EUR', language) }).toEqual({ text, language, minor })
  })

  test('with three digits behind its only separator means what the language means', () => {
    expect(readAmountText('1.250', 'EUR', 'de')).toBe(125_000)
    expect(readAmountText('1.250', 'EUR', 'en')).toBe(125)
    expect(readAmountText('1,250', 'EUR', 'en')).toBe(125_000)
    expect(readAmountText('1.250.000', 'KRW', 'en')).toBe(1_250_000)
  })

  test('that is none is not guessed', () => {
    for (const text of ['', 'abc', '12a', '-5', '1,2.3,4', '3+4']) expect(readAmountText(text, 'EUR', 'de')).toBeNull()
  })

  test('comes back as it was in every language', () => {
    for (const language of ['en', 'de', 'es', 'fr', 'ko', 'lt', 'pl', 'pt', 'vi'] as const)
      for (const minor of [1, 99, 100, 12_345, 99_999_99])
        expect(readAmountText(toAmountText(minor, 'EUR', language), 'EUR', language)).toBe(minor)
  })
})

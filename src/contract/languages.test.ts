import { expect, test } from 'bun:test'
import { acceptedLanguage, findLanguage } from './languages.ts'

test('a language is found by its tag, with or without a region', () => {
  expect(findLanguage('de-AT')).toBe('de')
  expect(findLanguage('PT')).toBe('pt')
  expect(findLanguage('nl')).toBeUndefined()
})

test('Accept-Language is read by its weights', () => {
  expect(acceptedLanguage('nl,fr;q=0.4, pl;q=0.9')).toBe('pl')
  expect(acceptedLanguage('de;q=0, ko-KR')).toBe('ko')
  expect(acceptedLanguage('nl, *')).toBeUndefined()
  expect(acceptedLanguage(undefined)).toBeUndefined()
})

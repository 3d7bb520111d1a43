import { expect, test } from 'bun:test'
import { buildAliasLexicon } from './alias-lexicon.ts'
import { BUNDLED_ALIASES } from './aliases.ts'
import { createGuesser } from './word-guesser.ts'

const guess = createGuesser(buildAliasLexicon(BUNDLED_ALIASES), BUNDLED_ALIASES.words.beginnings)
const meant = (text: string) => guess(text)?.tokens.map((token) => token.text) ?? null

test('words written together are taken apart where nothing is left over', () => {
  expect(meant('macbookair')).toEqual(['macbook', 'air'])
  expect(meant('iphonepromax')).toEqual(['iphone', 'pro', 'max'])
  expect(meant('아이폰프로맥스')).toEqual(['iphone', 'pro', 'max'])
  expect(meant('iphonezzz')).toBeNull()
})

test('one typing error is forgiven where only one word is that near', () => {
  expect(meant('samsnug')).toEqual(['samsung'])
  expect(meant('playstaton')).toEqual(['playstation'])
  expect(meant('plsu')).toBeNull()
})

test('bent words are known by their beginning', () => {
  expect(meant('punjacem')).toEqual(['punjac'])
  expect(meant('bastlerware')).toEqual(['bastler'])
})

test('a word without end costs nothing', () => {
  expect(meant('x'.repeat(300))).toBeNull()
})

import { expect, test } from 'bun:test'
import { buildAliasLexicon } from './alias-lexicon.ts'
import { BUNDLED_ALIASES } from './aliases.ts'
import { createGuesser } from './word-guesser.ts'

const guess = createGuesser(buildAliasLexicon(BUNDLED_ALIASES), BUNDLED_ALIASES.words.beginnings)
const meant = (text: string) => guess(text)?.tokens.map((token) => token.text) ?? null

test('joined words are split if known words cover the whole text', () => {
  expect(meant('macbookair')).toEqual(['macbook', 'air'])
  expect(meant('iphonepromax')).toEqual(['iphone', 'pro', 'max'])
  expect(meant('아이폰프로맥스')).toEqual(['iphone', 'pro', 'max'])
  expect(meant('iphonezzz')).toBeNull()
})

test('one typing error is corrected if only one word is that close', () => {
  expect(meant('samsnug')).toEqual(['samsung'])
  expect(meant('playstaton')).toEqual(['playstation'])
  expect(meant('plsu')).toBeNull()
})

test('inflected words are recognised by their stem', () => {
  expect(meant('punjacem')).toEqual(['punjac'])
  expect(meant('bastlerware')).toEqual(['bastler'])
})

test('a very long word is not guessed', () => {
  expect(meant('x'.repeat(300))).toBeNull()
})

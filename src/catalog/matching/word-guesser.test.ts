import { expect, test } from 'bun:test'
import { runToEnd } from '../../lib/time-sliced.ts'
import { buildAliasLexicon } from './alias-lexicon.ts'
import { BUNDLED_ALIASES } from './aliases.ts'
import { createGuesser } from './word-guesser.ts'

const guess = createGuesser(runToEnd(buildAliasLexicon(BUNDLED_ALIASES)), BUNDLED_ALIASES.words)
const guessed = (text: string) => guess(text)?.tokens.map((token) => token.text) ?? null

test('joined words are split if known words cover the whole text', () => {
  expect(guessed('macbookair')).toEqual(['macbook', 'air'])
  expect(guessed('iphonepromax')).toEqual(['iphone', 'pro', 'max'])
  expect(guessed('아이폰프로맥스')).toEqual(['iphone', 'pro', 'max'])
  expect(guessed('iphonezzz')).toBeNull()
})

test('one typing error is corrected if only one word is that close', () => {
  expect(guessed('samsnug')).toEqual(['samsung'])
  expect(guessed('playstaton')).toEqual(['playstation'])
  expect(guessed('plsu')).toBeNull()
})

test('inflected words are recognised by their stem', () => {
  expect(guessed('punjacem')).toEqual(['punjac'])
  expect(guessed('bastlerware')).toEqual(['bastler'])
})

test('a very long word is not guessed', () => {
  expect(guessed('x'.repeat(300))).toBeNull()
})

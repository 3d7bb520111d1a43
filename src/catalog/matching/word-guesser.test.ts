import { expect, test } from 'bun:test'
import { runToEnd } from '../../lib/time-sliced.ts'
import { buildAliasLexicon } from './alias-lexicon.ts'
import { BUNDLED_ALIASES } from './aliases.ts'
import { createOrdinaryWords } from './ordinary-words.ts'
import { foldTitle } from './tokens.ts'
import { createGuesser } from './word-guesser.ts'

const ordinary = createOrdinaryWords({ words: ['seminovo', 'για'], pairs: ['動作', '作確', '確認', '認済'] })
const guess = createGuesser(runToEnd(buildAliasLexicon(BUNDLED_ALIASES)), BUNDLED_ALIASES.words, ordinary)
function guessed(text: string) {
  const meaning = guess(text)
  return meaning === null || meaning === 'ordinary' ? meaning : meaning.tokens.map((token) => token.text)
}

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

test('names of other scripts have articles, prepositions and endings', () => {
  expect(guessed(foldTitle('айфонът'))).toEqual(['iphone'])
  expect(guessed('самсунгу')).toEqual(['samsung'])
  expect(guessed('بالايفون')).toEqual(['iphone'])
  expect(guessed('האייפון')).toEqual(['iphone'])
})

test('a name in katakana is not found inside of another word', () => {
  expect(guessed('モデル')).not.toEqual(['dell'])
  expect(guessed('プロテクター')).toBeNull()
})

test('ordinary words were learned; runs of scripts without blanks consist of learned pairs of letters', () => {
  expect(guessed('seminovo')).toBe('ordinary')
  expect(guessed('動作確認済')).toBe('ordinary')
  expect(guessed('未知物')).toBeNull()
})

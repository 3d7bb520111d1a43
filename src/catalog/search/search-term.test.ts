import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foldText } from '../../lib/fold-text.ts'
import { slug } from '../device.ts'
import {
  countLetters,
  foldAttributeName,
  foldCode,
  foldValue,
  parseSearchTerm,
  possibleCodes,
  splitWords,
} from './search-term.ts'

test('case and accents are folded, also where Unicode has no base letter', () => {
  expect(foldText('Émile ÅNGSTRÖM Łódź Straße ıİ Œuvre')).toBe('emile angstrom lodz strasse ii oeuvre')
})

test('words are runs of letters and digits of any script', () => {
  expect(splitWords('Galaxy S9+ (2018), 5G & more')).toEqual(['galaxy', 's9', 'plus', '2018', '5g', 'and', 'more'])
  expect(splitWords('红米 Note 12 Про')).toEqual(['红米', 'note', '12', 'про'])
  expect(splitWords('\ud800a\udc00 𝔊x')).toEqual(['a', 'gx'])
  expect(splitWords(' \u0000--- ')).toEqual([])
})

test('for any text, words are folded, not empty, and part of the slug if they are ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const word of splitWords(text)) expect(word).toBe(foldText(word))
      expect(splitWords(text)).not.toContain('')
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(splitWords(text)).toEqual(slug(text).split('-').filter(Boolean))
    }),
  )
})

test('values, names and codes are compared ignoring case and blanks', () => {
  expect(foldValue(' 256 GB')).toBe(foldValue('256gb'))
  expect(foldAttributeName('Case_Size')).toBe(foldAttributeName('case size'))
  expect(foldCode(' sm-s 928b ')).toBe('SM-S928B')
  expect(possibleCodes('mtq63ll/a')).toEqual(['MTQ63LL/A', 'MTQ63'])
})

test('digits are not letters', () => {
  expect(countLetters('s24ultra')).toBe(6)
  expect(countLetters('12345')).toBe(0)
  expect(countLetters('émile')).toBe(5)
})

describe('a search term', () => {
  test('drops words that are a prefix of another, because a match of the longer one implies the shorter', () => {
    expect(parseSearchTerm('s sam samsung galaxy gal')?.words).toEqual(['samsung', 'galaxy'])
  })
  test('has at most fifty words', () => {
    const many = parseSearchTerm(Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join(' '))
    expect(many?.words.length).toBeLessThanOrEqual(50)
  })
})

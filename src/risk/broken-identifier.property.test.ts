import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { riskLevelOf } from '../contract/lookups.ts'
import { type Identifier, isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { suggestIdentifiers } from '../identifier/identifier-suggestions.ts'
import { imeiWithCheckDigit } from '../identifier/imei.ts'
import { recommend } from './recommendation.ts'
import { collectFactors, totalScore } from './risk-score.ts'
import { combineFacts } from './source-facts.ts'

const NOW = Date.UTC(2026, 10, 15)

/** Scores an identifier like a service without sources that knows no TAC. */
function weigh(identifier: Identifier) {
  const suggestions = suggestIdentifiers(identifier, () => false)
  const tac = { isListed: false, isListComplete: false, firstSeenAt: null }
  const combined = combineFacts([], NOW)
  const factors = collectFactors({
    identifier,
    combinedFacts: combined,
    tac,
    suggestions,
    isSerialRandomised: true,
    now: NOW,
  })
  const score = totalScore(factors)
  return {
    score,
    recommendation: recommend(factors, suggestions, riskLevelOf(score)),
    codes: factors.map(({ code }) => code),
    suggested: suggestions.map(({ text }) => text),
  }
}

function read(text: string): Identifier {
  const identifier = parseIdentifier(text)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((each) => each.join(''))
// 99 is shared with MEIDs: with a B in it, such a number is a valid MEID.
const imei = fc
  .tuple(fc.constantFrom('01', '35', '86'), digits(12))
  .map(([body, rest]) => imeiWithCheckDigit(body + rest))
const at = fc.nat(14)
const digit = fc.integer({ min: 0, max: 9 }).map(String)

const LOOK_ALIKES: Readonly<Record<string, string>> = { 0: 'O', 1: 'l', 5: 'S', 8: 'B' }
const misread = (text: string, places: readonly number[]) =>
  [...text].map((each, place) => (places.includes(place) ? (LOOK_ALIKES[each] ?? each) : each)).join('')

/** Typical errors of people and scanners in an IMEI. */
const BREAKAGES: Readonly<Record<string, (whole: string) => fc.Arbitrary<string>>> = {
  'one digit mistyped': (whole) =>
    fc.tuple(at, digit).map(([place, other]) => whole.slice(0, place) + other + whole.slice(place + 1)),
  'two adjacent digits swapped': (whole) =>
    fc.nat(13).map((place) => whole.slice(0, place) + whole[place + 1] + whole[place] + whole.slice(place + 2)),
  'one to three digits lost': (whole) =>
    fc
      .uniqueArray(at, { minLength: 1, maxLength: 3 })
      .map((lost) => [...whole].filter((_, place) => !lost.includes(place)).join('')),
  'a repeated digit': (whole) => at.map((place) => whole.slice(0, place) + whole[place] + whole.slice(place)),
  'letters instead of digits': (whole) =>
    fc.uniqueArray(at, { minLength: 1, maxLength: 5 }).map((places) => misread(whole, places)),
  'letters instead of digits, without the check digit': (whole) =>
    fc.uniqueArray(at, { minLength: 1, maxLength: 4 }).map((places) => misread(whole.slice(0, 14), places)),
  // A to F would make some of them valid MEIDs.
  'an unreadable character': (whole) =>
    fc
      .tuple(at, fc.constantFrom('X', 'Z', 'K', 'N'))
      .map(([place, letter]) => whole.slice(0, place) + letter + whole.slice(place + 1)),
  'a trailing software version': (whole) => digits(2).map((version) => `${whole} / ${version}`),
  'surrounding text': (whole) => fc.constantFrom(`${whole} SIM`, `A${whole}`, `${whole}AB`, `NO ${whole}`),
}

for (const [breakage, broken] of Object.entries(BREAKAGES)) {
  // Mistyping must never improve the score: an identifier that cannot be checked is no better than an unknown one.
  test(`${breakage}: never scores better than a valid unknown IMEI`, () => {
    fc.assert(
      fc.property(
        imei.chain((whole) => broken(whole).map((text) => [whole, text] as const)),
        ([whole, text]) => {
          const damaged = parseIdentifier(text)
          if (isInvalidIdentifier(damaged)) return
          expect(weigh(damaged).score, text).toBeGreaterThanOrEqual(weigh(read(whole)).score)
        },
      ),
      { numRuns: 2_000 },
    )
  })
}

for (const breakage of ['one digit mistyped', 'letters instead of digits', 'a trailing software version'] as const) {
  test(`${breakage}: recommends a recheck, whatever the score`, () => {
    fc.assert(
      fc.property(
        imei.chain((whole) =>
          (BREAKAGES[breakage]?.(whole) ?? fc.constant(whole)).map((text) => [whole, text] as const),
        ),
        ([whole, text]) => {
          if (text === whole) return
          expect(weigh(read(text)).recommendation, text).toBe('recheck_identifier')
        },
      ),
    )
  })
}

test('words and repeated digits never score better than a valid unknown identifier', () => {
  for (const text of [
    '000000000000',
    '0000000000',
    '00000000',
    'hello world',
    'not available',
    'AAAAAAAAAA',
    'test1234',
  ]) {
    expect(weigh(read(text))).toMatchObject({ score: 90, recommendation: 'recheck_identifier' })
  }
})

test('an identifier of a test range is not a typing error', () => {
  expect(weigh(read('001001123456789'))).toMatchObject({ score: 90, recommendation: 'reject' })
})

describe('the table in docs/risk.md', () => {
  const document = readFileSync(new URL('../../docs/risk.md', import.meta.url), 'utf8')
  const table = /<!-- examples: broken identifiers -->([\s\S]*?)<!-- end/.exec(document)?.[1] ?? ''
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  expect(rows.length).toBeGreaterThanOrEqual(9)

  for (const [, sent = '', finding, score, recommendation, suggested = ''] of rows) {
    test(`${sent} has the printed result`, () => {
      const weighed = weigh(read(sent))
      expect(weighed).toMatchObject({ score: Number(score), recommendation: String(recommendation) })
      expect(weighed.codes as string[]).toContain(String(finding))
      if (suggested === '') expect(weighed.suggested).toEqual([])
      else expect(weighed.suggested).toContain(suggested)
    })
  }
})

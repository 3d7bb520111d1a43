import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { riskLevelOf } from '../contract/lookups.ts'
import { type Identifier, isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { DAY_MS } from '../lib/time.ts'
import { FACTORS, findFactor } from './risk-factors.ts'
import { collectFactors, type RiskEvidence, totalScore, withoutUnreliableClean } from './risk-score.ts'
import {
  combineFacts,
  FINDING_CODES,
  NO_FACTS,
  type SourceFacts,
  type SourceResponse,
  type SourceResult,
} from './source-facts.ts'

const NOW = Date.UTC(2026, 10, 15)

function read(text: string, type?: 'imei' | 'meid' | 'esn' | 'serial'): Identifier {
  const identifier = parseIdentifier(text, type)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

const responseOf = (
  source: string,
  facts: Partial<SourceFacts>,
  more: Partial<SourceResponse> = {},
): SourceResponse => ({
  state: 'answered',
  source,
  facts: { ...NO_FACTS, ...facts },
  ageMs: null,
  isStale: false,
  ...more,
})

function evidence(
  identifier: Identifier,
  responses: readonly SourceResult[],
  more: Partial<RiskEvidence> = {},
): RiskEvidence {
  return {
    identifier,
    combinedFacts: combineFacts(responses, NOW),
    tac: { isListed: true, isListComplete: false, firstSeenAt: null },
    suggestions: [],
    isSerialRandomised: false,
    now: NOW,
    ...more,
  }
}

const points = (from: RiskEvidence) =>
  Object.fromEntries(collectFactors(from).map((factor) => [factor.code, factor.points]))
const PHONE = read('356938035643809')
const CLEAN = responseOf('gsma', { blacklist: 'clean', gsma: 'clean' })

describe('score', () => {
  test('a device cleared by a covering source has only the baseline', () => {
    expect(points(evidence(PHONE, [CLEAN]))).toEqual({ baseline: 5 })
  })

  test('without a source the risk is medium, not low: unknown is not clean', () => {
    const factors = collectFactors(evidence(PHONE, []))
    expect(totalScore(factors)).toBe(30)
    expect(riskLevelOf(totalScore(factors))).toBe('medium')
  })

  test('an unavailable source is named', () => {
    const factors = collectFactors(evidence(PHONE, [{ state: 'unavailable', source: 'gsma' }]))
    expect(factors).toContainEqual(expect.objectContaining({ code: 'source_unavailable', source: 'gsma', points: 10 }))
    expect(totalScore(factors)).toBe(40)
  })

  for (const code of FINDING_CODES) {
    test(`${code} adds its points once, however many sources report it`, () => {
      const finding = (observedAt: number) => ({ findings: [{ code, observedAt }] })
      const from = evidence(PHONE, [CLEAN, responseOf('registry', finding(1)), responseOf('carrier', finding(2))])
      const found = collectFactors(from).filter((factor) => factor.code === code)
      expect(found).toEqual([{ code, ...weighed(code), source: 'registry+carrier', observedAt: 2 }])
      expect(totalScore(collectFactors(from))).toBe(findFactor(code).points + 5)
    })
  }

  test('the sum is capped at 100', () => {
    const findings = FINDING_CODES.map((code) => ({ code, observedAt: null }))
    expect(
      totalScore(collectFactors(evidence(PHONE, [responseOf('registry', { blacklist: 'blacklisted', findings })]))),
    ).toBe(100)
  })

  test('a bad status without a reason gets one, so the score is never better than the status', () => {
    expect(points(evidence(PHONE, [responseOf('gsma', { gsma: 'blacklisted' })]))).toEqual({
      blacklisted: 70,
      baseline: 5,
    })
    expect(points(evidence(PHONE, [responseOf('ctia', { ctia: 'lost_stolen' })]))).toEqual({
      reported_lost_stolen: 90,
      baseline: 5,
    })
    expect(points(evidence(PHONE, [responseOf('registry', { blacklist: 'pending' })]))).toEqual({
      report_pending: 40,
      baseline: 5,
    })
  })

  test('the same evidence gives the same factors, whatever the order of the sources', () => {
    const facts = fc.record({
      blacklist: fc.constantFrom('clean', 'blacklisted', 'pending', null),
      gsma: fc.constantFrom('clean', 'blacklisted', null),
      ctia: fc.constantFrom('clean', 'lost_stolen', null),
      carrierLock: fc.constantFrom('locked', 'unlocked', null),
      carrierName: fc.constant(null),
      findings: fc.uniqueArray(
        fc.record({ code: fc.constantFrom(...FINDING_CODES), observedAt: fc.constantFrom(null, 1, 2) }),
        { selector: (finding) => finding.code },
      ),
    }) as fc.Arbitrary<SourceFacts>
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 3 }), (reported) => {
        const responses = reported.map((each) => responseOf('gsma', each))
        const scored = collectFactors(evidence(PHONE, responses))
        expect(totalScore(scored)).toBe(totalScore(collectFactors(evidence(PHONE, [...responses].reverse()))))
        expect(totalScore(scored)).toBe(
          Math.min(
            100,
            scored.reduce((sum, { points }) => sum + points, 0),
          ),
        )
        for (const factor of scored) expect(factor.points).toBe(findFactor(factor.code).points)
      }),
    )
  })
})

function weighed(code: (typeof FACTORS)[number]['code']) {
  const { points, message } = findFactor(code)
  return { points, message }
}

describe('findings of the identifier itself', () => {
  for (const [why, text, expected] of [
    ['a wrong check digit', '490154203237519', { check_digit_mismatch: 15 }],
    ['repeated digits, from the test range', '000000000000000', { impossible_identifier: 60, test_identifier: 60 }],
    ['a test range', '001001123456789', { test_identifier: 60 }],
    [
      'a reporting body that allocates nothing',
      '112345678901234',
      { unallocated_reporting_body: 30, check_digit_mismatch: 15 },
    ],
    ['a pseudo-ESN', '8016B128', { pseudo_esn: 15, tac_not_listed: 10 }],
    ['a truncated IMEI', '3569380356', { not_an_imei: 15 }],
    ['an Apple part number', 'MLVC3LL/A', { not_an_identifier: 15 }],
  ] as const) {
    test(`${why} is a finding and is never clean`, () => {
      const identifier = read(text)
      const { baseline, blacklist_unverified, ...found } = points(evidence(identifier, [CLEAN]))
      expect(found).toEqual(expected)
      expect(baseline).toBe(5)
      expect(blacklist_unverified).toBe(25)
      expect(withoutUnreliableClean(combineFacts([CLEAN], NOW), identifier)).toMatchObject({
        blacklist: 'unknown',
        gsma: 'unknown',
      })
    })
  }

  test('a listing counts although the check digit is wrong', () => {
    const listed = responseOf('registry', { blacklist: 'blacklisted' })
    expect(withoutUnreliableClean(combineFacts([listed], NOW), read('490154203237519')).blacklist).toBe('blacklisted')
  })

  test('a wrong check digit names the right one and the probable identifier', () => {
    const from = evidence(read('490154203237519'), [], {
      suggestions: [{ text: '490154203237518', typo: 'check_digit' }],
    })
    expect(collectFactors(from).find((factor) => factor.code === 'check_digit_mismatch')?.message).toBe(
      'Check the number: its check digit is 9 and should be 8. Probably meant: 490154203237518 (last digit mistyped).',
    )
  })

  for (const [why, tac, expected] of [
    [
      'not in partial data',
      { isListed: false, isListComplete: false, firstSeenAt: NOW - 900 * DAY_MS },
      'tac_not_listed',
    ],
    ['new, on no full list', { isListed: false, isListComplete: true, firstSeenAt: null }, 'tac_not_listed'],
    ['within the lag', { isListed: false, isListComplete: true, firstSeenAt: NOW - 20 * DAY_MS }, 'tac_not_listed'],
    ['beyond the lag', { isListed: false, isListComplete: true, firstSeenAt: NOW - 21 * DAY_MS }, 'tac_unknown'],
  ] as const) {
    test(`a TAC ${why} is ${expected}`, () => {
      expect(Object.keys(points(evidence(PHONE, [CLEAN], { tac })))).toContain(expected)
    })
  }

  test('a serial number that cannot be decoded is reported without points', () => {
    expect(points(evidence(read('H7K2QX9VWM'), [CLEAN], { isSerialRandomised: true }))).toEqual({
      baseline: 5,
      randomised_serial: 0,
    })
  })
})

describe('several sources', () => {
  test('the worse status wins, and every source that responded is named', () => {
    const combined = combineFacts(
      [CLEAN, responseOf('ctia', { ctia: 'lost_stolen' }), { state: 'unavailable', source: 'x' }],
      NOW,
    )
    expect(combined).toMatchObject({
      blacklist: 'blacklisted',
      gsma: 'clean',
      ctia: 'lost_stolen',
      source: 'gsma+ctia',
      unavailableSources: ['x'],
      freshness: 'real-time',
      ageMinutes: null,
    })
  })

  test('a clean status of one list does not clear another', () => {
    expect(combineFacts([responseOf('gsma', { gsma: 'clean' })], NOW)).toMatchObject({
      blacklist: 'unknown',
      ctia: 'unknown',
    })
  })

  test('a response is as old as its oldest fact', () => {
    const cached = responseOf('gsma', {}, { ageMs: 5 * 60_000 })
    const stale = responseOf('ctia', {}, { ageMs: 90 * 60_000, isStale: true })
    expect(combineFacts([CLEAN, cached], NOW)).toMatchObject({ freshness: 'cached', ageMinutes: 5 })
    expect(combineFacts([stale, cached], NOW)).toMatchObject({ freshness: 'stale', ageMinutes: 90 })
  })

  test('without a response the source is none', () => {
    expect(combineFacts([], NOW)).toMatchObject({ source: 'none', blacklist: 'unknown', freshness: 'real-time' })
  })
})

test('the table is sorted, worst first, and every code is unique', () => {
  const ordered = [...FACTORS].sort((left, right) => right.points - left.points)
  expect(FACTORS.map(({ code }) => code)).toEqual(ordered.map(({ code }) => code))
  expect(new Set(FACTORS.map(({ code }) => code)).size).toBe(FACTORS.length)
})

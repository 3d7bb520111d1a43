import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { riskLevelOf } from '../contract/imei.ts'
import { DAY_MS } from '../time.ts'
import { FACTORS, weigh } from './factors.ts'
import { type Answered, combine, type Facts, FINDINGS, NO_FACTS, type SourceAnswer } from './facts.ts'
import { type Identifier, isUnreadable } from './identifier/identifier.ts'
import { readIdentifier } from './identifier/read.ts'
import { type Evidence, factorsOf, scoreOf, tellable } from './score.ts'

const NOW = Date.UTC(2026, 10, 15)

function read(text: string, type?: 'imei' | 'meid' | 'esn' | 'serial'): Identifier {
  const identifier = readIdentifier(text, type)
  if (isUnreadable(identifier)) throw new Error(identifier.expected)
  return identifier
}

const answered = (source: string, facts: Partial<Facts>, more: Partial<Answered> = {}): Answered => ({
  state: 'answered',
  source,
  facts: { ...NO_FACTS, ...facts },
  ageMs: null,
  stale: false,
  ...more,
})

function evidence(identifier: Identifier, answers: readonly SourceAnswer[], more: Partial<Evidence> = {}): Evidence {
  return {
    identifier,
    combined: combine(answers, NOW),
    tac: { known: true, listIsComplete: false, firstSeenAt: null },
    suggestions: [],
    serialIsRandom: false,
    now: NOW,
    ...more,
  }
}

const points = (from: Evidence) => Object.fromEntries(factorsOf(from).map((factor) => [factor.code, factor.points]))
const PHONE = read('356938035643809')
const CLEAN = answered('gsma', { blacklist: 'clean', gsma: 'clean' })

describe('score', () => {
  test('a device that a covering source cleared has the baseline alone', () => {
    expect(points(evidence(PHONE, [CLEAN]))).toEqual({ baseline: 5 })
  })

  test('nobody asked is medium, not low: unknown is not clean', () => {
    const factors = factorsOf(evidence(PHONE, []))
    expect(scoreOf(factors)).toBe(30)
    expect(riskLevelOf(scoreOf(factors))).toBe('medium')
  })

  test('a source that cannot be asked is named', () => {
    const factors = factorsOf(evidence(PHONE, [{ state: 'unavailable', source: 'gsma' }]))
    expect(factors).toContainEqual(expect.objectContaining({ code: 'source_unavailable', source: 'gsma', points: 10 }))
    expect(scoreOf(factors)).toBe(40)
  })

  for (const code of FINDINGS) {
    test(`${code} adds its points once, however many sources say so`, () => {
      const finding = (observedAt: number) => ({ findings: [{ code, observedAt }] })
      const from = evidence(PHONE, [CLEAN, answered('registry', finding(1)), answered('carrier', finding(2))])
      const found = factorsOf(from).filter((factor) => factor.code === code)
      expect(found).toEqual([{ code, ...weighed(code), source: 'registry+carrier', observedAt: 2 }])
      expect(scoreOf(factorsOf(from))).toBe(weigh(code).points + 5)
    })
  }

  test('the sum is capped at 100', () => {
    const findings = FINDINGS.map((code) => ({ code, observedAt: null }))
    expect(scoreOf(factorsOf(evidence(PHONE, [answered('registry', { blacklist: 'blacklisted', findings })])))).toBe(
      100,
    )
  })

  test('a bad status without a reason gets one, so the score is never better than the status', () => {
    expect(points(evidence(PHONE, [answered('gsma', { gsma: 'blacklisted' })]))).toEqual({
      blacklisted: 70,
      baseline: 5,
    })
    expect(points(evidence(PHONE, [answered('ctia', { ctia: 'lost_stolen' })]))).toEqual({
      reported_lost_stolen: 90,
      baseline: 5,
    })
    expect(points(evidence(PHONE, [answered('registry', { blacklist: 'pending' })]))).toEqual({
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
        fc.record({ code: fc.constantFrom(...FINDINGS), observedAt: fc.constantFrom(null, 1, 2) }),
        { selector: (finding) => finding.code },
      ),
    }) as fc.Arbitrary<Facts>
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 3 }), (said) => {
        const answers = said.map((each) => answered('gsma', each))
        const scored = factorsOf(evidence(PHONE, answers))
        expect(scoreOf(scored)).toBe(scoreOf(factorsOf(evidence(PHONE, [...answers].reverse()))))
        expect(scoreOf(scored)).toBe(
          Math.min(
            100,
            scored.reduce((sum, { points }) => sum + points, 0),
          ),
        )
        for (const factor of scored) expect(factor.points).toBe(weigh(factor.code).points)
      }),
    )
  })
})

function weighed(code: (typeof FACTORS)[number]['code']) {
  const { points, message } = weigh(code)
  return { points, message }
}

describe('what the identifier itself shows', () => {
  for (const [why, text, expected] of [
    ['a wrong check digit', '490154203237519', { check_digit_mismatch: 45 }],
    [
      'one digit throughout, from the test range',
      '000000000000000',
      { impossible_identifier: 60, test_identifier: 60 },
    ],
    ['a test range', '001001123456789', { test_identifier: 60 }],
    ['a body that allocates nothing', '112345678901234', { unallocated_reporting_body: 30, check_digit_mismatch: 45 }],
    ['a pseudo-ESN', '8016B128', { pseudo_esn: 15 }],
  ] as const) {
    test(`${why} is a finding and is never clean`, () => {
      const identifier = read(text)
      const { baseline, blacklist_unverified, ...found } = points(evidence(identifier, [CLEAN]))
      expect(found).toEqual(expected)
      expect(baseline).toBe(5)
      expect(blacklist_unverified).toBe(25)
      expect(tellable(combine([CLEAN], NOW), identifier)).toMatchObject({ blacklist: 'unknown', gsma: 'unknown' })
    })
  }

  test('a listing counts although the check digit is wrong', () => {
    const listed = answered('registry', { blacklist: 'blacklisted' })
    expect(tellable(combine([listed], NOW), read('490154203237519')).blacklist).toBe('blacklisted')
  })

  test('a wrong check digit names the right one and what was probably meant', () => {
    const from = evidence(read('490154203237519'), [], {
      suggestions: [{ text: '490154203237518', slip: 'check_digit' }],
    })
    expect(factorsOf(from).find((factor) => factor.code === 'check_digit_mismatch')?.message).toBe(
      'The check digit is 9 and should be 8. Probably meant: 490154203237518 (last digit mistyped).',
    )
  })

  for (const [why, tac, expected] of [
    ['not in partial data', { known: false, listIsComplete: false, firstSeenAt: NOW - 900 * DAY_MS }, 'tac_not_listed'],
    ['new, on no full list', { known: false, listIsComplete: true, firstSeenAt: null }, 'tac_not_listed'],
    ['within the lag', { known: false, listIsComplete: true, firstSeenAt: NOW - 20 * DAY_MS }, 'tac_not_listed'],
    ['beyond the lag', { known: false, listIsComplete: true, firstSeenAt: NOW - 21 * DAY_MS }, 'tac_unknown'],
  ] as const) {
    test(`a TAC ${why} is ${expected}`, () => {
      expect(Object.keys(points(evidence(PHONE, [CLEAN], { tac })))).toContain(expected)
    })
  }

  test('a serial number that tells nothing is remarked on without points', () => {
    expect(points(evidence(read('H7K2QX9VWM'), [CLEAN], { serialIsRandom: true }))).toEqual({
      baseline: 5,
      randomised_serial: 0,
    })
  })
})

describe('sources together', () => {
  test('the worse status wins and every source that answered is named', () => {
    const combined = combine(
      [CLEAN, answered('ctia', { ctia: 'lost_stolen' }), { state: 'unavailable', source: 'x' }],
      NOW,
    )
    expect(combined).toMatchObject({
      blacklist: 'blacklisted',
      gsma: 'clean',
      ctia: 'lost_stolen',
      source: 'gsma+ctia',
      unavailable: ['x'],
      freshness: 'real-time',
      ageMinutes: null,
    })
  })

  test('a clean word about one list says nothing about another', () => {
    expect(combine([answered('gsma', { gsma: 'clean' })], NOW)).toMatchObject({ blacklist: 'unknown', ctia: 'unknown' })
  })

  test('an answer is as old as its oldest fact', () => {
    const cached = answered('gsma', {}, { ageMs: 5 * 60_000 })
    const stale = answered('ctia', {}, { ageMs: 90 * 60_000, stale: true })
    expect(combine([CLEAN, cached], NOW)).toMatchObject({ freshness: 'cached', ageMinutes: 5 })
    expect(combine([stale, cached], NOW)).toMatchObject({ freshness: 'stale', ageMinutes: 90 })
  })

  test('nobody answered is none', () => {
    expect(combine([], NOW)).toMatchObject({ source: 'none', blacklist: 'unknown', freshness: 'real-time' })
  })
})

test('the table is in order, worst first, and every code stands once', () => {
  const ordered = [...FACTORS].sort((left, right) => right.points - left.points)
  expect(FACTORS.map(({ code }) => code)).toEqual(ordered.map(({ code }) => code))
  expect(new Set(FACTORS.map(({ code }) => code)).size).toBe(FACTORS.length)
})

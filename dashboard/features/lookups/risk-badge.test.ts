import { expect, test } from 'bun:test'
import { isUnchecked } from './risk-badge.tsx'

const lookup = {
  risk_level: 'medium',
  risk_score: 35,
  recommendation: 'inspect',
  blacklist_status: 'unknown',
  reported_lost_stolen: false,
} as const

test('an identifier that no list or source knows is not checked, whatever its score', () => {
  expect(isUnchecked(lookup)).toBe(true)
  expect(isUnchecked({ ...lookup, blacklist_status: 'clean' })).toBe(false)
  expect(isUnchecked({ ...lookup, reported_lost_stolen: true })).toBe(false)
  expect(isUnchecked({ ...lookup, recommendation: 'recheck_identifier' })).toBe(false)
})

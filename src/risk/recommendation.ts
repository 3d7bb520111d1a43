import type { Recommendation, RiskLevel } from '../contract/lookups.ts'
import type { IdentifierSuggestion } from './identifier/identifier-suggestions.ts'
import type { FactorCode } from './risk-factors.ts'

/** Findings that speak of what was typed, not of a device: whatever else was found may be about another one. */
const TYPO_FACTORS: ReadonlySet<FactorCode> = new Set([
  'check_digit_mismatch',
  'impossible_identifier',
  'looks_like_imsi',
  'not_an_identifier',
  'not_an_imei',
  'sample_identifier',
])

const BY_LEVEL: Readonly<Record<RiskLevel, Recommendation>> = {
  low: 'buy',
  medium: 'inspect',
  high: 'reject',
  critical: 'reject',
}

/** What to do next. A probable typing error is looked at again, whatever the score; the rest follows from the level. */
export function recommend(
  factors: readonly { readonly code: FactorCode }[],
  suggestions: readonly IdentifierSuggestion[],
  level: RiskLevel,
): Recommendation {
  const isMistyped = suggestions.length > 0 || factors.some(({ code }) => TYPO_FACTORS.has(code))
  return isMistyped ? 'recheck_identifier' : BY_LEVEL[level]
}

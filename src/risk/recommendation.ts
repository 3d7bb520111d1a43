import type { Recommendation, RiskLevel } from '../contract/lookups.ts'
import type { IdentifierSuggestion } from '../identifier/identifier-suggestions.ts'
import type { FactorCode } from './risk-factors.ts'

/** Findings that suggest a typing error: other findings may then concern another device. */
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

/** A probable typing error needs a recheck, whatever the score; otherwise the risk level decides. */
export function recommend(
  factors: readonly { readonly code: FactorCode }[],
  suggestions: readonly IdentifierSuggestion[],
  level: RiskLevel,
): Recommendation {
  const isMistyped = suggestions.length > 0 || factors.some(({ code }) => TYPO_FACTORS.has(code))
  return isMistyped ? 'recheck_identifier' : BY_LEVEL[level]
}

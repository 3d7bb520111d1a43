import type { Recommendation, RiskLevel } from '../contract/imei.ts'
import type { FactorCode } from './factors.ts'
import type { Suggestion } from './identifier/likely-meant.ts'

/** Findings that speak of what was typed, not of a device: whatever else was found may be about another one. */
const ABOUT_THE_TYPING: ReadonlySet<FactorCode> = new Set([
  'check_digit_mismatch',
  'impossible_identifier',
  'looks_like_imsi',
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
  suggestions: readonly Suggestion[],
  level: RiskLevel,
): Recommendation {
  const isMistyped = suggestions.length > 0 || factors.some(({ code }) => ABOUT_THE_TYPING.has(code))
  return isMistyped ? 'recheck_identifier' : BY_LEVEL[level]
}

import { authorOf } from '../auth/actor.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import { riskLevelOf } from '../contract/lookups.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Identifier } from '../identifier/identifier.ts'
import type { IdentifierSuggestion } from '../identifier/identifier-suggestions.ts'
import { isoInstant } from '../lib/time.ts'
import type { DeviceMatch } from './device-match.ts'
import { recommend } from './recommendation.ts'
import { type RiskFactor, totalScore } from './risk-score.ts'
import type { CombinedFacts } from './source-facts.ts'
import type { TacConfirmation } from './tac-confirmation.ts'

export type RiskAssessment = {
  readonly identifier: Identifier
  readonly suggestions: readonly IdentifierSuggestion[]
  readonly combined: CombinedFacts
  readonly factors: readonly RiskFactor[]
  readonly match: DeviceMatch
  readonly confirmations: readonly TacConfirmation[]
}

/** The response of a lookup, which is also its record. */
export function presentLookup(
  { identifier, suggestions, combined, factors, match }: Omit<RiskAssessment, 'confirmations'>,
  lookup: {
    readonly id: string
    readonly input: string
    readonly secondInput?: string | undefined
    readonly now: number
    readonly author: AuthorWire
  },
): LookupResultWire {
  const score = totalScore(factors)
  const hasFinding = (code: string) => combined.findings.some((finding) => finding.code === code)
  return {
    lookup_id: lookup.id,
    identifier: lookup.input,
    ...(lookup.secondInput !== undefined && { second_identifier: lookup.secondInput }),
    identifier_type: identifier.type,
    timestamp: isoInstant(lookup.now),
    device_match: {
      confidence: match.confidence,
      matched_device_id: match.deviceId,
      matched_device_name: match.deviceName,
      // Neither a TAC nor a serial number identifies the variant.
      matched_variant_id: null,
      matched_variant_name: null,
    },
    blacklist_status: combined.blacklist,
    carrier_lock: combined.carrierLock,
    carrier_name: combined.carrierName,
    risk_score: score,
    risk_level: riskLevelOf(score),
    gsma_status: combined.gsma,
    ctia_status: combined.ctia,
    reported_lost_stolen: hasFinding('reported_lost_stolen') || hasFinding('lost_mode'),
    activation_lock: hasFinding('activation_lock'),
    source: combined.source,
    freshness: combined.freshness,
    cache_age_minutes: combined.ageMinutes,
    risk_factors: factors.map(({ code, points, message, source, observedAt }) => ({
      code,
      points,
      message,
      source,
      observed_at: observedAt === null ? null : isoInstant(observedAt),
    })),
    cleared_by: combined.clearedBy.map(({ source, list, area, entries, updatedAt }) => ({
      source,
      list,
      area,
      entries,
      updated_at: isoInstant(updatedAt),
    })),
    ...(combined.evidence.length > 0 && {
      evidence: combined.evidence.map(({ source, evidenceId, checkedAt }) => ({
        source,
        evidence_id: evidenceId,
        checked_at: isoInstant(checkedAt),
      })),
    }),
    recommendation: recommend(factors, suggestions, riskLevelOf(score)),
    suggested_identifiers: suggestions.map(({ text }) => text),
    created_by: authorOf(lookup.author),
  }
}

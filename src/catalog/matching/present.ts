import { CONDITIONS } from '../../contract/condition-grades.ts'
import type { MatchWire } from '../../contract/match.ts'
import { parseGrade } from '../../pricing/observations/grade-words.ts'
import type { Resolution } from './resolution.ts'

/** The API response of a match. */
export function presentMatch(text: string, resolution: Resolution, limit: number): MatchWire {
  const { device, variant } = resolution
  return {
    text,
    decision: resolution.decision,
    reason: resolution.rejection,
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    variant_id: variant?.id ?? null,
    variant_name: variant?.name ?? null,
    confidence: device ? resolution.confidence : 0,
    attributes: resolution.attributes.map(({ name, value }) => ({ attribute_name: name, attribute_value: value })),
    condition: conditionFor(resolution.conditions),
    unmatched_words: [...resolution.unmatchedWords],
    candidates: resolution.candidates.slice(0, limit).map((candidate) => ({
      device_id: candidate.device.id,
      device_name: candidate.device.name,
      variant_id: candidate.variant?.id ?? null,
      confidence: candidate.confidence,
    })),
  }
}

/** The worst stated grade: "good, but the screen is cracked" is not good. */
function conditionFor(words: readonly string[]): MatchWire['condition'] {
  const grades = new Set(words.map((word) => parseGrade(word)?.grade))
  return CONDITIONS.findLast((condition) => grades.has(condition)) ?? null
}

import { CONDITIONS } from '../contract/grades.ts'
import type { MatchWire } from '../contract/match.ts'
import { readGrade } from '../pricing/market/grade-words.ts'
import type { Resolution } from './resolution.ts'

/** The decision as callers know it. */
export function presentMatch(text: string, found: Resolution, limit: number): MatchWire {
  const { device, variant } = found
  return {
    text,
    decision: found.decision,
    reason: found.refusal,
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    variant_id: variant?.id ?? null,
    variant_name: variant?.name ?? null,
    confidence: device ? found.confidence : 0,
    attributes: found.attributes.map(({ name, value }) => ({ attribute_name: name, attribute_value: value })),
    condition: conditionOf(found.conditions),
    unmatched_words: [...found.unmatchedWords],
    candidates: found.candidates.slice(0, limit).map((candidate) => ({
      device_id: candidate.device.id,
      device_name: candidate.device.name,
      variant_id: candidate.variant?.id ?? null,
      confidence: candidate.confidence,
    })),
  }
}

/** The worst grade that is said: "good, but the screen is cracked" is not good. */
function conditionOf(words: readonly string[]): MatchWire['condition'] {
  const rungs = new Set(words.map((word) => readGrade(word)?.rung))
  return CONDITIONS.findLast((condition) => rungs.has(condition)) ?? null
}

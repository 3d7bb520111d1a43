import type { Condition } from '../../contract/condition-grades.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import type { MatchWire } from '../../contract/match.ts'
import type { Attribute } from '../device.ts'
import { parseGrade } from '../grade-words.ts'
import type { Resolution } from './resolution.ts'
import { splitPieces } from './title-lexicon.ts'

/** A text, what names the device in it, and what it states beside. */
export type MatchedText = {
  readonly resolution: Resolution
  readonly name: string
  readonly condition: Condition | null
  readonly readFields: readonly { readonly words: string; readonly field: string; readonly value: string }[]
  readonly unreadWords: readonly { readonly words: string; readonly withholdsOffer: boolean }[]
}

/** The API response of a match. */
export function presentMatch(text: string, matched: MatchedText, limit: number): MatchWire {
  const { resolution } = matched
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
    attributes: resolution.attributes.map(presentAttribute),
    assumed_attributes: assumedAttributes(text, resolution).map(presentAttribute),
    condition: matched.condition,
    unmatched_words: [...resolution.unmatchedWords],
    name: matched.name,
    read_from_text: [...matched.readFields],
    unread_words: matched.unreadWords.map(({ words, withholdsOffer }) => ({ words, withholds_offer: withholdsOffer })),
    candidates: resolution.candidates.slice(0, limit).map((candidate) => ({
      device_id: candidate.device.id,
      device_name: candidate.device.name,
      variant_id: candidate.variant?.id ?? null,
      confidence: candidate.confidence,
    })),
  }
}

const presentAttribute = ({ name, value }: Attribute) => ({ attribute_name: name, attribute_value: value })

/** What the text does not state about the variant: "PS4 Pro" names no color, and the catalogue lists only one. */
function assumedAttributes(text: string, { variant, hasPartNumber, attributes }: Resolution): readonly Attribute[] {
  if (!variant || hasPartNumber) return []
  const statedNames = new Set(attributes.map(({ name }) => name))
  const words = new Set(splitPieces(text))
  return variant.attributes.filter(
    ({ name, value }) => !statedNames.has(name.toLowerCase()) && !splitPieces(value).every((word) => words.has(word)),
  )
}

/** The worst stated grade: "good, but the screen is cracked" is not good. */
export function conditionFor(words: readonly string[]): MatchWire['condition'] {
  const grades = new Set(words.map((word) => parseGrade(word)?.grade))
  return CONDITIONS.findLast((condition) => grades.has(condition)) ?? null
}

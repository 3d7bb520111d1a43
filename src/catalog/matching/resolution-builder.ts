/** Builds the resolution from the devices that fit a title. */

import type { CodeMatch } from './code-index.ts'
import type { IndexedDevice } from './device-name-index.ts'
import type { MatchRejection } from './rejection.ts'
import type { MatchCandidate, Resolution, TitleListing } from './resolution.ts'
import { describeTitle, statedAttributes } from './stated-attributes.ts'
import type { TitleFacts } from './title-facts.ts'
import { splitPieces, type WordRole } from './title-lexicon.ts'
import type { Token } from './tokens.ts'
import { chooseVariants, normalizeColorWord } from './variant-choice.ts'

const MAX_CANDIDATES = 20

const NO_WORDS: readonly string[] = []

function wordsWithRole({ tokens }: TitleFacts, role: WordRole): readonly string[] {
  const hasRole = ({ word }: Token) => word?.role === role
  return tokens.some(hasRole) ? tokens.filter(hasRole).map(({ text }) => text) : NO_WORDS
}

/** A device whose name is stated: completely (`isNameComplete`), or with too much left out (`isTooVague`). */
export type NameMatch = {
  readonly indexed: IndexedDevice
  readonly isNameComplete: boolean
  readonly isTooVague: boolean
  /** Only the network, 4G or 5G, tells this device from the other matches. */
  readonly isNetworkOpen?: boolean
  readonly isChipExact: boolean
  /** A number of the title was interpreted as the size or generation in the name. */
  readonly usesNumberAsFact: boolean
}

export type MatchOutcome = {
  readonly title: TitleFacts
  readonly listing: TitleListing
  readonly rejection: MatchRejection | null
  readonly matches: readonly NameMatch[]
  readonly confidence: number
  readonly unmatchedWords: readonly string[]
  readonly codeMatches?: readonly CodeMatch[]
}

const NO_CODES: readonly CodeMatch[] = []

export function buildResolution({
  title,
  listing,
  rejection: statedRejection,
  matches,
  confidence,
  unmatchedWords,
  codeMatches = NO_CODES,
}: MatchOutcome): Resolution {
  const best = bestMatches(matches)
  const only = best[0]
  const isOnlyMatch = best.length === 1 && only !== undefined
  // One candidate is a match, or the response says why not.
  const isIncomplete = matches.length === 1 ? only?.isTooVague : matches.length > 0 && best.every(isNetworkOpen)
  const rejection = statedRejection ?? (isIncomplete ? 'incomplete_name' : null)
  const isMatched = rejection === null && isOnlyMatch && !only.isTooVague
  const partNumberMatches =
    codeMatches.length === 0
      ? codeMatches
      : codeMatches.filter((match) => match.variant !== null && match.indexed === only?.indexed)
  const colors = listing.color ? splitPieces(listing.color).map(normalizeColorWord) : []
  const choice = isMatched && only ? chooseVariants(only.indexed.device, statedAttributes(title, colors)) : null
  const partNumberMatch = partNumberMatches[0]
  const hasPartNumber = partNumberMatches.length === 1
  const variants = hasPartNumber && partNumberMatch?.variant ? [partNumberMatch.variant] : (choice?.variants ?? [])
  const variant = variants.length === 1 ? (variants[0] ?? null) : null
  const candidateConfidence =
    statedRejection !== null
      ? 0
      : isMatched
        ? confidence
        : Math.floor(Math.min(60, confidence) / Math.max(1, best.length))
  const candidates: MatchCandidate[] = (isMatched ? best : matches.slice(0, MAX_CANDIDATES)).map(({ indexed }) => ({
    device: indexed.device,
    variant,
    confidence: candidateConfidence,
  }))
  const { attributes, conditions } = describeTitle(title, choice, isMatched && only ? only.indexed.device : null)
  const isAmbiguous = rejection === 'conflicting_identifiers' || (statedRejection === null && matches.length > 0)
  return {
    decision: isMatched ? 'matched' : isAmbiguous ? 'ambiguous' : 'unknown',
    device: isMatched && only ? only.indexed.device : null,
    variant,
    hasPartNumber,
    variants,
    similarVariants: variant ? [] : (choice?.similarVariants ?? []),
    variantNote: variant ? null : (choice?.note ?? null),
    rejection,
    confidence: isMatched ? candidateConfidence : 0,
    attributes,
    conditions,
    defectWords: wordsWithRole(title, 'for_parts'),
    wantedWords: wordsWithRole(title, 'wanted'),
    unmatchedWords,
    candidates,
  }
}

const isNetworkOpen = (match: NameMatch) => match.isNetworkOpen === true

/** If one name is complete and the others only partly stated, the complete one is meant. */
function bestMatches(matches: readonly NameMatch[]): readonly NameMatch[] {
  if (matches.length < 2) return matches
  const requiringNetwork = matches.filter((match) => typeof match.indexed.requiredNetwork === 'number')
  const byNetwork = requiringNetwork.length > 0 && requiringNetwork.length < matches.length ? requiringNetwork : matches
  // "Tab A8" is a complete name; a "Tab A" with 8 inches does not make it ambiguous.
  const plain = byNetwork.filter((match) => !match.usesNumberAsFact && match.isNameComplete)
  const byNumbers = plain.length > 0 && byNetwork.some((match) => match.usesNumberAsFact) ? plain : byNetwork
  const withExactChip = byNumbers.filter((match) => match.isChipExact)
  const byChip = withExactChip.length > 0 ? withExactChip : byNumbers
  const complete = byChip.filter((match) => match.isNameComplete)
  return complete.length === 1 && byChip.every((match) => !match.isTooVague) ? complete : byChip
}

/** Matches a title by a model number, identifier or part number in it. */

import type { CodeMatch } from './code-index.ts'
import { joinPieces } from './device-name.ts'
import type { IndexedDevice } from './device-name-index.ts'
import { checkFacts } from './fact-agreement.ts'
import type { NameLookup } from './name-lookup.ts'
import type { NameParts } from './name-parts.ts'
import type { MatchRejection } from './rejection.ts'
import type { NameMatch } from './resolution-builder.ts'
import type { TitleFacts } from './title-facts.ts'
import { splitPieces } from './title-lexicon.ts'

const CONFIDENCE_NAME_AND_CODE = 99
const CONFIDENCE_CODE_ALONE = 95

export type CodeDecision = {
  readonly rejection: MatchRejection | null
  readonly matches: readonly NameMatch[]
  readonly confidence: number
}

/** The code decides, even if it is more specific than the name ("iPhone 8 A1864" is an 8 Plus), unless they contradict. */
export function decideByCode(
  codeMatches: readonly CodeMatch[],
  lookup: NameLookup,
  nameParts: NameParts,
  title: TitleFacts,
): CodeDecision {
  const devices = new Set(codeMatches.map((match) => match.indexed))
  const confirmedMatches = lookup.matches.filter((match) => devices.has(match.indexed))
  if (confirmedMatches.length > 0) {
    return {
      rejection: null,
      // A code of one device states what the name leaves out.
      matches:
        devices.size === 1 ? confirmedMatches.map((match) => ({ ...match, isTooVague: false })) : confirmedMatches,
      confidence: CONFIDENCE_NAME_AND_CODE,
    }
  }
  const codeOnlyMatches: NameMatch[] = []
  for (const indexed of devices) {
    const agreement = checkFacts(title, indexed.facts)
    if (agreement)
      codeOnlyMatches.push({
        indexed,
        isNameComplete: true,
        isTooVague: false,
        isChipExact: agreement.isChipExact,
        usesNumberAsFact: false,
      })
  }
  if (codeOnlyMatches.length > 0 && isConsistentWithName([...devices], lookup, nameParts)) {
    return { rejection: null, matches: codeOnlyMatches, confidence: CONFIDENCE_CODE_ALONE }
  }
  return { rejection: 'conflicting_identifiers', matches: [...lookup.matches, ...codeOnlyMatches], confidence: 0 }
}

/** Whether the name in the title, if any, is part of the name of a device with the code. */
function isConsistentWithName(devices: readonly IndexedDevice[], lookup: NameLookup, nameParts: NameParts): boolean {
  const statedName = joinPieces(nameParts.parts.filter((part) => !part.isOptional))
  if (statedName === '') return true
  const numbers = nameParts.parts.filter((part) => part.isNumber).map((claim) => claim.text)
  const names = devices.map(({ device }) => splitPieces(device.name).join(''))
  const isInName = names.some((name) => name.includes(statedName) || numbers.every((number) => name.includes(number)))
  return isInName && (lookup.matches.length === 0 || names.some((name) => name.startsWith(lookup.key)))
}

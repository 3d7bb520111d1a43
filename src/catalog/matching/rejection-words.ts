/** Words that tell what a title sells beside their role, as sets of folded texts and as patterns of their beginnings. */
import { BUNDLED_ALIASES } from './aliases.ts'
import { splitPieces } from './title-lexicon.ts'

const { hints } = BUNDLED_ALIASES.words

const fold = (text: string) => splitPieces(text).join(' ')
const setOf = (texts: readonly string[]): ReadonlySet<string> => new Set(texts.map(fold))
const beginsWithOneOf = (texts: readonly string[]) => {
  const beginnings = texts.map(fold)
  return (text: string) => beginnings.some((beginning) => text.startsWith(beginning))
}

/** "iPhone 13 or 14". */
export const ALTERNATIVE_WORDS = setOf(hints.alternative)
/** "nur Ladecase". */
export const ONLY_WORDS = setOf(hints.only)
/** "case included", "gratis maska". */
export const INCLUDED_WORDS = setOf(hints.included)
export const EXTRA_ADJECTIVES = setOf(hints.extraAdjective)
export const NUMBER_WORDS = setOf(hints.number)
export const SOUND_WORDS = setOf(hints.sound)
/** "Display original": sellers of spare parts write this more often than sellers of devices. */
export const isOriginalWord = beginsWithOneOf(hints.originalBeginnings)
/** "working screen", unlike "cheap screen" and "screen free shipping". */
export const isStateWord = beginsWithOneOf(hints.stateBeginnings)
/** "MacBook Air M1 SSD". */
export const isDriveWord = beginsWithOneOf(hints.driveBeginnings)
/** "Nikon Z6 II Gehäuse": the camera without a lens. */
export const isCameraBodyWord = beginsWithOneOf(hints.cameraBodyBeginnings)
/** "Nintendo Switch microSD 256GB". */
export const isMemoryCardWord = beginsWithOneOf(hints.memoryCardBeginnings)

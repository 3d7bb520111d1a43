/** The alias files: words for makes, lines, colors and everything else in a title. */
import cards from '../../../data/aliases/cards.json' with { type: 'json' }
import devices from '../../../data/aliases/devices.json' with { type: 'json' }
import makes from '../../../data/aliases/makes.json' with { type: 'json' }
import models from '../../../data/aliases/models.json' with { type: 'json' }
import rewrites from '../../../data/aliases/rewrites.json' with { type: 'json' }
import words from '../../../data/aliases/words.json' with { type: 'json' }
import type { WordRole } from './title-lexicon.ts'

/** Lists of words with a property beside their role. */
type WordFlag = 'soft' | 'version' | 'gift' | 'article' | 'negation' | 'negationAfter' | 'exchange'

export type Aliases = {
  readonly makes: {
    /** Spellings by make, including makes that the catalogue does not have, so that their names are recognised. */
    readonly spellings: Readonly<Record<string, readonly string[]>>
    /** Makes whose name is an ordinary word as well. */
    readonly ordinaryWords: readonly string[]
    /** Brands sold by another make: a title may name both. */
    readonly owners: Readonly<Record<string, readonly string[]>>
  }
  readonly models: {
    /** Line words that say their make. */
    readonly lines: Readonly<Record<string, readonly string[]>>
    /** Line words that a title may leave out where the make is known. */
    readonly optionalLines: Readonly<Record<string, readonly string[]>>
    /** Other words of a name that may be left out where it has a number: the Z of "Galaxy Z Fold5". */
    readonly optionalPieces: Readonly<Record<string, readonly string[]>>
    /** The letter by which people count generations: the G of "X1 Carbon G10". */
    readonly generationLetter: Readonly<Record<string, string>>
    /** Beginnings of names that are understood without make and line. */
    readonly bare: Readonly<Record<string, readonly string[]>>
    /** Words that tell models apart at any make. */
    readonly modelWords: readonly string[]
    /** Ordinary words that do so where they stand beside the name. */
    readonly adjacentWords: readonly string[]
    /** Model words that also describe the noun after them, by the nouns and roles they describe. */
    readonly modifiers: Readonly<
      Record<
        string,
        { readonly nouns: readonly string[]; readonly roles: readonly string[]; readonly isDoubtfulNextToName: boolean }
      >
    >
    /** Words that tell models of one line apart. */
    readonly lineWords: Readonly<Record<string, readonly string[]>>
    /** Names (as keys) of models that exist with 5G and without, as two devices. */
    readonly networkTwins: Readonly<Record<string, readonly string[]>>
    /** Lines in which "5G" tells no models apart, but for the twins. */
    readonly networkIsNoise: Readonly<Record<string, readonly string[]>>
    /** Lines of tablets in which those with a network are devices of their own. */
    readonly cellularIsTwin: Readonly<Record<string, readonly string[]>>
    /** Models named with 5G that exist with 5G only: the mark may be left out. */
    readonly alwaysFiveG: Readonly<Record<string, readonly string[]>>
  }
  readonly rewrites: {
    readonly always: Readonly<Record<string, string>>
    readonly beforeNumber: Readonly<Record<string, string>>
  }
  /** Words and phrases by role; where the role has values, by value. */
  readonly words: {
    readonly plain: Readonly<Partial<Record<WordRole | WordFlag, readonly string[]>>>
    /** Beginnings of words that are bent or put together in many ways: "Bastlerware", "punjačem". */
    readonly beginnings: Readonly<Partial<Record<WordRole, readonly string[]>>>
    readonly colors: Readonly<Record<string, readonly string[]>>
    readonly carriers: Readonly<Record<string, readonly string[]>>
    readonly locks: Readonly<Record<string, readonly string[]>>
    readonly units: Readonly<Record<string, readonly string[]>>
    readonly categories: Readonly<Record<string, readonly string[]>>
    readonly connectivity: Readonly<Record<string, readonly string[]>>
    readonly partsOfYear: Readonly<Record<string, readonly string[]>>
    readonly conditions: Readonly<Record<string, readonly string[]>>
  }
  /** Graphics cards: makes that put their name on them, and their words, which tell no models apart. */
  readonly cards: { readonly makers: readonly string[]; readonly words: readonly string[] }
  /** Further names and facts of single devices, by id. */
  readonly devices: Readonly<
    Record<
      string,
      { readonly names?: readonly string[]; readonly generation?: number; readonly chips?: readonly string[] }
    >
  >
}

export const BUNDLED_ALIASES: Aliases = { makes, models, rewrites, words, devices, cards } as Aliases

/** The alias files: words for makes, lines, colors and everything else in a title. */
import cards from '../../../data/aliases/cards.json' with { type: 'json' }
import devices from '../../../data/aliases/devices.json' with { type: 'json' }
import makes from '../../../data/aliases/makes.json' with { type: 'json' }
import models from '../../../data/aliases/models.json' with { type: 'json' }
import rewrites from '../../../data/aliases/rewrites.json' with { type: 'json' }
import transliterations from '../../../data/aliases/transliterations.json' with { type: 'json' }
import words from '../../../data/aliases/words.json' with { type: 'json' }
import type { WordRole } from './title-lexicon.ts'

/** Word lists that set a flag in addition to the role. */
type WordFlag =
  | 'soft'
  | 'version'
  | 'gift'
  | 'article'
  | 'negation'
  | 'negationAfter'
  | 'exchange'
  | 'exchangeVerb'
  | 'exchangeFor'

export type Aliases = {
  readonly makes: {
    /** Spellings by make, including makes that the catalogue does not have, so that their names are recognised. */
    readonly spellings: Readonly<Record<string, readonly string[]>>
    /** Makes whose name is also an ordinary word. */
    readonly ordinaryWords: readonly string[]
    /** Of these, makes that titles of other makes name as well: of the processor, the network or the shop. */
    readonly componentsAndShops: readonly string[]
    /** Makes of cameras that are sold with lenses. */
    readonly withLenses: readonly string[]
    /** Brands sold by another make: a title may name both. */
    readonly owners: Readonly<Record<string, readonly string[]>>
  }
  readonly models: {
    /** Line words that imply their make. */
    readonly lines: Readonly<Record<string, readonly string[]>>
    /** Line words that a title may omit if the make is known. */
    readonly optionalLines: Readonly<Record<string, readonly string[]>>
    /** Other words that may be omitted from a name with a number: the Z of "Galaxy Z Fold5". */
    readonly optionalPieces: Readonly<Record<string, readonly string[]>>
    /** Letter that precedes a generation number: the G of "X1 Carbon G10". */
    readonly generationLetter: Readonly<Record<string, string>>
    /** Beginnings of names that are unambiguous without make and line. */
    readonly bare: Readonly<Record<string, readonly string[]>>
    /** Words that distinguish models of any make. */
    readonly modelWords: readonly string[]
    /** Ordinary words that distinguish models when they are next to the name. */
    readonly adjacentWords: readonly string[]
    /** Model words that also describe the noun after them, by the nouns and roles they describe. */
    readonly modifiers: Readonly<
      Record<
        string,
        {
          readonly nouns: readonly string[]
          readonly roles: readonly string[]
          readonly isDoubtfulNextToName: boolean
          readonly describesLocks?: boolean
        }
      >
    >
    /** Words that distinguish models within one line. */
    readonly lineWords: Readonly<Record<string, readonly string[]>>
    /** Name keys of models whose 5G and non-5G versions are two devices. */
    readonly networkTwins: Readonly<Record<string, readonly string[]>>
    /** Lines in which "5G" does not distinguish models, except for those in `networkTwins`. */
    readonly networkIsNoise: Readonly<Record<string, readonly string[]>>
    /** Tablet lines in which the cellular versions are separate devices. */
    readonly cellularIsTwin: Readonly<Record<string, readonly string[]>>
    /** Models with "5G" in the name that only exist with 5G: titles may omit it. */
    readonly alwaysFiveG: Readonly<Record<string, readonly string[]>>
  }
  readonly rewrites: {
    readonly always: Readonly<Record<string, string>>
    readonly beforeNumber: Readonly<Record<string, string>>
    /** Abbreviations that count only after a number of certain lines: "iPhone 15 PM", "S24U". */
    readonly afterNumber: Readonly<Record<string, { readonly after: readonly string[]; readonly means: string }>>
    /** Letters of other scripts that stand for a Latin letter of a model: "С23", "12с". */
    readonly joinedToNumber: Readonly<Record<string, string>>
  }
  /** Other scripts. */
  readonly transliterations: {
    /** Spellings of the names of makes, lines and models. */
    readonly names: Readonly<Record<string, readonly string[]>>
    /** Names of letters, which count beside a number only: "اس ۲۱". */
    readonly letters: Readonly<Record<string, readonly string[]>>
  }
  /** Words and phrases by role; where the role has values, by value. */
  readonly words: {
    readonly plain: Readonly<Partial<Record<WordRole | WordFlag, readonly string[]>>>
    /** Stems of words with many inflections or compounds: "Bastlerware", "punjačem". */
    readonly beginnings: Readonly<Partial<Record<WordRole, readonly string[]>>>
    /** Last words of compounds: "Lederarmband", "telefoonhoesje". */
    readonly endings: Readonly<Partial<Record<WordRole, readonly string[]>>>
    /** What is written together with the name of a device or a make. */
    readonly affixes: {
      /** Case endings in Latin letters: "iPhonea", "Samsungom". */
      readonly endings: readonly string[]
      /** Names after which a single letter is an ending, not the beginning of a model. */
      readonly wordsWithShortEndings: readonly string[]
      /** Articles and prepositions of Hebrew and Arabic. */
      readonly prefixes: readonly string[]
      /** Case endings in other scripts. */
      readonly suffixes: readonly string[]
      /** Korean. */
      readonly particles: readonly string[]
    }
    /** Words whose place beside another word tells what is sold. */
    readonly hints: Readonly<
      Record<
        | ('alternative' | 'only' | 'included' | 'extraAdjective' | 'number' | 'sound')
        | (
            | 'originalBeginnings'
            | 'stateBeginnings'
            | 'driveBeginnings'
            | 'cameraBodyBeginnings'
            | 'memoryCardBeginnings'
          ),
        readonly string[]
      >
    >
    /** What may precede a color in one word: "mattschwarz". */
    readonly shades: readonly string[]
    readonly colors: Readonly<Record<string, readonly string[]>>
    readonly carriers: Readonly<Record<string, readonly string[]>>
    /** Left or right, of an earbud. */
    readonly sides: Readonly<Record<string, readonly string[]>>
    readonly locks: Readonly<Record<string, readonly string[]>>
    readonly units: Readonly<Record<string, readonly string[]>>
    readonly categories: Readonly<Record<string, readonly string[]>>
    readonly connectivity: Readonly<Record<string, readonly string[]>>
    readonly partsOfYear: Readonly<Record<string, readonly string[]>>
    readonly conditions: Readonly<Record<string, readonly string[]>>
  }
  /** Graphics cards: board makers and their marketing words, which do not distinguish models. */
  readonly cards: { readonly makers: readonly string[]; readonly words: readonly string[] }
  /** Further names and facts of single devices, by id. */
  readonly devices: Readonly<
    Record<
      string,
      { readonly names?: readonly string[]; readonly generation?: number; readonly chips?: readonly string[] }
    >
  >
}

export const BUNDLED_ALIASES: Aliases = { makes, models, rewrites, transliterations, words, devices, cards } as Aliases

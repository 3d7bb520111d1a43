import { foldText } from '../../catalog/search/search-term.ts'
import { memoize } from '../../lib/memoize.ts'
import type { MarketGrade } from '../model/grade.ts'
import { GRADE_WORD_TRANSLATIONS } from './grade-word-translations.ts'

/**
 * The grade words of other markets, each with the rung it is read as. A new word is one line here. A word that says no more than
 * "used" is no grade: such a price informs the level of the device and none of the steps between grades.
 */
const ENGLISH_GRADE_WORDS: Readonly<Record<string, MarketGrade>> = {
  new: 'New',
  'brand new': 'New',
  sealed: 'New',
  'factory sealed': 'New',
  'new sealed': 'New',
  'new in box': 'New',
  'new resale': 'New',
  'new open box': 'New',
  'new other': 'New',

  excellent: 'Excellent',
  'excellent refurbished': 'Excellent',
  'excellent condition': 'Excellent',
  mint: 'Excellent',
  'near mint': 'Excellent',
  flawless: 'Excellent',
  pristine: 'Excellent',
  perfect: 'Excellent',
  'like new': 'Excellent',
  'as new': 'Excellent',
  'open box': 'Excellent',
  open: 'Excellent',
  premium: 'Excellent',
  certified: 'Excellent',
  'certified refurbished': 'Excellent',
  'certified pre owned': 'Excellent',
  'manufacturer refurbished': 'Excellent',
  'mfr refurb': 'Excellent',
  'a+': 'Excellent',
  aa: 'Excellent',
  a: 'Excellent',

  good: 'Good',
  'good refurbished': 'Good',
  'good condition': 'Good',
  'very good': 'Good',
  'very good refurbished': 'Good',
  'very good condition': 'Good',
  'used good': 'Good',
  refurbished: 'Good',
  refurb: 'Good',
  renewed: 'Good',
  'seller refurbished': 'Good',
  'seller refurb': 'Good',
  'a-': 'Good',
  ab: 'Good',
  'a/b': 'Good',
  'b+': 'Good',
  b: 'Good',

  fair: 'Fair',
  'fair condition': 'Fair',
  'fair refurbished': 'Fair',
  acceptable: 'Fair',
  ok: 'Fair',
  okay: 'Fair',
  average: 'Fair',
  worn: 'Fair',
  'well used': 'Fair',
  'heavily used': 'Fair',
  scratched: 'Fair',
  'b-': 'Fair',
  'c+': 'Fair',
  'b/c': 'Fair',
  c: 'Fair',

  poor: 'Poor',
  bad: 'Poor',
  cracked: 'Poor',
  'cracked screen': 'Poor',
  'cracked glass': 'Poor',
  'cracked back': 'Poor',
  'heavy wear': 'Poor',
  'weak battery': 'Poor',
  'c-': 'Poor',
  d: 'Poor',
  'd+': 'Poor',
  e: 'Poor',

  used: 'Ungraded',
  'used condition': 'Ungraded',
  'second hand': 'Ungraded',
  'pre owned': 'Ungraded',
  preowned: 'Ungraded',
  working: 'Ungraded',
  'fully working': 'Ungraded',
}

/**
 * What powers on and can be identified is graded; this may do neither, or cannot be used by whoever buys it. Its price is one of
 * parts and says nothing of any grade.
 */
const UNGRADABLE_WORDS = new Set([
  'not working',
  'non working',
  'non functional',
  'dead',
  'no power',
  'broken',
  'damaged',
  'damaged board',
  'faulty',
  'defective',
  'for parts',
  'for spares',
  'spares or repair',
  'for parts or repair',
  'parts only',
  'parts',
  'for parts or not working',
  'for parts not working',
  'salvage',
  'water damage',
  'water damaged',
  'locked',
  'icloud locked',
  'account locked',
  'activation locked',
  'blacklisted',
])

export type ParsedGrade = {
  readonly grade: MarketGrade
  /** The seller's own word, kept so that "very good" and "good" need not sell at the same price. */
  readonly label: string
}

/** Reads a grade word of any known market; undefined when it says nothing we can place. Lists repeat few words many times. */
export const parseGrade = memoize(1_000, parseGradeUncached)

/** Whether the word says that the thing is in no grade at all: not working, for parts, locked to its owner. */
export function isUngradable(text: string): boolean {
  const word = normalizeWord(text)
  return UNGRADABLE_WORDS.has(word) || TRANSLATED_WORDS.get(word) === 'apart'
}

/** What each word of another language is read as. English words and letters come first: "a" is a grade everywhere. */
const TRANSLATED_WORDS: ReadonlyMap<string, MarketGrade | 'apart'> = new Map(
  Object.values(GRADE_WORD_TRANSLATIONS).flatMap((language) =>
    Object.entries(language).flatMap(([rung, words]) =>
      words.map((word) => [normalizeWord(word), rung as MarketGrade] as const),
    ),
  ),
)

function parseGradeUncached(text: string): ParsedGrade | undefined {
  const label = normalizeWord(text)
  const known = Object.hasOwn(ENGLISH_GRADE_WORDS, label) ? ENGLISH_GRADE_WORDS[label] : TRANSLATED_WORDS.get(label)
  return known === undefined || known === 'apart' || UNGRADABLE_WORDS.has(label) ? undefined : { grade: known, label }
}

function normalizeWord(text: string): string {
  return foldText(text)
    .replace(/['’]/g, '')
    .replace(/[()_,–—]/g, ' ')
    .replace(/\s-\s|(?<=\w)-(?=\w)/g, ' ')
    .replace(/^\s*(grade|condition|cosmetic)\b/, ' ')
    .replace(/\b(grade)\s*$/, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

import gradeWords from '../../data/aliases/grade-words.json' with { type: 'json' }
import lexicon from '../../data/text/lexicon.json' with { type: 'json' }
import { foldText } from '../lib/fold-text.ts'
import { memoize } from '../lib/memoize.ts'
import { type ConditionClass, isDefectGrade, type MarketGrade } from './grade.ts'

/**
 * Condition words by language, as sellers, shops and marketplaces write them. The scales of eBay, Amazon, Back Market, Vinted,
 * CeX, Swappa, njuskalo, skelbiu, DBA, bunjang, joongna and chotot are among them. Words are compared without case and accents.
 * A word that says no more than "used" is Ungraded: such a price informs the level of the device, not the steps between grades.
 */
export const GRADE_WORDS: Readonly<Record<string, Readonly<Partial<Record<ConditionClass, readonly string[]>>>>> = {
  ...gradeWords,
  // The reader of texts finds them behind names of devices, too.
  'All languages': { broken: lexicon.notWorking },
}

export type ParsedCondition<Class extends ConditionClass = ConditionClass> = {
  readonly grade: Class
  /** The seller's own word, kept so that "very good" and "good" need not sell at the same price. */
  readonly label: string
}

/** English comes first in the table and wins: "a" is a grade everywhere. */
const CLASS_BY_WORD: ReadonlyMap<string, ConditionClass> = new Map(
  Object.values(GRADE_WORDS)
    .flatMap((language) =>
      Object.entries(language).flatMap(([grade, words]) =>
        words.map((word) => [normalizeWord(word), grade as ConditionClass] as const),
      ),
    )
    .reverse(),
)

/** Reads a condition word of any known language; undefined when it is unknown. Lists repeat few words many times. */
export const parseCondition = memoize(1_000, (text: string): ParsedCondition | undefined => {
  const label = normalizeWord(text)
  const grade = CLASS_BY_WORD.get(label) ?? CLASS_BY_WORD.get(withoutPrefix(label))
  return grade && { grade, label }
})

/** Like `parseCondition`, for working devices only: undefined for defective and locked ones. */
export function parseGrade(text: string): ParsedCondition<MarketGrade> | undefined {
  const parsed = parseCondition(text)
  if (!parsed || parsed.grade === 'locked' || isDefectGrade(parsed.grade)) return undefined
  return parsed as ParsedCondition<MarketGrade>
}

/** "Used: Very Good" of Amazon and "Refurbished - Good" of Back Market: the word behind the colon or dash is the grade. */
const PREFIX =
  /^(used|pre owned|refurbished|refurb|renewed|gebraucht|generaluberholt|occasion|reconditionne|usado|reacondicionado|recondicionado|usato|ricondizionato|odnowiony|uzywany) /
const withoutPrefix = (label: string) => label.replace(PREFIX, '')

function normalizeWord(text: string): string {
  return (
    // "UsedLikeNew" of Amazon's files.
    foldText(text.replace(/(?<=[a-z]{2})(?=[A-Z])/g, ' '))
      .replace(/['’]/g, '')
      .replace(/[()_,:–—]/g, ' ')
      .replace(/\s-\s|(?<=\w)-(?=\w)/g, ' ')
      .replace(/^\s*(grade|condition|cosmetic|class|klasse|klasa|kategorie|kategoria|zustand)\b/, ' ')
      .replace(/\b(grade|class|klasse|klasa)\s*$/, ' ')
      // "Stan A", "État B"; "état neuf" is a word of its own.
      .replace(
        /^\s*(?:stan|stav|etat|estado|stato|staat|conditie|conditia|stare|tilstand|stand|skick|kunto|allapot|durum|kalite|quality)\s+(?=[a-d][+-]?\s*$)/,
        '',
      )
      .replace(/\s+/g, ' ')
      .trim()
      // "B-C" and "B & C" are a mix of two grades.
      .replace(/^([a-d]) ?[ /&|] ?([a-d])$/, '$1/$2')
  )
}

import words from '../../data/aliases/sheet-words.json'
import { foldText } from '../lib/fold-text.ts'

/** Words of downloaded files in every language; `scripts/generate-sheet-words.ts` writes them from the texts. */
type Words = Readonly<Record<string, readonly string[]>>

const keyOf = (text: string) =>
  foldText(text)
    .replace(/[\s_()-]+/g, ' ')
    .trim()

function codesByWord(table: Words): (cell: string) => string | undefined {
  const codes = new Map(Object.entries(table).flatMap(([code, texts]) => texts.map((text) => [keyOf(text), code])))
  return (cell) => codes.get(keyOf(cell))
}

const englishTitle = codesByWord(words.columns)
export const outcomeOfWord = codesByWord(words.status)
export const declinedByOfWord = codesByWord(words.declined_by)
export const defectOfWord = codesByWord(words.defects)
export const gradeOfWord = codesByWord(words.grades)
const assumedGrades = new Set(words.assumed_grades.map(keyOf))
/** Whether the file marks this grade as assumed. */
export const isAssumedGrade = (cell: string) => assumedGrades.has(keyOf(cell))

/** The header of a file downloaded in any language with English titles; other titles stay. */
export const withEnglishTitles = (titles: readonly string[]): readonly string[] =>
  titles.map((title) => englishTitle(title) ?? title)

import words from '../../../data/aliases/sheet-words.json'
import { columnKey } from './header.ts'

/** Words of downloaded files in every language; `scripts/generate-sheet-words.ts` writes them from the texts. */
type Words = Readonly<Record<string, readonly string[]>>

function codesByWord(table: Words): (cell: string) => string | undefined {
  const codes = new Map(Object.entries(table).flatMap(([code, texts]) => texts.map((text) => [columnKey(text), code])))
  return (cell) => codes.get(columnKey(cell))
}

const englishTitle = codesByWord(words.columns)
export const outcomeOfWord = codesByWord(words.status)
export const declinedByOfWord = codesByWord(words.declined_by)
export const defectOfWord = codesByWord(words.defects)
export const gradeOfWord = codesByWord(words.grades)
const assumedGrades = new Set(words.assumed_grades.map(columnKey))
/** Whether the file says that nobody stated this grade. */
export const isAssumedGrade = (cell: string) => assumedGrades.has(columnKey(cell))

/** The header of a file downloaded in any language with English titles; other titles stay. */
export const withEnglishTitles = (titles: readonly string[]): readonly string[] =>
  titles.map((title) => englishTitle(title) ?? title)

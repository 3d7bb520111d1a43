/** Titles of columns that are not in the list of words but are made of them: `Sale date`, `Aktionspreis`, `買取価格`, `Storrage`. */
import { editDistance } from '../lib/edit-distance.ts'
import { columnKey } from './column-key.ts'
import { COLUMN_KEYS, type NamedColumn } from './column-words.ts'

/** Shorter words are parts of unrelated ones. */
const MIN_WORD = 4
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}$/u
const isHead = (word: string) => word.length >= MIN_WORD || EAST_ASIAN.test(word)

/** Letters that may differ in a word of this length. */
const allowedMisspellings = (length: number) => (length >= 8 ? 2 : length >= 5 ? 1 : 0)

/** Whether a word of the title is one of the column, ends with one, or the title is a misspelt one. */
export function resemblesColumn(title: string, column: NamedColumn): boolean {
  const key = columnKey(title)
  const words = COLUMN_KEYS[column]
  const heads = words.filter((word) => !word.includes(' ') && isHead(word))
  const limit = allowedMisspellings(key.length)
  return (
    key.split(' ').some((part) => heads.some((head) => part.endsWith(head))) ||
    (limit > 0 && words.some((word) => word.length >= 5 && editDistance(key, word, limit) <= limit))
  )
}

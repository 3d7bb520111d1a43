/** The grade at the end of a title: "iPhone 13 128GB (B)", "iPhone 14 Grade A", "Galaxy S22 128GB A/B". */
import { parseCondition } from '../catalog/grade-words.ts'
import { columnKey } from './column-key.ts'
import { COLUMN_KEYS } from './column-words.ts'

const LETTERS = '[a-d][+-]?(?: ?/ ?[a-d][+-]?)?'
const IN_BRACKETS = new RegExp(`\\s*[([]\\s*(?:(\\p{L}+) )?(${LETTERS})\\s*[)\\]]$`, 'iu')
const BEHIND_WORD = new RegExp(`[\\s,;–-]+(\\p{L}+) (${LETTERS})$`, 'iu')
/** Behind a size a single letter is a grade; "Pixel 7 A" is a model. */
const BEHIND_SIZE = new RegExp(`(?<=\\d ?(?:gb|go|tb|to)(?: \\p{L}{3,})?)[\\s,;–-]+(${LETTERS})$`, 'iu')

/** "… (Unlocked) - Very Good" */
const BEHIND_DASH = /\s+[-–|]\s+([\p{L} ]{3,30})$/u

const isGradeWord = (word: string | undefined) => word === undefined || COLUMN_KEYS.condition.includes(columnKey(word))

/** Null if the title ends with none. */
export function splitTitleGrade(title: string): { readonly title: string; readonly grade: string } | null {
  const text = title.trim()
  const bracket = IN_BRACKETS.exec(text) ?? BEHIND_WORD.exec(text)
  if (bracket && isGradeWord(bracket[1])) return { title: text.slice(0, bracket.index).trim(), grade: bracket[2] ?? '' }
  const size = BEHIND_SIZE.exec(text)
  if (size) return { title: text.slice(0, size.index).trim(), grade: size[1] ?? '' }
  const words = BEHIND_DASH.exec(text)
  return words?.[1] && parseCondition(words[1]) ? { title: text.slice(0, words.index), grade: words[1] } : null
}

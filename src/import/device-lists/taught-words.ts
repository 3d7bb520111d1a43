/** Words of device lists that an organization taught: "Kratzer" means Fair. */
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import type { DefectCode } from '../../contract/defect-catalogue.ts'
import type { ListColumn } from '../../contract/device-list-columns.ts'
import { foldText } from '../../lib/fold-text.ts'

/** Without a grade and a defect the word means nothing and is left out. */
export type TaughtWord = {
  readonly word: string
  readonly condition: Condition | null
  readonly defect: DefectCode | null
}
export type TaughtWords = ReadonlyMap<string, TaughtWord>

export const NO_TAUGHT_WORDS: TaughtWords = new Map()

export const taughtWordKey = (word: string) => foldText(word).replace(/\s+/g, ' ').trim()

export const toTaughtWords = (words: readonly TaughtWord[]): TaughtWords =>
  new Map(words.map((word) => [taughtWordKey(word.word), word]))

type ReadCell = (column: ListColumn) => string
type TaughtCells = {
  /** The cells without the taught words. */
  readonly cellOf: ReadCell
  /** The worst grade that a word means. */
  readonly condition: Condition | null
  readonly defects: readonly DefectCode[]
}

const SPLIT_COLUMNS: readonly ListColumn[] = ['condition', 'defects', 'notes', 'lock']
const SEPARATOR = /([;,|/+()\n]|\s[-–—]\s|\.\s)/

/** Takes the taught words out of the cells of a row. */
export function readTaughtWords(cellOf: ReadCell, words: TaughtWords): TaughtCells {
  if (words.size === 0) return { cellOf, condition: null, defects: [] }
  const found: TaughtWord[] = []
  const cells = new Map<ListColumn, string>()
  for (const column of SPLIT_COLUMNS) cells.set(column, withoutTaughtParts(cellOf(column), words, found))
  cells.set('text', withoutTaughtPhrases(cellOf('text'), words, found))
  return {
    cellOf: (column) => cells.get(column) ?? cellOf(column),
    condition: CONDITIONS.findLast((grade) => found.some(({ condition }) => condition === grade)) ?? null,
    defects: [...new Set(found.flatMap(({ defect }) => defect ?? []))],
  }
}

/** Leaves out the parts between separators that are taught words, or the whole cell. */
function withoutTaughtParts(cell: string, words: TaughtWords, found: TaughtWord[]): string {
  const whole = words.get(taughtWordKey(cell))
  if (whole) {
    found.push(whole)
    return ''
  }
  const parts = cell.split(SEPARATOR)
  const kept = parts.filter((part, at) => {
    const word = at % 2 === 0 ? words.get(taughtWordKey(part)) : undefined
    if (word) found.push(word)
    return word === undefined
  })
  return kept.length === parts.length ? cell : kept.join('').replace(/^[\s;,|/+]+|[\s;,|/+]+$/g, '')
}

/** In a title a taught word may stand between others: "iPhone 13 128GB Kratzer". */
function withoutTaughtPhrases(title: string, words: TaughtWords, found: TaughtWord[]): string {
  const tokens = title.split(/(\s+)/)
  for (const [key, word] of words) {
    const length = key.split(' ').length * 2 - 1
    const at = tokens.findIndex(
      (_, start) =>
        start % 2 === 0 && taughtWordKey(stripPunctuation(tokens.slice(start, start + length).join(''))) === key,
    )
    if (at < 0) continue
    found.push(word)
    tokens.splice(at, length + 1)
  }
  return tokens.join('').trim()
}

const stripPunctuation = (text: string) => text.replace(/^[([,;]+|[)\],;.]+$/g, '')

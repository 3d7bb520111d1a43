/** Words that an organization taught in a device list: "Kratzer" means Fair. */
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { ListColumn } from '../contract/device-list-columns.ts'
import { foldText } from '../lib/fold-text.ts'
import type { TimeSliced } from '../lib/time-sliced.ts'
import { readTextInSlices } from '../text/reader.ts'
import { NO_TAUGHT_PHRASES, type TaughtPhrases, taughtKey } from '../text/taught.ts'

/** Without a grade and a defect the word means nothing and is left out. */
export type TaughtWord = {
  readonly word: string
  readonly condition: Condition | null
  readonly defect: DefectCode | null
}
/** The words as whole cells or parts of them, and as phrases of a text. */
export type TaughtWords = { readonly byCell: ReadonlyMap<string, TaughtWord>; readonly phrases: TaughtPhrases }

export const NO_TAUGHT_WORDS: TaughtWords = { byCell: new Map(), phrases: NO_TAUGHT_PHRASES }

export const taughtWordKey = (word: string) => foldText(word).replace(/\s+/g, ' ').trim()

const toTaughtPhrases = (words: readonly TaughtWord[]): TaughtPhrases =>
  new Map(words.map(({ word, condition, defect }) => [taughtKey(word), { condition, defect }]))

export const toTaughtWords = (words: readonly TaughtWord[]): TaughtWords => ({
  byCell: new Map(words.map((word) => [taughtWordKey(word.word), word])),
  phrases: toTaughtPhrases(words),
})

/** Codes of a grade column, such as "B" or "2", occur in the names of devices too: "Moto G", "Galaxy Tab A". */
const isReadInTexts = ({ word }: TaughtWord) => /\p{L}{3}|[^\p{ASCII}]{2}/u.test(word)

export const toPhrasesOfTexts = (words: readonly TaughtWord[]): TaughtPhrases =>
  toTaughtPhrases(words.filter(isReadInTexts))

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

/** Takes the taught words out of the cells of a row. In a title they may stand between others: "iPhone 13 128GB Kratzer". */
export function* readTaughtWords(cellOf: ReadCell, { byCell, phrases }: TaughtWords): TimeSliced<TaughtCells> {
  if (byCell.size === 0) return { cellOf, condition: null, defects: [] }
  const found: Pick<TaughtWord, 'condition' | 'defect'>[] = []
  const cells = new Map<ListColumn, string>()
  for (const column of SPLIT_COLUMNS) cells.set(column, withoutTaughtParts(cellOf(column), byCell, found))
  const title = cellOf('text').normalize('NFC')
  const { taught } = title === '' ? { taught: [] } : yield* readTextInSlices(title, phrases)
  found.push(...taught)
  const rest = taught.reduce(
    (text, { from, to }) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to),
    title,
  )
  if (taught.length > 0) cells.set('text', rest.replace(/\s+/g, ' ').replace(/^[\s,;]+|[\s,;]+$/g, ''))
  return {
    cellOf: (column) => cells.get(column) ?? cellOf(column),
    condition: CONDITIONS.findLast((grade) => found.some(({ condition }) => condition === grade)) ?? null,
    defects: [...new Set(found.flatMap(({ defect }) => defect ?? []))],
  }
}

/** Leaves out the parts between separators that are taught words, or the whole cell. */
function withoutTaughtParts(
  cell: string,
  words: TaughtWords['byCell'],
  found: Pick<TaughtWord, 'condition' | 'defect'>[],
): string {
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

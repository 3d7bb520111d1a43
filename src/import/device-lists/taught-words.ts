/** Words that an organization taught in a device list: "Kratzer" means Fair. */
import type { TextFinding } from '../../appraisal/described-device.ts'
import { findMentions, type Mention } from '../../appraisal/description-lexicon.ts'
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

/** Codes of a grade column, such as "B" or "2", occur in the names of devices too: "Moto G", "Galaxy Tab A". */
const isReadInTexts = ({ word }: TaughtWord) => /\p{L}{3}|[^\p{ASCII}]{2}/u.test(word)

export const toWordsOfTexts = (words: readonly TaughtWord[]): TaughtWords => toTaughtWords(words.filter(isReadInTexts))

/** Takes the taught words out of the text of an appraisal. */
export function readTaughtText(text: string, words: TaughtWords): { text: string; findings: TextFinding[] } {
  if (words.size === 0) return { text, findings: [] }
  const found: TaughtWord[] = []
  const rest = withoutTaughtPhrases(text, words, found)
  return { text: found.length === 0 ? text : rest, findings: found.flatMap(toFindings) }
}

function toFindings({ word: words, condition, defect }: TaughtWord): TextFinding[] {
  return [
    ...(condition ? [{ field: 'condition', words, condition } as const] : []),
    ...(defect ? [{ field: 'defects', words, codes: [defect] } as const] : []),
  ]
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

/** In a title a taught word may stand between others: "iPhone 13 128GB Kratzer". A negated one stays: "ohne Kratzer". */
function withoutTaughtPhrases(title: string, words: TaughtWords, found: TaughtWord[]): string {
  const tokens = title.split(/(\s+)/)
  for (const [key, word] of words) {
    const length = key.split(' ').length * 2 - 1
    const phraseAt = (start: number) => stripPunctuation(tokens.slice(start, start + length).join(''))
    const at = tokens.findIndex(
      (_, start) =>
        start % 2 === 0 &&
        taughtWordKey(phraseAt(start)) === key &&
        !hasMention(tokens[start - 2], 'negation') &&
        !hasMention(tokens[start + length + 1], 'negation_after'),
    )
    if (at < 0) continue
    found.push({ ...word, word: phraseAt(at) })
    tokens.splice(at, length + 1)
  }
  return tokens.join('').trim()
}

const hasMention = (token: string | undefined, wanted: Mention['kind']) =>
  token !== undefined && findMentions(token).some(({ kind }) => kind === wanted)

const stripPunctuation = (text: string) => text.replace(/^[([,;]+|[)\],;.]+$/g, '')

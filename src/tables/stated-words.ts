/** Whether a text says one of the things that columns.json has words for: that a shop buys, that prices are without VAT. */
import { escapePattern, foldText } from '../lib/fold-text.ts'
import { memoize, once } from '../lib/memoize.ts'
import { COLUMN_WORDS, type NamedColumn } from './column-words.ts'

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** A word as a pattern on folded text; a star stands for the rest of a longer word. */
function pattern(word: string): string {
  const folded = foldText(word.trim())
  const core = escapePattern(folded.replaceAll('*', '')).replaceAll(' ', '[\\s_-]+')
  if (EAST_ASIAN.test(word)) return core
  const start = folded.startsWith('*') || !/^[\p{L}\d]/u.test(folded) ? '' : '(?<![\\p{L}\\d])'
  const end = folded.endsWith('*') ? '\\p{L}*' : /[\p{L}\d]$/u.test(folded) ? '(?![\\p{L}\\d])' : ''
  return `${start}${folded.startsWith('*') ? '\\p{L}*' : ''}${core}${end}`
}

const patternOf = memoize(100, (list: NamedColumn) => COLUMN_WORDS[list].map(pattern).join('|'))
const expressionOf = memoize(100, (list: NamedColumn) => new RegExp(patternOf(list), 'u'))
const wholeOf = memoize(100, (list: NamedColumn) => new RegExp(`^(?:${patternOf(list)})$`, 'u'))

/** `buyBackPrice`, `buy-back_price` and `buy back price` are the same words. */
const spaced = (text: string) =>
  foldText(text.replaceAll('MwSt', 'Mwst').replace(/([a-z])([A-Z])/g, '$1 $2'))
    .replace(/(?<![\p{L}\d])(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
    .replace(/[_\s]+/g, ' ')
    .trim()

/** Of several lists those with a word in the text; a word that is part of a longer one, such as `buying` of `buying options`, does not count. */
export function listsIn<List extends NamedColumn>(text: string, lists: readonly List[]): ReadonlySet<List> {
  const folded = spaced(text)
  const found = lists.flatMap((list) =>
    [...folded.matchAll(new RegExp(patternOf(list), 'gu'))].map((match) => ({
      list,
      from: match.index,
      to: match.index + match[0].length,
    })),
  )
  const isPart = ({ from, to }: (typeof found)[number]) =>
    found.some((other) => other.from <= from && other.to >= to && other.to - other.from > to - from)
  return new Set(found.filter((each) => !isPart(each)).map(({ list }) => list))
}

export const says = (text: string, list: NamedColumn) => expressionOf(list).test(spaced(text))

/** Whether the text is one of the words and nothing else. */
export const isWordOf = (text: string, list: NamedColumn) => wholeOf(list).test(spaced(text))

/** Between "plus" and "VAT": an article, an adjective, the rate; no comma. */
const BETWEEN = '[. ]{0,2}(?:\\p{L}+[. ]{1,2}){0,2}(?:\\d{1,2}(?:[.,]\\d)? ?%\\s?)?'

const withoutVat = once(() => {
  const [vat, without, excluded, net] = (['vat', 'without', 'excluded', 'net'] as const).map(patternOf)
  const price = `(?:${patternOf('priceWord')})`
  return {
    alone: new RegExp(
      `${patternOf('withoutVat')}|(?:${without})${BETWEEN}(?:${vat})|(?:${vat})(?: ?\\(? ?\\d{1,2}(?:[.,]\\d)? ?%\\)?)?(?: \\p{L}+){0,2}? ?\\(?(?:${excluded})`,
      'gu',
    ),
    net: new RegExp(patternOf('net'), 'u'),
    ofPrices: new RegExp(`(?:${net})[ .:]{0,2}${price}|${price}(?: \\p{L}+[.,:]?){0,4} (?:${net})`, 'u'),
  }
})

const saysWithoutVat = (text: string) =>
  (text.match(withoutVat().alone) ?? []).some((stated) => !expressionOf('withVat').test(stated))

/** Whether the title of a price says that VAT is not included. */
export function isTitleWithoutVat(title: string): boolean {
  const text = spaced(title)
  return saysWithoutVat(text) || withoutVat().net.test(text)
}

/** Whether a sentence says that prices are without VAT. "14 days net" is about the payment. */
export const isSentenceWithoutVat = (sentence: string) =>
  partsOf(sentence).some((part) => {
    const text = spaced(part)
    return saysWithoutVat(text) || (!expressionOf('payment').test(text) && withoutVat().ofPrices.test(text))
  })

/** A full stop behind "excl" ends an abbreviation. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (const part of text.split(/[;!]\s*|\.\s+(?=\p{Lu})/u)) {
    const before = parts.at(-1)
    const last = before?.split(/\s/).at(-1) ?? ''
    if (before !== undefined && (isWordOf(last, 'without') || isWordOf(last, 'withVat')))
      parts.splice(-1, 1, `${before} ${part}`)
    else parts.push(part)
  }
  return parts
}

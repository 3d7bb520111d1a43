/** Offers as they are written in messages, a device per line: "10x iPhone 13 128GB Grade A - 250€". */

import { escapePattern } from '../lib/fold-text.ts'
import { parseAmount } from './amount.ts'
import { COLUMN_WORDS } from './column-words.ts'
import type { TableRow } from './table-row.ts'
import type { SplitLines } from './wide-columns.ts'

const BULLET = /^[\s\-–•*▪◦·✅📱]+/u
const anyOf = (words: readonly string[]) =>
  `(?:${words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => escapePattern(word))
    .join('|')})`
const PIECES = anyOf(COLUMN_WORDS.pieces)
const QUANTITY_FIRST = new RegExp(`^(\\d{1,4}) ?(?:${PIECES}\\.?|\\*)\\s+(?=\\p{L})`, 'iu')
/** "25 iPhone 11", but not "14 Pro Max", whose make is left out. */
const BARE_QUANTITY = /^(\d{1,3})\s+(?=(?!pro|plus|mini|max|ultra|lite|air)\p{L}{3})/iu
const QUANTITY_LAST = new RegExp(
  `[\\s,;(–-]+(?:(\\d{1,4}) ?${PIECES}\\.?|(?:qty|quantity|menge|x|×)[ .:]*(\\d{1,4}))\\)?$`,
  'iu',
)
const PRICE_LAST =
  /(?:^|[\s,;:=@|–-])((?:\p{Lu}{1,2}\p{Sc}|\p{Sc}|Rs\.?|Rp\.?)\s?\d[\d.,'’]*|\d[\d.,'’]*(?:\s?(?:\p{Sc}|\p{L}{2,5}\.?)|,-)|(?<=[@=–:-]\s*)\d[\d.,'’]*)(?: ?(?:each|net|netto|\/ ?(?:pcs?|stk|st|unit)|(?:\+|ex|excl|zzgl)\.? ?(?:vat|mwst|tax)))?\.?$/iu
/** A number without a currency may be one of these. */
const SIZES = new Set(['16', '32', '64', '128', '256', '512', '1024'])
const SEPARATORS_LAST = /[\s,;:=@|–(-]+$/u

/** Behind a size a single letter is a grade; "Pixel 7 A" is a model. */
const GRADE_LAST =
  /(?<=(?:gb|tb|\d{2,4})(?:\s+\p{L}{2,})*)\s+(?:grade )?([a-d][+-]?(?:\s?[/-]\s?[a-d][+-]?)?)(?: grade)?$/iu

type Offer = Readonly<Record<'quantity' | 'title' | 'condition' | 'price', string>>

/** Share of the lines that must state a quantity or a price. */
const MIN_OFFERS = 0.5
const MIN_LINES = 2
/** Longer lines are descriptions. */
const MAX_CHARS = 200
/** More cells than a decimal comma or a remark make. */
const MAX_CELLS = 3

/** Turns each line of a message into cells; null if the lines are a table or no offers. */
export function offerLineSplitter(lines: readonly TableRow[]): SplitLines | null {
  const texts = lines.filter(({ fields }) => fields.some((cell) => cell.trim() !== ''))
  if (texts.length < MIN_LINES || texts.some(({ fields }) => fields.length > MAX_CELLS)) return null
  const isOffer = (line: TableRow) => {
    const { quantity, price, title } = readOffer(textOf(line))
    return (quantity !== '' || price !== '') && /\p{L}{3}/u.test(title)
  }
  const first = texts.find(isOffer)
  if (!first || texts.filter(isOffer).length < texts.length * MIN_OFFERS) return null
  if (texts.filter(({ fields }) => fields.length === 1).length < texts.length * MIN_OFFERS) return null
  const header = { line: first.line, fields: ['quantity', 'title', 'condition', 'price'] }
  const split = (line: TableRow): TableRow[] => {
    if (line.line < first.line) return [line]
    const { quantity, title, condition, price } = readOffer(textOf(line))
    const row = { line: line.line, fields: [quantity, title, condition, price] }
    return line === first ? [header, row] : [row]
  }
  return (block) => block.flatMap(split)
}

/** Messengers write bold and italics with signs: `*iPhone 13*`. */
const EMPHASIS = /(?<![\p{L}\d])[*_~]+(?=\S)|(?<=\S)[*_~]+(?![\p{L}\d])/gu
/** A decimal comma separates cells of a file without other commas. */
const textOf = ({ fields }: TableRow) => fields.join(',').replace(EMPHASIS, '').replace(/\s+/g, ' ').trim()

function readOffer(text: string): Offer {
  if (text.length > MAX_CHARS) return { quantity: '', title: text, condition: '', price: '' }
  let [title, quantity, price] = [text.replace(BULLET, ''), '', '']
  const take = (pattern: RegExp, isValid = (_found: string) => true) => {
    const match = pattern.exec(title)
    const found = match?.slice(1).find(Boolean) ?? ''
    if (!match || !isValid(found)) return ''
    title = match.index === 0 ? title.slice(match[0].length) : title.slice(0, match.index).replace(SEPARATORS_LAST, '')
    return found
  }
  quantity = take(QUANTITY_FIRST) || take(QUANTITY_LAST)
  price = take(PRICE_LAST, isPrice)
  quantity ||= take(QUANTITY_LAST)
  // "… $262 x 40pcs": the price of a piece times their number.
  if (price === '' && quantity !== '') {
    title = title.replace(/\s*[x×*]$/iu, '')
    price = take(PRICE_LAST, isPrice)
  }
  if (price !== '') quantity ||= take(BARE_QUANTITY)
  const condition = take(GRADE_LAST)
  return { quantity, title: title.trim(), condition, price }
}

const isPrice = (text: string) => !SIZES.has(text) && !('problem' in parseAmount(text))

/** What one unit of an amount is where a title or a line above the header says it: cents, thousands, 万円. */
import priceUnits from '../../data/aliases/price-units.json' with { type: 'json' }
import { foldText } from '../lib/fold-text.ts'

const escaped = (text: string) => RegExp.escape(foldText(text))

const isEastAsian = (word: string) => /\p{Script=Han}|\p{Script=Hangul}/u.test(word)
const isSingleWord = (word: string) => !isEastAsian(word) && /^\p{L}+$/u.test(word)

/** Words in Latin and Cyrillic letters end where the letters end. "from 1 tys. zł" is an amount. */
const pattern = (word: string) =>
  `(?<!\\d ?)${isEastAsian(word) ? escaped(word) : `(?<!\\p{L})${escaped(word)}(?!\\p{L})`}`

const UNITS = Object.entries(priceUnits).map(([factor, words]) => ({
  factor: Number(factor),
  inTitle: new RegExp(words.map(pattern).join('|'), 'u'),
  // In a sentence "cents" alone is part of an amount; behind a colon it is the unit: "Unit: cents".
  inLine: new RegExp(
    words.map((word) => (isSingleWord(word) ? `[:=] ?${pattern(word)}` : pattern(word))).join('|'),
    'u',
  ),
}))

/** The factor of the amounts below a title such as `Price (k VND)`; 1 if it names no unit. */
export const unitOfTitle = (title: string): number =>
  UNITS.find(({ inTitle }) => inTitle.test(foldText(title)))?.factor ?? 1

/** The same for the lines about the prices, such as "All amounts in cents". */
export const unitOfLines = (lines: readonly string[]): number =>
  UNITS.find(({ inLine }) => lines.some((line) => inLine.test(foldText(line))))?.factor ?? 1

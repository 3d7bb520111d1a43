/** Parses amounts of money: currency signs on either side, any separators, ranges. */
import currencySigns from '../../data/aliases/currency-signs.json' with { type: 'json' }
import { markets } from '../../data/markets.json' with { type: 'json' }
import { escapePattern } from '../lib/fold-text.ts'
import type { RejectionCode } from '../lib/rejections.ts'
import { COLUMN_WORDS } from './column-words.ts'

/** What a sign says about the currency. */
export type SignMeaning = {
  /** Currency of the sign, or the usual one; null if several currencies share the sign equally. */
  readonly currency: string | null
  /** The currencies that share the sign. */
  readonly sharedBy?: readonly string[]
}

/** Without a sign `currency` is null. `value` is the low end and `high` the other if the amount is a range. */
export type ParsedAmount =
  | (SignMeaning & { readonly value: number; readonly isRange: boolean; readonly high?: number })
  | { readonly problem: RejectionCode }

const CODES = new Set([...markets.map((market) => market.currency), ...Object.values(currencySigns.signs)])
const MEANING_BY_SIGN: ReadonlyMap<string, SignMeaning> = new Map<string, SignMeaning>([
  ...[...CODES].map((code) => [code.toLowerCase(), { currency: code }] as const),
  ...Object.entries(currencySigns.signs).map(([sign, currency]) => [sign, { currency }] as const),
  ...Object.entries(currencySigns.shared).map(
    ([sign, sharedBy]) =>
      [sign, { currency: (currencySigns.signs as Record<string, string>)[sign] ?? null, sharedBy }] as const,
  ),
])

/** The meaning of a sign or code such as `€`, `eur` or `zł`. */
export const meaningOfSign = (sign: string): SignMeaning | undefined => MEANING_BY_SIGN.get(sign)

/** The currency of a sign; one that several currencies share is resolved by the currency of the market. */
export const resolveSign = ({ currency, sharedBy }: SignMeaning, marketCurrency: string | undefined): string | null =>
  marketCurrency !== undefined && sharedBy?.includes(marketCurrency) ? marketCurrency : currency

const RANGE = /^(.+?)\s*(?:to|bis|–|—|\s-\s)\s*(.+)$/i
const NUMBER = /-?\d[\d.,'’ ]*/
/** "47만 5천" is 475,000. */
const TEN_THOUSANDS_AND_MORE = /^(\d{1,4}) ?[만万萬] ?(\d{1,4}) ?([천千]?)(?=\D|$)/
/** "1,04,999": thousands, then groups of two digits, as in India. */
const INDIAN_GROUPS = /^\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d{1,2})?$/
/** "38만" is 380,000; the sign of the currency may follow. */
const TEN_THOUSANDS = /^[만万萬]/
/** "149,-" and "149,-- €" are whole units. */
const NO_CENTS = /(?<=\d)[.,:][-–—]{1,2}(?=$|[^\d])/g
/** Words that do not change the amount: whether the seller would take less. */
const NEGOTIABLE = new RegExp(
  `(?<!\\p{L})(?:${COLUMN_WORDS.negotiable
    .flatMap((word) => [word, word.normalize('NFKD').replace(/\p{M}/gu, '')])
    .toSorted((a, b) => b.length - a.length)
    .map((word) => escapePattern(word))
    .join('|')})(?!\\p{L})\\.?`,
  'giu',
)

/** Also reads ranges: `value` is then the low end and `isRange` is set. */
export function parseAmount(text: string): ParsedAmount {
  const normalized = text
    .replace(/\d.*/, (digits) =>
      digits.replace(TEN_THOUSANDS_AND_MORE, (_, high: string, low: string, thousand: string) =>
        String(Number(high) * 10_000 + Number(low) * (thousand === '' ? 1 : 1000)),
      ),
    )
    .replace(NO_CENTS, '')
    .replace(NEGOTIABLE, ' ')
    .replace(/[\s\u00a0\u202f\u2009]+/g, ' ')
    .trim()
  if (normalized === '' || normalized.length > 60) return { problem: 'amount_not_a_number' }
  const range = RANGE.exec(normalized)
  if (range) {
    const low = parseSingleAmount(range[1] ?? '')
    const high = parseSingleAmount(range[2] ?? '')
    if (low && high && low.value <= high.value) {
      const sign = combineSigns([low, high])
      if (sign) return { ...sign, value: low.value, isRange: true, high: high.value }
    }
  }
  const amount = parseSingleAmount(normalized)
  return amount ? { ...amount, isRange: false } : { problem: 'amount_not_a_number' }
}

function parseSingleAmount(text: string): (SignMeaning & { value: number }) | undefined {
  const match = NUMBER.exec(text)
  if (!match) return undefined
  const digits = match[0].trim()
  const behind = text.slice(match.index + match[0].length).trim()
  const scale = TEN_THOUSANDS.test(behind) ? 10_000 : 1
  const signs = [text.slice(0, match.index), scale === 1 ? behind : behind.slice(1)]
    .map((side) => side.trim().toLowerCase())
    .filter((side) => !['', '-', ',-', ':-'].includes(side))
    .flatMap(meaningsOf)
  const sign = signs.includes(undefined) ? undefined : combineSigns(signs as SignMeaning[])
  const value = parseNumber(digits.replace(/[.,]$/, ''))
  return value === undefined || !sign ? undefined : { ...sign, value: value * scale }
}

/** Of "eur", of "us $", which is one sign, and of "€ eur", which are two. */
function meaningsOf(text: string): (SignMeaning | undefined)[] {
  const whole = meaningOfSign(text) ?? meaningOfSign(text.replaceAll(' ', ''))
  return whole ? [whole] : text.split(' ').map(meaningOfSign)
}

/** The meaning of signs together: `$455 CAD` is in Canadian dollars; `$455 EUR` contradicts itself. */
function combineSigns(signs: readonly SignMeaning[]): SignMeaning | undefined {
  const codes = new Set(signs.flatMap(({ currency, sharedBy }) => (currency !== null && !sharedBy ? [currency] : [])))
  const shared = signs.filter(({ sharedBy }) => sharedBy)
  const [code] = codes
  if (code === undefined)
    return { currency: null, ...(shared[0] && { currency: shared[0].currency, sharedBy: shared[0].sharedBy }) }
  return codes.size === 1 && shared.every(({ sharedBy }) => sharedBy?.includes(code)) ? { currency: code } : undefined
}

/**
 * The last separator is the decimal one if one or two digits follow it and it occurs once. Three digits after a separator
 * are thousands, because phones are not priced in tenths of a cent. Anything else is not a number.
 */
function parseNumber(text: string): number | undefined {
  const ungrouped = text.replace(/['’ ]/g, (mark, at: number) => (/^\d{3}(\D|$)/.test(text.slice(at + 1)) ? '' : mark))
  if (/^-?\d{1,12}$/.test(ungrouped)) return Number(ungrouped)
  if (INDIAN_GROUPS.test(ungrouped)) return Number(ungrouped.replaceAll(',', ''))
  const match = /^(-?\d[\d.,]*?)(?:([.,])(\d{1,2}))?$/.exec(ungrouped)
  if (!match) return parseFraction(ungrouped)
  const [, whole = '', decimal, cents] = match
  if (/^-?\d{1,12}$/.test(whole)) return Number(cents === undefined ? whole : `${whole}.${cents}`)
  const thousands = whole.includes('.') ? '.' : ','
  if (decimal === thousands || (whole.includes('.') && whole.includes(','))) return undefined
  const groups = whole.split(thousands)
  const [first = '', ...rest] = groups
  // "0.999" is a fraction, not thousands.
  if (!/^-?[1-9]\d{0,2}$/.test(first) || rest.some((group) => group.length !== 3)) return parseFraction(ungrouped)
  return Number(cents === undefined ? groups.join('') : `${groups.join('')}.${cents}`)
}

/** "479.9871": decimal fractions as programs write them, with more digits than money has. */
function parseFraction(text: string): number | undefined {
  return /^-?\d{1,9}\.\d{4,15}$/.test(text) || /^-?0\.\d{1,15}$/.test(text) ? Number(text) : undefined
}

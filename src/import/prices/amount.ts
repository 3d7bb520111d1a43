/** Parses amounts of money: currency signs on either side, any separators, ranges. */
import currencySigns from '../../../data/aliases/currency-signs.json' with { type: 'json' }

export type ParsedAmount =
  | {
      readonly value: number
      /** Currency written with the amount; null if there is none or several currencies share the sign. */
      readonly currency: string | null
      /** Whether `value` is the low end of a range. */
      readonly isRange: boolean
    }
  | { readonly problem: string }

/** Currency codes by sign or word; null for `$` and `¥`, which several currencies share. */
const CURRENCY_BY_SIGN: Readonly<Record<string, string | null>> = currencySigns

/** The code for a sign or code such as `€`, `eur` or `zł`. */
export const currencyOfSign = (sign: string): string | undefined =>
  (Object.hasOwn(CURRENCY_BY_SIGN, sign) ? CURRENCY_BY_SIGN[sign] : undefined) ?? undefined

const RANGE = /^(.+?)\s*(?:to|bis|–|—|\s-\s)\s*(.+)$/i
const NUMBER = /-?\d[\d.,'’ ]*/

/** Also reads ranges: `value` is then the low end and `isRange` is set. */
export function parseAmount(text: string): ParsedAmount {
  const normalized = text.replace(/[\s\u00a0\u202f\u2009]+/g, ' ').trim()
  if (normalized === '' || normalized.length > 60) return { problem: 'amount is not a number' }
  const range = RANGE.exec(normalized)
  if (range) {
    const low = parseSingleAmount(range[1] ?? '')
    const high = parseSingleAmount(range[2] ?? '')
    if (low && high && low.value <= high.value) {
      return { value: low.value, currency: low.currency ?? high.currency, isRange: true }
    }
  }
  const amount = parseSingleAmount(normalized)
  return amount ? { ...amount, isRange: false } : { problem: 'amount is not a number' }
}

function parseSingleAmount(text: string): { value: number; currency: string | null } | undefined {
  const match = NUMBER.exec(text)
  if (!match) return undefined
  const digits = match[0].trim()
  const signs = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    .map((side) => side.trim().toLowerCase())
    .filter((side) => side !== '' && side !== ',-' && side !== '-')
  let currency: string | null = null
  for (const sign of signs) {
    if (!Object.hasOwn(CURRENCY_BY_SIGN, sign)) return undefined
    currency ??= CURRENCY_BY_SIGN[sign] ?? null
  }
  const value = parseNumber(digits.replace(/[.,]$/, ''))
  return value === undefined ? undefined : { value, currency }
}

/**
 * The last separator is the decimal one if one or two digits follow it and it occurs once. Three digits after a separator
 * are thousands, because phones are not priced in tenths of a cent. Anything else is not a number.
 */
function parseNumber(text: string): number | undefined {
  const ungrouped = text.replace(/['’ ]/g, (mark, at: number) => (/^\d{3}(\D|$)/.test(text.slice(at + 1)) ? '' : mark))
  if (/^-?\d{1,12}$/.test(ungrouped)) return Number(ungrouped)
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

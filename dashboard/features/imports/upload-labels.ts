import i18next from 'i18next'
import type { PricePreviewWire, UploadFormat } from '../../../src/contract/uploads.ts'
import { fixOf, type RejectionFix } from '../../../src/lib/rejections.ts'
import { codeTexts } from '../../codes.ts'
import { formatCount, formatCountry, formatPercent, humanize } from '../../format.ts'
import type { Money } from '../../money.ts'

export const listKind = (format: string) =>
  i18next.t(`imports:kind.${format}` as 'imports:kind.lists', { defaultValue: humanize(format) })

/** Most common first. */
export const UPLOAD_FORMATS: readonly UploadFormat[] = [
  'observations',
  'lists',
  'rates',
  'catalogue',
  'tac',
  'repairs',
  'open-repair',
]

/** Fields of a price list. */
export const PRICE_FIELDS = [
  ...(['model', 'amount', 'condition', 'date', 'currency', 'make', 'storage', 'ram', 'color', 'lock'] as const),
  ...(['side', 'state', 'listing', 'listedOn', 'description', 'battery', 'source', 'country', 'cents'] as const),
  ...(['variant', 'sku', 'partNumber', 'imei', 'notes', 'quantity'] as const),
]

export const GRADE_LABELS = ['Excellent', 'Good', 'Fair', 'Poor', 'New', 'used', 'damaged', 'broken', 'dead'] as const

export const gradeLabel = (grade: string) =>
  i18next.t(`imports:grade.${grade}` as 'imports:grade.used', { defaultValue: codeTexts().gradeName(grade) })

/** Figures of an import by name. */
export const figureName = (name: string) =>
  i18next.t(`imports:figure.${name}` as 'imports:figure.added', { defaultValue: humanize(name) })

/** Fixes in the section of further options, which opens for them. */
const FIXED_BY_OPTIONS: readonly (RejectionFix | null)[] = ['date', 'dateOrder', 'term', 'range', 'storage', 'source']

export const isFixedByOptions = (reason: string) => FIXED_BY_OPTIONS.includes(fixOf(reason))

/** Why rows are rejected; a code of another version stays a code. */
export const rejectionReason = (code: string) =>
  i18next.t(`rejections:reason.${code}` as 'rejections:reason.accessory', { defaultValue: humanize(code) })

/** A remark about rows: a code, or a code and what it is about. */
export function remarkText(remark: string): string {
  const [code = '', ...detail] = remark.split(':')
  const options = { detail: detail.join(':'), defaultValue: humanize(code) }
  return i18next.t(`rejections:remark.${code}` as 'rejections:remark.stale_rate', options)
}

/** How to fix rejected rows; null if the reason says it all. */
export function fixHint(reason: string): string | null {
  const fix = fixOf(reason)
  return fix && i18next.t(`imports:fix.${fix}`)
}

/** What an import would do to prices: sentences, each with the devices it is about. A device is named once. */
export function effectTexts(
  { average_percent: average, largest, departures, others }: NonNullable<PricePreviewWire['effect']>,
  money: Money,
): readonly { readonly text: string; readonly devices: readonly string[] }[] {
  if (largest.length === 0) return [{ text: i18next.t('imports:effect.none'), devices: [] }]
  const amount = (cents: number) => money.formatWhole(money.fromUsCents(cents))
  const moves = largest.map(({ name, percent, before, after }) => {
    const amounts = Math.abs(percent) > BOTH_AMOUNTS_PERCENT ? ` (${amount(before)} → ${amount(after)})` : ''
    return `${name} ${signedPercent(percent)}${amounts}`
  })
  const away = departures
    .filter(({ device_id: id }) => !largest.some((move) => move.device_id === id))
    .map(({ name, first_price: first, after }) =>
      i18next.t('imports:effect.departure', { name, price: amount(after), first: amount(first) }),
    )
  return [
    { text: i18next.t('imports:effect.moves', { average: signedPercent(average) }), devices: moves },
    ...(away.length > 0 ? [{ text: i18next.t('imports:effect.departures'), devices: away }] : []),
    ...(others.devices > 0
      ? [
          {
            text: i18next.t('imports:effect.others', {
              devices: formatCount(others.devices),
              average: signedPercent(others.average_percent),
            }),
            devices: others.largest.map(({ name, percent }) => `${name} ${signedPercent(percent)}`),
          },
        ]
      : []),
  ]
}

const signedPercent = (percent: number) => `${percent > 0 ? '+' : ''}${formatPercent(percent / 100)}`

/** Beyond it the list may have the wrong unit or be about other devices. */
const BOTH_AMOUNTS_PERCENT = 50

const UNITS = ['B', 'kB', 'MB', 'GB']

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return i18next.t('imports:bytes', { value: bytes })
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  const text = formatCount(value >= 100 ? Math.round(value) : Math.round(10 * value) / 10)
  return `${text} ${UNITS[unit]}`
}

/** A name that is the same in all languages, with the country in the language of the page. */
export const marketplaceName = (country: string) => `eBay ${formatCountry(country, country)}`

import i18next from 'i18next'
import type { UploadFormat } from '../../../src/contract/uploads.ts'
import { codeTexts } from '../../codes.ts'
import { humanize } from '../../format.ts'

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
  ...(['variant', 'sku', 'partNumber', 'imei'] as const),
]

export const GRADE_LABELS = ['Excellent', 'Good', 'Fair', 'Poor', 'New', 'used', 'damaged', 'broken', 'dead'] as const

export const gradeLabel = (grade: string) =>
  i18next.t(`imports:grade.${grade}` as 'imports:grade.used', { defaultValue: codeTexts().gradeName(grade) })

/** Figures of an import by name. */
export const figureName = (name: string) =>
  i18next.t(`imports:figure.${name}` as 'imports:figure.added', { defaultValue: humanize(name) })

/** Rejections that an option can fix. */
const FIXES = {
  'side is not ask, sold or quote': 'side',
  'currency is missing': 'currency',
  'date is missing': 'date',
  'ambiguous date; set the order of day and month': 'dateOrder',
  'condition is missing': 'condition',
  'unknown condition': 'term',
  'amount is a range': 'range',
  'the model has no such storage': 'storage',
  'source is missing or too long': 'source',
} as const

export const isFixable = (reason: string): reason is keyof typeof FIXES => Object.hasOwn(FIXES, reason)

/** How to fix rejected rows; nothing if no option helps. */
export const fixHint = (reason: string) => (isFixable(reason) ? i18next.t(`imports:fix.${FIXES[reason]}`) : undefined)

const UNITS = ['B', 'kB', 'MB', 'GB']

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return i18next.t('imports:bytes', { value: bytes })
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

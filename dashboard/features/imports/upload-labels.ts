import i18next from 'i18next'
import type { UploadFormat } from '../../../src/contract/uploads.ts'
import { findRejectionFix, type RejectionFix } from '../../../src/import/prices/rejection-fixes.ts'
import { codeTexts } from '../../codes.ts'
import { formatCountry, humanize } from '../../format.ts'

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

/** Fixes in the section of further options, which opens for them. */
const FIXED_BY_OPTIONS: readonly (RejectionFix | undefined)[] = [
  'date',
  'dateOrder',
  'term',
  'range',
  'storage',
  'source',
]

export const isFixedByOptions = (reason: string) => FIXED_BY_OPTIONS.includes(findRejectionFix(reason))

/** How to fix rejected rows; undefined for reasons of other formats. */
export function fixHint(reason: string): string | undefined {
  const fix = findRejectionFix(reason)
  return fix && i18next.t(`imports:fix.${fix}`)
}

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

/** A name that is the same in all languages, with the country in the language of the page. */
export const marketplaceName = (country: string) => `eBay ${formatCountry(country, country)}`

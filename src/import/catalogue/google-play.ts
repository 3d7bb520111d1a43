/** The list of devices certified for Google Play, and the richer catalogue a developer can export from the Play Console. */

import type { CsvRow } from '../read/csv-reader.ts'
import { cellText, type TableHeader } from '../read/header.ts'
import { MAX_NAME_CHARS } from '../read/limits.ts'
import type { RowReport } from '../row-report-service.ts'
import { categoryFromFormFactor, categoryFromName } from './category-rules.ts'
import type { DeviceDraft, VariantDraft } from './device-draft.ts'
import { normalizeMake, resolveMake } from './makes.ts'
import { cleanText, normalizeName, withLine, withoutRadio } from './names.ts'

export function isGooglePlayList(header: TableHeader): boolean {
  return header.has('retail branding', 'marketing name', 'device', 'model')
}

export function isGooglePlayConsole(header: TableHeader): boolean {
  return header.has('brand', 'device', 'model name', 'form factor')
}

type GooglePlayGroup = {
  make: string
  name: string
  readonly models: string[]
  readonly identifiers: string[]
  specifications: Record<string, string> | undefined
  category: string | undefined
  readonly line: number
}

/** Rows of one marketing name are one device; each model code under it is a variant people can tell apart. */
export function groupGooglePlayRows(knownMake: (key: string) => string | undefined, report: RowReport) {
  const groups = new Map<string, GooglePlayGroup>()
  const makes = new Map<string, string>()
  const spelling = (key: string) => knownMake(key) ?? makes.get(key)

  function group(line: number, brand: string, written: string): GooglePlayGroup {
    const { make, line: word } = resolveMake(brand, spelling)
    const key = normalizeMake(make)
    if (!makes.has(key)) makes.set(key, make)
    const name = withLine(withoutRadio(cleanText(written)), word)
    const groupKey = `${key}\n${normalizeName(make, name)}`
    let found = groups.get(groupKey)
    if (!found) {
      found = { make, name, models: [], identifiers: [], specifications: undefined, category: undefined, line }
      groups.set(groupKey, found)
    }
    return found
  }

  return {
    addListed({ line, fields }: CsvRow, header: TableHeader): void {
      if (fields.some(isTooLong)) {
        report.reject(line, 'a field is longer than 300 characters')
        return
      }
      const brand = cleanText(cellText(fields, header.find('retail branding')))
      const device = cellText(fields, header.find('device'))
      const model = cleanText(cellText(fields, header.find('model')))
      const name = cleanText(cellText(fields, header.find('marketing name'))) || model
      if (!brand) {
        report.reject(line, 'no brand', name)
        return
      }
      if (!name) {
        report.reject(line, 'neither a marketing name nor a model', brand)
        return
      }
      const into = group(line, brand, name)
      if (model) addOnce(into.models, model)
      else report.remark('row without a model code, only the device is kept')
      if (device) addOnce(into.identifiers, device)
    },

    addConsole({ line, fields }: CsvRow, header: TableHeader): void {
      const written = [header.find('brand'), header.find('device'), header.find('model name')].map((at) =>
        cellText(fields, at),
      )
      if (written.some(isTooLong)) {
        report.reject(line, 'a field is longer than 300 characters')
        return
      }
      const [brand = '', device = '', name = ''] = written.map((field, at) => (at === 1 ? field : cleanText(field)))
      if (!brand) {
        report.reject(line, 'no brand', name)
        return
      }
      if (!name) {
        report.reject(line, 'no model name', brand)
        return
      }
      const category = categoryFromFormFactor(cellText(fields, header.find('form factor')))
      if (!category) report.remark('row without a form factor')
      const into = group(line, brand, name)
      if (device) addOnce(into.identifiers, device)
      into.category ??= category
      for (const [key, column] of CONSOLE_SPECIFICATIONS) {
        const value = cleanText(cellText(fields, header.find(column))).replaceAll(';', ', ')
        if (!value || value.length > MAX_SPECIFICATION_CHARS) continue
        into.specifications ??= {}
        into.specifications[key] ??= value
      }
    },

    *drafts(source: 'google-play' | 'google-play-console'): Generator<DeviceDraft> {
      for (const found of groups.values()) {
        yield {
          make: found.make,
          name: found.name,
          category: found.category ?? categoryFromName(found.name),
          categoryInferred: found.category === undefined,
          modelNumbers: found.models,
          modelIdentifiers: found.identifiers,
          specifications: found.specifications,
          variants: found.models.map(variantForModel),
          source,
          line: found.line,
        }
      }
    },
  }
}

/** The last columns of that export are figures of somebody's app, not of the device. */
const CONSOLE_SPECIFICATIONS = [
  ['memory', 'ram (totalmem)'],
  ['chip', 'system on chip'],
  ['gpu', 'gpu'],
  ['display', 'screen sizes'],
  ['android_sdk', 'android sdk versions'],
] as const

const MAX_SPECIFICATION_CHARS = 1000

function isTooLong(field: string): boolean {
  return field.length > MAX_NAME_CHARS
}

/** Short lists nearly always; a set for each would cost more than it saves. */
function addOnce(values: string[], value: string): void {
  if (!values.includes(value)) values.push(value)
}

function variantForModel(model: string): VariantDraft {
  return { attributes: [{ name: 'model', value: model }], modelNumbers: [model] }
}

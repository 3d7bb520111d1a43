/** The list of devices certified for Google Play, and the catalogue that developers export from the Play Console. */

import type { TableHeader } from '../read/header.ts'
import { MAX_NAME_CHARS } from '../read/limits.ts'
import type { TableRecord } from '../read/table-records.ts'
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

/** Rows with one marketing name are one device; each model code is a variant. */
export function groupGooglePlayRows(catalogueSpelling: (key: string) => string | undefined, report: RowReport) {
  const groups = new Map<string, GooglePlayGroup>()
  const makes = new Map<string, string>()
  const findSpelling = (key: string) => catalogueSpelling(key) ?? makes.get(key)

  function getOrAddGroup(line: number, brand: string, rawName: string): GooglePlayGroup {
    const { make, line: lineWord } = resolveMake(brand, findSpelling)
    const key = normalizeMake(make)
    makes.getOrInsert(key, make)
    const name = withLine(withoutRadio(cleanText(rawName)), lineWord)
    return groups.getOrInsertComputed(`${key}\n${normalizeName(make, name)}`, () => {
      return { make, name, models: [], identifiers: [], specifications: undefined, category: undefined, line }
    })
  }

  /** The group of a row; a row without brand or name is rejected. */
  function findGroup(
    line: number,
    fields: readonly string[],
    rawBrand: string,
    name: string,
    missingNameReason: string,
  ) {
    const brand = cleanText(rawBrand)
    if (fields.some(isTooLong)) report.reject(line, 'a field is longer than 300 characters')
    else if (!brand) report.reject(line, 'no brand', name)
    else if (!name) report.reject(line, missingNameReason, brand)
    else return getOrAddGroup(line, brand, name)
    return undefined
  }

  return {
    addListed({ line, fields, cell }: TableRecord): void {
      const model = cleanText(cell('model'))
      const name = cleanText(cell('marketing name')) || model
      const target = findGroup(line, fields, cell('retail branding'), name, 'neither a marketing name nor a model')
      if (!target) return
      if (model) addOnce(target.models, model)
      else report.remark('row without a model code, only the device is kept')
      if (cell('device')) addOnce(target.identifiers, cell('device'))
    },

    addConsole({ line, cell }: TableRecord): void {
      const names = [cell('brand'), cell('device'), cell('model name')]
      const target = findGroup(line, names, cell('brand'), cleanText(cell('model name')), 'no model name')
      if (!target) return
      const category = categoryFromFormFactor(cell('form factor'))
      if (!category) report.remark('row without a form factor')
      if (cell('device')) addOnce(target.identifiers, cell('device'))
      target.category ??= category
      for (const [key, column] of CONSOLE_SPECIFICATIONS) {
        const value = cleanText(cell(column)).replaceAll(';', ', ')
        if (!value || value.length > MAX_SPECIFICATION_CHARS) continue
        target.specifications ??= {}
        target.specifications[key] ??= value
      }
    },

    *drafts(source: 'google-play' | 'google-play-console'): Generator<DeviceDraft> {
      for (const group of groups.values()) {
        yield {
          make: group.make,
          name: group.name,
          category: group.category ?? categoryFromName(group.name),
          categoryInferred: group.category === undefined,
          modelNumbers: group.models,
          modelIdentifiers: group.identifiers,
          specifications: group.specifications,
          variants: group.models.map(variantForModel),
          source,
          line: group.line,
        }
      }
    },
  }
}

/** The last columns of that export are statistics of an app, not of the device. */
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

/** The lists are short, so a Set would cost more than it saves. */
function addOnce(values: string[], value: string): void {
  if (!values.includes(value)) values.push(value)
}

function variantForModel(model: string): VariantDraft {
  return { attributes: [{ name: 'model', value: model }], modelNumbers: [model] }
}

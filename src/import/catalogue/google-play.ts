/** The list of devices certified for Google Play, and the richer catalogue a developer can export from the Play Console. */

import type { Row } from '../read/csv.ts'
import { cell, type Header } from '../read/header.ts'
import { MAX_NAME_CHARS } from '../read/limits.ts'
import type { RowReport } from '../report.ts'
import { categoryFromName, categoryOfFormFactor } from './category.ts'
import type { DeviceDraft, VariantDraft } from './draft.ts'
import { makeKey, makeOf } from './makes.ts'
import { nameKey, tidyText, withLine, withoutRadio } from './names.ts'

export function isGooglePlayList(header: Header): boolean {
  return header.has('retail branding', 'marketing name', 'device', 'model')
}

export function isGooglePlayConsole(header: Header): boolean {
  return header.has('brand', 'device', 'model name', 'form factor')
}

type Group = {
  make: string
  name: string
  readonly models: string[]
  readonly identifiers: string[]
  specifications: Record<string, string> | undefined
  category: string | undefined
  readonly line: number
}

/** Rows of one marketing name are one device; each model code under it is a variant people can tell apart. */
export function googlePlayGroups(knownMake: (key: string) => string | undefined, report: RowReport) {
  const groups = new Map<string, Group>()
  const makes = new Map<string, string>()
  const spelling = (key: string) => knownMake(key) ?? makes.get(key)

  function group(line: number, brand: string, written: string): Group {
    const { make, line: word } = makeOf(brand, spelling)
    const key = makeKey(make)
    if (!makes.has(key)) makes.set(key, make)
    const name = withLine(withoutRadio(tidyText(written)), word)
    const groupKey = `${key}\n${nameKey(make, name)}`
    let found = groups.get(groupKey)
    if (!found) {
      found = { make, name, models: [], identifiers: [], specifications: undefined, category: undefined, line }
      groups.set(groupKey, found)
    }
    return found
  }

  return {
    addListed({ line, fields }: Row, header: Header): void {
      if (fields.some(isTooLong)) {
        report.reject(line, 'a field is longer than 300 characters')
        return
      }
      const brand = tidyText(cell(fields, header.find('retail branding')))
      const device = cell(fields, header.find('device'))
      const model = tidyText(cell(fields, header.find('model')))
      const name = tidyText(cell(fields, header.find('marketing name'))) || model
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

    addConsole({ line, fields }: Row, header: Header): void {
      const written = [header.find('brand'), header.find('device'), header.find('model name')].map((at) =>
        cell(fields, at),
      )
      if (written.some(isTooLong)) {
        report.reject(line, 'a field is longer than 300 characters')
        return
      }
      const [brand = '', device = '', name = ''] = written.map((field, at) => (at === 1 ? field : tidyText(field)))
      if (!brand) {
        report.reject(line, 'no brand', name)
        return
      }
      if (!name) {
        report.reject(line, 'no model name', brand)
        return
      }
      const category = categoryOfFormFactor(cell(fields, header.find('form factor')))
      if (!category) report.remark('row without a form factor')
      const into = group(line, brand, name)
      if (device) addOnce(into.identifiers, device)
      into.category ??= category
      for (const [key, column] of CONSOLE_SPECIFICATIONS) {
        const value = tidyText(cell(fields, header.find(column))).replaceAll(';', ', ')
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
          variants: found.models.map(modelVariant),
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

function modelVariant(model: string): VariantDraft {
  return { attributes: [{ name: 'model', value: model }], modelNumbers: [model] }
}

import { bytesColumn, type Column, floatColumn, setByte, setFloat } from '../column.ts'
import type { Device, Variant } from '../device.ts'
import { fieldWeight, type SearchField } from './search.ts'
import { foldAttributeName, foldCode, foldValue, splitWords } from './search-term.ts'
import { addTerm, createTermTable, endSpan, internTerm, type TermTable } from './term-table.ts'

/** The words and codes of the rows of a process, shared by its snapshots. */
export type TermTables = {
  readonly deviceWords: TermTable
  readonly deviceCodes: TermTable
  readonly variantWords: TermTable
  readonly variantCodes: TermTable
  readonly attributes: TermTable
  /** Where the lists of each row lie in them. */
  readonly devices: DeviceTermSpans
  readonly variants: VariantTermSpans
  /** Makes and categories repeat from device to device; each is read once. */
  readonly labelTerms: Map<string, LabelTerms>
  /** So do attributes: by name, then by value. */
  readonly attributeTerms: Map<string, Map<string, LabelTerms>>
}

/** Spans by row; zero, which is an empty one, where nothing was read. */
export type DeviceTermSpans = {
  readonly isIndexed: Column<Uint8Array>
  readonly words: Column<Float64Array>
  readonly codes: Column<Float64Array>
  /** Distinct words in the name. */
  readonly nameWordCount: Column<Uint8Array>
}

export type VariantTermSpans = {
  readonly words: Column<Float64Array>
  readonly codes: Column<Float64Array>
  readonly attributes: Column<Float64Array>
  readonly nameWordCount: Column<Uint8Array>
}

/** `words` and `id` are numbers of the lexicons a label is used with. */
type LabelTerms = { readonly words: readonly number[]; readonly id: number }

export function createTermTables(): TermTables {
  return {
    deviceWords: createTermTable(),
    deviceCodes: createTermTable(),
    variantWords: createTermTable(),
    variantCodes: createTermTable(),
    attributes: createTermTable(),
    devices: { isIndexed: bytesColumn(), words: floatColumn(), codes: floatColumn(), nameWordCount: bytesColumn() },
    variants: { words: floatColumn(), codes: floatColumn(), attributes: floatColumn(), nameWordCount: bytesColumn() },
    labelTerms: new Map(),
    attributeTerms: new Map(),
  }
}

/** An attribute as one key: its folded name, a blank and its folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

/** Puts the words and codes of a device and its variants into the lexicons; `row` and `firstVariant` are their rows. */
export function addDeviceTerms(tables: TermTables, device: Device, row: number, firstVariant: number): void {
  const { deviceWords, deviceCodes, devices } = tables
  const from = deviceWords.used
  const name = splitWords(device.name)
  addWeightedTerms(deviceWords, from, internTerms(deviceWords, name), 'name')
  const nameWords = Math.min(deviceWords.used - from, 255)
  addWeightedTerms(deviceWords, from, labelTermsOf(device.make, tables).words, 'make')
  addWeightedTerms(deviceWords, from, labelTermsOf(device.category, tables).words, 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const further = device.id.split('-').filter((word) => word && !name.includes(word))
  addWeightedTerms(deviceWords, from, internTerms(deviceWords, further), 'slug')
  const codesFrom = deviceCodes.used
  for (const code of device.modelNumbers) addTerm(deviceCodes, codesFrom, internTerm(deviceCodes, foldCode(code)), 0)
  for (const code of device.modelIdentifiers)
    addTerm(deviceCodes, codesFrom, internTerm(deviceCodes, foldCode(code)), 0)
  setByte(devices.nameWordCount, row, nameWords)
  setFloat(devices.words, row, endSpan(deviceWords, from))
  setFloat(devices.codes, row, endSpan(deviceCodes, codesFrom))
  for (const [at, variant] of device.variants.entries()) {
    addVariantTerms(tables, variant, firstVariant + at, nameWords)
  }
}

function addVariantTerms(tables: TermTables, variant: Variant, row: number, deviceNameWordCount: number): void {
  const { variantWords, variantCodes, attributes, variants } = tables
  const wordsFrom = variantWords.used
  const codesFrom = variantCodes.used
  const attributesFrom = attributes.used
  addWeightedTerms(variantWords, wordsFrom, internTerms(variantWords, splitWords(variant.name)), 'name')
  setByte(variants.nameWordCount, row, Math.min(deviceNameWordCount + variantWords.used - wordsFrom, 255))
  for (const { name, value } of variant.attributes) {
    const label = attributeTermsOf(name, value, tables)
    addWeightedTerms(variantWords, wordsFrom, label.words, 'category')
    addTerm(attributes, attributesFrom, label.id, 0)
  }
  const sku = foldCode(variant.sku)
  // A SKU that only repeats the id is found by the id: it need not be kept a second time.
  if (sku && sku !== variant.id.toUpperCase()) addTerm(variantCodes, codesFrom, internTerm(variantCodes, sku), 0)
  for (const code of variant.partNumbers) addTerm(variantCodes, codesFrom, internTerm(variantCodes, foldCode(code)), 0)
  for (const code of variant.modelNumbers) addTerm(variantCodes, codesFrom, internTerm(variantCodes, foldCode(code)), 0)
  setFloat(variants.words, row, endSpan(variantWords, wordsFrom))
  setFloat(variants.codes, row, endSpan(variantCodes, codesFrom))
  setFloat(variants.attributes, row, endSpan(attributes, attributesFrom))
}

function labelTermsOf(name: string, { labelTerms: labels, deviceWords }: TermTables): LabelTerms {
  const known = labels.get(name)
  if (known) return known
  const label = { words: internTerms(deviceWords, splitWords(name)), id: -1 }
  labels.set(name, label)
  return label
}

function attributeTermsOf(name: string, value: string, tables: TermTables): LabelTerms {
  const { attributeTerms: attributeLabels, variantWords, attributes } = tables
  let values = attributeLabels.get(name)
  if (!values) {
    values = new Map()
    attributeLabels.set(name, values)
  }
  const known = values.get(value)
  if (known) return known
  const label = {
    words: internTerms(variantWords, splitWords(value)),
    id: internTerm(attributes, attributeKey(name, value)),
  }
  values.set(value, label)
  return label
}

function internTerms(table: TermTable, terms: readonly string[]): number[] {
  return terms.map((word) => internTerm(table, word))
}

function addWeightedTerms(table: TermTable, from: number, ids: readonly number[], field: SearchField): void {
  for (let position = 0; position < ids.length; position++) {
    addTerm(table, from, ids[position] as number, fieldWeight(field, position))
  }
}

import type { DeviceEntry, VariantEntry } from '../catalogue-entry.ts'
import type { Attribute } from '../device.ts'
import { fieldWeight, type SearchField } from './search.ts'
import { foldAttributeName, foldCode, foldValue, splitWords } from './search-term.ts'
import { addTerm, createTermTable, endSpan, internTerm, type TermSpan, type TermTable } from './term-table.ts'

/** The words and codes of all devices and variants, shared by all snapshots of a process. */
export type TermTables = {
  readonly deviceWords: TermTable
  readonly deviceCodes: TermTable
  readonly variantWords: TermTable
  readonly variantCodes: TermTable
  readonly attributes: TermTable
  /** Makes and categories repeat from device to device, so their word ids are cached. */
  readonly labelWords: Map<string, readonly number[]>
  /** Variants share attribute objects; see `internAttribute`. */
  readonly attributeTerms: WeakMap<Attribute, AttributeTerms>
}

type AttributeTerms = { readonly words: readonly number[]; readonly id: number }

export function createTermTables(): TermTables {
  return {
    deviceWords: createTermTable(),
    deviceCodes: createTermTable(),
    variantWords: createTermTable(),
    variantCodes: createTermTable(),
    attributes: createTermTable(),
    labelWords: new Map(),
    attributeTerms: new WeakMap(),
  }
}

/** An attribute as one key: its folded name, a blank and its folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

const MAX_NAME_WORD_COUNT = 255

/** Adds the words and codes of a device and its variants to the tables and sets the entries' spans. */
export function indexTerms(tables: TermTables, entry: DeviceEntry): void {
  const { deviceWords } = tables
  const { device } = entry
  const start = deviceWords.used
  const name = splitWords(device.name)
  addWords(deviceWords, start, internTerms(deviceWords, name), 'name')
  entry.nameWordCount = Math.min(deviceWords.used - start, MAX_NAME_WORD_COUNT)
  addWords(deviceWords, start, labelWordsOf(tables, device.make), 'make')
  addWords(deviceWords, start, labelWordsOf(tables, device.category), 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const otherSlugWords = device.id.split('-').filter((word) => word && !name.includes(word))
  addWords(deviceWords, start, internTerms(deviceWords, otherSlugWords), 'slug')
  entry.words = endSpan(deviceWords, start)
  entry.codes = addCodes(tables.deviceCodes, device.modelNumbers, device.modelIdentifiers)
  for (const variant of entry.variants) indexVariantTerms(tables, variant, entry.nameWordCount)
  entry.isIndexed = true
}

function indexVariantTerms(tables: TermTables, entry: VariantEntry, deviceNameWordCount: number): void {
  const { variantWords, attributes } = tables
  const { variant } = entry
  const start = variantWords.used
  const attributesStart = attributes.used
  addWords(variantWords, start, internTerms(variantWords, splitWords(variant.name)), 'name')
  entry.nameWordCount = Math.min(deviceNameWordCount + variantWords.used - start, MAX_NAME_WORD_COUNT)
  for (const attribute of variant.attributes) {
    const terms = attributeTermsOf(tables, attribute)
    addWords(variantWords, start, terms.words, 'category')
    addTerm(attributes, attributesStart, terms.id, 0)
  }
  entry.words = endSpan(variantWords, start)
  entry.attributes = endSpan(attributes, attributesStart)
  // A SKU that repeats the id is found by the id.
  const hasOwnSku = variant.sku !== '' && foldCode(variant.sku) !== variant.id.toUpperCase()
  const { partNumbers, modelNumbers } = variant
  entry.codes = addCodes(tables.variantCodes, hasOwnSku ? [variant.sku] : [], partNumbers, modelNumbers)
}

function addCodes(table: TermTable, ...lists: readonly (readonly string[])[]): TermSpan {
  const start = table.used
  for (const codes of lists) {
    for (const code of codes) addTerm(table, start, internTerm(table, foldCode(code)), 0)
  }
  return endSpan(table, start)
}

function labelWordsOf({ labelWords, deviceWords }: TermTables, label: string): readonly number[] {
  const cached = labelWords.get(label)
  if (cached) return cached
  const ids = internTerms(deviceWords, splitWords(label))
  labelWords.set(label, ids)
  return ids
}

function attributeTermsOf({ attributeTerms, variantWords, attributes }: TermTables, attribute: Attribute) {
  const cached = attributeTerms.get(attribute)
  if (cached) return cached
  const { name, value } = attribute
  const terms = {
    words: internTerms(variantWords, splitWords(value)),
    id: internTerm(attributes, attributeKey(name, value)),
  }
  attributeTerms.set(attribute, terms)
  return terms
}

function internTerms(table: TermTable, texts: readonly string[]): number[] {
  return texts.map((text) => internTerm(table, text))
}

function addWords(table: TermTable, start: number, ids: readonly number[], field: SearchField): void {
  for (let position = 0; position < ids.length; position++) {
    addTerm(table, start, ids[position] as number, fieldWeight(field, position))
  }
}

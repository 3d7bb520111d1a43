import type { DeviceEntry, VariantEntry } from '../catalogue-entry.ts'
import type { Attribute } from '../device.ts'
import { fieldWeight, type SearchField } from './search.ts'
import { foldAttributeName, foldCode, foldValue, splitWords } from './search-term.ts'
import { addTerm, createTermTable, internTerm, NO_TERMS, type TermList, type TermTable } from './term-table.ts'

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

/** Key of an attribute: folded name, blank, folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

const MAX_NAME_WORD_COUNT = 255

/** Adds the words and codes of a device and its variants to the tables and to the entries. */
export function indexTerms(tables: TermTables, entry: DeviceEntry): void {
  const { deviceWords } = tables
  const { device } = entry
  const words: number[] = []
  const name = splitWords(device.name)
  addWords(words, internTerms(deviceWords, name), 'name')
  entry.nameWordCount = Math.min(words.length, MAX_NAME_WORD_COUNT)
  addWords(words, labelWordsOf(tables, device.make), 'make')
  addWords(words, labelWordsOf(tables, device.category), 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const otherSlugWords = device.id.split('-').filter((word) => word && !name.includes(word))
  addWords(words, internTerms(deviceWords, otherSlugWords), 'slug')
  entry.words = words
  entry.codes = codeTerms(tables.deviceCodes, [...device.modelNumbers, ...device.modelIdentifiers])
  for (const variant of entry.variants) indexVariantTerms(tables, variant, entry.nameWordCount)
  entry.isIndexed = true
}

function indexVariantTerms(tables: TermTables, entry: VariantEntry, deviceNameWordCount: number): void {
  const { variant } = entry
  const words: number[] = []
  const attributes: number[] = []
  addWords(words, internTerms(tables.variantWords, splitWords(variant.name)), 'name')
  entry.nameWordCount = Math.min(deviceNameWordCount + words.length, MAX_NAME_WORD_COUNT)
  for (const attribute of variant.attributes) {
    const terms = attributeTermsOf(tables, attribute)
    addWords(words, terms.words, 'category')
    addTerm(attributes, terms.id, 0)
  }
  entry.words = words
  entry.attributes = attributes
  // A SKU that repeats the id is found by the id.
  const hasOwnSku = variant.sku !== '' && foldCode(variant.sku) !== variant.id.toUpperCase()
  const codes = [...(hasOwnSku ? [variant.sku] : []), ...variant.partNumbers, ...variant.modelNumbers]
  entry.codes = codeTerms(tables.variantCodes, codes)
}

function codeTerms(table: TermTable, codes: readonly string[]): TermList {
  if (codes.length === 0) return NO_TERMS
  const terms: number[] = []
  for (const code of codes) addTerm(terms, internTerm(table, foldCode(code)), 0)
  return terms
}

const labelWordsOf = ({ labelWords, deviceWords }: TermTables, label: string) =>
  labelWords.getOrInsertComputed(label, () => internTerms(deviceWords, splitWords(label)))

const attributeTermsOf = ({ attributeTerms, variantWords, attributes }: TermTables, attribute: Attribute) =>
  attributeTerms.getOrInsertComputed(attribute, ({ name, value }) => ({
    words: internTerms(variantWords, splitWords(value)),
    id: internTerm(attributes, attributeKey(name, value)),
  }))

function internTerms(table: TermTable, texts: readonly string[]): number[] {
  return texts.map((text) => internTerm(table, text))
}

function addWords(terms: number[], ids: readonly number[], field: SearchField): void {
  for (const [position, id] of ids.entries()) addTerm(terms, id, fieldWeight(field, position))
}

import type { DeviceEntry } from '../catalogue-entry.ts'
import type { Attribute, Variant } from '../device.ts'
import { fieldWeight, type SearchField } from './search.ts'
import { foldAttributeName, foldCode, foldValue, splitWords } from './search-term.ts'
import { addTerm, createTermTable, internTerm, type TermTable, type WeightedTerm } from './term-table.ts'

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

export type DeviceTerms = {
  readonly words: readonly WeightedTerm[]
  readonly codes: readonly WeightedTerm[]
  /** Distinct words in the name. */
  readonly nameWordCount: number
}

export type VariantTerms = DeviceTerms & { readonly attributes: readonly WeightedTerm[] }

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
const NO_TERMS: readonly WeightedTerm[] = []

/** Adds the words and codes of a device and its variants to the tables and stores their ids in the entries. */
export function indexTerms(tables: TermTables, entry: DeviceEntry): void {
  const { deviceWords } = tables
  const { device } = entry
  const words: WeightedTerm[] = []
  const name = splitWords(device.name)
  addWords(words, internTerms(deviceWords, name), 'name')
  const nameWordCount = Math.min(words.length, MAX_NAME_WORD_COUNT)
  addWords(words, labelWordsOf(tables, device.make), 'make')
  addWords(words, labelWordsOf(tables, device.category), 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const otherSlugWords = device.id.split('-').filter((word) => word && !name.includes(word))
  addWords(words, internTerms(deviceWords, otherSlugWords), 'slug')
  const codes = codeTerms(tables.deviceCodes, [...device.modelNumbers, ...device.modelIdentifiers])
  entry.terms = { words, codes, nameWordCount }
  for (const variantEntry of entry.variants) {
    variantEntry.terms = variantTerms(tables, variantEntry.variant, nameWordCount)
  }
}

function variantTerms(tables: TermTables, variant: Variant, deviceNameWordCount: number): VariantTerms {
  const { variantWords, variantCodes } = tables
  const words: WeightedTerm[] = []
  const attributes: WeightedTerm[] = []
  addWords(words, internTerms(variantWords, splitWords(variant.name)), 'name')
  const nameWordCount = Math.min(deviceNameWordCount + words.length, MAX_NAME_WORD_COUNT)
  for (const attribute of variant.attributes) {
    const terms = attributeTermsOf(tables, attribute)
    addWords(words, terms.words, 'category')
    addTerm(attributes, terms.id, 0)
  }
  // A SKU that repeats the id is found by the id.
  const sku = foldCode(variant.sku)
  const ownSku = sku && sku !== variant.id.toUpperCase() ? [sku] : []
  const codes = codeTerms(variantCodes, [...ownSku, ...variant.partNumbers, ...variant.modelNumbers])
  return { words, codes, attributes, nameWordCount }
}

function codeTerms(table: TermTable, codes: readonly string[]): readonly WeightedTerm[] {
  if (codes.length === 0) return NO_TERMS
  const terms: WeightedTerm[] = []
  for (const code of codes) addTerm(terms, internTerm(table, foldCode(code)), 0)
  return terms
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

function addWords(terms: WeightedTerm[], ids: readonly number[], field: SearchField): void {
  for (let position = 0; position < ids.length; position++) {
    addTerm(terms, ids[position] as number, fieldWeight(field, position))
  }
}

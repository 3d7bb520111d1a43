import type { TimeSliced } from '../../lib/time-sliced.ts'
import type { DeviceEntry, VariantEntry } from '../catalogue-entry.ts'
import { buildPostings, type Postings } from './postings.ts'
import { findDocumentsByCode, type SearchableDocuments, search } from './search.ts'
import type { SearchTerm } from './search-term.ts'
import { sortVocabulary, type TermTable } from './term-table.ts'
import { indexTerms, type TermTables } from './term-tables.ts'

/** Devices and variants in list order. A position is an index into one of the two lists. */
export type EntryLists = {
  readonly devices: readonly DeviceEntry[]
  /** All variants, device by device. */
  readonly variants: readonly VariantEntry[]
  /** Position of each device's first variant; one longer than `devices`. */
  readonly firstVariant: Uint32Array
  readonly devicePositions: ReadonlyMap<string, number>
  readonly variantPositions: ReadonlyMap<string, number>
}

/** Finds devices and variants by words, codes and attributes. Codes are folded; positions ascend where not ranked. */
export type SearchIndex = {
  /** Folded attribute names that some variant has. */
  readonly attributeNames: ReadonlySet<string>
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  variantsByAttribute(key: string): Uint32Array
  /** Variants with this code. A variant's id counts as a code, because many SKUs repeat it. */
  variantsByCode(code: string): number[]
  /** Devices that have the code or a variant with it. */
  devicesByCode(code: string): number[]
}

export function* buildSearchIndex(lists: EntryLists, tables: TermTables): TimeSliced<SearchIndex> {
  const { devices, variants, firstVariant, devicePositions, variantPositions } = lists
  yield* indexNewEntries(devices, tables)
  const deviceVocabulary = yield* sortVocabulary(tables.deviceWords)
  const variantVocabulary = yield* sortVocabulary(tables.variantWords)
  const wordsOf = ({ words }: DeviceEntry | VariantEntry) => words
  const codesOf = ({ codes }: DeviceEntry | VariantEntry) => codes
  const attributesOf = (entry: VariantEntry) => entry.attributes
  const nameWordCountOf = ({ nameWordCount }: DeviceEntry | VariantEntry) => nameWordCount
  const deviceWords = yield* buildPostings(tables.deviceWords, devices, wordsOf, deviceVocabulary.rankOf)
  const deviceCodes = yield* buildPostings(tables.deviceCodes, devices, codesOf, null)
  const variantWords = yield* buildPostings(tables.variantWords, variants, wordsOf, variantVocabulary.rankOf)
  const variantCodes = yield* buildPostings(tables.variantCodes, variants, codesOf, null)
  const attributes = yield* buildPostings(tables.attributes, variants, attributesOf, null)

  const deviceCodeIndex = { terms: tables.deviceCodes, postings: deviceCodes }
  const variantCodeIndex = { terms: tables.variantCodes, postings: variantCodes }
  const attributeIndex = { terms: tables.attributes, postings: attributes }
  const deviceLayer = { vocabulary: deviceVocabulary, postings: deviceWords }
  const variantsByCode = (code: string): number[] => {
    const positions = new Set<number>(findDocumentsByCode(variantCodeIndex, code))
    const positionById = variantPositions.get(code.toLowerCase())
    if (positionById !== undefined) positions.add(positionById)
    return [...positions].sort((a, b) => a - b)
  }
  const devicesByCode = (code: string): number[] => {
    const positions = new Set<number>(findDocumentsByCode(deviceCodeIndex, code))
    for (const position of variantsByCode(code)) {
      const { owner } = variants[position] as VariantEntry
      positions.add(devicePositions.get(owner.device.id) as number)
    }
    return [...positions].sort((a, b) => a - b)
  }
  const searchableDevices: SearchableDocuments = {
    size: devices.length,
    layers: [{ ...deviceLayer, firstDocument: null }],
    findByCode: devicesByCode,
    nameWordCounts: Uint8Array.from(devices, nameWordCountOf),
  }
  yield
  const searchableVariants: SearchableDocuments = {
    size: variants.length,
    layers: [
      { vocabulary: variantVocabulary, postings: variantWords, firstDocument: null },
      { ...deviceLayer, firstDocument: firstVariant },
    ],
    findByCode(code) {
      const variantMatches = variantsByCode(code)
      if (variantMatches.length) return variantMatches
      return Array.from(findDocumentsByCode(deviceCodeIndex, code)).flatMap((position) => {
        const first = firstVariant[position] as number
        return Array.from({ length: (firstVariant[position + 1] as number) - first }, (_, i) => first + i)
      })
    },
    nameWordCounts: Uint8Array.from(variants, nameWordCountOf),
  }
  return {
    attributeNames: usedAttributeNames(tables.attributes, attributes),
    searchDevices: (term) => search(searchableDevices, term),
    searchVariants: (term) => search(searchableVariants, term),
    variantsByAttribute: (key) => findDocumentsByCode(attributeIndex, key),
    variantsByCode,
    devicesByCode,
  }
}

function* indexNewEntries(devices: readonly DeviceEntry[], tables: TermTables): TimeSliced<void> {
  for (const [position, entry] of devices.entries()) {
    if ((position & 16383) === 16383) yield
    if (entry.isIndexed) continue
    indexTerms(tables, entry)
    if ((position & 31) === 31) yield
  }
}

/** Names that at least one variant has; the term table also contains those of removed variants. */
function usedAttributeNames({ texts }: TermTable, { starts }: Postings): Set<string> {
  const names = new Set<string>()
  for (const [id, key] of texts.entries()) {
    if (starts[id] !== starts[id + 1]) names.add(key.slice(0, key.indexOf(' ')))
  }
  return names
}

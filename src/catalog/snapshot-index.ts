import type { Slices } from '../slices.ts'
import { type DeviceEntry, type Lexicons, readWords, type VariantEntry } from './entry.ts'
import { EMPTY_VOCABULARY, gatherPostings, orderVocabulary, type Postings, type Vocabulary } from './lexicon.ts'
import { documentsOf, type Searchable, search } from './search.ts'
import type { SearchTerm } from './words.ts'

/** The devices and variants of a snapshot in the order lists show them. */
export type Arranged = {
  readonly devices: readonly DeviceEntry[]
  readonly variants: readonly VariantEntry[]
  readonly firstVariant: Uint32Array
  readonly placeOfDevice: ReadonlyMap<string, number>
  readonly placeOfVariant: ReadonlyMap<string, number>
}

/** What a snapshot is searched in. Codes are folded, places are those of the snapshot, ascending where not ranked. */
export type SnapshotIndex = {
  readonly lexicons: Lexicons
  readonly deviceVocabulary: Vocabulary
  readonly variantVocabulary: Vocabulary
  /** How many words the lists of the present devices and variants hold. */
  readonly listed: number
  readonly attributeNames: ReadonlySet<string>
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  variantsByAttribute(key: string): Uint32Array
  /** Variants with a code of their own. Their id counts as one: many SKUs repeat it. */
  variantsByCode(code: string): number[]
  /** Devices that a code of theirs or of one of their variants names. */
  devicesByCode(code: string): number[]
}

/** `before` is the predecessor's, whose words are in the lexicons already. */
export function* indexDevices(
  { devices, variants, firstVariant, placeOfDevice, placeOfVariant }: Arranged,
  lexicons: Lexicons,
  before: SnapshotIndex | null,
): Slices<SnapshotIndex> {
  const nameWords = new Uint8Array(devices.length)
  const wordSpans = new Float64Array(devices.length)
  const codeSpans = new Float64Array(devices.length)
  for (let place = 0; place < devices.length; place++) {
    const entry = devices[place] as DeviceEntry
    readWords(entry, lexicons)
    nameWords[place] = entry.nameWords
    wordSpans[place] = entry.words
    codeSpans[place] = entry.codes
    if ((place & 31) === 31) yield
  }
  const variantNameWords = new Uint8Array(variants.length)
  const variantWordSpans = new Float64Array(variants.length)
  const variantCodeSpans = new Float64Array(variants.length)
  const attributeSpans = new Float64Array(variants.length)
  for (let place = 0; place < variants.length; place++) {
    const entry = variants[place] as VariantEntry
    variantNameWords[place] = entry.nameWords
    variantWordSpans[place] = entry.words
    variantCodeSpans[place] = entry.codes
    attributeSpans[place] = entry.attributes
    if ((place & 4095) === 4095) yield
  }
  yield

  const deviceVocabulary = yield* orderVocabulary(lexicons.deviceWords, before?.deviceVocabulary ?? EMPTY_VOCABULARY)
  const variantVocabulary = yield* orderVocabulary(lexicons.variantWords, before?.variantVocabulary ?? EMPTY_VOCABULARY)
  const deviceWords = yield* gatherPostings(lexicons.deviceWords, wordSpans, deviceVocabulary.rankOf)
  const deviceCodes = yield* gatherPostings(lexicons.deviceCodes, codeSpans, null)
  const variantWords = yield* gatherPostings(lexicons.variantWords, variantWordSpans, variantVocabulary.rankOf)
  const variantCodes = yield* gatherPostings(lexicons.variantCodes, variantCodeSpans, null)
  const attributes = yield* gatherPostings(lexicons.attributes, attributeSpans, null)
  const attributeNames = readAttributeNames(lexicons, attributes)
  yield

  const deviceCodeIndex = { lexicon: lexicons.deviceCodes, postings: deviceCodes }
  const variantCodeIndex = { lexicon: lexicons.variantCodes, postings: variantCodes }
  const attributeIndex = { lexicon: lexicons.attributes, postings: attributes }
  const deviceLayer = { vocabulary: deviceVocabulary, postings: deviceWords }
  const variantsByCode = (code: string): number[] => {
    const places = new Set<number>(documentsOf(variantCodeIndex, code))
    const named = placeOfVariant.get(code.toLowerCase())
    if (named !== undefined) places.add(named)
    return [...places].sort((a, b) => a - b)
  }
  const devicesByCode = (code: string): number[] => {
    const places = new Set<number>(documentsOf(deviceCodeIndex, code))
    for (const place of variantsByCode(code)) {
      places.add(placeOfDevice.get((variants[place] as VariantEntry).device.id) as number)
    }
    return [...places].sort((a, b) => a - b)
  }
  const searchableDevices: Searchable = {
    size: devices.length,
    layers: [{ ...deviceLayer, firstOf: null }],
    byCode: devicesByCode,
    nameWords,
  }
  const searchableVariants: Searchable = {
    size: variants.length,
    layers: [
      { vocabulary: variantVocabulary, postings: variantWords, firstOf: null },
      { ...deviceLayer, firstOf: firstVariant },
    ],
    byCode(code) {
      const own = variantsByCode(code)
      if (own.length) return own
      return Array.from(documentsOf(deviceCodeIndex, code)).flatMap((place) => {
        const first = firstVariant[place] as number
        return Array.from({ length: (firstVariant[place + 1] as number) - first }, (_, i) => first + i)
      })
    },
    nameWords: variantNameWords,
  }

  return {
    lexicons,
    deviceVocabulary,
    variantVocabulary,
    listed: deviceWords.documents.length + variantWords.documents.length,
    attributeNames,
    searchDevices: (term) => search(searchableDevices, term),
    searchVariants: (term) => search(searchableVariants, term),
    variantsByAttribute: (key) => documentsOf(attributeIndex, key),
    variantsByCode,
    devicesByCode,
  }
}

/** Names with at least one variant left; the lexicon also remembers those that are gone. */
function readAttributeNames({ attributes }: Lexicons, postings: Postings): Set<string> {
  const names = new Set<string>()
  for (let id = 0; id + 1 < postings.starts.length; id++) {
    const key = attributes.texts[id] as string
    if (postings.starts[id] !== postings.starts[id + 1]) names.add(key.slice(0, key.indexOf(' ')))
  }
  return names
}

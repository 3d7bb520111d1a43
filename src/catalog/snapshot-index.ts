import type { Slices } from '../slices.ts'
import { type DeviceEntry, isRead, type Lexicons, readWords, type VariantEntry } from './entry.ts'
import { EMPTY_VOCABULARY, gatherPostings, orderVocabulary, type Postings, type Vocabulary } from './lexicon.ts'
import { documentsOf, type Searchable, search } from './search.ts'
import type { SearchTerm } from './words.ts'

/** The devices and variants of a snapshot in the order lists show them. */
export type Arranged = {
  readonly devices: readonly DeviceEntry[]
  readonly variants: readonly VariantEntry[]
  readonly firstVariant: Uint32Array
  readonly placeOfDevice: { get(id: string): number | undefined }
  readonly placeOfVariant: { get(id: string): number | undefined }
}

/** What a snapshot is searched in. Codes are folded, places are those of the snapshot, ascending where not ranked. */
export type SnapshotIndex = {
  readonly lexicons: Lexicons
  readonly deviceVocabulary: Vocabulary
  readonly variantVocabulary: Vocabulary
  /** How many words the lists of the present devices and variants hold. */
  readonly listed: number
  readonly attributeNames: ReadonlySet<string>
  readonly spans: Spans
  /** Devices whose text cannot be read: they are found by nothing and belong out of the registry. */
  readonly unreadable: readonly { readonly id: string; readonly error: unknown }[]
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  variantsByAttribute(key: string): Uint32Array
  /** Variants with a code of their own. Their id counts as one: many SKUs repeat it. */
  variantsByCode(code: string): number[]
  /** Devices that a code of theirs or of one of their variants names. */
  devicesByCode(code: string): number[]
}

/** Where the words of each device and each variant lie in the lexicons, in the order of the lists. */
type Spans = {
  readonly nameWords: Uint8Array
  readonly words: Float64Array
  readonly codes: Float64Array
  readonly variantNameWords: Uint8Array
  readonly variantWords: Float64Array
  readonly variantCodes: Float64Array
  readonly attributes: Float64Array
}

/**
 * `before` is the predecessor's, whose words are in the lexicons already. Where only some devices differ from it and all
 * stand where they stood, `changed` has their places.
 */
export function* indexDevices(
  arranged: Arranged,
  lexicons: Lexicons,
  before: SnapshotIndex | null,
  changed: readonly number[] | null = null,
): Slices<SnapshotIndex> {
  const { devices, variants, firstVariant, placeOfDevice, placeOfVariant } = arranged
  const unreadable: { id: string; error: unknown }[] = []
  const spans =
    before && changed
      ? yield* spansAfter(before.spans, changed, arranged, lexicons, unreadable)
      : yield* readSpans(arranged, lexicons, unreadable)
  yield
  const deviceVocabulary = yield* orderVocabulary(lexicons.deviceWords, before?.deviceVocabulary ?? EMPTY_VOCABULARY)
  const variantVocabulary = yield* orderVocabulary(lexicons.variantWords, before?.variantVocabulary ?? EMPTY_VOCABULARY)
  const deviceWords = yield* gatherPostings(lexicons.deviceWords, spans.words, deviceVocabulary.rankOf)
  const deviceCodes = yield* gatherPostings(lexicons.deviceCodes, spans.codes, null)
  const variantWords = yield* gatherPostings(lexicons.variantWords, spans.variantWords, variantVocabulary.rankOf)
  const variantCodes = yield* gatherPostings(lexicons.variantCodes, spans.variantCodes, null)
  const attributes = yield* gatherPostings(lexicons.attributes, spans.attributes, null)
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
      places.add(placeOfDevice.get((variants[place] as VariantEntry).owner.id) as number)
    }
    return [...places].sort((a, b) => a - b)
  }
  const searchableDevices: Searchable = {
    size: devices.length,
    layers: [{ ...deviceLayer, firstOf: null }],
    byCode: devicesByCode,
    nameWords: spans.nameWords,
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
    nameWords: spans.variantNameWords,
  }

  return {
    lexicons,
    deviceVocabulary,
    variantVocabulary,
    listed: deviceWords.documents.length + variantWords.documents.length,
    attributeNames,
    spans,
    unreadable,
    searchDevices: (term) => search(searchableDevices, term),
    searchVariants: (term) => search(searchableVariants, term),
    variantsByAttribute: (key) => documentsOf(attributeIndex, key),
    variantsByCode,
    devicesByCode,
  }
}

type Unreadable = { id: string; error: unknown }[]

function* readSpans({ devices, variants }: Arranged, lexicons: Lexicons, unreadable: Unreadable): Slices<Spans> {
  const spans: Spans = {
    nameWords: new Uint8Array(devices.length),
    words: new Float64Array(devices.length),
    codes: new Float64Array(devices.length),
    variantNameWords: new Uint8Array(variants.length),
    variantWords: new Float64Array(variants.length),
    variantCodes: new Float64Array(variants.length),
    attributes: new Float64Array(variants.length),
  }
  for (let place = 0; place < devices.length; place++) {
    const entry = devices[place] as DeviceEntry
    if (tryWords(entry, lexicons, unreadable)) noteDevice(spans, place, entry)
    if ((place & 31) === 31) yield
  }
  for (let place = 0; place < variants.length; place++) {
    const entry = variants[place] as VariantEntry
    if (isRead(entry)) noteVariant(spans, place, entry)
    if ((place & 4095) === 4095) yield
  }
  return spans
}

function* spansAfter(
  before: Spans,
  changed: readonly number[],
  { devices, variants, firstVariant }: Arranged,
  lexicons: Lexicons,
  unreadable: Unreadable,
): Slices<Spans> {
  const spans = { ...before }
  // One after the other: each is some megabytes.
  for (const name of Object.keys(before) as (keyof Spans)[]) {
    Object.assign(spans, { [name]: before[name].slice() })
    yield
  }
  for (const place of changed) {
    const entry = devices[place] as DeviceEntry
    if (tryWords(entry, lexicons, unreadable)) {
      noteDevice(spans, place, entry)
      const end = firstVariant[place + 1] as number
      for (let at = firstVariant[place] as number; at < end; at++) noteVariant(spans, at, variants[at] as VariantEntry)
    }
    yield
  }
  return spans
}

function tryWords(entry: DeviceEntry, lexicons: Lexicons, unreadable: Unreadable): boolean {
  try {
    readWords(entry, lexicons)
    return true
  } catch (error) {
    unreadable.push({ id: entry.id, error })
    return false
  }
}

function noteDevice(spans: Spans, place: number, { nameWords, words, codes }: DeviceEntry): void {
  spans.nameWords[place] = nameWords
  spans.words[place] = words
  spans.codes[place] = codes
}

function noteVariant(spans: Spans, place: number, { nameWords, words, codes, attributes }: VariantEntry): void {
  spans.variantNameWords[place] = nameWords
  spans.variantWords[place] = words
  spans.variantCodes[place] = codes
  spans.attributes[place] = attributes
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

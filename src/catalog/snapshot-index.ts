import type { Slices } from '../slices.ts'
import type { Arranged } from './arranged.ts'
import { setByte } from './column.ts'
import { EMPTY_VOCABULARY, orderVocabulary, type Vocabulary } from './lexicon.ts'
import { type Lexicons, readWords } from './lexicons.ts'
import { gatherPostings, type Postings, patchPostings } from './postings.ts'
import { deviceIdOf, readOnce } from './registry-rows.ts'
import { documentsOf, type Searchable, search } from './search.ts'
import type { SearchTerm } from './words.ts'

/** What a snapshot is searched in. Codes are folded, places are those of the snapshot, ascending where not ranked. */
export type SnapshotIndex = {
  readonly lexicons: Lexicons
  readonly deviceVocabulary: Vocabulary
  readonly variantVocabulary: Vocabulary
  /** How many words the lists of the present devices and variants hold. */
  readonly listed: number
  readonly attributeNames: ReadonlySet<string>
  readonly postings: IndexPostings
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

/** The documents of each word, code and attribute. */
type IndexPostings = Readonly<
  Record<'deviceWords' | 'deviceCodes' | 'variantWords' | 'variantCodes' | 'attributes', Postings>
>

/** The snapshot before, whose words are in the lexicons already. */
export type Predecessor = {
  readonly index: SnapshotIndex
  readonly arranged: Arranged
  /** The places of the devices that differ from it, where all stand where they stood; null where they do not. */
  readonly places: readonly number[] | null
}

export function* indexDevices(
  arranged: Arranged,
  lexicons: Lexicons,
  before: Predecessor | null,
): Slices<SnapshotIndex> {
  const { rows, devices, variants, firstVariant, placeOfDevice, placeOfVariant } = arranged
  const unreadable = yield* readNewWords(arranged, lexicons, before?.places ?? null)
  yield
  const known = before?.index
  const deviceVocabulary = yield* orderVocabulary(lexicons.deviceWords, known?.deviceVocabulary ?? EMPTY_VOCABULARY)
  const variantVocabulary = yield* orderVocabulary(lexicons.variantWords, known?.variantVocabulary ?? EMPTY_VOCABULARY)
  const postings = yield* gatherAll(arranged, lexicons, { deviceVocabulary, variantVocabulary }, before)
  const attributeNames = readAttributeNames(lexicons, postings.attributes)
  yield
  const deviceNameWords = valuesAt(lexicons.devices.nameWords.values, devices)
  yield
  const variantNameWords = valuesAt(lexicons.variants.nameWords.values, variants)
  yield

  const deviceCodeIndex = { lexicon: lexicons.deviceCodes, postings: postings.deviceCodes }
  const variantCodeIndex = { lexicon: lexicons.variantCodes, postings: postings.variantCodes }
  const attributeIndex = { lexicon: lexicons.attributes, postings: postings.attributes }
  const deviceLayer = { vocabulary: deviceVocabulary, postings: postings.deviceWords }
  const variantsByCode = (code: string): number[] => {
    const places = new Set<number>(documentsOf(variantCodeIndex, code))
    const named = placeOfVariant.get(code.toLowerCase())
    if (named !== undefined) places.add(named)
    return [...places].sort((a, b) => a - b)
  }
  const devicesByCode = (code: string): number[] => {
    const places = new Set<number>(documentsOf(deviceCodeIndex, code))
    for (const place of variantsByCode(code)) {
      const owner = rows.variants.owner.values[variants[place] as number] as number
      places.add(placeOfDevice.at(rows.devices.id.values[owner] as number) as number)
    }
    return [...places].sort((a, b) => a - b)
  }
  const searchableDevices: Searchable = {
    size: devices.length,
    layers: [{ ...deviceLayer, firstOf: null }],
    byCode: devicesByCode,
    nameWords: deviceNameWords,
  }
  const searchableVariants: Searchable = {
    size: variants.length,
    layers: [
      { vocabulary: variantVocabulary, postings: postings.variantWords, firstOf: null },
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
    listed: postings.deviceWords.documents.length + postings.variantWords.documents.length,
    postings,
    attributeNames,
    unreadable,
    searchDevices: (term) => search(searchableDevices, term),
    searchVariants: (term) => search(searchableVariants, term),
    variantsByAttribute: (key) => documentsOf(attributeIndex, key),
    variantsByCode,
    devicesByCode,
  }
}

type Vocabularies = Pick<SnapshotIndex, 'deviceVocabulary' | 'variantVocabulary'>

/**
 * Apart from the index, whose functions live as long as it does: what they share with this would keep every predecessor
 * alive.
 */
function* gatherAll(
  arranged: Arranged,
  lexicons: Lexicons,
  vocabularies: Vocabularies,
  before: Predecessor | null,
): Slices<IndexPostings> {
  const { devices, variants } = lexicons
  const replaced = before?.places ? replacedDocuments(before.arranged, arranged, before.places) : null
  const ranksOf = ({ deviceVocabulary, variantVocabulary }: Vocabularies, name: keyof IndexPostings) => {
    if (name === 'deviceWords') return deviceVocabulary.rankOf
    return name === 'variantWords' ? variantVocabulary.rankOf : null
  }
  function* gather(
    name: keyof IndexPostings,
    documents: 'devices' | 'variants',
    spans: Float64Array,
  ): Slices<Postings> {
    const rankOf = ranksOf(vocabularies, name)
    if (!before || !replaced) return yield* gatherPostings(lexicons[name], spans, arranged[documents], rankOf)
    const known = { postings: before.index.postings[name], rankOf: ranksOf(before.index, name) }
    const reworded = replaced[documents].map(({ place, oldRow, row }) => ({
      document: place,
      before: spans[oldRow] ?? 0,
      after: spans[row] ?? 0,
    }))
    return yield* patchPostings(lexicons[name], known, rankOf, reworded)
  }
  return {
    deviceWords: yield* gather('deviceWords', 'devices', devices.words.values),
    deviceCodes: yield* gather('deviceCodes', 'devices', devices.codes.values),
    variantWords: yield* gather('variantWords', 'variants', variants.words.values),
    variantCodes: yield* gather('variantCodes', 'variants', variants.codes.values),
    attributes: yield* gather('attributes', 'variants', variants.attributes.values),
  }
}

type Unreadable = { readonly id: string; readonly error: unknown }

/** Of every row that was not read yet, which of all those at `places` may be. */
function* readNewWords(
  { rows, devices }: Arranged,
  lexicons: Lexicons,
  places: readonly number[] | null,
): Slices<Unreadable[]> {
  const unreadable: Unreadable[] = []
  const { isRead } = lexicons.devices
  const looked = places ? Uint32Array.from(places, (place) => devices[place] as number) : devices
  for (let at = 0; at < looked.length; at++) {
    if ((at & 16383) === 16383) yield
    const row = looked[at] as number
    if (isRead.values[row] === 1) continue
    setByte(isRead, row, 1)
    try {
      readWords(lexicons, readOnce(rows, row), row, rows.devices.firstVariant.values[row] as number)
    } catch (error) {
      unreadable.push({ id: deviceIdOf(rows, row), error })
    }
    if ((at & 31) === 31) yield
  }
  return unreadable
}

type Replaced = { readonly place: number; readonly oldRow: number; readonly row: number }

/** Which rows stand at the places where others stood. */
function replacedDocuments(before: Arranged, after: Arranged, places: readonly number[]) {
  const devices: Replaced[] = []
  const variants: Replaced[] = []
  const note = (list: Replaced[], place: number, was: Uint32Array, is: Uint32Array) =>
    list.push({ place, oldRow: was[place] as number, row: is[place] as number })
  for (const place of places) {
    note(devices, place, before.devices, after.devices)
    const end = after.firstVariant[place + 1] as number
    for (let at = after.firstVariant[place] as number; at < end; at++)
      note(variants, at, before.variants, after.variants)
  }
  return { devices, variants }
}

function valuesAt(values: Uint8Array, rows: Uint32Array): Uint8Array {
  const picked = new Uint8Array(rows.length)
  for (let at = 0; at < rows.length; at++) picked[at] = values[rows[at] as number] ?? 0
  return picked
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

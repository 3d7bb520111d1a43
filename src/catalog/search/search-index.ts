import type { TimeSliced } from '../../lib/time-sliced.ts'
import type { Arranged } from '../arranged.ts'
import { setByte } from '../column.ts'
import { deviceIdOf, readOnce } from '../registry-rows.ts'
import { buildPostings, type Postings, patchPostings } from './postings.ts'
import { findDocumentsByCode, type SearchableDocuments, search } from './search.ts'
import type { SearchTerm } from './search-term.ts'
import { EMPTY_VOCABULARY, sortVocabulary, type Vocabulary } from './term-table.ts'
import { addDeviceTerms, type TermTables } from './term-tables.ts'

/** What a snapshot is searched in. Codes are folded, places are those of the snapshot, ascending where not ranked. */
export type SearchIndex = {
  readonly tables: TermTables
  readonly deviceVocabulary: Vocabulary
  readonly variantVocabulary: Vocabulary
  /** How many words the lists of the present devices and variants hold. */
  readonly listedTermCount: number
  readonly attributeNames: ReadonlySet<string>
  readonly postings: AllPostings
  /** Devices whose text cannot be read: they are found by nothing and belong out of the registry. */
  readonly unreadableDevices: readonly { readonly id: string; readonly error: unknown }[]
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  variantsByAttribute(key: string): Uint32Array
  /** Variants with a code of their own. Their id counts as one: many SKUs repeat it. */
  variantsByCode(code: string): number[]
  /** Devices that a code of theirs or of one of their variants names. */
  devicesByCode(code: string): number[]
}

/** The documents of each word, code and attribute. */
type AllPostings = Readonly<
  Record<'deviceWords' | 'deviceCodes' | 'variantWords' | 'variantCodes' | 'attributes', Postings>
>

/** The snapshot before, whose words are in the lexicons already. */
export type PreviousIndex = {
  readonly index: SearchIndex
  readonly arranged: Arranged
  /** The places of the devices that differ from it, where all stand where they stood; null where they do not. */
  readonly changedPositions: readonly number[] | null
}

export function* buildSearchIndex(
  arranged: Arranged,
  tables: TermTables,
  previous: PreviousIndex | null,
): TimeSliced<SearchIndex> {
  const { rows, devices, variants, firstVariant, placeOfDevice, placeOfVariant } = arranged
  const unreadable = yield* addNewTerms(arranged, tables, previous?.changedPositions ?? null)
  yield
  const known = previous?.index
  const deviceVocabulary = yield* sortVocabulary(tables.deviceWords, known?.deviceVocabulary ?? EMPTY_VOCABULARY)
  const variantVocabulary = yield* sortVocabulary(tables.variantWords, known?.variantVocabulary ?? EMPTY_VOCABULARY)
  const postings = yield* buildAllPostings(arranged, tables, { deviceVocabulary, variantVocabulary }, previous)
  const attributeNames = readAttributeNames(tables, postings.attributes)
  yield
  const deviceNameWords = valuesAt(tables.devices.nameWordCount.values, devices)
  yield
  const variantNameWords = valuesAt(tables.variants.nameWordCount.values, variants)
  yield

  const deviceCodeIndex = { terms: tables.deviceCodes, postings: postings.deviceCodes }
  const variantCodeIndex = { terms: tables.variantCodes, postings: postings.variantCodes }
  const attributeIndex = { terms: tables.attributes, postings: postings.attributes }
  const deviceLayer = { vocabulary: deviceVocabulary, postings: postings.deviceWords }
  const variantsByCode = (code: string): number[] => {
    const places = new Set<number>(findDocumentsByCode(variantCodeIndex, code))
    const named = placeOfVariant.get(code.toLowerCase())
    if (named !== undefined) places.add(named)
    return [...places].sort((a, b) => a - b)
  }
  const devicesByCode = (code: string): number[] => {
    const places = new Set<number>(findDocumentsByCode(deviceCodeIndex, code))
    for (const place of variantsByCode(code)) {
      const owner = rows.variants.owner.values[variants[place] as number] as number
      places.add(placeOfDevice.at(rows.devices.id.values[owner] as number) as number)
    }
    return [...places].sort((a, b) => a - b)
  }
  const searchableDevices: SearchableDocuments = {
    size: devices.length,
    layers: [{ ...deviceLayer, firstDocument: null }],
    findByCode: devicesByCode,
    nameWordCounts: deviceNameWords,
  }
  const searchableVariants: SearchableDocuments = {
    size: variants.length,
    layers: [
      { vocabulary: variantVocabulary, postings: postings.variantWords, firstDocument: null },
      { ...deviceLayer, firstDocument: firstVariant },
    ],
    findByCode(code) {
      const own = variantsByCode(code)
      if (own.length) return own
      return Array.from(findDocumentsByCode(deviceCodeIndex, code)).flatMap((place) => {
        const first = firstVariant[place] as number
        return Array.from({ length: (firstVariant[place + 1] as number) - first }, (_, i) => first + i)
      })
    },
    nameWordCounts: variantNameWords,
  }

  return {
    tables,
    deviceVocabulary,
    variantVocabulary,
    listedTermCount: postings.deviceWords.documents.length + postings.variantWords.documents.length,
    postings,
    attributeNames,
    unreadableDevices: unreadable,
    searchDevices: (term) => search(searchableDevices, term),
    searchVariants: (term) => search(searchableVariants, term),
    variantsByAttribute: (key) => findDocumentsByCode(attributeIndex, key),
    variantsByCode,
    devicesByCode,
  }
}

type Vocabularies = Pick<SearchIndex, 'deviceVocabulary' | 'variantVocabulary'>

/**
 * Apart from the index, whose functions live as long as it does: what they share with this would keep every predecessor
 * alive.
 */
function* buildAllPostings(
  arranged: Arranged,
  tables: TermTables,
  vocabularies: Vocabularies,
  previous: PreviousIndex | null,
): TimeSliced<AllPostings> {
  const { devices, variants } = tables
  const replaced = previous?.changedPositions
    ? listReplacedRows(previous.arranged, arranged, previous.changedPositions)
    : null
  const ranksOf = ({ deviceVocabulary, variantVocabulary }: Vocabularies, name: keyof AllPostings) => {
    if (name === 'deviceWords') return deviceVocabulary.rankOf
    return name === 'variantWords' ? variantVocabulary.rankOf : null
  }
  function* gather(
    name: keyof AllPostings,
    documents: 'devices' | 'variants',
    spans: Float64Array,
  ): TimeSliced<Postings> {
    const rankOf = ranksOf(vocabularies, name)
    if (!previous || !replaced) return yield* buildPostings(tables[name], spans, arranged[documents], rankOf)
    const known = { postings: previous.index.postings[name], rankOf: ranksOf(previous.index, name) }
    const reworded = replaced[documents].map(({ place, oldRow, row }) => ({
      document: place,
      before: spans[oldRow] ?? 0,
      after: spans[row] ?? 0,
    }))
    return yield* patchPostings(tables[name], known, rankOf, reworded)
  }
  return {
    deviceWords: yield* gather('deviceWords', 'devices', devices.words.values),
    deviceCodes: yield* gather('deviceCodes', 'devices', devices.codes.values),
    variantWords: yield* gather('variantWords', 'variants', variants.words.values),
    variantCodes: yield* gather('variantCodes', 'variants', variants.codes.values),
    attributes: yield* gather('attributes', 'variants', variants.attributes.values),
  }
}

type UnreadableDevice = { readonly id: string; readonly error: unknown }

/** Of every row that was not read yet, which of all those at `places` may be. */
function* addNewTerms(
  { rows, devices }: Arranged,
  tables: TermTables,
  places: readonly number[] | null,
): TimeSliced<UnreadableDevice[]> {
  const unreadable: UnreadableDevice[] = []
  const { isIndexed: isRead } = tables.devices
  const looked = places ? Uint32Array.from(places, (place) => devices[place] as number) : devices
  for (let at = 0; at < looked.length; at++) {
    if ((at & 16383) === 16383) yield
    const row = looked[at] as number
    if (isRead.values[row] === 1) continue
    setByte(isRead, row, 1)
    try {
      addDeviceTerms(tables, readOnce(rows, row), row, rows.devices.firstVariant.values[row] as number)
    } catch (error) {
      unreadable.push({ id: deviceIdOf(rows, row), error })
    }
    if ((at & 31) === 31) yield
  }
  return unreadable
}

type ReplacedRow = { readonly place: number; readonly oldRow: number; readonly row: number }

/** Which rows stand at the places where others stood. */
function listReplacedRows(before: Arranged, after: Arranged, places: readonly number[]) {
  const devices: ReplacedRow[] = []
  const variants: ReplacedRow[] = []
  const note = (list: ReplacedRow[], place: number, was: Uint32Array, is: Uint32Array) =>
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
function readAttributeNames({ attributes }: TermTables, postings: Postings): Set<string> {
  const names = new Set<string>()
  for (let id = 0; id + 1 < postings.starts.length; id++) {
    const key = attributes.texts[id] as string
    if (postings.starts[id] !== postings.starts[id + 1]) names.add(key.slice(0, key.indexOf(' ')))
  }
  return names
}

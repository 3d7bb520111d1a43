import { filterInSlices, mergeInSlices, type Slices, sortInSlices } from '../slices.ts'
import { type Device, slug } from './device.ts'
import {
  type DeviceEntry,
  deviceBytes,
  type Lexicons,
  makeEntry,
  openLexicons,
  type VariantEntry,
  variantBytes,
} from './entry.ts'
import { EMPTY_VOCABULARY, gatherPostings, holds, orderVocabulary, type Postings, type Vocabulary } from './lexicon.ts'
import type { BaseUrl } from './present.ts'
import { documentsOf, type Searchable, search } from './search.ts'
import { foldCode, type SearchTerm } from './words.ts'

export type Found = { readonly device: Device; readonly variant: VariantEntry['variant'] }

/**
 * The registry at one moment, in the order lists show it. It never changes: a change in the store makes a successor,
 * which shares every device that stayed the same.
 */
export type Snapshot = {
  readonly devices: readonly DeviceEntry[]
  /** All variants, device by device. */
  readonly variants: readonly VariantEntry[]
  /** Place of each device's first variant; one place more than devices. */
  readonly firstVariant: Uint32Array
  readonly baseUrl: BaseUrl
  /** Places by id. */
  readonly placeOfDevice: ReadonlyMap<string, number>
  readonly placeOfVariant: ReadonlyMap<string, number>
  /** Names by their slug, as thumbnails spell them. */
  readonly makes: ReadonlyMap<string, string>
  readonly categories: ReadonlyMap<string, string>
  /** Folded attribute names that some variant has. */
  readonly attributeNames: ReadonlySet<string>
  findDevice(id: string): Device | undefined
  findVariant(id: string): Found | undefined
  /** Devices that a model number, model identifier, part number or SKU names exactly. */
  devicesByCode(code: string): Device[]
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  /** Places of the variants with an attribute (see `attributeKey`), ascending. */
  variantsByAttribute(key: string): Uint32Array
  /** Whether a variant has an attribute, by the number that `attributeId` gives for its key. */
  hasAttribute(place: number, id: number): boolean
  attributeId(key: string): number | undefined
  /** Places of the variants that a SKU, part number or model number of their own names, ascending. */
  variantsByCode(code: string): Uint32Array
  deviceBytes(place: number): Uint8Array
  variantBytes(place: number): Uint8Array
  /** What a successor is built from. */
  readonly inner: Inner
}

type Inner = {
  readonly lexicons: Lexicons
  readonly deviceVocabulary: Vocabulary
  readonly variantVocabulary: Vocabulary
  /** How many words the lists of the present devices and variants hold. */
  readonly listed: number
}

export type Changes = {
  /** New and changed devices, each with all its variants. */
  readonly changed: readonly Device[]
  readonly removed?: readonly string[]
}

/** Newest first, unknown dates last, then by slug. */
function compareDevices(a: DeviceEntry, b: DeviceEntry): number {
  const left = a.device.releasedOn ?? ''
  const right = b.device.releasedOn ?? ''
  if (left !== right) return left > right ? -1 : 1
  return a.device.id < b.device.id ? -1 : a.device.id > b.device.id ? 1 : 0
}

/** Lists of devices that are gone stay in the pools; when they outweigh the rest, everything is read afresh. */
const WASTE_FLOOR = 200_000

export function* buildSnapshot(previous: Snapshot | null, changes: Changes, baseUrl: BaseUrl): Slices<Snapshot> {
  const removed = new Set(changes.removed)
  const latest = new Map<string, Device>()
  const afresh = previous !== null && isWasteful(previous)
  const base = afresh ? null : previous
  if (afresh) for (const { device } of previous.devices) latest.set(device.id, device)
  for (const device of changes.changed) {
    latest.set(device.id, device)
    if ((latest.size & 2047) === 0) yield
  }
  const lexicons = base?.inner.lexicons ?? openLexicons()
  const fresh: DeviceEntry[] = []
  for (const device of latest.values()) {
    if (!removed.has(device.id)) fresh.push(makeEntry(device, lexicons))
    if ((fresh.length & 31) === 0) yield
  }
  const sorted = yield* sortDevices(fresh)
  const isKept = ({ device }: DeviceEntry) => !latest.has(device.id) && !removed.has(device.id)
  const kept = base ? yield* filterInSlices(base.devices, isKept) : []
  const devices = kept.length ? yield* mergeInSlices(kept, sorted, compareDevices) : sorted
  return yield* indexDevices(devices, lexicons, base?.inner, baseUrl)
}

/** The order of the list as text, which sorts many times faster than a comparison of two fields. */
function* sortDevices(entries: readonly DeviceEntry[]): Slices<DeviceEntry[]> {
  const byKey = new Map<string, DeviceEntry>()
  const keys: string[] = []
  for (const entry of entries) {
    const { releasedOn, id } = entry.device
    // The digits of the day turned round: the newest has the smallest text.
    const day = releasedOn ? 99_999_999 - Number(releasedOn.replaceAll('-', '')) : 99_999_999
    const key = `${String(day).padStart(8, '0')} ${id}`
    byKey.set(key, entry)
    keys.push(key)
    if ((keys.length & 1023) === 0) yield
  }
  const sorted: DeviceEntry[] = []
  for (const key of yield* sortInSlices(keys)) {
    sorted.push(byKey.get(key) as DeviceEntry)
    if ((sorted.length & 4095) === 0) yield
  }
  return sorted
}

function isWasteful({ inner: { lexicons, listed } }: Snapshot): boolean {
  const used = lexicons.deviceWords.used + lexicons.variantWords.used
  return used > WASTE_FLOOR && used > 3 * listed
}

function* indexDevices(
  devices: readonly DeviceEntry[],
  lexicons: Lexicons,
  before: Inner | undefined,
  baseUrl: BaseUrl,
): Slices<Snapshot> {
  const variants: VariantEntry[] = []
  const firstVariant = new Uint32Array(devices.length + 1)
  const placeOfDevice = new Map<string, number>()
  const placeOfVariant = new Map<string, number>()
  const makes = new Map<string, string>()
  const categories = new Map<string, string>()
  const named = { makes: new Set<string>(), categories: new Set<string>() }
  const nameWords = new Uint8Array(devices.length)
  const wordSpans = new Float64Array(devices.length)
  const codeSpans = new Float64Array(devices.length)
  for (let place = 0; place < devices.length; place++) {
    const entry = devices[place] as DeviceEntry
    const { id, make, category } = entry.device
    placeOfDevice.set(id, place)
    nameWords[place] = entry.nameWords
    wordSpans[place] = entry.words
    codeSpans[place] = entry.codes
    if (!named.makes.has(make)) {
      named.makes.add(make)
      makes.set(slug(make) || 'unnamed', make)
    }
    if (!named.categories.has(category)) {
      named.categories.add(category)
      categories.set(slug(category) || 'unnamed', category)
    }
    for (const variant of entry.variants) {
      placeOfVariant.set(variant.variant.id, variants.length)
      variants.push(variant)
    }
    firstVariant[place + 1] = variants.length
    if ((place & 511) === 511) yield
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
  /** Places of the variants with a code of their own, ascending. Their id counts as one: many SKUs repeat it. */
  const variantsByCode = (code: string): number[] => {
    const places = new Set<number>(documentsOf(variantCodeIndex, code))
    const named = placeOfVariant.get(code.toLowerCase())
    if (named !== undefined) places.add(named)
    return [...places].sort((a, b) => a - b)
  }
  /** Places of the devices that a code of theirs or of one of their variants names, ascending. */
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
    devices,
    variants,
    firstVariant,
    baseUrl,
    placeOfDevice,
    placeOfVariant,
    makes,
    categories,
    attributeNames,
    findDevice: (id) => devices[placeOfDevice.get(id) ?? -1]?.device,
    findVariant(id) {
      const entry = variants[placeOfVariant.get(id) ?? -1]
      return entry && { device: entry.device, variant: entry.variant }
    },
    devicesByCode: (code) => devicesByCode(foldCode(code)).map((place) => (devices[place] as DeviceEntry).device),
    searchDevices: (term) => search(searchableDevices, term),
    searchVariants: (term) => search(searchableVariants, term),
    variantsByAttribute: (key) => documentsOf(attributeIndex, key),
    attributeId: (key) => lexicons.attributes.idOf.get(key),
    hasAttribute: (place, id) => holds(lexicons.attributes, (variants[place] as VariantEntry).attributes, id),
    variantsByCode: (code) => Uint32Array.from(variantsByCode(foldCode(code))),
    deviceBytes: (place) => deviceBytes(devices[place] as DeviceEntry, baseUrl),
    variantBytes: (place) => variantBytes(variants[place] as VariantEntry, baseUrl),
    inner: {
      lexicons,
      deviceVocabulary,
      variantVocabulary,
      listed: deviceWords.documents.length + variantWords.documents.length,
    },
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

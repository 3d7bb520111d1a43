import {
  type BackgroundTask,
  backgroundTask,
  mergeTimeSliced,
  sortTimeSliced,
  type TimeSliced,
} from '../lib/time-sliced.ts'
import { compareEntries, createDeviceEntry, type DeviceEntry, type VariantEntry } from './catalogue-entry.ts'
import { type Device, slug, type Variant } from './device.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from './present.ts'
import { buildSearchIndex, type EntryLists, type SearchIndex, type Vocabularies } from './search/search-index.ts'
import { foldCode, type SearchTerm } from './search/search-term.ts'
import { EMPTY_VOCABULARY, spanContains } from './search/term-table.ts'
import { createTermTables, type TermTables } from './search/term-tables.ts'

/**
 * The registry at one moment, in the order of lists. It never changes: a change in the database makes a successor, which
 * shares the entry of every device that stayed the same.
 */
export type CatalogueSnapshot = Contents & {
  readonly baseUrl: BaseUrl
  /** Folded attribute names that some variant has. */
  readonly attributeNames: ReadonlySet<string>
  listDevices(): Device[]
  findDevice(id: string): Device | undefined
  findVariant(id: string): { readonly device: Device; readonly variant: Variant } | undefined
  /** Devices of a make and category whose release date is known. */
  listDevicesWithReleaseDate(make: string, category: string): Iterable<Device>
  /** The wire form of the device or variant at a position. */
  deviceJson(position: number): Uint8Array
  variantJson(position: number): Uint8Array
  /** Devices that a model number, model identifier, part number or SKU names exactly. */
  findDevicesByCode(code: string): Device[]
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  /** Positions of the variants with an attribute (see `attributeKey`), ascending. */
  findVariantsByAttribute(key: string): Uint32Array
  /** The number of an attribute key, for `hasAttribute`. */
  attributeId(key: string): number | undefined
  hasAttribute(position: number, id: number): boolean
  /** Positions of the variants with this SKU, part number or model number of their own, ascending. */
  findVariantsByCode(code: string): Uint32Array
  /** The most expensive part of a snapshot: the first search waits for it unless it was built before. */
  readonly searchIndex: BackgroundTask<SearchIndex>
}

type Contents = EntryLists & {
  /** Names by their slug, as thumbnail paths spell them. */
  readonly makes: ReadonlyMap<string, string>
  readonly categories: ReadonlyMap<string, string>
}

export type RegistryChanges = {
  /** New and changed devices, each with all its variants. */
  readonly changed: readonly Device[]
  readonly removed?: readonly string[]
}

/**
 * A larger registry builds its search index before the service listens, and encodes devices on each use instead of
 * keeping the JSON of all of them: most are never requested.
 */
export const LARGE_REGISTRY_DEVICES = 20_000

/** The terms of replaced devices stay in the pools; when they outweigh the others, everything is indexed afresh. */
const MAX_UNUSED_TERMS = 200_000
const MAX_UNUSED_SHARE = 2 / 3

const NO_VOCABULARIES: Vocabularies = { deviceVocabulary: EMPTY_VOCABULARY, variantVocabulary: EMPTY_VOCABULARY }

export function* buildSnapshot(
  previous: CatalogueSnapshot | null,
  changes: RegistryChanges,
  baseUrl: BaseUrl,
): TimeSliced<CatalogueSnapshot> {
  const removed = new Set(changes.removed)
  const changed = new Map<string, DeviceEntry>()
  for (const device of changes.changed) {
    if (!removed.has(device.id)) changed.set(device.id, createDeviceEntry(device))
    if ((changed.size & 511) === 0) yield
  }
  const fresh = yield* sortTimeSliced([...changed.values()], compareEntries)
  if (!previous) return createSnapshot(yield* arrange(fresh), createTermTables(), NO_VOCABULARIES, baseUrl)

  const index = yield* previous.searchIndex.remainingWork()
  const isWasteful = hasTooManyUnusedTerms(index)
  const tables = isWasteful ? createTermTables() : index.tables
  const vocabularies = isWasteful ? NO_VOCABULARIES : vocabulariesOf(index)
  if (!isWasteful && removed.size === 0 && fresh.every((entry) => keepsPositions(previous, entry))) {
    return createSnapshot(replaceInPlace(previous, fresh), tables, vocabularies, baseUrl)
  }
  const unchanged: DeviceEntry[] = []
  for (const [position, entry] of previous.devices.entries()) {
    const { id } = entry.device
    // The spans of an entry belong to its tables, so new tables need new entries.
    if (!changed.has(id) && !removed.has(id)) unchanged.push(isWasteful ? createDeviceEntry(entry.device) : entry)
    if ((position & 511) === 511) yield
  }
  const devices = yield* mergeTimeSliced(unchanged, fresh, compareEntries)
  return createSnapshot(yield* arrange(devices), tables, vocabularies, baseUrl)
}

function hasTooManyUnusedTerms({ tables, termCount }: SearchIndex): boolean {
  const used = tables.deviceWords.used + tables.variantWords.used
  const unused = used - termCount
  return unused > MAX_UNUSED_TERMS && unused > used * MAX_UNUSED_SHARE
}

/** A copy without the rest of the index, which a successor must not keep alive. */
function vocabulariesOf({ deviceVocabulary, variantVocabulary }: Vocabularies): Vocabularies {
  return { deviceVocabulary, variantVocabulary }
}

function* arrange(devices: readonly DeviceEntry[]): TimeSliced<Contents> {
  const variants: VariantEntry[] = []
  const firstVariant = new Uint32Array(devices.length + 1)
  const devicePositions = new Map<string, number>()
  const variantPositions = new Map<string, number>()
  const [makeNames, categoryNames] = [new Set<string>(), new Set<string>()]
  for (const [position, { device, variants: own }] of devices.entries()) {
    devicePositions.set(device.id, position)
    makeNames.add(device.make)
    categoryNames.add(device.category)
    for (const entry of own) {
      variantPositions.set(entry.variant.id, variants.length)
      variants.push(entry)
    }
    firstVariant[position + 1] = variants.length
    if ((position & 1023) === 1023) yield
  }
  const bySlug = (names: Set<string>) => new Map(Array.from(names, (name) => [slug(name) || 'unnamed', name]))
  return {
    devices,
    variants,
    firstVariant,
    devicePositions,
    variantPositions,
    makes: bySlug(makeNames),
    categories: bySlug(categoryNames),
  }
}

/** Whether nothing changed that determines positions, makes or categories: the usual change. */
function keepsPositions({ devices, devicePositions }: Contents, { device }: DeviceEntry): boolean {
  const before = devices[devicePositions.get(device.id) ?? -1]?.device
  return (
    before !== undefined &&
    before.releasedOn === device.releasedOn &&
    before.make === device.make &&
    before.category === device.category &&
    before.variants.length === device.variants.length &&
    before.variants.every(({ id }, at) => id === device.variants[at]?.id)
  )
}

function replaceInPlace(before: Contents, fresh: readonly DeviceEntry[]): Contents {
  const devices = before.devices.slice()
  const variants = before.variants.slice()
  for (const entry of fresh) {
    const position = before.devicePositions.get(entry.device.id) as number
    devices[position] = entry
    const first = before.firstVariant[position] as number
    for (const [at, variant] of entry.variants.entries()) variants[first + at] = variant
  }
  const { firstVariant, devicePositions, variantPositions, makes, categories } = before
  return { devices, variants, firstVariant, devicePositions, variantPositions, makes, categories }
}

const encoder = new TextEncoder()

function createSnapshot(
  contents: Contents,
  tables: TermTables,
  vocabularies: Vocabularies,
  baseUrl: BaseUrl,
): CatalogueSnapshot {
  const { devices, variants, devicePositions, variantPositions } = contents
  const index = backgroundTask(buildSearchIndex(contents, tables, vocabularies))
  const keepsJson = devices.length <= LARGE_REGISTRY_DEVICES
  function jsonOf(entry: { json: Uint8Array | undefined }, present: () => object): Uint8Array {
    if (entry.json) return entry.json
    const json = encoder.encode(JSON.stringify(present()))
    if (keepsJson) entry.json = json
    return json
  }
  return {
    ...contents,
    baseUrl,
    searchIndex: index,
    get attributeNames() {
      return index.finishNow().attributeNames
    },
    listDevices: () => devices.map(({ device }) => device),
    findDevice: (id) => devices[devicePositions.get(id) ?? -1]?.device,
    findVariant(id) {
      const entry = variants[variantPositions.get(id) ?? -1]
      return entry && { device: entry.owner.device, variant: entry.variant }
    },
    *listDevicesWithReleaseDate(make, category) {
      for (const { device } of devices) {
        if (device.releasedOn !== null && device.make === make && device.category === category) yield device
      }
    },
    deviceJson(position) {
      const entry = devices[position] as DeviceEntry
      return jsonOf(entry, () => presentDevice(entry.device, baseUrl))
    },
    variantJson(position) {
      const entry = variants[position] as VariantEntry
      return jsonOf(entry, () => presentVariantInContext(entry.variant, entry.owner.device, baseUrl))
    },
    findDevicesByCode: (code) =>
      index
        .finishNow()
        .devicesByCode(foldCode(code))
        .map((position) => (devices[position] as DeviceEntry).device),
    searchDevices: (term) => index.finishNow().searchDevices(term),
    searchVariants: (term) => index.finishNow().searchVariants(term),
    findVariantsByAttribute: (key) => index.finishNow().variantsByAttribute(key),
    attributeId: (key) => index.finishNow().tables.attributes.idOf.get(key),
    hasAttribute: (position, id) =>
      spanContains(tables.attributes, (variants[position] as VariantEntry).attributes, id),
    findVariantsByCode: (code) => Uint32Array.from(index.finishNow().variantsByCode(foldCode(code))),
  }
}

import { type BackgroundTask, backgroundTask, sortTimeSliced, type TimeSliced } from '../lib/time-sliced.ts'
import { compareEntries, createDeviceEntry, type DeviceEntry, type VariantEntry } from './catalogue-entry.ts'
import { type Device, slug, type Variant } from './device.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from './present.ts'
import { buildSearchIndex, type EntryLists, type SearchIndex } from './search/search-index.ts'
import { foldCode, type SearchTerm } from './search/search-term.ts'
import { hasTerm } from './search/term-table.ts'
import { createTermTables, type TermTables } from './search/term-tables.ts'

/**
 * The registry at one moment, in list order. It is immutable: a change in the database creates a successor, which
 * shares the entries of unchanged devices.
 */
export type CatalogueSnapshot = SnapshotContents & {
  readonly baseUrl: BaseUrl
  /** Folded attribute names that some variant has. */
  readonly attributeNames: ReadonlySet<string>
  listDevices(): Device[]
  findDevice(id: string): Device | undefined
  findVariant(id: string): { readonly device: Device; readonly variant: Variant } | undefined
  listDevicesOfCategory(category: string): Iterable<Device>
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
  /** Words and codes, shared with the successors. */
  readonly tables: TermTables
  /** The most expensive part of a snapshot: the first search waits for it unless it was built before. */
  readonly searchIndex: BackgroundTask<SearchIndex>
}

type SnapshotContents = EntryLists & {
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

/** A changed device gets a new entry; all other entries are shared with the previous snapshot, already indexed. */
export function* buildSnapshot(
  previous: CatalogueSnapshot | null,
  changes: RegistryChanges,
  baseUrl: BaseUrl,
): TimeSliced<CatalogueSnapshot> {
  const removed = new Set(changes.removed)
  const entries = new Map<string, DeviceEntry>()
  for (const [position, entry] of (previous?.devices ?? []).entries()) {
    if (!removed.has(entry.device.id)) entries.set(entry.device.id, entry)
    if ((position & 2047) === 2047) yield
  }
  for (const [position, device] of changes.changed.entries()) {
    if (!removed.has(device.id)) entries.set(device.id, createDeviceEntry(device))
    if ((position & 511) === 511) yield
  }
  const devices = yield* sortTimeSliced([...entries.values()], compareEntries)
  return createSnapshot(yield* arrangeEntries(devices), previous?.tables ?? createTermTables(), baseUrl)
}

function* arrangeEntries(devices: readonly DeviceEntry[]): TimeSliced<SnapshotContents> {
  const variants: VariantEntry[] = []
  const firstVariant = new Uint32Array(devices.length + 1)
  const devicePositions = new Map<string, number>()
  const variantPositions = new Map<string, number>()
  const [makeNames, categoryNames] = [new Set<string>(), new Set<string>()]
  for (const [position, { device, variants: deviceVariants }] of devices.entries()) {
    devicePositions.set(device.id, position)
    makeNames.add(device.make)
    categoryNames.add(device.category)
    for (const entry of deviceVariants) {
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

const encoder = new TextEncoder()

function createSnapshot(contents: SnapshotContents, tables: TermTables, baseUrl: BaseUrl): CatalogueSnapshot {
  const { devices, variants, devicePositions, variantPositions } = contents
  const index = backgroundTask(buildSearchIndex(contents, tables))
  const cachesJson = devices.length <= LARGE_REGISTRY_DEVICES
  function jsonOf(entry: { json: Uint8Array | undefined }, present: () => object): Uint8Array {
    if (entry.json) return entry.json
    const json = encoder.encode(JSON.stringify(present()))
    if (cachesJson) entry.json = json
    return json
  }
  return {
    ...contents,
    baseUrl,
    tables,
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
    *listDevicesOfCategory(category) {
      for (const { device } of devices) if (device.category === category) yield device
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
    attributeId(key) {
      index.finishNow()
      return tables.attributes.idOf.get(key)
    },
    hasAttribute: (position, id) => hasTerm((variants[position] as VariantEntry).attributes, id),
    findVariantsByCode: (code) => Uint32Array.from(index.finishNow().variantsByCode(foldCode(code))),
  }
}

import { type BackgroundTask, backgroundTask, mergeSortedTimeSliced, type TimeSliced } from '../lib/time-sliced.ts'
import { type Arranged, arrange, fitsInPlace, replaceInPlace } from './arranged.ts'
import type { Device } from './device.ts'
import type { BaseUrl } from './present.ts'
import { type DeviceList, deviceList, type Found, type VariantList, variantList } from './registry-lists.ts'
import { addDevice, addPacked, openRows, packedDevice, type RegistryRows } from './registry-rows.ts'
import { compareRows, sortRows } from './row-order.ts'
import type { LoadedRows } from './rows-load.ts'
import { buildSearchIndex, type PreviousIndex, type SearchIndex } from './search/search-index.ts'
import { foldCode, type SearchTerm } from './search/search-term.ts'
import { spanContains } from './search/term-table.ts'
import { createTermTables, type TermTables } from './search/term-tables.ts'

/**
 * The registry at one moment, in the order lists show it. It never changes: a change in the store makes a successor,
 * which shares every device that stayed the same.
 */
export type CatalogueSnapshot = Pick<Arranged, 'placeOfDevice' | 'placeOfVariant' | 'makes' | 'categories'> & {
  readonly devices: DeviceList
  /** All variants, device by device. */
  readonly variants: VariantList
  readonly arranged: Arranged
  readonly baseUrl: BaseUrl
  /** Folded attribute names that some variant has. */
  readonly attributeNames: ReadonlySet<string>
  findDevice(id: string): Device | undefined
  findVariant(id: string): Found | undefined
  /** Those of a make and category whose release date is known. */
  listDevicesWithReleaseDate(make: string, category: string): Iterable<Device>
  /** Devices that a model number, model identifier, part number or SKU names exactly. */
  findDevicesByCode(code: string): Device[]
  searchDevices(term: SearchTerm): Uint32Array
  searchVariants(term: SearchTerm): Uint32Array
  /** Places of the variants with an attribute (see `attributeKey`), ascending. */
  findVariantsByAttribute(key: string): Uint32Array
  /** Whether a variant has an attribute, by the number that `attributeId` gives for its key. */
  hasAttribute(place: number, id: number): boolean
  attributeId(key: string): number | undefined
  /** Places of the variants that a SKU, part number or model number of their own names, ascending. */
  findVariantsByCode(code: string): Uint32Array
  /** What is searched in. It takes longest to make: the first search waits for it unless `rest` was run before. */
  readonly searchIndex: BackgroundTask<SearchIndex>
}

export type RegistryChanges = {
  /** New and changed devices, each with all its variants. */
  readonly changed: readonly Device[]
  readonly removed?: readonly string[]
}

/** Rows of devices that are gone stay, and so do their words; when they outweigh the rest, everything is put down afresh. */
const MIN_WASTED_TERMS = 200_000

/** The first one, of rows that were just read. */
export function* buildFirstSnapshot({ rows, devices }: LoadedRows, baseUrl: BaseUrl): TimeSliced<CatalogueSnapshot> {
  return createSnapshot(yield* arrange(rows, devices), createTermTables(), null, baseUrl)
}

export function* buildSnapshot(
  previous: CatalogueSnapshot | null,
  changes: RegistryChanges,
  baseUrl: BaseUrl,
): TimeSliced<CatalogueSnapshot> {
  const removed = new Set(changes.removed)
  const latest = new Map<string, Device>()
  for (const device of changes.changed) {
    if (!removed.has(device.id)) latest.set(device.id, device)
    if ((latest.size & 2047) === 0) yield
  }
  const before = previous && (yield* previous.searchIndex.remainingWork())
  if (!previous || !before) return yield* rebuildSnapshot(null, latest, baseUrl)
  const { arranged } = previous
  const { rows } = arranged
  const changed = [...latest.keys(), ...removed].flatMap((id) => arranged.placeOfDevice.get(id) ?? [])
  const kept = withoutPositions(arranged.devices, changed)
  yield
  if (isWasteful(before)) return yield* rebuildSnapshot({ rows, kept }, latest, baseUrl)
  const fresh = yield* addDevices(rows, latest)
  if (removed.size === 0 && fresh.every((row) => fitsInPlace(arranged, row))) {
    const { places, after } = replaceInPlace(arranged, fresh)
    return createSnapshot(after, before.tables, { index: before, arranged, changedPositions: places }, baseUrl)
  }
  const { texts, devices: columns } = rows
  const sorted = yield* sortRows(texts, columns, Uint32Array.from(fresh))
  const devices = yield* mergeSortedTimeSliced(kept, sorted, (a, b) => compareRows(texts, columns, a, b) < 0)
  return createSnapshot(
    yield* arrange(rows, devices),
    before.tables,
    { index: before, arranged, changedPositions: null },
    baseUrl,
  )
}

/** Everything in rows of its own: what is kept of older ones, and what is new. */
function* rebuildSnapshot(
  older: { readonly rows: RegistryRows; readonly kept: Uint32Array } | null,
  latest: ReadonlyMap<string, Device>,
  baseUrl: BaseUrl,
): TimeSliced<CatalogueSnapshot> {
  const rows = openRows()
  for (const [at, row] of older?.kept.entries() ?? []) {
    addPacked(rows, packedDevice((older as { rows: RegistryRows }).rows, row))
    if ((at & 63) === 63) yield
  }
  yield* addDevices(rows, latest)
  const all = Uint32Array.from({ length: rows.devices.count }, (_, row) => row)
  return yield* buildFirstSnapshot({ rows, devices: yield* sortRows(rows.texts, rows.devices, all) }, baseUrl)
}

function* addDevices(rows: RegistryRows, devices: ReadonlyMap<string, Device>): TimeSliced<number[]> {
  const added: number[] = []
  for (const device of devices.values()) {
    added.push(addDevice(rows, device))
    if ((added.length & 63) === 0) yield
  }
  return added
}

function withoutPositions(devices: Uint32Array, places: readonly number[]): Uint32Array {
  const left = new Uint32Array(devices.length - places.length)
  let from = 0
  for (const [gone, place] of places.toSorted((a, b) => a - b).entries()) {
    left.set(devices.subarray(from, place), from - gone)
    from = place + 1
  }
  left.set(devices.subarray(from), from - places.length)
  return left
}

function isWasteful({ tables: lexicons, listedTermCount: listed }: SearchIndex): boolean {
  const used = lexicons.deviceWords.used + lexicons.variantWords.used
  return used > MIN_WASTED_TERMS && used > 3 * listed
}

function createSnapshot(
  arranged: Arranged,
  lexicons: TermTables,
  before: PreviousIndex | null,
  baseUrl: BaseUrl,
): CatalogueSnapshot {
  const index = backgroundTask(buildSearchIndex(arranged, lexicons, before))
  const devices = deviceList(arranged, baseUrl)
  const variants = variantList(arranged, baseUrl)
  const { placeOfDevice, placeOfVariant, makes, categories } = arranged
  return {
    devices,
    variants,
    arranged,
    baseUrl,
    placeOfDevice,
    placeOfVariant,
    makes,
    categories,
    searchIndex: index,
    get attributeNames() {
      return index.finishNow().attributeNames
    },
    findDevice(id) {
      const place = placeOfDevice.get(id)
      return place === undefined ? undefined : devices.device(place)
    },
    findVariant(id) {
      const place = placeOfVariant.get(id)
      return place === undefined ? undefined : variants.found(place)
    },
    listDevicesWithReleaseDate: devices.dated,
    findDevicesByCode: (code) =>
      index
        .finishNow()
        .devicesByCode(foldCode(code))
        .flatMap((place) => devices.device(place) ?? []),
    searchDevices: (term) => index.finishNow().searchDevices(term),
    searchVariants: (term) => index.finishNow().searchVariants(term),
    findVariantsByAttribute: (key) => index.finishNow().variantsByAttribute(key),
    attributeId: (key) => index.finishNow().tables.attributes.idOf.get(key),
    hasAttribute(place, id) {
      const { attributes, variants: spans } = index.finishNow().tables
      return spanContains(attributes, spans.attributes.values[arranged.variants[place] as number] ?? 0, id)
    },
    findVariantsByCode: (code) => Uint32Array.from(index.finishNow().variantsByCode(foldCode(code))),
  }
}

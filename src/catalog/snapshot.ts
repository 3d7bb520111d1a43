import { filterInSlices, mergeInSlices, type Slices, sortInSlices, underway } from '../slices.ts'
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
import { holds } from './lexicon.ts'
import type { BaseUrl } from './present.ts'
import { indexDevices, type SnapshotIndex } from './snapshot-index.ts'
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
  /** What is searched in. It takes longest to make: the first search waits for it unless `rest` was run before. */
  readonly index: {
    /** Makes it in slices, as far as it is not made yet. */
    rest(): Slices<SnapshotIndex>
    now(): SnapshotIndex
  }
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
  const before = previous && (yield* previous.index.rest())
  const afresh = before !== null && isWasteful(before)
  const base = afresh ? null : previous
  if (previous && afresh) for (const { device } of previous.devices) latest.set(device.id, device)
  for (const device of changes.changed) {
    latest.set(device.id, device)
    if ((latest.size & 2047) === 0) yield
  }
  const lexicons = (base && before)?.lexicons ?? openLexicons()
  const fresh: DeviceEntry[] = []
  for (const device of latest.values()) {
    if (!removed.has(device.id)) fresh.push(makeEntry(device, lexicons))
    if ((fresh.length & 255) === 0) yield
  }
  const sorted = yield* sortDevices(fresh)
  const isKept = ({ device }: DeviceEntry) => !latest.has(device.id) && !removed.has(device.id)
  const kept = base ? yield* filterInSlices(base.devices, isKept) : []
  const devices = kept.length ? yield* mergeInSlices(kept, sorted, compareDevices) : sorted
  return yield* arrange(devices, lexicons, base && before, baseUrl)
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

function isWasteful({ lexicons, listed }: SnapshotIndex): boolean {
  const used = lexicons.deviceWords.used + lexicons.variantWords.used
  return used > WASTE_FLOOR && used > 3 * listed
}

function* arrange(
  devices: readonly DeviceEntry[],
  lexicons: Lexicons,
  before: SnapshotIndex | null,
  baseUrl: BaseUrl,
): Slices<Snapshot> {
  const variants: VariantEntry[] = []
  const firstVariant = new Uint32Array(devices.length + 1)
  const placeOfDevice = new Map<string, number>()
  const placeOfVariant = new Map<string, number>()
  const makes = new Map<string, string>()
  const categories = new Map<string, string>()
  const named = { makes: new Set<string>(), categories: new Set<string>() }
  for (let place = 0; place < devices.length; place++) {
    const entry = devices[place] as DeviceEntry
    const { id, make, category } = entry.device
    placeOfDevice.set(id, place)
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
  yield

  const arranged = { devices, variants, firstVariant, placeOfDevice, placeOfVariant }
  const index = underway(indexDevices(arranged, lexicons, before))
  return {
    ...arranged,
    baseUrl,
    makes,
    categories,
    index,
    get attributeNames() {
      return index.now().attributeNames
    },
    findDevice: (id) => devices[placeOfDevice.get(id) ?? -1]?.device,
    findVariant(id) {
      const entry = variants[placeOfVariant.get(id) ?? -1]
      return entry && { device: entry.device, variant: entry.variant }
    },
    devicesByCode: (code) =>
      index
        .now()
        .devicesByCode(foldCode(code))
        .map((place) => (devices[place] as DeviceEntry).device),
    searchDevices: (term) => index.now().searchDevices(term),
    searchVariants: (term) => index.now().searchVariants(term),
    variantsByAttribute: (key) => index.now().variantsByAttribute(key),
    attributeId: (key) => index.now().lexicons.attributes.idOf.get(key),
    hasAttribute: (place, id) =>
      holds(index.now().lexicons.attributes, (variants[place] as VariantEntry).attributes, id),
    variantsByCode: (code) => Uint32Array.from(index.now().variantsByCode(foldCode(code))),
    deviceBytes: (place) => deviceBytes(devices[place] as DeviceEntry, baseUrl),
    variantBytes: (place) => variantBytes(variants[place] as VariantEntry, baseUrl),
  }
}

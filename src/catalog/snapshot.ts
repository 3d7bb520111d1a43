import {
  filterInSlices,
  mapInSlices,
  mergeInSlices,
  type Slices,
  sortInSlices,
  type Underway,
  underway,
} from '../slices.ts'
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
import { type Arranged, indexDevices, type SnapshotIndex } from './snapshot-index.ts'
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
  readonly placeOfDevice: Places
  readonly placeOfVariant: Places
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
  readonly index: Underway<SnapshotIndex>
}

/** Places by id. */
export type Places = {
  get(id: string): number | undefined
  has(id: string): boolean
}

export type Changes = {
  /** New and changed devices, each with all its variants. */
  readonly changed: readonly Device[]
  readonly removed?: readonly string[]
}

/** Newest first, unknown dates last, then by slug. */
function compareDevices(a: DeviceEntry, b: DeviceEntry): number {
  const left = a.releasedOn ?? ''
  const right = b.releasedOn ?? ''
  if (left !== right) return left > right ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Lists of devices that are gone stay in the pools; when they outweigh the rest, everything is read afresh. */
const WASTE_FLOOR = 200_000

/** The first one, of entries that were made while the registry was read. */
export function* firstSnapshot(
  entries: readonly DeviceEntry[],
  lexicons: Lexicons,
  baseUrl: BaseUrl,
): Slices<Snapshot> {
  const sorted = sortedAtOnce(entries)
  yield
  return yield* arrange(sorted, lexicons, null, baseUrl)
}

export function* buildSnapshot(previous: Snapshot | null, changes: Changes, baseUrl: BaseUrl): Slices<Snapshot> {
  const removed = new Set(changes.removed)
  const latest = new Map<string, Device>()
  const before = previous && (yield* previous.index.rest())
  const afresh = before !== null && isWasteful(before)
  for (const device of changes.changed) {
    latest.set(device.id, device)
    if ((latest.size & 2047) === 0) yield
  }
  const lexicons = (afresh ? null : before)?.lexicons ?? openLexicons()
  const fresh: DeviceEntry[] = []
  for (const device of latest.values()) {
    if (!removed.has(device.id)) fresh.push(makeEntry(device, lexicons))
    if ((fresh.length & 255) === 0) yield
  }
  if (previous && before && !afresh && removed.size === 0 && fresh.every((entry) => fitsInPlace(entry, previous)))
    return yield* replaceInPlace(previous, fresh, before)
  const sorted = yield* sortDevices(fresh)
  const isKept = ({ id }: DeviceEntry) => !latest.has(id) && !removed.has(id)
  let kept = previous ? yield* filterInSlices(previous.devices, isKept) : []
  if (afresh) kept = yield* mapInSlices(kept, (entry) => entry.anew(lexicons))
  const devices = kept.length ? yield* mergeInSlices(kept, sorted, compareDevices) : sorted
  return yield* arrange(devices, lexicons, afresh ? null : before, baseUrl)
}

/** Without slices, for a process that nobody waits for yet: texts sort fastest by themselves. */
function sortedAtOnce(entries: readonly DeviceEntry[]): DeviceEntry[] {
  const byDay = Map.groupBy(entries, ({ releasedOn }) => releasedOn ?? '')
  const sorted: DeviceEntry[] = []
  // An unknown day is the smallest text, and so comes last.
  for (const day of [...byDay.keys()].sort().reverse()) {
    const byId = new Map((byDay.get(day) ?? []).map((entry) => [entry.id, entry]))
    for (const id of [...byId.keys()].sort()) sorted.push(byId.get(id) as DeviceEntry)
  }
  return sorted
}

/** The order of the list as text, which sorts many times faster than a comparison of two fields. */
function* sortDevices(entries: readonly DeviceEntry[]): Slices<DeviceEntry[]> {
  const byKey = new Map<string, DeviceEntry>()
  const keys: string[] = []
  for (const entry of entries) {
    const { releasedOn, id } = entry
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

/** Whether nothing that lists are ordered or counted by has changed, so that the device stays where it is. */
function fitsInPlace(entry: DeviceEntry, previous: Snapshot): boolean {
  const old = previous.devices[previous.placeOfDevice.get(entry.id) ?? -1]
  return (
    old !== undefined &&
    old.releasedOn === entry.releasedOn &&
    old.make === entry.make &&
    old.category === entry.category &&
    old.variants.length === entry.variants.length &&
    old.variants.every((variant, at) => variant.key === entry.variants[at]?.key)
  )
}

/** The usual change: a few devices are told anew and everything else stands where it stood. */
function* replaceInPlace(previous: Snapshot, fresh: readonly DeviceEntry[], before: SnapshotIndex): Slices<Snapshot> {
  const devices = previous.devices.slice()
  yield
  const variants = previous.variants.slice()
  yield
  const changed: number[] = []
  for (const entry of fresh) {
    const place = previous.placeOfDevice.get(entry.id) as number
    devices[place] = entry
    changed.push(place)
    const first = previous.firstVariant[place] as number
    for (const [at, variant] of entry.variants.entries()) variants[first + at] = variant
  }
  return snapshotOf({ ...previous, devices, variants }, previous, before.lexicons, before, changed)
}

const NOWHERE = 0xffffffff

/** `keys` is shared with later snapshots and may know more ids than this one. */
function placesOf(keys: ReadonlyMap<string, number>, places: Uint32Array): Places {
  const get = (id: string) => {
    const place = places[keys.get(id) ?? -1]
    return place === NOWHERE ? undefined : place
  }
  return { get, has: (id) => get(id) !== undefined }
}

function* arrange(
  devices: readonly DeviceEntry[],
  lexicons: Lexicons,
  before: SnapshotIndex | null,
  baseUrl: BaseUrl,
): Slices<Snapshot> {
  const variants: VariantEntry[] = []
  const firstVariant = new Uint32Array(devices.length + 1)
  const devicePlaces = new Uint32Array(lexicons.deviceKeys.size).fill(NOWHERE)
  const variantPlaces = new Uint32Array(lexicons.variantKeys.size).fill(NOWHERE)
  const makes = new Map<string, string>()
  const categories = new Map<string, string>()
  const named = { makes: new Set<string>(), categories: new Set<string>() }
  for (let place = 0; place < devices.length; place++) {
    const entry = devices[place] as DeviceEntry
    const { make, category } = entry
    devicePlaces[entry.key] = place
    if (!named.makes.has(make)) {
      named.makes.add(make)
      makes.set(slug(make) || 'unnamed', make)
    }
    if (!named.categories.has(category)) {
      named.categories.add(category)
      categories.set(slug(category) || 'unnamed', category)
    }
    for (const variant of entry.variants) {
      variantPlaces[variant.key] = variants.length
      variants.push(variant)
    }
    firstVariant[place + 1] = variants.length
    if ((place & 4095) === 4095) yield
  }
  const placeOfDevice = placesOf(lexicons.deviceKeys, devicePlaces)
  const placeOfVariant = placesOf(lexicons.variantKeys, variantPlaces)
  yield

  const arranged = { devices, variants, firstVariant, placeOfDevice, placeOfVariant }
  return snapshotOf(arranged, { makes, categories, baseUrl }, lexicons, before, null)
}

/** `changed` are the places that differ from the predecessor's, where all others stayed. */
function snapshotOf(
  {
    devices,
    variants,
    firstVariant,
    placeOfDevice,
    placeOfVariant,
  }: Arranged & Pick<Snapshot, 'placeOfDevice' | 'placeOfVariant'>,
  { makes, categories, baseUrl }: Pick<Snapshot, 'makes' | 'categories' | 'baseUrl'>,
  lexicons: Lexicons,
  before: SnapshotIndex | null,
  changed: readonly number[] | null,
): Snapshot {
  const arranged = { devices, variants, firstVariant, placeOfDevice, placeOfVariant }
  const index = underway(indexDevices(arranged, lexicons, before, changed))
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
      const device = entry?.device
      const variant = device?.variants.find((each) => each.id === id)
      return device && variant && { device, variant }
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

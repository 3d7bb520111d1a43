import type { TimeSliced } from '../lib/time-sliced.ts'
import { slug } from './device.ts'
import type { RegistryRows } from './registry-rows.ts'
import type { TextNumbers } from './text-numbers.ts'

/** The devices and variants of one snapshot in the order lists show them: at each place the row that stands there. */
export type Arranged = {
  readonly rows: RegistryRows
  readonly devices: Uint32Array
  readonly variants: Uint32Array
  /** Place of each device's first variant; one place more than devices. */
  readonly firstVariant: Uint32Array
  readonly placeOfDevice: Places
  readonly placeOfVariant: Places
  /** Names by their slug, as thumbnails spell them. */
  readonly makes: ReadonlyMap<string, string>
  readonly categories: ReadonlyMap<string, string>
}

/** Places by id, and by the number of an id. */
export type Places = {
  get(id: string): number | undefined
  has(id: string): boolean
  at(number: number): number | undefined
}

const NOWHERE = 0xffffffff

/** `ids` is shared with later snapshots and may know more of them than this one. */
function placesOf(ids: TextNumbers, places: Uint32Array): Places {
  const at = (number: number) => {
    const place = places[number]
    return place === NOWHERE ? undefined : place
  }
  const get = (id: string) => {
    const number = ids.find(id)
    return number === undefined ? undefined : at(number)
  }
  return { get, has: (id) => get(id) !== undefined, at }
}

/** `devices` are rows in the order of lists. */
export function* arrange(rows: RegistryRows, devices: Uint32Array): TimeSliced<Arranged> {
  const { make, category, id, firstVariant: firstRow, variantCount } = rows.devices
  const firstVariant = new Uint32Array(devices.length + 1)
  for (let place = 0; place < devices.length; place++) {
    const row = devices[place] as number
    firstVariant[place + 1] = (firstVariant[place] as number) + (variantCount.values[row] as number)
    if ((place & 16383) === 16383) yield
  }
  const variants = new Uint32Array(firstVariant[devices.length] as number)
  const devicePlaces = new Uint32Array(rows.deviceIds.size()).fill(NOWHERE)
  const variantPlaces = new Uint32Array(rows.variantIds.size()).fill(NOWHERE)
  const makes = openNames(rows)
  const categories = openNames(rows)
  yield
  for (let place = 0; place < devices.length; place++) {
    const row = devices[place] as number
    devicePlaces[id.values[row] as number] = place
    makes.note(make.values[row] as number)
    categories.note(category.values[row] as number)
    const from = firstVariant[place] as number
    const first = firstRow.values[row] as number
    for (let at = 0; at < (variantCount.values[row] as number); at++) {
      variants[from + at] = first + at
      variantPlaces[rows.variants.id.values[first + at] as number] = from + at
    }
    if ((place & 4095) === 4095) yield
  }
  return {
    rows,
    devices,
    variants,
    firstVariant,
    placeOfDevice: placesOf(rows.deviceIds, devicePlaces),
    placeOfVariant: placesOf(rows.variantIds, variantPlaces),
    makes: makes.bySlug,
    categories: categories.bySlug,
  }
}

function openNames({ labels }: RegistryRows) {
  const bySlug = new Map<string, string>()
  const noted = new Uint8Array(labels.names.length)
  return {
    bySlug,
    note(label: number): void {
      if (noted[label] === 1) return
      noted[label] = 1
      const name = labels.names[label] as string
      bySlug.set(slug(name) || 'unnamed', name)
    },
  }
}

/** Whether nothing that lists are ordered or counted by has changed, so that the device of this row stays where it is. */
export function fitsInPlace({ rows, devices, placeOfDevice }: Arranged, row: number): boolean {
  const { id, releasedOn, make, category, firstVariant, variantCount } = rows.devices
  const place = placeOfDevice.at(id.values[row] as number)
  if (place === undefined) return false
  const old = devices[place] as number
  for (const { values } of [releasedOn, make, category, variantCount]) if (values[old] !== values[row]) return false
  const ids = rows.variants.id.values
  for (let at = 0; at < (variantCount.values[row] as number); at++) {
    if (ids[(firstVariant.values[old] as number) + at] !== ids[(firstVariant.values[row] as number) + at]) return false
  }
  return true
}

/** The usual change: a few devices are told anew, at `places`, and everything else stands where it stood. */
export function replaceInPlace(
  before: Arranged,
  fresh: readonly number[],
): { readonly after: Arranged; readonly places: readonly number[] } {
  const { rows, placeOfDevice, firstVariant } = before
  const places: number[] = []
  const devices = before.devices.slice()
  const variants = before.variants.slice()
  for (const row of fresh) {
    const place = placeOfDevice.at(rows.devices.id.values[row] as number) as number
    devices[place] = row
    places.push(place)
    const first = firstVariant[place] as number
    const count = (firstVariant[place + 1] as number) - first
    for (let at = 0; at < count; at++) variants[first + at] = (rows.devices.firstVariant.values[row] as number) + at
  }
  return { after: { ...before, devices, variants }, places }
}

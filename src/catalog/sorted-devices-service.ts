import type { DeviceSort } from '../contract/device.ts'
import { runTimeSliced } from '../lib/event-loop.ts'
import { sortTimeSliced, type TimeSliced } from '../lib/time-sliced.ts'
import type { DeviceEntry } from './catalogue-entry.ts'
import { nameWithoutMake } from './device.ts'
import { type DeviceListQuery, deviceListPage, type ListPage, parseDeviceListQuery } from './list-pages.ts'
import type { CatalogueSnapshot } from './snapshot.ts'

type StaticSort = Exclude<DeviceSort, 'frequent'>

export type SortedDevices = (
  query: DeviceListQuery,
  sort: DeviceSort,
  /** Devices that come first with the sort `frequent`. */
  firstIds: readonly string[],
) => Promise<ListPage>

/** Pages of the device list in another order than that of the snapshot. */
export function sortedDevices(catalogue: { snapshot(): CatalogueSnapshot }): SortedDevices {
  // Each order is sorted once per snapshot: page after page of the same order costs no further sorting.
  const orders = new WeakMap<CatalogueSnapshot, Map<StaticSort, Promise<Uint32Array>>>()
  function orderOf(snapshot: CatalogueSnapshot, sort: StaticSort): Promise<Uint32Array> {
    const ofSnapshot = orders.getOrInsertComputed(snapshot, () => new Map())
    return ofSnapshot.getOrInsertComputed(sort, () => runTimeSliced(sortDevices(snapshot.devices, sort)))
  }
  return async (query, sort, firstIds) => {
    const snapshot = catalogue.snapshot()
    const order = sort === 'frequent' ? firstThenRest(snapshot, firstIds) : await orderOf(snapshot, sort)
    return deviceListPage(snapshot, parseDeviceListQuery(query), { order })
  }
}

function firstThenRest({ devicePositions, devices }: CatalogueSnapshot, firstIds: readonly string[]): Uint32Array {
  const first = new Set(firstIds.flatMap((id) => devicePositions.get(id) ?? []))
  const order = new Uint32Array(devices.length)
  let end = 0
  for (const position of first) order[end++] = position
  for (let position = 0; position < devices.length; position++) if (!first.has(position)) order[end++] = position
  return order
}

type Sortable = { readonly position: number; readonly name: string; readonly cents: number }

/** Positions of the devices in another order; equal ones stay in the order of the snapshot. */
function* sortDevices(devices: readonly DeviceEntry[], sort: StaticSort): TimeSliced<Uint32Array> {
  const items: Sortable[] = []
  for (const [position, { device }] of devices.entries()) {
    items.push({
      position,
      name: `${device.make} ${nameWithoutMake(device)}`.toLowerCase(),
      cents: lowestListCents(device.variants),
    })
    if ((position & 1023) === 1023) yield
  }
  const sorted = yield* sortTimeSliced(items, sort === 'name' ? byName : byPrice(sort === 'price_low' ? 1 : -1))
  return Uint32Array.from(sorted, ({ position }) => position)
}

function lowestListCents(variants: DeviceEntry['device']['variants']): number {
  let lowest = 0
  for (const { listCents } of variants) if (listCents > 0 && (lowest === 0 || listCents < lowest)) lowest = listCents
  return lowest
}

const collator = new Intl.Collator('en', { numeric: true })

const byName = (a: Sortable, b: Sortable) => collator.compare(a.name, b.name) || a.position - b.position

/** Devices without a list price come last in both directions. */
const byPrice = (direction: 1 | -1) => (a: Sortable, b: Sortable) =>
  Number(a.cents === 0) - Number(b.cents === 0) || direction * (a.cents - b.cents) || a.position - b.position

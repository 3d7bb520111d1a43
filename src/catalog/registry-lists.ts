import type { Arranged } from './arranged.ts'
import type { Device, DeviceStatus, Variant } from './device.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from './present.ts'
import { deviceIdOf, deviceOf, madeOnce, statusOf } from './registry-rows.ts'

/** Devices by their place in lists. What cannot be read is undefined; it is told of when the index is made, and goes. */
export type DeviceList = {
  readonly length: number
  id(place: number): string
  /** Make, category and status, folded for comparison where a caller may spell them otherwise. */
  makeKey(place: number): string
  categoryKey(place: number): string
  status(place: number): DeviceStatus
  device(place: number): Device | undefined
  /** Its JSON. */
  bytes(place: number): Uint8Array | undefined
  /** All that can be read, in order. */
  all(): Iterable<Device>
  /** Those of a make and category whose release date is known. */
  dated(make: string, category: string): Iterable<Device>
}

export type VariantList = {
  readonly length: number
  makeKey(place: number): string
  categoryKey(place: number): string
  isDisabled(place: number): boolean
  found(place: number): Found | undefined
  bytes(place: number): Uint8Array | undefined
}

export type Found = { readonly device: Device; readonly variant: Variant }

const encoder = new TextEncoder()

export function deviceList({ rows, devices }: Arranged, baseUrl: BaseUrl): DeviceList {
  const { labels, made } = rows
  const { make, category, releasedOn } = rows.devices
  const rowAt = (place: number) => devices[place] as number
  const device = (place: number) => readable(() => deviceOf(rows, rowAt(place)))
  return {
    length: devices.length,
    id: (place) => deviceIdOf(rows, rowAt(place)),
    makeKey: (place) => labels.keys[make.values[rowAt(place)] as number] as string,
    categoryKey: (place) => labels.keys[category.values[rowAt(place)] as number] as string,
    status: (place) => statusOf(rows, rowAt(place)),
    device,
    bytes: (place) =>
      madeOnce(rows, made.deviceBytes, rowAt(place), () => {
        const read = device(place)
        return read && encoder.encode(JSON.stringify(presentDevice(read, baseUrl)))
      }),
    *all() {
      for (let place = 0; place < devices.length; place++) {
        const read = device(place)
        if (read) yield read
      }
    },
    *dated(ofMake, ofCategory) {
      const [wantedMake, wantedCategory] = [labels.numbers.find(ofMake), labels.numbers.find(ofCategory)]
      for (const [place, row] of devices.entries()) {
        if (make.values[row] !== wantedMake || category.values[row] !== wantedCategory) continue
        const read = releasedOn.values[row] === 0 ? undefined : device(place)
        if (read) yield read
      }
    },
  }
}

export function variantList({ rows, variants }: Arranged, baseUrl: BaseUrl): VariantList {
  const { labels, made } = rows
  const { make, category, firstVariant } = rows.devices
  const { owner, disabled } = rows.variants
  const rowAt = (place: number) => variants[place] as number
  const ownerAt = (place: number) => owner.values[rowAt(place)] as number
  function found(place: number): Found | undefined {
    const of = ownerAt(place)
    const device = readable(() => deviceOf(rows, of))
    const variant = device?.variants[rowAt(place) - (firstVariant.values[of] as number)]
    return device && variant && { device, variant }
  }
  return {
    length: variants.length,
    makeKey: (place) => labels.keys[make.values[ownerAt(place)] as number] as string,
    categoryKey: (place) => labels.keys[category.values[ownerAt(place)] as number] as string,
    isDisabled: (place) => disabled.values[rowAt(place)] === 1,
    found,
    bytes: (place) =>
      madeOnce(rows, made.variantBytes, rowAt(place), () => {
        const read = found(place)
        return read && encoder.encode(JSON.stringify(presentVariantInContext(read.variant, read.device, baseUrl)))
      }),
  }
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

import { type Device, type DeviceRegistry, slug, type Variant } from '../catalog/device.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { startOfDay } from '../lib/time.ts'
import { estimateLaunchPrice } from './launch-price-estimate.ts'
import type { DeviceInput } from './model/observation.ts'
import { affectsPrice } from './price-attributes.ts'

/**
 * Prices are calculated per configuration: a variant without its color. Variants of one configuration share their amounts;
 * observations are still counted per variant. Memoized, because it is requested for every row of a list.
 */
export const configurationOf = memoizeWeak(({ attributes }: Variant): string => {
  const values = attributes.filter(({ name }) => affectsPrice(name)).map(({ value }) => slug(value))
  return values.join('-') || 'any'
})

/** Standard deviation (ln) of an announced price around the list price. */
const ANNOUNCED_PRICE_SPREAD = 0.22

/**
 * Input of the price model: the configurations of a device, each with the list price of its cheapest variant. Without any list
 * price it uses the price announced elsewhere, or else an estimate from similar devices of `registry`.
 */
export function toDeviceInput(device: Device, registry?: DeviceRegistry): DeviceInput {
  const listed = buildDeviceInput(device, ({ listCents }) => (listCents > 0 ? listCents : null))
  if (isPriced(listed)) return listed
  const announced = buildDeviceInput(device, ({ announcedCents }) => announcedCents ?? null)
  if (isPriced(announced)) return { ...announced, launchPriceSpread: ANNOUNCED_PRICE_SPREAD }
  const basis = registry?.listDevicesOfCategory ? estimateLaunchPrice(device, registry) : null
  if (!basis) return listed
  // A device with a price lacks only the release date.
  const priced = hasPrice(listed) ? listed : hasPrice(announced) ? announced : undefined
  const [smallest] = [...listed.variants].sort((a, b) => (a.storageGb ?? 0) - (b.storageGb ?? 0))
  return {
    ...(priced ?? listed),
    releasedAt: basis.releasedAt,
    launchPriceSpread: priced ? ANNOUNCED_PRICE_SPREAD : basis.spread,
    ...(priced
      ? {}
      : { variants: listed.variants.map((v) => (v === smallest ? { ...v, listCents: basis.cents } : v)) }),
  }
}

const hasPrice = ({ variants }: DeviceInput) => variants.some(({ listCents }) => listCents)
const isPriced = (facts: DeviceInput) => facts.releasedAt !== null && hasPrice(facts)

function buildDeviceInput(device: Device, centsOf: (variant: Variant) => number | null): DeviceInput {
  const variants = new Map<string, { variantId: string; listCents: number | null; storageGb: number | null }>()
  for (const variant of device.variants) {
    const key = configurationOf(variant)
    const entry = variants.get(key)
    const listCents = centsOf(variant)
    if (!entry) variants.set(key, { variantId: key, listCents, storageGb: storageGbOf(variant) })
    else if (listCents !== null) entry.listCents = Math.min(entry.listCents ?? listCents, listCents)
  }
  return {
    deviceId: device.id,
    make: device.make,
    category: device.category,
    releasedAt: device.releasedOn === null ? null : startOfDay(device.releasedOn),
    variants: [...variants.values()],
  }
}

function storageGbOf(variant: Variant): number | null {
  const storage = variant.attributes.find(({ name }) => name.toLowerCase() === 'storage')
  return storage ? gigabytesFromText(storage.value) : null
}

/** "256GB", "256 gb" and "0.25 TB" are 256; undefined amounts are null. */
export function gigabytesFromText(text: string): number | null {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)\s*(mb|gb|tb)?$/i.exec(text.trim())
  if (!match) return null
  const amount = Number(match[1])
  const unit = (match[2] ?? 'gb').toLowerCase()
  return unit === 'tb' ? amount * 1024 : unit === 'mb' ? amount / 1024 : amount
}

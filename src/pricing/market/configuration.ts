import { type Device, slug, type Variant } from '../../catalog/device.ts'
import { startOfDay } from '../../time.ts'
import type { DeviceFacts } from '../engine/observation.ts'

/**
 * Colour moves a used price by less than any range we give, and most sources do not tell it. So prices are made per
 * configuration: what of a variant is left without its colour. Variants of one configuration share their amounts;
 * which of them were really observed is kept apart.
 */
const WITHOUT_A_PRICE = new Set(['color', 'colour', 'band', 'band color'])

/** Whether variants that differ in this attribute are priced apart. */
export const movesPrice = (attribute: string) => !WITHOUT_A_PRICE.has(attribute.toLowerCase())

export function configurationOf(variant: Variant): string {
  return (
    variant.attributes
      .filter(({ name }) => movesPrice(name))
      .map(({ value }) => slug(value))
      .join('-') || 'any'
  )
}

/** What the engine must know of a device: its configurations, each with the list price of its cheapest variant. */
export function deviceFacts(device: Device): DeviceFacts {
  const variants = new Map<string, { variantId: string; listCents: number | null; storageGb: number | null }>()
  for (const variant of device.variants) {
    const key = configurationOf(variant)
    const known = variants.get(key)
    const listCents = variant.listCents > 0 ? variant.listCents : null
    if (!known) variants.set(key, { variantId: key, listCents, storageGb: storageGbOf(variant) })
    else if (listCents !== null) known.listCents = Math.min(known.listCents ?? listCents, listCents)
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
  return storage ? gigabytes(storage.value) : null
}

/** "256GB", "256 gb" and "0.25 TB" are 256; undefined amounts are null. */
export function gigabytes(text: string): number | null {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)\s*(mb|gb|tb)?$/i.exec(text.trim())
  if (!match) return null
  const amount = Number(match[1])
  const unit = (match[2] ?? 'gb').toLowerCase()
  return unit === 'tb' ? amount * 1024 : unit === 'mb' ? amount / 1024 : amount
}

import { type Device, type DeviceRegistry, slug, type Variant } from '../catalog/device.ts'
import { launchPrices } from '../catalog/launch-price.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { startOfDay } from '../lib/time.ts'
import { estimateLaunchPrice } from './launch-price-estimate.ts'
import { hasMoreMemory } from './model/memory-order.ts'
import type { DeviceInput, VariantInput } from './model/observation.ts'
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
  const { basis, centsOf } = launchPrices(device)
  const facts = buildDeviceInput(device, centsOf)
  if (facts.releasedAt !== null && basis === 'listed') return facts
  if (facts.releasedAt !== null && basis === 'announced') return { ...facts, launchPriceSpread: ANNOUNCED_PRICE_SPREAD }
  const estimate = registry?.listDevicesOfCategory ? estimateLaunchPrice(device, registry) : null
  if (!estimate) return facts
  // A device with a price lacks only the release date.
  if (basis !== null) return { ...facts, releasedAt: estimate.releasedAt, launchPriceSpread: ANNOUNCED_PRICE_SPREAD }
  const [smallest] = [...facts.variants].sort((a, b) => (a.storageGb ?? 0) - (b.storageGb ?? 0))
  return {
    ...facts,
    releasedAt: estimate.releasedAt,
    launchPriceSpread: estimate.spread,
    variants: facts.variants.map((variant) =>
      variant === smallest ? { ...variant, listCents: estimate.cents } : variant,
    ),
  }
}

function buildDeviceInput(device: Device, centsOf: (variant: Variant) => number | null): DeviceInput {
  const variants = new Map<string, VariantInput & { listCents: number | null }>()
  for (const variant of device.variants) {
    const key = configurationOf(variant)
    const entry = variants.get(key)
    const listCents = centsOf(variant)
    if (!entry) {
      const [storageGb, ramGb] = [gigabytesOf(variant, 'storage'), gigabytesOf(variant, 'ram')]
      variants.set(key, { variantId: key, listCents, storageGb, ramGb, otherAttributes: otherAttributesOf(variant) })
    } else if (listCents !== null) entry.listCents = Math.min(entry.listCents ?? listCents, listCents)
  }
  return {
    deviceId: device.id,
    make: device.make,
    category: device.category,
    releasedAt: device.releasedOn === null ? null : startOfDay(device.releasedOn),
    variants: withRisingPrices([...variants.values()]),
  }
}

/**
 * More memory or storage never costs less at launch: prices of configurations that were announced in different countries or
 * years may say so.
 */
function withRisingPrices(configurations: readonly VariantInput[]): VariantInput[] {
  return configurations.map((configuration) => {
    const { listCents, storageGb } = configuration
    const smaller = configurations.filter((other) => hasMoreMemory(configuration, other))
    const highestOf = (list: readonly VariantInput[]) => Math.max(0, ...list.map((other) => other.listCents ?? 0))
    // Without a price of its own, a configuration costs at least as much as one with less memory and the same storage.
    const known = listCents ?? (highestOf(smaller.filter((other) => other.storageGb === storageGb)) || null)
    return { ...configuration, listCents: known === null ? null : Math.max(known, highestOf(smaller)) }
  })
}

function gigabytesOf({ attributes }: Variant, attribute: 'storage' | 'ram'): number | null {
  const amount = attributes.find(({ name }) => name.toLowerCase() === attribute)
  return amount ? gigabytesFromText(amount.value) : null
}

const otherAttributesOf = ({ attributes }: Variant) =>
  attributes
    .filter(({ name }) => affectsPrice(name) && !/^(?:storage|ram)$/i.test(name))
    .map(({ value }) => slug(value))
    .join('-')

/** "256GB", "256 gb" and "0.25 TB" are 256; undefined amounts are null. */
export function gigabytesFromText(text: string): number | null {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)\s*(mb|gb|tb)?$/i.exec(text.trim())
  if (!match) return null
  const amount = Number(match[1])
  const unit = (match[2] ?? 'gb').toLowerCase()
  return unit === 'tb' ? amount * 1024 : unit === 'mb' ? amount / 1024 : amount
}

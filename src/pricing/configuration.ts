import { type Device, type DeviceRegistry, slug, type Variant } from '../catalog/device.ts'
import { launchPrices } from '../catalog/launch-price.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { startOfDay } from '../lib/time.ts'
import { gigabytesFromText } from '../text/sizes.ts'
import { type CardPrice, cappedCardPrices } from './card-order.ts'
import { cardPerformance, laptopGraphics } from './graphics-chips.ts'
import { estimateLaunchPrice, membersOfLine } from './launch-price-estimate.ts'
import { familyOf, isPhone } from './model/device-family.ts'
import { hasMoreMemory } from './model/memory-order.ts'
import type { DeviceInput, VariantInput } from './model/observation.ts'
import { expertShare } from './model/prior.ts'
import { affectsPrice } from './price-attributes.ts'
import { launchLimits, lineOf } from './successor-order.ts'

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
  const facts = launchFacts(device, registry)
  const card =
    registry && cardPerformance(device.name) !== undefined ? cardPricesOf(registry)?.get(device.id) : undefined
  return card ? withCardPrice(facts, card) : withLineLimits(facts, device, registry)
}

/** List prices that put an older model above a newer one of its line, reduced. */
function withLineLimits(facts: DeviceInput, device: Device, registry: DeviceRegistry | undefined): DeviceInput {
  const { releasedAt } = facts
  const isListed = releasedAt !== null && launchPrices(device).basis === 'listed'
  const line = registry?.listDevicesOfCategory && isListed ? lineOf(device) : null
  if (!registry || !line || releasedAt === null) return facts
  const others = membersOfLine(device.category, line.key, registry).filter(({ id }) => id !== device.id)
  const family = familyOf(facts)
  const shareAt = (age: number) => (isPhone(family) ? LN_PHONE_PER_YEAR * age : expertShare(family, age))
  const highestCents = launchLimits(others, { generation: line.generation, released: releasedAt }, shareAt)
  const limited = facts.variants.map(({ listCents, storageGb, ramGb, otherAttributes }) => {
    if (listCents === null) return null
    const configuration = { storageGb, ramGb: ramGb ?? null, others: otherAttributes ?? '' }
    return Math.round(Math.min(listCents, highestCents(configuration)))
  })
  if (facts.variants.every(({ listCents }, at) => listCents === limited[at])) return facts
  return { ...facts, variants: facts.variants.map((variant, at) => ({ ...variant, listCents: limited[at] ?? null })) }
}

/** What phones lose in a year (ln), for the comparison of two of them. */
const LN_PHONE_PER_YEAR = -0.3

function launchFacts(device: Device, registry: DeviceRegistry | undefined): DeviceInput {
  const { basis, centsOf } = launchPrices(device)
  const facts = buildDeviceInput(device, centsOf)
  if (facts.releasedAt !== null && basis === 'listed') return facts
  if (facts.releasedAt !== null && basis === 'announced') return { ...facts, launchPriceSpread: ANNOUNCED_PRICE_SPREAD }
  const byGraphics = basis === null ? withGraphicsPrices(facts, device) : null
  if (byGraphics) return byGraphics
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

/** Corrected prices of a registry's graphics cards. */
const cardPricesBySource = memoizeWeak((_: object) => ({ prices: null as ReadonlyMap<string, CardPrice> | null }))

function cardPricesOf(registry: DeviceRegistry): ReadonlyMap<string, CardPrice> | null {
  const cache = cardPricesBySource(registry.source ?? registry)
  cache.prices ??= cappedCardPrices(
    Array.from(registry.listDevicesOfCategory?.(CARD_CATEGORY) ?? []).flatMap((device) => {
      const performance = cardPerformance(device.name)
      const { make, releasedAt, variants, launchPriceSpread } = launchFacts(device, registry)
      const cents = Math.min(...variants.flatMap(({ listCents }) => listCents ?? []))
      if (performance === undefined || releasedAt === null || !Number.isFinite(cents)) return []
      const memoryGb = Math.min(...variants.map(({ ramGb }) => ramGb ?? 0))
      const isEstimated = launchPriceSpread !== undefined
      return { id: device.id, make, performance, memoryGb, releasedAt, cents, isEstimated }
    }),
  )
  return cache.prices
}

const CARD_CATEGORY = 'Graphics Card'

/** Other memory sizes of the card keep their distance. */
function withCardPrice(facts: DeviceInput, { cents, releasedAt }: CardPrice): DeviceInput {
  const own = Math.min(...facts.variants.flatMap(({ listCents }) => listCents ?? []))
  return {
    ...facts,
    releasedAt,
    launchPriceSpread: facts.launchPriceSpread ?? ANNOUNCED_PRICE_SPREAD,
    variants: facts.variants.map((variant) => ({
      ...variant,
      listCents: variant.listCents === null ? null : Math.round((variant.listCents * cents) / own),
    })),
  }
}

/** Launch prices by graphics chip differ this much (ln standard deviation) between makes and lines. */
const GRAPHICS_PRICE_SPREAD = 0.35
/** ln of the price per doubling of storage and of memory. */
const LN_PER_STORAGE = 0.08
const LN_PER_MEMORY = 0.06
/** A line that was sold for years: a chip that appeared later is in a newer laptop, which lost less (ln per year). */
const LN_PER_YEAR = 0.27

/** The graphics chip decides what a gaming laptop costs; null if the device has no choice of chips, or one is unknown. */
function withGraphicsPrices(facts: DeviceInput, device: Device): DeviceInput | null {
  const chips = new Map(
    device.variants.map((variant) => {
      const graphics = variant.attributes.find(({ name }) => name === 'graphics')
      return [configurationOf(variant), graphics && laptopGraphics(graphics.value)]
    }),
  )
  const year = facts.releasedAt === null ? null : new Date(facts.releasedAt).getUTCFullYear()
  if (year === null || chips.size === 0 || [...chips.values()].includes(undefined)) return null
  const variants = facts.variants.map((variant) => {
    const chip = chips.get(variant.variantId)
    const doublings = (amount: number | null | undefined, usual: number) => Math.log2((amount || usual) / usual)
    const ln =
      LN_PER_STORAGE * doublings(variant.storageGb, 512) +
      LN_PER_MEMORY * doublings(variant.ramGb, 16) +
      LN_PER_YEAR * Math.max(0, (chip?.year ?? year) - year)
    return { ...variant, listCents: chip ? Math.round(chip.cents * Math.exp(ln)) : null }
  })
  return { ...facts, variants, launchPriceSpread: GRAPHICS_PRICE_SPREAD }
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
    sensor: device.specifications.sensor,
    graphics: graphicsOf(device),
    variants: withRisingPrices([...variants.values()]),
  }
}

/** The chips of the model, or of one of its variants. */
const graphicsOf = ({ specifications, variants }: Device) =>
  specifications.graphics ?? variants[0]?.attributes.find(({ name }) => name === 'graphics')?.value

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

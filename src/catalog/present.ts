import type { VariantWire } from '../contract/variant.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { type Device, nameWithoutMake, slug, type Variant } from './device.ts'

/** Public URL of the service, used in links. */
export type BaseUrl = string

export function presentLabel(baseUrl: BaseUrl, kind: 'categories' | 'makes', name: string) {
  return { name, thumbnail: `${baseUrl}/thumbnails/${kind}/${slug(name) || 'unnamed'}.svg` }
}

/** The wire form of a device, fields in the order of the API document. */
export function presentDevice(device: Device, baseUrl: BaseUrl) {
  return {
    id: device.id,
    name: nameWithoutMake(device),
    slug: device.id,
    category: presentLabel(baseUrl, 'categories', device.category),
    make: presentLabel(baseUrl, 'makes', device.make),
    model_numbers: device.modelNumbers,
    technical_specifications: device.specifications,
    release_date: device.releasedOn,
    release_date_precision: device.releasedOn === null ? null : (device.releasePrecision ?? 'day'),
    thumbnail: `${baseUrl}/thumbnails/devices/${device.id}.svg`,
    status: device.status,
    model_identifiers: device.modelIdentifiers,
    variants: device.variants.map((variant) => presentVariant(variant, baseUrl)),
  }
}

function presentVariant(variant: Variant, baseUrl: BaseUrl) {
  return {
    id: variant.id,
    sku: variant.sku,
    price: variant.listCents || (variant.announcedCents ?? 0),
    price_source: priceSourceOf(variant),
    list_prices: presentListPrices(variant),
    name: variant.name,
    part_numbers: variant.partNumbers,
    model_numbers: variant.modelNumbers,
    thumbnail: `${baseUrl}/thumbnails/variants/${variant.id}.svg`,
    attributes: variant.attributes.map(({ name, value }) => ({ attribute_name: name, attribute_value: value })),
    disabled: variant.disabled,
  }
}

function priceSourceOf({ listCents, announcedCents }: Variant): VariantWire['price_source'] {
  return listCents > 0 ? 'list' : announcedCents ? 'estimated' : 'unknown'
}

function presentListPrices({ listCents, listPrices = [] }: Variant): VariantWire['list_prices'] {
  const others = listPrices.map(({ market, currency, amount }) => ({
    market,
    currency,
    amount: Math.round(amount * 10 ** minorUnitDigits(currency)),
  }))
  const us = listCents > 0 ? [{ market: 'us', currency: 'USD', amount: listCents }] : []
  return [...us, ...others.filter(({ market }) => listCents === 0 || market !== 'us')]
}

/** A variant of the variants list, with its device. */
export function presentVariantInContext(variant: Variant, device: Device, baseUrl: BaseUrl) {
  return {
    ...presentVariant(variant, baseUrl),
    device: {
      id: device.id,
      name: nameWithoutMake(device),
      slug: device.id,
      make: presentLabel(baseUrl, 'makes', device.make),
      category: presentLabel(baseUrl, 'categories', device.category),
    },
  }
}

import {
  type Attribute,
  type Device,
  type DeviceStatus,
  deviceIdFor,
  type Variant,
  variantIdFor,
} from '../../src/catalog/device.ts'

/** A device for tests: every field has a default that the test can override. */
export function sampleDevice(
  make: string,
  name: string,
  more: Partial<Omit<Device, 'variants'>> & { variants?: readonly Partial<Variant>[]; status?: DeviceStatus } = {},
): Device {
  const id = more.id ?? deviceIdFor(make, name)
  const { variants = [{}], ...fields } = more
  return {
    id,
    name,
    make,
    category: 'Smartphone',
    modelNumbers: [],
    modelIdentifiers: [],
    specifications: {},
    releasedOn: '2020-01-01',
    releasePrecision: 'day',
    status: 'active',
    ...fields,
    variants: variants.map((variant, place) => sampleVariant(id, place, variant)),
  }
}

function sampleVariant(device: string, place: number, more: Partial<Variant>): Variant {
  const attributes: readonly Attribute[] = more.attributes ?? [{ name: 'storage', value: `${64 * 2 ** place}GB` }]
  const id = more.id ?? variantIdFor(device, attributes)
  return {
    id,
    sku: id.toUpperCase(),
    name: attributes.map((attribute) => attribute.value).join(' '),
    listCents: 10_000,
    partNumbers: [],
    modelNumbers: [],
    disabled: false,
    ...more,
    attributes,
  }
}

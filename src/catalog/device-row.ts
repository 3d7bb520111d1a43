import type { DeviceTable, VariantTable } from '../db/schema.ts'
import type { Device, Variant } from './device.ts'

/** How devices and variants are written down, for everyone who writes them: the catalogue on board and every import. */

export function deviceColumns(
  device: Omit<Device, 'variants'>,
): Omit<DeviceTable, 'source' | 'provenance' | 'revision'> {
  const { modelNumbers, modelIdentifiers, specifications } = device
  return {
    id: device.id,
    make: device.make,
    category: device.category,
    name: device.name,
    released_on: device.releasedOn,
    release_precision: device.releasePrecision,
    status: device.status,
    document: JSON.stringify({ modelNumbers, modelIdentifiers, specifications }),
  }
}

export function variantColumns(
  deviceId: string,
  variant: Variant,
  position: number,
): Omit<VariantTable, 'source' | 'provenance'> {
  const { partNumbers, modelNumbers, attributes } = variant
  return {
    id: variant.id,
    device_id: deviceId,
    position,
    sku: variant.sku,
    name: variant.name,
    list_cents: variant.listCents,
    disabled: variant.disabled ? 1 : 0,
    document: JSON.stringify({ partNumbers, modelNumbers, attributes }),
  }
}

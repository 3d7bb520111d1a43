import type { DeviceTable, VariantTable } from '../db/schema.ts'
import type { DatePrecision, Device, DeviceStatus, Variant } from './device.ts'
import { internAttribute } from './shared-attribute.ts'

/** Database rows of devices and variants. */

export type DeviceRow = Omit<DeviceTable, 'source' | 'provenance' | 'revision'>
export type VariantRow = Omit<VariantTable, 'source' | 'provenance'>

export const DEVICE_COLUMNS = [
  'id',
  'make',
  'category',
  'name',
  'released_on',
  'release_precision',
  'status',
  'document',
] as const satisfies readonly (keyof DeviceRow)[]
export const VARIANT_COLUMNS = [
  'id',
  'device_id',
  'position',
  'sku',
  'name',
  'list_cents',
  'disabled',
  'document',
] as const satisfies readonly (keyof VariantRow)[]

export function toDeviceRow(device: Omit<Device, 'variants'>): DeviceRow {
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

export function toVariantRow(deviceId: string, variant: Variant, position: number): VariantRow {
  const { partNumbers, modelNumbers, attributes, announcedCents, listPrices } = variant
  return {
    id: variant.id,
    device_id: deviceId,
    position,
    sku: variant.sku,
    name: variant.name,
    list_cents: variant.listCents,
    disabled: variant.disabled ? 1 : 0,
    document: JSON.stringify({ partNumbers, modelNumbers, attributes, announcedCents, listPrices }),
  }
}

/** The variants of each device, in their own order. */
export function groupVariantsByDevice<Row extends VariantRow>(rows: Iterable<Row>): Map<string, Row[]> {
  const byDevice = new Map<string, Row[]>()
  for (const row of rows) byDevice.getOrInsertComputed(row.device_id, () => []).push(row)
  // Sorted here, not by the database: how it orders text depends on its locale.
  for (const list of byDevice.values()) {
    if (list.length > 1) list.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
  }
  return byDevice
}

export function fromDeviceRow<VariantType extends Variant>(row: DeviceRow, variants: readonly VariantType[]) {
  const document = JSON.parse(row.document) as Pick<Device, 'modelNumbers' | 'modelIdentifiers' | 'specifications'>
  return {
    id: row.id,
    name: row.name,
    make: row.make,
    category: row.category,
    modelNumbers: sharedIfEmpty(document.modelNumbers),
    modelIdentifiers: sharedIfEmpty(document.modelIdentifiers),
    specifications: document.specifications ?? {},
    releasedOn: row.released_on,
    releasePrecision: row.release_precision as DatePrecision | null,
    status: row.status as DeviceStatus,
    variants,
  }
}

export function fromVariantRow(row: VariantRow): Variant {
  const document = JSON.parse(row.document) as Pick<
    Variant,
    'partNumbers' | 'modelNumbers' | 'attributes' | 'announcedCents' | 'listPrices'
  >
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    listCents: row.list_cents,
    ...(document.announcedCents === undefined ? {} : { announcedCents: document.announcedCents }),
    ...(document.listPrices === undefined ? {} : { listPrices: document.listPrices }),
    partNumbers: sharedIfEmpty(document.partNumbers),
    modelNumbers: sharedIfEmpty(document.modelNumbers),
    attributes: sharedIfEmpty(document.attributes).map(({ name, value }) => internAttribute(name, value)),
    disabled: row.disabled === 1,
  }
}

const EMPTY_LIST: readonly never[] = []

/** Most lists are empty; they share one array. */
function sharedIfEmpty<Item>(list: readonly Item[] | undefined): readonly Item[] {
  if (list !== undefined && !Array.isArray(list)) throw new Error('expected a list')
  return list?.length ? list : EMPTY_LIST
}

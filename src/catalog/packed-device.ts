import type { Device } from './device.ts'
import {
  type DeviceRow,
  fromDeviceRow,
  fromVariantRow,
  toDeviceRow,
  toVariantRow,
  type VariantRow,
} from './device-row.ts'

/**
 * A device as texts, one for itself and one for each variant: the columns of its rows, their documents unread. Reading all
 * documents takes longer than everything else a start does, and most devices of a large registry are never asked for.
 */
export type PackedDevice = { readonly text: string; readonly variants: readonly string[] }

/** Unit and record separator: control characters that stand in no name, and are escaped in JSON. */
export const BETWEEN = { fields: '\x1f', rows: '\x1e' } as const

/** The columns of a text in their order: first what lists are ordered, counted and filtered by. */
export const PACKED_DEVICE_COLUMNS = [
  'id',
  'make',
  'category',
  'status',
  'released_on',
  'name',
  'release_precision',
  'document',
] as const satisfies (keyof DeviceRow)[]
export const PACKED_VARIANT_COLUMNS = [
  'device_id',
  'id',
  'disabled',
  'position',
  'sku',
  'name',
  'list_cents',
  'document',
] as const satisfies (keyof VariantRow)[]

export function packDevice(device: Device): PackedDevice {
  const row = toDeviceRow(device)
  return {
    text: PACKED_DEVICE_COLUMNS.map((name) => row[name] ?? '').join(BETWEEN.fields),
    variants: device.variants.map((variant, position) => {
      const own = toVariantRow(device.id, variant, position)
      return PACKED_VARIANT_COLUMNS.map((name) => own[name]).join(BETWEEN.fields)
    }),
  }
}

/** Throws where a document in it cannot be read. */
export function unpackDevice({ text, variants }: PackedDevice): Device {
  const [id, make, category, status, releasedOn, name, precision, document] = fieldsOf(text, PACKED_DEVICE_COLUMNS)
  const row = {
    id,
    make,
    category,
    name,
    released_on: releasedOn || null,
    release_precision: precision || null,
    status,
    document,
  }
  return fromDeviceRow(row, variants.map(unpackVariant))
}

function unpackVariant(text: string) {
  const fields = fieldsOf(text, PACKED_VARIANT_COLUMNS)
  const [deviceId, id, disabled, position, sku, name, cents, document] = fields
  return fromVariantRow({
    id,
    device_id: deviceId,
    position: Number(position),
    sku,
    name,
    list_cents: Number(cents),
    disabled: disabled === '1' ? 1 : 0,
    document,
  })
}

type Fields<Columns extends readonly string[]> = { readonly [At in keyof Columns]: string }

function fieldsOf<const Columns extends readonly string[]>(text: string, columns: Columns): Fields<Columns> {
  const fields = text.split(BETWEEN.fields)
  if (fields.length !== columns.length) throw new Error(`${fields.length} fields stand where ${columns.length} belong`)
  return fields as unknown as Fields<Columns>
}

import type { Device } from './device.ts'
import {
  type DeviceRow,
  deviceColumns,
  readDevice,
  readVariant,
  type VariantRow,
  variantColumns,
} from './device-row.ts'

/**
 * A device as one text and the few facts that lists need. As objects half a million devices fill gigabytes and keep the
 * collector busy; as texts they are read in some ten microseconds each when somebody asks.
 */
export type PackedDevice = Pick<Device, 'id' | 'make' | 'category' | 'status' | 'releasedOn'> & {
  readonly variants: readonly { readonly id: string; readonly disabled: boolean }[]
  readonly text: string
}

/** Stands between the fields of a text, as the store joins them. */
const BETWEEN = '\x1f'

/** The columns that a text is made of, in their order. */
export const PACKED_DEVICE_COLUMNS = ['name', 'release_precision', 'document'] as const satisfies (keyof DeviceRow)[]
export const PACKED_VARIANT_COLUMNS = [
  'id',
  'disabled',
  'position',
  'sku',
  'name',
  'list_cents',
  'document',
] as const satisfies (keyof VariantRow)[]
const POSITION = PACKED_VARIANT_COLUMNS.indexOf('position')

export function packDevice(device: Device): PackedDevice {
  const variants = device.variants.map((variant, position) => {
    const row = variantColumns(device.id, variant, position)
    return PACKED_VARIANT_COLUMNS.map((name) => row[name]).join(BETWEEN)
  })
  const row = deviceColumns(device)
  return packRow({ ...row, joined: PACKED_DEVICE_COLUMNS.map((name) => row[name] ?? '').join(BETWEEN) }, variants)
}

type JoinedRow = Pick<DeviceRow, 'id' | 'make' | 'category' | 'status' | 'released_on'> & { readonly joined: string }

/**
 * The row as it stands in the store, its documents unread: reading all of them takes longer than everything else.
 * `variants` are the joined columns of each.
 */
export function packRow(row: JoinedRow, variants: readonly string[]): PackedDevice {
  const ordered = variants.length > 1 ? inOrder(variants) : variants
  const text = [row.joined, ...ordered].join(BETWEEN)
  const told = []
  let at = row.joined.length + 1
  for (const variant of ordered) {
    // Cut out of the text that is kept anyway, an id needs no letters of its own.
    const end = text.indexOf(BETWEEN, at)
    told.push({ id: text.slice(at, end), disabled: text[end + 1] === '1' })
    at += variant.length + 1
  }
  return {
    id: row.id,
    make: row.make,
    category: row.category,
    status: row.status as Device['status'],
    releasedOn: row.released_on,
    variants: told,
    text,
  }
}

function inOrder(variants: readonly string[]): string[] {
  return variants
    .map((text) => ({ text, position: Number(text.split(BETWEEN, POSITION + 1)[POSITION]) }))
    .sort((a, b) => a.position - b.position || (a.text < b.text ? -1 : 1))
    .map(({ text }) => text)
}

/** Throws where a document in it cannot be read. */
export function unpackDevice({ id, make, category, status, releasedOn, text }: Omit<PackedDevice, 'variants'>): Device {
  const fields = text.split(BETWEEN)
  const ownFields = PACKED_DEVICE_COLUMNS.length
  const variantFields = PACKED_VARIANT_COLUMNS.length
  if ((fields.length - ownFields) % variantFields !== 0) throw new Error(`the fields of ${id} do not fit`)
  const [name = '', precision = '', document = ''] = fields
  const variants = []
  for (let at = ownFields; at < fields.length; at += variantFields) {
    const [own = '', disabled, position, sku = '', named = '', cents, told = ''] = fields.slice(at, at + variantFields)
    variants.push(
      readVariant({
        id: own,
        device_id: id,
        position: Number(position),
        sku,
        name: named,
        list_cents: Number(cents),
        disabled: disabled === '1' ? 1 : 0,
        document: told,
      }),
    )
  }
  const row = {
    id,
    make,
    category,
    name,
    released_on: releasedOn,
    release_precision: precision || null,
    status,
    document,
  }
  return readDevice(row, variants)
}

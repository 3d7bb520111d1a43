import { bytesColumn, type Column, floatColumn, setByte, setFloat, setWhole, wholeColumn } from './column.ts'
import type { Device, DeviceStatus } from './device.ts'
import { BETWEEN, type PackedDevice, packDevice, unpackDevice } from './packed-device.ts'
import { foldName } from './search/search-term.ts'
import { openTextNumbers, type TextNumbers } from './text-numbers.ts'
import { type Address, addText, blockOf, offsetOf, openTexts, readText, type Texts } from './texts.ts'

/**
 * The devices and variants of a process: what lists need of them in columns of numbers, the rest in texts that are read
 * when somebody asks. Rows are added and never changed, so all snapshots share them: a device that changes gets another
 * row under the number of its id.
 */
export type RegistryRows = {
  readonly texts: Texts
  readonly deviceIds: TextNumbers
  readonly variantIds: TextNumbers
  readonly labels: Labels
  readonly devices: DeviceColumns
  readonly variants: VariantColumns
  /** What was made of rows, by row, unless there are too many of them. */
  readonly made: { readonly devices: Device[]; readonly deviceBytes: Uint8Array[]; readonly variantBytes: Uint8Array[] }
}

/** Devices of so large a registry are read each time: as objects they would fill gigabytes. */
const MOST_HELD = 20_000

export const isLarge = (devices: number) => devices > MOST_HELD

type DeviceColumns = {
  count: number
  /** The number of the id. */
  readonly id: Column<Uint32Array>
  readonly at: Column<Float64Array>
  readonly bytes: Column<Uint32Array>
  readonly make: Column<Uint32Array>
  readonly category: Column<Uint32Array>
  readonly status: Column<Uint32Array>
  /** YYYYMMDD; 0 where it is unknown. */
  readonly releasedOn: Column<Uint32Array>
  /** The variants of a device are neighbours, in their own order. */
  readonly firstVariant: Column<Uint32Array>
  readonly variantCount: Column<Uint32Array>
}

type VariantColumns = {
  count: number
  readonly id: Column<Uint32Array>
  readonly at: Column<Float64Array>
  readonly bytes: Column<Uint32Array>
  /** The row of its device. */
  readonly owner: Column<Uint32Array>
  readonly disabled: Column<Uint8Array>
}

/** Makes, categories and states: few texts that very many devices share. */
type Labels = { readonly numbers: TextNumbers; readonly names: string[]; readonly keys: string[] }

/** `expected` is about how many devices there will be. */
export function openRows(expected = 0): RegistryRows {
  const texts = openTexts()
  return {
    texts,
    deviceIds: openTextNumbers(texts, expected),
    variantIds: openTextNumbers(texts, expected),
    labels: { numbers: openTextNumbers(texts), names: [], keys: [] },
    devices: {
      count: 0,
      id: wholeColumn(),
      at: floatColumn(),
      bytes: wholeColumn(),
      make: wholeColumn(),
      category: wholeColumn(),
      status: wholeColumn(),
      releasedOn: wholeColumn(),
      firstVariant: wholeColumn(),
      variantCount: wholeColumn(),
    },
    variants: {
      count: 0,
      id: wholeColumn(),
      at: floatColumn(),
      bytes: wholeColumn(),
      owner: wholeColumn(),
      disabled: bytesColumn(),
    },
    made: { devices: [], deviceBytes: [], variantBytes: [] },
  }
}

/** Returns its row. */
export function addDevice(rows: RegistryRows, device: Device): number {
  const row = addPacked(rows, packDevice(device))
  if (holds(rows)) rows.made.devices[row] = device
  return row
}

export function addPacked(rows: RegistryRows, { text, variants }: PackedDevice): number {
  const own = addText(rows.texts, text)
  const row = addDeviceRow(rows, own.at, own.bytes)
  setWhole(rows.devices.firstVariant, row, rows.variants.count)
  setWhole(rows.devices.variantCount, row, variants.length)
  for (const variant of variants) {
    const { at, bytes } = addText(rows.texts, variant)
    addVariantRow(rows, row, at, bytes)
  }
  return row
}

/** Of a text that lies in the blocks already. Its variants are still to come. Throws where it is not one of a device. */
export function addDeviceRow(rows: RegistryRows, at: Address, bytes: number): number {
  const block = blockOf(rows.texts, at)
  const from = offsetOf(at)
  const base = at - from
  const makeFrom = nextField(block, from, from + bytes)
  const categoryFrom = nextField(block, makeFrom, from + bytes)
  const statusFrom = nextField(block, categoryFrom, from + bytes)
  const dayFrom = nextField(block, statusFrom, from + bytes)
  const { devices } = rows
  const row = devices.count++
  setWhole(devices.id, row, rows.deviceIds.numberAt(at, makeFrom - 1 - from))
  setFloat(devices.at, row, at)
  setWhole(devices.bytes, row, bytes)
  setWhole(devices.make, row, labelAt(rows, base + makeFrom, categoryFrom - 1 - makeFrom))
  setWhole(devices.category, row, labelAt(rows, base + categoryFrom, statusFrom - 1 - categoryFrom))
  setWhole(devices.status, row, labelAt(rows, base + statusFrom, dayFrom - 1 - statusFrom))
  setWhole(devices.releasedOn, row, dayAt(block, dayFrom))
  setWhole(devices.firstVariant, row, 0)
  setWhole(devices.variantCount, row, 0)
  return row
}

/** Of a text that lies in the blocks already. Returns its row. */
export function addVariantRow(rows: RegistryRows, owner: number, at: Address, bytes: number): number {
  const block = blockOf(rows.texts, at)
  const from = offsetOf(at)
  const idFrom = nextField(block, from, from + bytes)
  const disabledFrom = nextField(block, idFrom, from + bytes)
  const { variants } = rows
  const row = variants.count++
  setWhole(variants.id, row, rows.variantIds.numberAt(at - from + idFrom, disabledFrom - 1 - idFrom))
  setFloat(variants.at, row, at)
  setWhole(variants.bytes, row, bytes)
  setWhole(variants.owner, row, owner)
  setByte(variants.disabled, row, block[disabledFrom] === ONE ? 1 : 0)
  return row
}

/** Whose variant a text is, by the number of the device's id, and its place among that device's; both -1 where nobody's. */
export function variantOwner(rows: RegistryRows, at: Address, bytes: number): { id: number; position: number } {
  const block = blockOf(rows.texts, at)
  const from = offsetOf(at)
  const idFrom = nextField(block, from, from + bytes)
  const disabledFrom = nextField(block, idFrom, from + bytes)
  const positionFrom = nextField(block, disabledFrom, from + bytes)
  const id = rows.deviceIds.findAt(at, idFrom - 1 - from) ?? -1
  return { id, position: id < 0 ? -1 : wholeAt(block, positionFrom) }
}

const FIELD_END = BETWEEN.fields.charCodeAt(0)
const ZERO = 48
const ONE = 49
const DASH = 45

/** Where the field after the one at `from` begins. */
function nextField(block: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && block[at] !== FIELD_END) at++
  if (at === end) throw new Error('a field is missing')
  return at + 1
}

function wholeAt(block: Uint8Array, from: number): number {
  let value = 0
  for (let at = from; ; at++) {
    const digit = (block[at] as number) - ZERO
    if (!(digit >= 0 && digit <= 9)) return value
    value = value * 10 + digit
  }
}

/** A day as YYYY-MM-DD in digits; whatever else stands there is no known day. */
function dayAt(block: Uint8Array, from: number): number {
  if (block[from + 4] !== DASH || block[from + 7] !== DASH || block[from + 10] !== FIELD_END) return 0
  return wholeAt(block, from) * 10_000 + wholeAt(block, from + 5) * 100 + wholeAt(block, from + 8)
}

function labelAt({ labels }: RegistryRows, at: Address, bytes: number): number {
  const number = labels.numbers.numberAt(at, bytes)
  if (number === labels.names.length) {
    const name = labels.numbers.textOf(number)
    labels.names.push(name)
    labels.keys.push(foldName(name))
  }
  return number
}

export function deviceIdOf({ deviceIds, devices }: RegistryRows, row: number): string {
  return deviceIds.textOf(devices.id.values[row] as number)
}

export function statusOf({ labels, devices }: RegistryRows, row: number): DeviceStatus {
  return labels.names[devices.status.values[row] as number] as DeviceStatus
}

/** As it stands in the blocks. */
export function packedDevice({ texts, devices, variants }: RegistryRows, row: number): PackedDevice {
  const first = devices.firstVariant.values[row] as number
  return {
    text: readText(texts, devices.at.values[row] as Address, devices.bytes.values[row] as number),
    variants: Array.from({ length: devices.variantCount.values[row] as number }, (_, at) =>
      readText(texts, variants.at.values[first + at] as Address, variants.bytes.values[first + at] as number),
    ),
  }
}

const holds = ({ deviceIds }: RegistryRows) => !isLarge(deviceIds.size())

/** Throws where its text cannot be read. */
export function deviceOf(rows: RegistryRows, row: number): Device {
  const { devices } = rows.made
  const known = devices[row]
  if (known) return known
  const device = unpackDevice(packedDevice(rows, row))
  if (holds(rows)) devices[row] = device
  return device
}

/** For whoever reads all of them once: what was not held is not held afterwards. */
export function readOnce(rows: RegistryRows, row: number): Device {
  return rows.made.devices[row] ?? unpackDevice(packedDevice(rows, row))
}

/** `made` is a list of `rows.made`, by row; what `make` makes is kept there unless there are too many rows. */
export function madeOnce(
  rows: RegistryRows,
  made: Uint8Array[],
  row: number,
  make: () => Uint8Array | undefined,
): Uint8Array | undefined {
  const known = made[row]
  if (known) return known
  const bytes = make()
  if (bytes && holds(rows)) made[row] = bytes
  return bytes
}

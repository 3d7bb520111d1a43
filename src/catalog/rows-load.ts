import { runToEnd } from '../lib/time-sliced.ts'
import { reorder, setWhole, wholeColumn } from './column.ts'
import { BETWEEN } from './packed-device.ts'
import { addDeviceRow, addVariantRow, openRows, type RegistryRows, variantOwner } from './registry-rows.ts'
import { sortRows } from './row-order.ts'
import { type Address, addText, blockOf, offsetOf, readText, type Texts } from './texts.ts'

/** The whole registry as the store hands it out: thousands of rows to a text. */
export type RowTexts = {
  readonly devices: AsyncIterable<string>
  readonly variants: AsyncIterable<string>
  /** How many devices there are. */
  count(): Promise<number>
}

export type LoadedRows = {
  readonly rows: RegistryRows
  /** The row of each device, in the order of lists. */
  readonly devices: Uint32Array
}

type Unreadable = (id: string, error: unknown) => void

/** A text that is no row is left out and told of. */
export async function loadRows(source: RowTexts, unreadable: Unreadable): Promise<LoadedRows> {
  const rows = openRows(await source.count())
  const { texts } = rows
  for await (const text of source.devices) {
    eachRow(texts, text, unreadable, (at, bytes) => addDeviceRow(rows, at, bytes))
  }
  putInOrder(rows)
  const rowOf = rowsOfIds(rows)
  const position = wholeColumn()
  for await (const text of source.variants) {
    eachRow(texts, text, unreadable, (at, bytes) => {
      const owner = variantOwner(rows, at, bytes)
      if (owner.id >= 0) setWhole(position, addVariantRow(rows, rowOf[owner.id] as number, at, bytes), owner.position)
    })
  }
  groupVariants(rows, position.values)
  return { rows, devices: rowOf.sort() }
}

/** Rows in the order of lists: who then goes through a list goes through the columns from end to end. */
function putInOrder({ texts, devices }: RegistryRows): void {
  const all = new Uint32Array(devices.count)
  for (let row = 0; row < all.length; row++) all[row] = row
  const order = runToEnd(sortRows(texts, devices, all))
  const { count, ...columns } = devices
  for (const column of Object.values(columns)) reorder(column, order)
}

/** The row of each id, by its number. A device that was written anew while it was read may have come twice; it is followed. */
function rowsOfIds({ devices, deviceIds }: RegistryRows): Uint32Array {
  const rowOf = new Uint32Array(deviceIds.size())
  for (let row = 0; row < devices.count; row++) rowOf[devices.id.values[row] as number] = row
  return rowOf
}

const ROW_END = BETWEEN.rows.charCodeAt(0)
const LONGEST_SHOWN = 80

function eachRow(texts: Texts, text: string, unreadable: Unreadable, add: (at: Address, bytes: number) => void): void {
  const whole = addText(texts, text)
  const block = blockOf(texts, whole.at)
  const begin = offsetOf(whole.at)
  const end = begin + whole.bytes
  for (let from = begin; from < end; ) {
    const next = block.indexOf(ROW_END, from)
    const to = next < 0 || next > end ? end : next
    const at = whole.at + (from - begin)
    try {
      add(at, to - from)
    } catch (error) {
      unreadable(readText(texts, at, Math.min(to - from, LONGEST_SHOWN)).split(BETWEEN.fields)[0] ?? '', error)
    }
    from = to + 1
  }
}

/** They come in any order and are put together device by device, there by their position. */
function groupVariants({ texts, devices, variants }: RegistryRows, position: Uint32Array): void {
  const owner = variants.owner.values
  const starts = new Uint32Array(devices.count + 1)
  for (let row = 0; row < variants.count; row++) addOne(starts, (owner[row] as number) + 1)
  for (let row = 0; row < devices.count; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number)
  const next = starts.slice()
  const order = new Uint32Array(variants.count)
  for (let row = 0; row < variants.count; row++) order[addOne(next, owner[row] as number)] = row
  const text = (row: number) =>
    readText(texts, variants.at.values[row] as Address, variants.bytes.values[row] as number)
  const compare = (a: number, b: number) =>
    (position[a] as number) - (position[b] as number) || (text(a) < text(b) ? -1 : 1)
  for (let row = 0; row < devices.count; row++) {
    const from = starts[row] as number
    const to = starts[row + 1] as number
    if (to - from > 1) order.subarray(from, to).sort(compare)
    devices.firstVariant.values[row] = from
    devices.variantCount.values[row] = to - from
  }
  const { count, ...columns } = variants
  for (const column of Object.values(columns)) reorder(column, order)
}

/** Returns what was there before. */
function addOne(counts: Uint32Array, at: number): number {
  const before = counts[at] as number
  counts[at] = before + 1
  return before
}

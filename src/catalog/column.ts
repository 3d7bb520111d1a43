/** A column of numbers that is made wider when it is full. */
export type Column<Values extends Uint8Array | Uint32Array | Float64Array> = { values: Values }

const LEAST_ROOM = 512

export const bytesColumn = (room = LEAST_ROOM): Column<Uint8Array> => ({ values: new Uint8Array(room) })
export const wholeColumn = (room = LEAST_ROOM): Column<Uint32Array> => ({ values: new Uint32Array(room) })
export const floatColumn = (room = LEAST_ROOM): Column<Float64Array> => ({ values: new Float64Array(room) })

// One for each kind: a function that meets several kinds of array is several times as slow, and these run millions of times.
export function setByte(column: Column<Uint8Array>, row: number, value: number): void {
  if (row >= column.values.length) column.values = widened(column.values, new Uint8Array(roomFor(column, row)))
  column.values[row] = value
}

export function setWhole(column: Column<Uint32Array>, row: number, value: number): void {
  if (row >= column.values.length) column.values = widened(column.values, new Uint32Array(roomFor(column, row)))
  column.values[row] = value
}

export function setFloat(column: Column<Float64Array>, row: number, value: number): void {
  if (row >= column.values.length) column.values = widened(column.values, new Float64Array(roomFor(column, row)))
  column.values[row] = value
}

function roomFor({ values }: { readonly values: ArrayLike<number> }, row: number): number {
  return Math.max(row + 1, values.length * 2)
}

function widened<Values extends Uint8Array | Uint32Array | Float64Array>(values: Values, wider: Values): Values {
  wider.set(values)
  return wider
}

/** The first values of a column in another order. */
export function reorder({ values }: Column<Uint8Array | Uint32Array | Float64Array>, order: Uint32Array): void {
  if (values instanceof Uint32Array) reorderWhole(values, order)
  else if (values instanceof Float64Array) reorderFloats(values, order)
  else reorderBytes(values, order)
}

function reorderWhole(values: Uint32Array, order: Uint32Array): void {
  const before = values.slice()
  for (let row = 0; row < order.length; row++) values[row] = before[order[row] as number] as number
}

function reorderFloats(values: Float64Array, order: Uint32Array): void {
  const before = values.slice()
  for (let row = 0; row < order.length; row++) values[row] = before[order[row] as number] as number
}

function reorderBytes(values: Uint8Array, order: Uint32Array): void {
  const before = values.slice()
  for (let row = 0; row < order.length; row++) values[row] = before[order[row] as number] as number
}

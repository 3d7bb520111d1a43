import type { TimeSliced } from '../lib/time-sliced.ts'
import type { Column } from './column.ts'
import { type Address, blockOf, offsetOf, type Texts } from './texts.ts'

/** What devices are ordered by: the day as YYYYMMDD, and a text that begins with the id. */
export type OrderedBy = {
  readonly releasedOn: Column<Uint32Array>
  readonly at: Column<Float64Array>
  readonly bytes: Column<Uint32Array>
}

/** The order of lists: newest first, unknown dates last, then by id, byte for byte. */
export function compareRows(texts: Texts, { releasedOn, at, bytes }: OrderedBy, a: number, b: number): number {
  const days = (releasedOn.values[b] as number) - (releasedOn.values[a] as number)
  if (days !== 0) return days
  // A text begins with the id, and what ends the id is less than any letter of one.
  const left = at.values[a] as Address
  const right = at.values[b] as Address
  return blockOf(texts, left).compare(
    blockOf(texts, right),
    offsetOf(right),
    offsetOf(right) + (bytes.values[b] as number),
    offsetOf(left),
    offsetOf(left) + (bytes.values[a] as number),
  )
}

/** How many bytes of an id are compared at a time: what fits into half of a 64-bit number. */
const STEP = 4
const NO_DAY = 99_999_999

/**
 * Sorted by numbers alone, which takes a tenth of the time that texts take: by the day and the row in one number, and where
 * days are equal by the next bytes of the id and the row, until no two are equal.
 */
export function* sortRows(
  texts: Texts,
  { releasedOn, at, bytes }: OrderedBy,
  unsorted: Uint32Array,
): TimeSliced<Uint32Array> {
  const sorted = unsorted.slice()
  const keys = new BigUint64Array(sorted.length)
  const halves = new Uint32Array(keys.buffer)
  const dayKey = (row: number) => NO_DAY - (releasedOn.values[row] as number)
  const idKey = (row: number, depth: number) => {
    const from = at.values[row] as Address
    const block = blockOf(texts, from)
    const own = offsetOf(from)
    const left = (bytes.values[row] as number) - depth
    let key = 0
    for (let i = 0; i < STEP; i++) key = key * 256 + (i < left ? (block[own + depth + i] as number) : 0)
    return key
  }
  /** Parts that are equal up to a depth and still to be sorted. */
  const open = [{ from: 0, to: sorted.length, depth: -STEP }]
  for (let part = open.pop(); part; part = open.pop()) {
    const { from, to, depth } = part
    for (let i = from; i < to; i++) {
      const row = sorted[i] as number
      halves[2 * i] = row
      halves[2 * i + 1] = depth < 0 ? dayKey(row) : idKey(row, depth)
    }
    keys.subarray(from, to).sort()
    let begin = from
    for (let i = from; i < to; i++) {
      sorted[i] = halves[2 * i] as number
      if (i + 1 < to && halves[2 * i + 1] === halves[2 * i + 3]) continue
      // Nothing but zeros is past the end of both: whatever is equal up to there is the same.
      if (i > begin && halves[2 * i + 1] !== 0) open.push({ from: begin, to: i + 1, depth: depth + STEP })
      begin = i + 1
    }
    yield
  }
  return sorted
}

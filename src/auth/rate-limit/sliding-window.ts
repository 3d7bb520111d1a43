import { WINDOW_MS } from './rate-limiter.ts'

/**
 * What a key spent in the last 60 seconds: a queue of slots, each the requests of up to a quarter second, flattened to
 * three numbers (first request, last request, how many). A true sliding window: no 60 seconds ever hold more than the
 * limit, and since a slot leaves 60 s after its last request, a caller at full load gets at least 60 / 60.25 of it.
 */
export type WindowUsage = { total: number; head: number; readonly slots: number[] }

export const SLOT_MS = 250
const FIELDS_PER_SLOT = 3
const COMPACT_AFTER = 64 * FIELDS_PER_SLOT

export function emptyWindow(): WindowUsage {
  return { total: 0, head: 0, slots: [] }
}

/** Forgets what is older than the window. */
export function dropExpired(spending: WindowUsage, nowMs: number): void {
  const { slots } = spending
  let head = spending.head
  while (head < slots.length && nowMs - slots[head + 1]! >= WINDOW_MS) {
    spending.total -= slots[head + 2]!
    head += FIELDS_PER_SLOT
  }
  if (head === slots.length) {
    slots.length = 0
    head = 0
  } else if (head >= COMPACT_AFTER) {
    slots.splice(0, head)
    head = 0
  }
  spending.head = head
}

export function addToWindow(spending: WindowUsage, cost: number, nowMs: number): void {
  if (cost === 0) return
  const { slots } = spending
  spending.total += cost
  const tail = slots.length - FIELDS_PER_SLOT
  if (tail >= spending.head && nowMs - slots[tail]! < SLOT_MS) {
    slots[tail + 1] = nowMs
    slots[tail + 2]! += cost
  } else {
    slots.push(nowMs, nowMs, cost)
  }
}

/** Milliseconds until at least `needed` of the spent requests have come back; 0 when nothing is spent. */
export function msUntilAvailable(spending: WindowUsage, needed: number, nowMs: number): number {
  const { slots } = spending
  let back = 0
  let waitMs = 0
  for (let at = spending.head; at < slots.length && (back === 0 || back < needed); at += FIELDS_PER_SLOT) {
    back += slots[at + 2]!
    // In this order: the age is what `forgetOld` looks at, and it is exact where the sum would be rounded.
    waitMs = WINDOW_MS - (nowMs - slots[at + 1]!)
  }
  return waitMs
}

import { WINDOW_MS } from './rate-limiter.ts'

/**
 * Requests of a key in the last 60 seconds: a queue of slots of a quarter second, flattened to three numbers (first
 * request, last request, count). A true sliding window: no 60 seconds ever contain more than the limit. A slot expires 60 s
 * after its last request, so a caller at full load gets at least 60 / 60.25 of the limit.
 */
export type WindowUsage = { total: number; head: number; readonly slots: number[] }

export const SLOT_MS = 250
const FIELDS_PER_SLOT = 3
const COMPACT_AFTER = 64 * FIELDS_PER_SLOT

export function emptyWindow(): WindowUsage {
  return { total: 0, head: 0, slots: [] }
}

/** Drops slots older than the window. */
export function dropExpired(usage: WindowUsage, nowMs: number): void {
  const { slots } = usage
  let head = usage.head
  while (head < slots.length && nowMs - slots[head + 1]! >= WINDOW_MS) {
    usage.total -= slots[head + 2]!
    head += FIELDS_PER_SLOT
  }
  if (head === slots.length) {
    slots.length = 0
    head = 0
  } else if (head >= COMPACT_AFTER) {
    slots.splice(0, head)
    head = 0
  }
  usage.head = head
}

export function addToWindow(usage: WindowUsage, cost: number, nowMs: number): void {
  if (cost === 0) return
  const { slots } = usage
  usage.total += cost
  const tail = slots.length - FIELDS_PER_SLOT
  if (tail >= usage.head && nowMs - slots[tail]! < SLOT_MS) {
    slots[tail + 1] = nowMs
    slots[tail + 2]! += cost
  } else {
    slots.push(nowMs, nowMs, cost)
  }
}

/** Milliseconds until at least `needed` counted requests have expired; 0 if none are counted. */
export function msUntilAvailable(usage: WindowUsage, needed: number, nowMs: number): number {
  const { slots } = usage
  let expiredCount = 0
  let waitMs = 0
  for (
    let slot = usage.head;
    slot < slots.length && (expiredCount === 0 || expiredCount < needed);
    slot += FIELDS_PER_SLOT
  ) {
    expiredCount += slots[slot + 2]!
    // In this order: `dropExpired` compares the age, which is exact where the sum would be rounded.
    waitMs = WINDOW_MS - (nowMs - slots[slot + 1]!)
  }
  return waitMs
}

/** Texts found by their letters where they stand in a title, so that no piece of it has to be cut out to be looked up. */

const FIRST_SLOTS = 1024
/** Texts nobody entered are kept too, each in the one slot it falls into: callers choose them, so they must cost no search. */
const OTHER_SLOTS = 16_384
/** Longer ones are seldom met twice. */
const LONGEST_OTHER = 24

export type PieceTable<Entry extends { readonly text: string }> = {
  add(entry: Entry): void
  /** What was entered under the letters from `from` up to `to`; else these letters as a text of their own. */
  at(text: string, from: number, to: number): Entry | string
}

export function openPieceTable<Entry extends { readonly text: string }>(): PieceTable<Entry> {
  let slots: (Entry | undefined)[] = new Array(FIRST_SLOTS).fill(undefined)
  let hashes = new Int32Array(FIRST_SLOTS)
  let count = 0
  const others: string[] = new Array(OTHER_SLOTS).fill('')

  function put(entry: Entry, hash: number): void {
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== undefined) slot = (slot + 1) & mask
    slots[slot] = entry
    hashes[slot] = hash
  }

  function grow(): void {
    const before = slots
    const hashesBefore = hashes
    slots = new Array(before.length * 2).fill(undefined)
    hashes = new Int32Array(slots.length)
    for (const [slot, entry] of before.entries()) if (entry) put(entry, hashesBefore[slot] as number)
  }

  return {
    add(entry) {
      // At most a quarter full: a title is mostly words that are there, and the rest must end soon too.
      if (++count * 4 > slots.length) grow()
      put(entry, hashOf(entry.text, 0, entry.text.length))
    },
    at(text, from, to) {
      const hash = hashOf(text, from, to)
      const mask = slots.length - 1
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const entry = slots[slot]
        if (entry === undefined) break
        if (hashes[slot] === hash && isSame(entry.text, text, from, to)) return entry
      }
      if (to - from > LONGEST_OTHER) return text.slice(from, to)
      const slot = hash & (OTHER_SLOTS - 1)
      const known = others[slot] as string
      if (isSame(known, text, from, to)) return known
      const other = text.slice(from, to)
      others[slot] = other
      return other
    },
  }
}

function hashOf(text: string, from: number, to: number): number {
  let hash = to - from
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash ^ (hash >>> 15)
}

function isSame(known: string, text: string, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let at = 0; at < known.length; at++) if (known.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  return true
}

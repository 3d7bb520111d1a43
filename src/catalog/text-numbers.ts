import { floatColumn, setFloat, setWhole, wholeColumn } from './column.ts'
import { type Address, blockOf, offsetOf, readText, type Texts } from './texts.ts'

/** Numbers for texts that lie in blocks: a map that costs some twenty bytes a text and nothing of the collector's time. */
export type TextNumbers = {
  size(): number
  /** The number of the text that lies there; the next free one if it is new. */
  numberAt(at: Address, bytes: number): number
  findAt(at: Address, bytes: number): number | undefined
  find(text: string): number | undefined
  textOf(number: number): string
}

const encoder = new TextEncoder()
/** Longer ids are rare enough to be given bytes of their own. A buffer as the blocks are: bytes of two kinds are read slower. */
const scratch = Buffer.alloc(1_024)

/** `expected` is about how many there will be: for so many it need not grow. */
export function openTextNumbers(texts: Texts, expected = 0): TextNumbers {
  let size = 0
  let room = 2 ** Math.ceil(Math.log2(Math.max(expected, 512) * 1.1))
  const addresses = floatColumn(room)
  const lengths = wholeColumn(room)
  const hashes = wholeColumn(room)
  /** Numbers plus one by their hash, the next free slot when that is taken; at most half are. */
  let slots = new Uint32Array(room * 2)

  function grow(): void {
    room *= 2
    slots = new Uint32Array(room * 2)
    for (let number = 0; number < size; number++) {
      let slot = (hashes.values[number] as number) & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
    }
  }

  /** The slot that has this text, or the free one where it would stand. */
  function slotOf(hash: number, block: Buffer, from: number, bytes: number): number {
    const last = slots.length - 1
    let slot = hash & last
    for (;;) {
      const number = (slots[slot] as number) - 1
      if (number < 0) return slot
      if (hashes.values[number] === hash && lengths.values[number] === bytes && isAt(number, block, from, bytes))
        return slot
      slot = (slot + 1) & last
    }
  }

  function isAt(number: number, block: Buffer, from: number, bytes: number): boolean {
    const at = addresses.values[number] as Address
    const own = blockOf(texts, at)
    const begin = offsetOf(at)
    for (let i = 0; i < bytes; i++) if (own[begin + i] !== block[from + i]) return false
    return true
  }

  function known(slot: number): number | undefined {
    return slots[slot] === 0 ? undefined : (slots[slot] as number) - 1
  }

  return {
    size: () => size,
    numberAt(at, bytes) {
      const block = blockOf(texts, at)
      const from = offsetOf(at)
      const hash = hashOf(block, from, bytes)
      const slot = slotOf(hash, block, from, bytes)
      const before = known(slot)
      if (before !== undefined) return before
      const number = size++
      setFloat(addresses, number, at)
      setWhole(lengths, number, bytes)
      setWhole(hashes, number, hash)
      slots[slot] = number + 1
      if (size === room) grow()
      return number
    },
    findAt(at, bytes) {
      const block = blockOf(texts, at)
      const from = offsetOf(at)
      return known(slotOf(hashOf(block, from, bytes), block, from, bytes))
    },
    find(text) {
      const { read, written } = encoder.encodeInto(text, scratch)
      const isWhole = read === text.length
      const bytes = isWhole ? scratch : Buffer.from(text)
      const length = isWhole ? written : bytes.length
      return known(slotOf(hashOf(bytes, 0, length), bytes, 0, length))
    },
    textOf: (number) => readText(texts, addresses.values[number] as Address, lengths.values[number] as number),
  }
}

/** FNV-1a, its bits mixed once more because the lowest of them choose the slot. */
function hashOf(block: Buffer, from: number, bytes: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < from + bytes; i++) hash = Math.imul(hash ^ (block[i] as number), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

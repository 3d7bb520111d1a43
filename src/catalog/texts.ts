/**
 * Texts as bytes, many in one block. Half a million strings would weigh as much again as their letters, and the collector
 * would look at each of them over and over; at blocks it does not look.
 */
export type Texts = {
  readonly blocks: Buffer[]
  /** Bytes in use of the last block. */
  used: number
}

/** Where a text begins: the number of its block and the byte in it, as one number. */
export type Address = number

const BLOCK = 2 ** 32
/** Room for the texts that come one by one. What is longer has a block of its own. */
const BLOCK_BYTES = 65_536

export function openTexts(): Texts {
  return { blocks: [], used: 0 }
}

export function addText(texts: Texts, text: string): { readonly at: Address; readonly bytes: number } {
  const bytes = Buffer.byteLength(text)
  let block = texts.blocks.at(-1)
  if (block === undefined || texts.used + bytes > block.length) {
    block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes))
    texts.blocks.push(block)
    texts.used = 0
  }
  const at = (texts.blocks.length - 1) * BLOCK + texts.used
  block.write(text, texts.used)
  texts.used += bytes
  return { at, bytes }
}

export function blockOf({ blocks }: Texts, at: Address): Buffer {
  return blocks[Math.floor(at / BLOCK)] as Buffer
}

export function offsetOf(at: Address): number {
  return at % BLOCK
}

export function readText(texts: Texts, at: Address, bytes: number): string {
  const from = offsetOf(at)
  return blockOf(texts, at).toString('utf8', from, from + bytes)
}

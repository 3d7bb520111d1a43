import { HEAD_ROOM, type Sendable } from './outgoing.ts'

/** The little that a connection needs of a socket. */
export type Line = {
  readonly remoteAddress: string
  /** Sends as much as goes at once and tells how much that was; less than nothing when the line is closed. */
  write(bytes: Uint8Array, offset: number, length: number): number
  /** Closes our side only. */
  shutdown(): void
  end(): void
  terminate(): void
  pause(): void
  resume(): void
}

/** What is on its way to the other side. */
export type Outbox = {
  write(bytes: Buffer, from: number, length: number): void
  writeText(text: string): void
  /** Head and body in one piece where the head fits into the room before the body. */
  writeWithHead(head: string, body: Sendable): void
  isEmpty(): boolean
  /** Goes on where the line was full, and tells how much of what was left has gone. */
  sendOn(): 'nothing' | 'a part' | 'all'
  clear(): void
}

export function outbox(line: Pick<Line, 'write'>): Outbox {
  const unsent: Buffer[] = []

  /** What does not go out at once is copied: the bytes belong to whoever made them and may change. */
  function write(bytes: Buffer, from: number, length: number): void {
    const gone = unsent.length > 0 ? 0 : line.write(bytes, from, length)
    if (gone >= 0 && gone < length) unsent.push(Buffer.from(bytes.subarray(from + gone, from + length)))
  }

  function writeText(text: string): void {
    const bytes = Buffer.from(text, 'latin1')
    write(bytes, 0, bytes.length)
  }

  return {
    write,
    writeText,
    writeWithHead(head, { whole, length }) {
      const from = HEAD_ROOM - head.length
      if (from >= 0) {
        whole.write(head, from, 'latin1')
        write(whole, from, head.length + length)
      } else {
        writeText(head)
        write(whole, HEAD_ROOM, length)
      }
    },
    isEmpty: () => unsent.length === 0,
    sendOn() {
      let hasMoved = false
      while (unsent.length > 0) {
        const next = unsent[0] as Buffer
        const gone = line.write(next, 0, next.length)
        if (gone > 0) hasMoved = true
        if (gone < next.length) {
          if (gone > 0) unsent[0] = next.subarray(gone)
          return hasMoved ? 'a part' : 'nothing'
        }
        unsent.shift()
      }
      return 'all'
    },
    clear() {
      unsent.length = 0
    },
  }
}

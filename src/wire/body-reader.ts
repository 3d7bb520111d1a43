/** Takes a body from a connection piece by piece, and knows where it ends. */
export type BodyReader = {
  /** Takes what belongs to the body and tells how many bytes that was; what follows is the next request. */
  take(bytes: Uint8Array): number
  isDone(): boolean
  /** Bytes known to be missing; undefined when only the end will tell. */
  missing(): number | undefined
}

/** Something in the framing that is no framing. What follows on the connection means nothing any more. */
export class BrokenFraming extends Error {}

export function lengthReader(length: number, keep: (piece: Uint8Array) => void): BodyReader {
  let left = length
  return {
    take(bytes) {
      const taken = Math.min(left, bytes.length)
      if (taken > 0) keep(bytes.subarray(0, taken))
      left -= taken
      return taken
    },
    isDone: () => left === 0,
    missing: () => left,
  }
}

const SIZE_LINE = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/
const LONGEST_LINE = 1_024
const MOST_TRAILER_BYTES = 4_096
const CR = 13
const LF = 10

/** The chunks of RFC 9112. Extensions and trailers are read and forgotten: nobody may hide anything in them. */
export function chunkedReader(keep: (piece: Uint8Array) => void): BodyReader {
  let expecting: 'size' | 'data' | 'end of data' | 'trailer' | 'nothing' = 'size'
  let line = ''
  let left = 0
  let trailerBytes = 0

  function endOfLine(): void {
    const text = line
    line = ''
    if (expecting === 'size') {
      const size = SIZE_LINE.exec(text)
      if (!size) throw new BrokenFraming('A chunk does not begin with its size.')
      left = Number.parseInt(size[1] ?? '', 16)
      expecting = left === 0 ? 'trailer' : 'data'
    } else if (expecting === 'end of data') {
      if (text !== '') throw new BrokenFraming('A chunk is longer than its size.')
      expecting = 'size'
    } else if (text === '') expecting = 'nothing'
  }

  /** One byte of a line. A line ends with CR LF and holds neither by itself. */
  function takeOfLine(byte: number): void {
    const follows = line.charCodeAt(line.length - 1) === CR
    if (follows) {
      if (byte !== LF) throw new BrokenFraming('A line of the body does not end with CR LF.')
      line = line.slice(0, -1)
      endOfLine()
      return
    }
    if (byte === LF) throw new BrokenFraming('A line of the body does not end with CR LF.')
    if (line.length >= LONGEST_LINE) throw new BrokenFraming('A line between chunks is too long.')
    if (expecting === 'trailer' && ++trailerBytes > MOST_TRAILER_BYTES) throw new BrokenFraming('Too long a trailer.')
    line += String.fromCharCode(byte)
  }

  return {
    take(bytes) {
      let at = 0
      while (at < bytes.length && expecting !== 'nothing') {
        if (expecting === 'data') {
          const taken = Math.min(left, bytes.length - at)
          keep(bytes.subarray(at, at + taken))
          left -= taken
          at += taken
          if (left === 0) expecting = 'end of data'
        } else takeOfLine(bytes[at++] as number)
      }
      return at
    },
    isDone: () => expecting === 'nothing',
    missing: () => undefined,
  }
}

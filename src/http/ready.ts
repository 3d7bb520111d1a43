import { brotliCompressSync, constants, crc32, deflateRawSync } from 'node:zlib'
import type { Remarks } from '../contract/paging.ts'
import { isoInstant } from '../time.ts'
import type { Encoding } from './negotiation.ts'

/**
 * An answer whose bytes are made once and sent many times. Only the timestamp differs from call to call, so it stands
 * last in the envelope: everything before it, plain and compressed, is kept.
 */
export type ReadyAnswer = {
  /** Strong, over `data` and `meta`: the same whenever they are, whatever the timestamp says. */
  readonly etag: string
  /** The envelope up to and including the opening quote of the timestamp. */
  readonly head: Uint8Array
  /**
   * The whole envelope as it is sent at `now`. It is the same piece of memory each time: make a response of it, which
   * copies it, before you ask again.
   */
  body(encoding: Encoding, now: number): Uint8Array<ArrayBuffer>
  /** The same answer with more in its `meta`, for one caller alone. */
  withRemarks(remarks: Remarks): ReadyAnswer
}

const encoder = new TextEncoder()
const OPENING = encoder.encode('{"success":true,"data":')
/** An ISO instant with milliseconds, the closing quote and the closing brace. */
const STAMP_BYTES = 26

export function readyAnswer(dataJson: Uint8Array | string, metaJson?: string): ReadyAnswer {
  const data = typeof dataJson === 'string' ? encoder.encode(dataJson) : dataJson
  const meta = encoder.encode(metaJson === undefined ? ',"timestamp":"' : `,"meta":${metaJson},"timestamp":"`)
  // Only the number is kept: `withRemarks` must not hold the data a second time.
  const dataBytes = data.length
  const plain = stamped([OPENING, data, meta], STAMP_BYTES, (stamp, end) => end.set(stamp))
  const head = plain.content.subarray(0, -STAMP_BYTES)
  const compressed: { gzip?: Stamped; br?: Stamped } = {}
  const etag = `"${Bun.hash.wyhash(head).toString(36)}${head.length.toString(36)}"`
  return {
    etag,
    head,
    body(encoding, now) {
      if (encoding === 'identity') return plain.at(now)
      const made = compressed[encoding] ?? (encoding === 'gzip' ? gzipped(head) : brotlied(head))
      compressed[encoding] = made
      return made.at(now)
    },
    withRemarks(remarks) {
      const meta = metaJson === undefined ? remarks : { ...JSON.parse(metaJson), ...remarks }
      return readyAnswer(head.subarray(OPENING.length, OPENING.length + dataBytes), JSON.stringify(meta))
    },
  }
}

type Stamped = {
  /** The bytes of the body. */
  readonly content: Uint8Array
  /** All of it with the timestamp of `now`. */
  at(now: number): Uint8Array<ArrayBuffer>
}

/** Bytes that stay the same and an end that holds the timestamp, in one piece. */
function stamped(
  parts: readonly Uint8Array[],
  endBytes: number,
  writeEnd: (stamp: Uint8Array, end: Uint8Array) => void,
): Stamped {
  const length = parts.reduce((sum, part) => sum + part.length, endBytes)
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  const end = whole.subarray(at)
  // Under load many calls fall into one millisecond.
  let writtenAt = Number.NaN
  return {
    content: whole,
    at(now) {
      if (now !== writtenAt) {
        writeEnd(stampAt(now), end)
        writtenAt = now
      }
      return whole
    },
  }
}

let stampedAt = Number.NaN
let stamp = new Uint8Array(0)

/** The rest of the envelope: the timestamp, its closing quote and the closing brace. */
function stampAt(now: number): Uint8Array {
  if (now !== stampedAt) {
    stamp = encoder.encode(`${isoInstant(now)}"}`)
    stampedAt = now
  }
  return stamp
}

/**
 * A batch may be answered with two megabytes, which nobody asks for again: at the usual strength they would hold the loop
 * for thirty milliseconds, at this one for less than ten, and are a tenth longer.
 */
const LONG_BYTES = 512 * 1024
const isLong = (head: Uint8Array) => head.length > LONG_BYTES

const GZIP_HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/**
 * Deflate and brotli streams can be cut at a byte boundary and continued. The head is compressed once and flushed; each
 * call appends the timestamp as a stored, uncompressed block and closes the stream. A caller sees one ordinary body.
 */
function gzipped(head: Uint8Array): Stamped {
  const opened = deflateRawSync(head, { level: isLong(head) ? 2 : 6, finishFlush: constants.Z_SYNC_FLUSH })
  const crc = crc32(head)
  return stamped([GZIP_HEADER, opened], 5 + STAMP_BYTES + 8, (stamp, end) => {
    const view = new DataView(end.buffer, end.byteOffset)
    end[0] = 1 // last block, stored
    view.setUint16(1, STAMP_BYTES, true)
    view.setUint16(3, ~STAMP_BYTES & 0xffff, true)
    end.set(stamp, 5)
    view.setUint32(5 + STAMP_BYTES, crc32(stamp, crc), true)
    view.setUint32(9 + STAMP_BYTES, (head.length + STAMP_BYTES) >>> 0, true)
  })
}

function brotlied(head: Uint8Array): Stamped {
  const opened = brotliCompressSync(head, {
    // Quality 5 costs about as much as gzip 6; the top quality would hold the loop for tens of milliseconds.
    params: { [constants.BROTLI_PARAM_QUALITY]: isLong(head) ? 2 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: head.length },
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  })
  return stamped([opened], 3 + STAMP_BYTES + 1, (stamp, end) => {
    // An uncompressed meta-block: not last (0), four length nibbles (00), length - 1 in 16 bits, uncompressed (1), padding.
    const header = ((STAMP_BYTES - 1) << 3) | (1 << 19)
    end[0] = header & 0xff
    end[1] = (header >>> 8) & 0xff
    end[2] = (header >>> 16) & 0xff
    end.set(stamp, 3)
    end[3 + STAMP_BYTES] = 0x03 // an empty last meta-block
  })
}

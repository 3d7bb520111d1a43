import { brotliCompressSync, constants, crc32, deflateRawSync } from 'node:zlib'
import type { ResponseMeta } from '../contract/paging.ts'
import { isoInstant } from '../lib/time.ts'
import type { ContentEncoding } from './content-negotiation.ts'

/**
 * A response that is serialized once and sent many times. Only the timestamp changes; it is the last field, so that the
 * bytes before it are reused, plain and compressed.
 */
export type PreparedResponse = {
  /** Strong ETag over `data` and `meta`, independent of the timestamp. */
  readonly etag: string
  /** The envelope up to and including the opening quote of the timestamp. */
  readonly head: Uint8Array
  /**
   * The envelope at `now`. Returns the same buffer each time: create a `Response`, which copies it, before the next call.
   */
  body(encoding: ContentEncoding, now: number): Uint8Array<ArrayBuffer>
  /** The same response with additional `meta`. */
  withRemarks(remarks: ResponseMeta): PreparedResponse
}

const encoder = new TextEncoder()
const ENVELOPE_START = encoder.encode('{"success":true,"data":')
/** Length of a timestamp with the closing quote and brace. */
const TIMESTAMP_BYTES = 26

export function prepareResponse(dataJson: Uint8Array | string, metaJson?: string): PreparedResponse {
  const data = typeof dataJson === 'string' ? encoder.encode(dataJson) : dataJson
  const meta = encoder.encode(metaJson === undefined ? ',"timestamp":"' : `,"meta":${metaJson},"timestamp":"`)
  // Only the length is kept: `withRemarks` must not hold a second copy of the data.
  const dataBytes = data.length
  const plain = timestampedBuffer([ENVELOPE_START, data, meta], TIMESTAMP_BYTES, (stamp, end) => end.set(stamp))
  const head = plain.content.subarray(0, -TIMESTAMP_BYTES)
  const compressed: { gzip?: TimestampedBytes; br?: TimestampedBytes } = {}
  const etag = `"${Bun.hash.wyhash(head).toString(36)}${head.length.toString(36)}"`
  return {
    etag,
    head,
    body(encoding, now) {
      if (encoding === 'identity') return plain.at(now)
      const timestampedBytes =
        compressed[encoding] ?? (encoding === 'gzip' ? gzipTimestamped(head) : brotliTimestamped(head))
      compressed[encoding] = timestampedBytes
      return timestampedBytes.at(now)
    },
    withRemarks(remarks) {
      const meta = metaJson === undefined ? remarks : { ...JSON.parse(metaJson), ...remarks }
      return prepareResponse(
        head.subarray(ENVELOPE_START.length, ENVELOPE_START.length + dataBytes),
        JSON.stringify(meta),
      )
    },
  }
}

type TimestampedBytes = {
  /** The bytes of the body. */
  readonly content: Uint8Array
  /** The body with the timestamp of `now`. */
  at(now: number): Uint8Array<ArrayBuffer>
}

/** Constant bytes followed by the timestamp, in one buffer. */
function timestampedBuffer(
  parts: readonly Uint8Array[],
  endBytes: number,
  writeEnd: (stamp: Uint8Array, end: Uint8Array) => void,
): TimestampedBytes {
  const length = parts.reduce((sum, part) => sum + part.length, endBytes)
  const buffer = new Uint8Array(length)
  let position = 0
  for (const part of parts) {
    buffer.set(part, position)
    position += part.length
  }
  const end = buffer.subarray(position)
  // Under load many calls share a millisecond.
  let writtenAt = Number.NaN
  return {
    content: buffer,
    at(now) {
      if (now !== writtenAt) {
        writeEnd(timestampBytes(now), end)
        writtenAt = now
      }
      return buffer
    },
  }
}

let timestampMs = Number.NaN
let timestamp = new Uint8Array(0)

/** The end of the envelope: timestamp, closing quote and brace. */
function timestampBytes(now: number): Uint8Array {
  if (now !== timestampMs) {
    timestamp = encoder.encode(`${isoInstant(now)}"}`)
    timestampMs = now
  }
  return timestamp
}

/**
 * For large batch responses, which are sent once: the usual level would hold the event loop for 30 ms per 2 MB, this one
 * for less than 10, and the result is a tenth longer.
 */
const LARGE_BYTES = 512 * 1024
const isLarge = (head: Uint8Array) => head.length > LARGE_BYTES

const GZIP_HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/**
 * Deflate and brotli streams can be cut at a byte boundary and continued. The head is compressed once and flushed; each
 * call appends the timestamp as a stored, uncompressed block and closes the stream. A caller sees one ordinary body.
 */
function gzipTimestamped(head: Uint8Array): TimestampedBytes {
  const compressedHead = deflateRawSync(head, { level: isLarge(head) ? 2 : 6, finishFlush: constants.Z_SYNC_FLUSH })
  const crc = crc32(head)
  return timestampedBuffer([GZIP_HEADER, compressedHead], 5 + TIMESTAMP_BYTES + 8, (stamp, end) => {
    const view = new DataView(end.buffer, end.byteOffset)
    end[0] = 1 // last block, stored
    view.setUint16(1, TIMESTAMP_BYTES, true)
    view.setUint16(3, ~TIMESTAMP_BYTES & 0xffff, true)
    end.set(stamp, 5)
    view.setUint32(5 + TIMESTAMP_BYTES, crc32(stamp, crc), true)
    view.setUint32(9 + TIMESTAMP_BYTES, (head.length + TIMESTAMP_BYTES) >>> 0, true)
  })
}

function brotliTimestamped(head: Uint8Array): TimestampedBytes {
  const compressedHead = brotliCompressSync(head, {
    // Quality 5 costs about as much as gzip 6; the top quality would hold the loop for tens of milliseconds.
    params: {
      [constants.BROTLI_PARAM_QUALITY]: isLarge(head) ? 2 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: head.length,
    },
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  })
  return timestampedBuffer([compressedHead], 3 + TIMESTAMP_BYTES + 1, (stamp, end) => {
    // An uncompressed meta-block: not last (0), four length nibbles (00), length - 1 in 16 bits, uncompressed (1), padding.
    const header = ((TIMESTAMP_BYTES - 1) << 3) | (1 << 19)
    end[0] = header & 0xff
    end[1] = (header >>> 8) & 0xff
    end[2] = (header >>> 16) & 0xff
    end.set(stamp, 3)
    end[3 + TIMESTAMP_BYTES] = 0x03 // an empty last meta-block
  })
}

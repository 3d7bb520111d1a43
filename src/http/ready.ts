import { brotliCompressSync, constants, crc32, deflateRawSync } from 'node:zlib'
import type { Encoding } from './negotiation.ts'

/**
 * An answer whose bytes are made once and sent many times. Only the timestamp differs from call to call, so it stands
 * last in the envelope: everything before it, plain and compressed, is kept.
 */
export type ReadyAnswer = {
  readonly kind: 'ready'
  /** Strong, over `data` and `meta`: the same whenever they are, whatever the timestamp says. */
  readonly etag: string
  /** The envelope up to and including the opening quote of the timestamp. */
  readonly head: Uint8Array
  /** The whole envelope as it is sent at `now`. A Blob, because Bun sends one without copying it first. */
  body(encoding: Encoding, now: number): Blob
}

const encoder = new TextEncoder()
const NOTHING = new Blob([])
/** An ISO instant with milliseconds, the closing quote and the closing brace. */
const STAMP_BYTES = 26

export function readyAnswer(dataJson: Uint8Array | string, metaJson?: string): ReadyAnswer {
  const data = typeof dataJson === 'string' ? encoder.encode(dataJson) : dataJson
  const meta = encoder.encode(metaJson === undefined ? ',"timestamp":"' : `,"meta":${metaJson},"timestamp":"`)
  // The whole envelope in one piece, with room for the timestamp at its end.
  const whole = concat([encoder.encode('{"success":true,"data":'), data, meta, new Uint8Array(STAMP_BYTES)])
  const head = whole.subarray(0, -STAMP_BYTES)
  const bodies: Record<Encoding, (now: number) => Blob> = {
    identity: oncePerMillisecond((stamp) => {
      whole.set(stamp, head.length)
      return whole
    }),
    gzip: oncePerMillisecond(gzipAppender(head)),
    br: oncePerMillisecond(brotliAppender(head)),
  }
  return {
    kind: 'ready',
    etag: `"${Bun.hash.wyhash(head).toString(36)}${head.length.toString(36)}"`,
    head,
    body: (encoding, now) => bodies[encoding](now),
  }
}

/** Under load many calls fall into one millisecond; they share one assembled body, which the Blob holds a copy of. */
function oncePerMillisecond(assemble: (stamp: Uint8Array) => Uint8Array<ArrayBuffer>): (now: number) => Blob {
  let madeAt = Number.NaN
  let made = NOTHING
  return (now) => {
    if (now !== madeAt) {
      made = new Blob([assemble(stampAt(now))])
      madeAt = now
    }
    return made
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

export function isoInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

const GZIP_HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/**
 * Deflate and brotli streams can be cut at a byte boundary and continued. The head is compressed once and flushed; each
 * call appends the timestamp as a stored, uncompressed block and closes the stream. A caller sees one ordinary body.
 */
function gzipAppender(head: Uint8Array): (stamp: Uint8Array) => Uint8Array<ArrayBuffer> {
  let opened: { bytes: Uint8Array; crc: number } | undefined
  return (stamp) => {
    opened ??= {
      bytes: concat([GZIP_HEADER, deflateRawSync(head, { level: 6, finishFlush: constants.Z_SYNC_FLUSH })]),
      crc: crc32(head),
    }
    const close = new Uint8Array(5 + stamp.length + 8)
    const view = new DataView(close.buffer)
    close[0] = 1 // last block, stored
    view.setUint16(1, stamp.length, true)
    view.setUint16(3, ~stamp.length & 0xffff, true)
    close.set(stamp, 5)
    view.setUint32(5 + stamp.length, crc32(stamp, opened.crc), true)
    view.setUint32(9 + stamp.length, (head.length + stamp.length) >>> 0, true)
    return concat([opened.bytes, close])
  }
}

function brotliAppender(head: Uint8Array): (stamp: Uint8Array) => Uint8Array<ArrayBuffer> {
  let opened: Uint8Array | undefined
  return (stamp) => {
    opened ??= brotliCompressSync(head, {
      // Quality 5 costs about as much as gzip 6; the top quality would hold the loop for tens of milliseconds.
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: head.length },
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    })
    const close = new Uint8Array(3 + stamp.length + 1)
    // An uncompressed meta-block: not last (0), four length nibbles (00), length - 1 in 16 bits, uncompressed (1), padding.
    const header = ((stamp.length - 1) << 3) | (1 << 19)
    close[0] = header & 0xff
    close[1] = (header >>> 8) & 0xff
    close[2] = (header >>> 16) & 0xff
    close.set(stamp, 3)
    close[3 + stamp.length] = 0x03 // an empty last meta-block
    return concat([opened, close])
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

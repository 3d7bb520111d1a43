import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { CursorMeta, PageMeta, ResponseMeta } from '../contract/paging.ts'
import { isoSecond } from '../lib/time.ts'
import type { ContentEncoding } from './content-negotiation.ts'

/**
 * A response that is serialized once and sent many times. Only the timestamp changes, once a second; the body of a second
 * is shared by all responses, because a `Response` copies bytes but not a `Blob`.
 */
export type PreparedResponse = {
  /** Strong ETag over `data` and `meta`, independent of the timestamp. */
  readonly etag: string
  /** Length of the uncompressed body. */
  readonly bytes: number
  /** The envelope in the second of `now`. */
  body(encoding: ContentEncoding, now: number): Blob
  /** The same response with additional `meta`. */
  withRemarks(remarks: ResponseMeta): PreparedResponse
}

type AnyMeta = ResponseMeta | PageMeta | CursorMeta

const ENVELOPE_START = '{"success":true,"data":'
/** Length of a timestamp with the closing quote and brace. */
const TIMESTAMP_BYTES = 22

export function prepareResponse(data: unknown, meta?: AnyMeta): PreparedResponse {
  return prepareJson(JSON.stringify(data), meta)
}

/** For parts that are serialized once and sent on many pages, such as the devices of the catalogue. */
export function prepareJson(dataJson: Uint8Array | string, responseMeta?: AnyMeta): PreparedResponse {
  const metaJson = responseMeta === undefined ? '' : `,"meta":${JSON.stringify(responseMeta)}`
  const meta = `${metaJson},"timestamp":"`
  const head = Buffer.concat([Buffer.from(ENVELOPE_START), Buffer.from(dataJson), Buffer.from(meta)])
  // Only the length is kept: `withRemarks` must not hold a second copy of the data.
  const dataBytes = head.length - ENVELOPE_START.length - Buffer.byteLength(meta)
  let second = Number.NaN
  let bodies: Partial<Record<ContentEncoding, Blob>> = {}
  return {
    etag: `"${Bun.hash.wyhash(head).toString(36)}${head.length.toString(36)}"`,
    bytes: head.length + TIMESTAMP_BYTES,
    body(encoding, now) {
      const nowSecond = Math.floor(now / 1000)
      if (nowSecond !== second) {
        second = nowSecond
        bodies = {}
      }
      const existing = bodies[encoding]
      if (existing) return existing
      const body = new Blob([
        compress(Buffer.concat([head, Buffer.from(`${isoSecond(now)}"}`)]), encoding, { isShared: true }),
      ])
      bodies[encoding] = body
      return body
    },
    withRemarks(remarks) {
      const data = head.subarray(ENVELOPE_START.length, ENVELOPE_START.length + dataBytes)
      return prepareJson(data, { ...responseMeta, ...remarks })
    },
  }
}

/**
 * Larger responses are compressed faster: the usual level would hold the event loop for 30 ms per 2 MB, the fast one for
 * less than 10, and the result is a tenth longer.
 */
const LARGE_BYTES = 512 * 1024

/** `isShared`: the result is sent to many callers, so that a better level pays. */
export function compress(
  body: Uint8Array,
  encoding: ContentEncoding,
  { isShared }: { readonly isShared: boolean },
): Uint8Array<ArrayBuffer> {
  if (encoding === 'identity') return body as Uint8Array<ArrayBuffer>
  const isFast = !isShared || body.length > LARGE_BYTES
  if (encoding === 'gzip') return gzipSync(body, { level: isFast ? 2 : 6 })
  return brotliCompressSync(body, {
    // Quality 5 costs about as much as gzip 6; the top quality would hold the loop for tens of milliseconds.
    params: { [constants.BROTLI_PARAM_QUALITY]: isFast ? 2 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  })
}

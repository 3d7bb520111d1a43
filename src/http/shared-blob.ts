/** From here on, copying the bytes is what an answer costs most. */
const LARGE_BYTES = 32 * 1024

const blobs = new Map<Uint8Array, Blob>()
let cachedAt = Number.NaN

/**
 * What a response is made of. It copies bytes and shares a blob, so a long answer that is asked for several times in one
 * millisecond, in which even its timestamp stays, is copied once. Those of the millisecond before are let go.
 */
export function shareLargeBody(bytes: Uint8Array<ArrayBuffer>, now: number): Uint8Array<ArrayBuffer> | Blob {
  if (bytes.length < LARGE_BYTES) return bytes
  if (now !== cachedAt) {
    blobs.clear()
    cachedAt = now
  }
  let blob = blobs.get(bytes)
  if (blob === undefined) {
    blob = new Blob([bytes])
    blobs.set(bytes, blob)
  }
  return blob
}

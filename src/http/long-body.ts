/** From here on, copying the bytes is what an answer costs most. */
const LONG_BYTES = 32 * 1024

const blobs = new Map<Uint8Array, Blob>()
let madeAt = Number.NaN

/**
 * What a response is made of. It copies bytes and shares a blob, so a long answer that is asked for several times in one
 * millisecond, in which even its timestamp stays, is copied once. Those of the millisecond before are let go.
 */
export function bodyOf(bytes: Uint8Array<ArrayBuffer>, now: number): Uint8Array<ArrayBuffer> | Blob {
  if (bytes.length < LONG_BYTES) return bytes
  if (now !== madeAt) {
    blobs.clear()
    madeAt = now
  }
  let blob = blobs.get(bytes)
  if (blob === undefined) {
    blob = new Blob([bytes])
    blobs.set(bytes, blob)
  }
  return blob
}

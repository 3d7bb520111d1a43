import type { UploadFormat, UploadWire } from '../../../src/contract/uploads.ts'
import { apiGet, apiPost, apiUpload, RequestError } from '../../api.ts'

const TRIES = 5
const PAUSE_MS = 700
/** Wait after a rate-limit error before the next attempt. */
const TOO_MANY_PAUSE_MS = 10_000

const TRANSIENT_CODES: readonly string[] = ['UNREACHABLE', 'SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT']

/** Uploads a file in chunks and reports progress. A failed connection repeats only the current chunk. */
export async function uploadInChunks(
  file: File,
  format: UploadFormat,
  chunkBytes: number,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<UploadWire> {
  const list = { format, file: file.name, bytes: file.size }
  const { data: upload } = await apiPost('/account/uploads', list, signal)
  const { id } = upload
  let failures = 0
  for (let at = 0; at < file.size; onProgress(at)) {
    try {
      const piece = file.slice(at, at + chunkBytes)
      at = (await apiUpload(`/account/uploads/piece?id=${id}&at=${at}`, piece, signal)).data.received
      failures = 0
    } catch (error) {
      if (signal.aborted || !(error instanceof RequestError)) throw error
      if (error.code === 'RATE_LIMIT_EXCEEDED') {
        await pause(TOO_MANY_PAUSE_MS)
        continue
      }
      // The chunk may have arrived although its response was lost: continue where the service is.
      const isElsewhere = error.field === 'at'
      if (++failures === TRIES || !(isElsewhere || TRANSIENT_CODES.includes(error.code))) throw error
      await pause(PAUSE_MS * failures)
      if (isElsewhere) at = (await apiGet(`/account/uploads/one?id=${id}`, signal)).data.received
    }
  }
  return upload
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

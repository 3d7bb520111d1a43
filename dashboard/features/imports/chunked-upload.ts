import type { UploadFormat, UploadWire } from '../../../src/contract/uploads.ts'
import { callApi, RequestError } from '../../api.ts'

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
  const { data: upload } = await callApi('POST /api/manage/uploads', { body: list }, signal)
  const params = { id: upload.id }
  let failures = 0
  for (let at = 0; at < file.size; onProgress(at)) {
    try {
      const body = { at, content: await toBase64(file.slice(at, at + chunkBytes)) }
      at = (await callApi('POST /api/manage/uploads/{id}/parts', { params, body }, signal)).data.received
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
      if (isElsewhere) at = (await callApi('GET /api/manage/uploads/{id}', { params }, signal)).data.received
    }
  }
  return upload
}

function toBase64(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    // The result is a data URL: `data:text/csv;base64,…`.
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(part)
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

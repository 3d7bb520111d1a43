import { CHUNK_BYTES } from '../contract/uploads.ts'
import { excerpt } from '../lib/errors.ts'
import { ApiError } from './api-error.ts'
import { CLOSE_CONNECTION, rejectContentEncoding } from './json-body.ts'

/** Time for one chunk at 250 kbit/s. */
const DEADLINE_MS = 32_000

/** Streams a request body to `write`. Rejects at once if the declared length is too large. */
export async function readBinaryBody<T>(
  request: Pick<Request, 'headers' | 'body'>,
  write: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (Number(request.headers.get('content-length') ?? 0) > CHUNK_BYTES) {
    throw new ApiError('PAYLOAD_TOO_LARGE', `A piece may have ${CHUNK_BYTES} bytes at most.`, CLOSE_CONNECTION)
  }
  rejectContentEncoding(request.headers)
  const mediaType = request.headers.get('content-type')
  if (mediaType !== 'application/octet-stream') {
    const received = mediaType === null ? 'none was sent' : `"${excerpt(mediaType)}" was sent`
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `A piece has Content-Type: application/octet-stream; ${received}.`)
  }
  const reader = request.body?.getReader()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    reader?.cancel().catch(() => {})
  }, DEADLINE_MS)
  async function* readChunks() {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (isLate) throw new ApiError('REQUEST_TIMEOUT', 'The piece did not arrive in time.', CLOSE_CONNECTION)
      if (done) return
      yield value
    }
  }
  try {
    return await write(readChunks())
  } finally {
    clearTimeout(timer)
    reader?.cancel().catch(() => {})
  }
}

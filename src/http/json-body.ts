import { excerpt } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { ApiError } from './api-error.ts'

const MAX_DEPTH = 32
/** Far more than a batch of a thousand items has; more would hold the event loop. */
const MAX_KEYS = 40_000
const MAX_KEYS_PER_OBJECT = 1_000
/** Also far more; two megabytes of `{},` would hold the event loop for a tenth of a second. */
const MAX_VALUES = 100_000
const TOO_MANY_VALUES = `The body has more than ${MAX_VALUES} values.`
const TOO_MANY_KEYS = `The body has more than ${MAX_KEYS} keys, or an object with more than ${MAX_KEYS_PER_OBJECT}.`
/** Timeout for receiving a body. */
const BODY_DEADLINE_MS = 10_000

const decoder = new TextDecoder('utf-8', { fatal: true })

function invalidBody(message: string, cause?: unknown): ApiError {
  return new ApiError('VALIDATION_ERROR', message, reason('technical'), {
    details: [{ field: 'body', message }],
    cause,
  })
}

/** Parses the JSON body of a request: at most `maxBytes`, without duplicate keys. */
export async function readJsonBody(
  request: Pick<Request, 'headers' | 'body' | 'bytes'>,
  maxBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<unknown> {
  const declaredLength = request.headers.get('content-length')
  if (Number(declaredLength ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  rejectContentEncoding(request.headers)
  const mediaType = request.headers.get('content-type')
  if (!isJson(mediaType)) {
    const received = mediaType === null ? 'none was sent' : `"${excerpt(mediaType)}" was sent`
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be JSON with Content-Type: application/json; ${received}.`,
      reason('technical'),
    )
  }
  // Bun enforces a declared length; only a body without one has to be counted.
  const pendingBytes = declaredLength === null ? readUpTo(request.body, maxBytes) : request.bytes()
  const bytes = await withDeadline(pendingBytes, deadlineMs)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (cause) {
    throw invalidBody('The body is not valid UTF-8.', cause)
  }
  return parseStrictJson(text)
}

/** The fields of an HTML form: at most `maxBytes`; of a repeated field all values. */
export async function readFormBody(
  request: Pick<Request, 'headers' | 'body' | 'bytes'>,
  maxBytes: number,
): Promise<URLSearchParams> {
  const declaredLength = request.headers.get('content-length')
  if (Number(declaredLength ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  rejectContentEncoding(request.headers)
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be an HTML form.', reason('technical'))
  const pendingBytes = declaredLength === null ? readUpTo(request.body, maxBytes) : request.bytes()
  return new URLSearchParams(new TextDecoder().decode(await withDeadline(pendingBytes, BODY_DEADLINE_MS)))
}

/** A compressed body would be parsed as garbage, or decompressed without a limit. */
function rejectContentEncoding(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  if (encoding === null || encoding.trim().toLowerCase() === 'identity') return
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body must be sent without Content-Encoding; "${excerpt(encoding)}" was sent.`,
    reason('technical'),
    CLOSE_CONNECTION,
  )
}

async function withDeadline(pendingBytes: Promise<Uint8Array>, deadlineMs: number): Promise<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new ApiError('REQUEST_TIMEOUT', 'The body did not arrive in time.', reason('body_late'), CLOSE_CONNECTION),
        ),
      deadlineMs,
    )
  })
  try {
    return await Promise.race([pendingBytes, timeout])
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw invalidBody('The body could not be read to its end.', cause)
  } finally {
    clearTimeout(timer)
  }
}

/** The unread rest of a rejected body must not be parsed as the next request. */
const CLOSE_CONNECTION = { headers: { Connection: 'close' } }

async function readUpTo(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the stream.
    if (length > maxBytes) throw bodyTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

export function parseStrictJson(text: string): unknown {
  // Before parsing, because the parser is recursive.
  checkStructure(text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidBody(
      text.trim() === '' ? 'The body is empty; a JSON object is expected.' : 'The body is not valid JSON.',
      cause,
    )
  }
}

function bodyTooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${maxBytes} bytes.`,
    reason('body_too_large', { maximum: maxBytes }),
    CLOSE_CONNECTION,
  )
}

function isJson(mediaType: string | null): boolean {
  if (mediaType === null) return false
  const [type = '', ...parameters] = mediaType.toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  return charset === undefined || /^charset="?(utf-8|utf8|us-ascii)"?$/.test(charset)
}

/**
 * One pass without recursion: rejects deep nesting, too many values, and keys that parsers treat differently (duplicates,
 * `__proto__`).
 */
function checkStructure(text: string): void {
  /** Names of each open object so far; null for a list. */
  const openContainers: (Set<string> | null)[] = []
  let keys = 0
  let values = 1
  let position = 0
  while (position < text.length) {
    const char = text[position]
    if (char === '{' || char === '[') {
      openContainers.push(char === '{' ? NO_NAMES : null)
      values++
      if (openContainers.length > MAX_DEPTH) throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels.`)
    } else if (char === '}' || char === ']') {
      openContainers.pop()
    } else if (char === ',') {
      values++
    } else if (char === '"') {
      const end = endOfString(text, position)
      const container = openContainers.at(-1)
      if (container && isObjectKey(text, end)) {
        const names = container === NO_NAMES ? new Set<string>() : container
        openContainers[openContainers.length - 1] = names
        checkObjectKey(text.slice(position, end), names)
        if (++keys > MAX_KEYS || names.size > MAX_KEYS_PER_OBJECT) throw invalidBody(TOO_MANY_KEYS)
      }
      position = end
      continue
    }
    if (values > MAX_VALUES) throw invalidBody(TOO_MANY_VALUES)
    position++
  }
}

/** Of an object without a name so far: a set for every empty object would hold the event loop. */
const NO_NAMES = new Set<string>()

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
  return text.length
}

function isObjectKey(text: string, after: number): boolean {
  let position = after
  while (position < text.length && text.charCodeAt(position) <= 32) position++
  return text[position] === ':'
}

function checkObjectKey(quoted: string, names: Set<string>): void {
  let name: string
  try {
    name = JSON.parse(quoted)
  } catch {
    return // JSON.parse of the whole says what is wrong.
  }
  if (name === '__proto__') throw invalidBody('The body must not have a field named "__proto__".')
  if (names.has(name)) throw invalidBody(`The body has the field "${excerpt(name)}" twice.`)
  names.add(name)
}

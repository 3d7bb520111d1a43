import { isNeverCalled } from './public-address.ts'
import { finishSpan, formatTraceparent, startChildSpan } from './trace.ts'

/**
 * The only way out to other servers: webhooks, outside identifier sources and feeds. Bun's `fetch` decompresses a body before
 * any byte can be counted and outside its timeout, so responses are requested and read uncompressed.
 */

export type OutgoingRequest = {
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Covers the response body too. */
  readonly signal: AbortSignal
  /** Name that the server's certificate must have, if `url` contains an IP address. */
  readonly tlsServerName?: string | undefined
}

/** The server sent a response that we do not read. */
export class OutgoingHttpError extends Error {}

/** Sends a request and returns as soon as the headers are there. Never follows a redirect. */
export async function sendOutgoing(url: string | URL, request: OutgoingRequest): Promise<Response> {
  const { method = 'GET', headers, body, signal, tlsServerName } = request
  // Names are checked where they are resolved, in `sendPinned`.
  if (isNeverCalled(new URL(url).hostname.replace(/^\[|\]$/g, '')))
    throw new OutgoingHttpError('the address belongs to the machine itself')
  const trace = startChildSpan()
  const startedAt = Date.now()
  const startedMs = performance.now()
  let status = 0
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        'Accept-Encoding': 'identity',
        ...(trace ? { traceparent: formatTraceparent(trace) } : {}),
      },
      redirect: 'manual',
      decompress: false,
      signal,
      ...(body === undefined ? {} : { body }),
      ...(tlsServerName === undefined ? {} : { tls: { serverName: tlsServerName } }),
    })
    status = response.status
    return response
  } finally {
    if (trace) {
      // The path may contain an identifier or a secret; the host does not.
      const host = tlsServerName ?? headers.Host ?? new URL(url).host
      finishSpan(trace, {
        name: `${method} ${host}`,
        kind: 'client',
        startedAt,
        durationMs: performance.now() - startedMs,
        isError: status === 0 || status >= 400,
        attributes: {
          'http.request.method': method,
          'server.address': host,
          ...(status === 0 ? {} : { 'http.response.status_code': status }),
        },
      })
    }
  }
}

function assertUncompressed(response: Response): void {
  const encoding = response.headers.get('content-encoding') ?? ''
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new OutgoingHttpError('the response is compressed, although it was requested uncompressed')
  }
}

export type BodyLimit = {
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** What happens to a longer body: its beginning is returned, or it is an OutgoingHttpError. */
  readonly whenLonger: 'cut' | 'reject'
}

/** Reads at most `maxBytes` of a body as text, and closes the connection if there is more. */
export async function readBodyText(response: Response, { maxBytes, signal, whenLonger }: BodyLimit): Promise<string> {
  const tooLongError = () => new OutgoingHttpError(`the response is larger than ${maxBytes} bytes`)
  try {
    assertUncompressed(response)
    if (whenLonger === 'reject' && Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLongError()
  } catch (error) {
    await response.body?.cancel().catch(() => {})
    throw error
  }
  const reader = response.body?.getReader()
  if (!reader) return ''
  const onAbort = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', onAbort, { once: true })
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return text + decoder.decode()
      bytes += value.length
      if (bytes > maxBytes && whenLonger === 'reject') throw tooLongError()
      text += decoder.decode(value.subarray(0, maxBytes), { stream: true })
      if (bytes >= maxBytes && whenLonger === 'cut') return text
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await reader.cancel().catch(() => {})
  }
}

import { OutgoingHttpError, type OutgoingRequest, readBodyText } from './outgoing-http.ts'
import { sendPinned } from './pinned-http.ts'

/** One request to an untrusted JSON service: no redirects, limited body. */

/** Sends a request, such as `sendOutgoing`. */
export type SendRequest = (url: string, request: OutgoingRequest) => Promise<Response>

export type JsonRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sources may be inside the own network; the addresses that nobody may call are checked after the name is resolved. */
const sendChecked: SendRequest = (url, request) => sendPinned(url, { allowPrivate: true }, request)

/** A failed request, and whether a retry may succeed. */
export class JsonRequestError extends Error {
  readonly isRetriable: boolean
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Delay that the server requested; 0 if it did not. */
  readonly pauseMs: number

  constructor(message: string, isRetriable: boolean, status?: number, pauseMs = 0) {
    super(message)
    this.isRetriable = isRetriable
    this.status = status
    this.pauseMs = pauseMs
  }
}

export async function fetchJson(
  request: JsonRequest,
  maxBytes: number,
  signal: AbortSignal,
  send: SendRequest = sendChecked,
): Promise<{ readonly status: number; readonly body: unknown }> {
  let response: Response
  try {
    response = await send(request.url, {
      method: request.method,
      headers: { Accept: 'application/json', ...request.headers },
      body: request.body,
      signal,
    })
  } catch (error) {
    if (error instanceof OutgoingHttpError) throw new JsonRequestError(error.message, false)
    // The reason may contain the URL and with it the identifier, so it is not logged.
    throw new JsonRequestError(signal.aborted ? 'no response in time' : 'no connection', !signal.aborted)
  }
  const { status } = response
  try {
    if (status >= 300 && status < 400) throw new JsonRequestError('the provider redirects', false, status)
    if (status === 404) return { status, body: null }
    if (status >= 500 || status === 429) {
      const pauseMs = parseRetryAfter(response.headers.get('retry-after'), Date.now())
      throw new JsonRequestError(`status ${status}`, status !== 429, status, pauseMs)
    }
    if (status !== 200) throw new JsonRequestError(`status ${status}`, false, status)
    return { status, body: JSON.parse(await readBodyText(response, { maxBytes, signal, whenLonger: 'reject' })) }
  } catch (error) {
    if (error instanceof JsonRequestError) throw error
    if (error instanceof OutgoingHttpError) throw new JsonRequestError(error.message, false)
    if (error instanceof SyntaxError) throw new JsonRequestError('the response is not JSON', false)
    throw new JsonRequestError(
      signal.aborted ? 'the response did not end in time' : 'the response broke off',
      !signal.aborted,
    )
  } finally {
    if (!response.bodyUsed || response.body?.locked === false) await response.body?.cancel().catch(() => {})
  }
}

/** `Retry-After` in milliseconds: seconds or a date; 0 if absent, invalid or in the past. */
function parseRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isFinite(at) ? Math.max(0, at - now) : 0
}

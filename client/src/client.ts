import { ConnectionError, errorOf, isErrorEnvelope, retryAfterSeconds, UnexpectedResponseError } from './errors.ts'
import { Endpoints, type Operation, type RequestParts } from './generated.ts'
import { type Page, type PagedRequest, type PageMeta, paged } from './paging.ts'
import { type ApiRequest, apiRequest, type ListRequest, listRequest, type RawResponse } from './response.ts'
import { deadline, retryDelayMs, wait } from './waiting.ts'

/** The version of package.json; a test compares them. */
export const VERSION = '0.1.0'

export type Attempt = { /** 1 for the first attempt of a call. */ readonly attempt: number }

export type Retry = Attempt & {
  /** Pause before the next attempt. */
  readonly delayMs: number
  /** Status of the response that is retried; undefined if there was none. */
  readonly status: number | undefined
  /** Error that is retried; undefined if there was a response. */
  readonly error: ConnectionError | undefined
}

export type ClientOptions = {
  /** URL of the service, such as `https://devices.example`. */
  readonly url: string
  /** API key. Keep it on your servers: it grants access in your organization's name. */
  readonly key: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Further attempts after 429, 502, 503, 504 or a lost connection; default 3, 0 for none. */
  readonly maxRetries?: number | undefined
  /** Longest `Retry-After` to wait for; default 60,000 ms. */
  readonly maxWaitMs?: number | undefined
  /** Time limit of one attempt; default 30,000 ms. */
  readonly timeoutMs?: number | undefined
  /** Name and version of your program; sent in `User-Agent` before those of the client. Browsers send their own. */
  readonly userAgent?: string | undefined
  /** Called before every attempt; may set headers of the request. */
  readonly onRequest?: ((request: Request, attempt: Attempt) => void | Promise<void>) | undefined
  /** Called with every response before its body is read, for rate limits and logs. */
  readonly onResponse?: ((response: Response, attempt: Attempt) => void) | undefined
  /** Called before the pause that precedes a further attempt. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Idempotency key of a POST. Without it every call gets its own, which its retries share. */
  readonly idempotencyKey?: string | undefined
  /** Request id of your own; the service returns it and logs it. */
  readonly requestId?: string | undefined
  /** Further headers, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** For this call instead of the client's. */
  readonly maxRetries?: number | undefined
  readonly timeoutMs?: number | undefined
}

type ReceivedResponse = RawResponse & { readonly text: string }
type Envelope = { readonly data: unknown; readonly meta?: unknown } & RawResponse

/** The service rejected these before doing anything. */
const REJECTED = [429, 503]
/** A gateway did not get a response; the service may have done its work. */
const LOST = [502, 504]

/** The service, with one method per endpoint. Errors of the service are thrown as `ApiError`, by class and code. */
export class DeviceIntelligence extends Endpoints {
  readonly #url: string
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    super()
    this.#url = parseUrl(options?.url)
    if (!options.key) throw new TypeError('The option `key` is missing: an API key of the service, such as pk_pub_….')
    this.#options = options
  }

  protected read<Data>(operation: Operation, parts: RequestParts, options?: CallOptions): ApiRequest<Data> {
    return apiRequest(this.#call(operation, parts, options) as Promise<{ data: Data } & RawResponse>)
  }

  protected readText(operation: Operation, parts: RequestParts, options?: CallOptions): ApiRequest<string> {
    return apiRequest(this.#call(operation, parts, options, parseFile) as Promise<{ data: string } & RawResponse>)
  }

  protected readList<Item>(operation: Operation, parts: RequestParts, options?: CallOptions): ListRequest<Item> {
    return listRequest(this.read<Item[]>(operation, parts, options))
  }

  protected list<Item, Meta extends PageMeta>(
    operation: Operation,
    parts: RequestParts,
    options?: CallOptions,
  ): PagedRequest<Item, Meta> {
    return paged((next) => {
      const call = this.#call(operation, { ...parts, query: { ...parts.query, ...next } }, options)
      return apiRequest(
        call.then(({ data, meta, ...raw }) => ({ ...raw, data: { data, meta } as unknown as Page<Item, Meta> })),
      )
    })
  }

  async #call(
    operation: Operation,
    parts: RequestParts,
    options: CallOptions = {},
    parse: (response: ReceivedResponse) => Envelope = parseEnvelope,
  ): Promise<Envelope> {
    const { onRetry } = this.#options
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 3
    const maxWaitMs = this.#options.maxWaitMs ?? 60_000
    const headers = this.#headers(operation, parts, options)
    const canRepeat = operation.isIdempotent || headers.has('Idempotency-Key')
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt > maxRetries
      let response: ReceivedResponse | undefined
      let error: ConnectionError | undefined
      try {
        response = await this.#send(operation, parts, headers, options, attempt)
      } catch (thrown) {
        if (isLast || !canRepeat || !(thrown instanceof ConnectionError)) throw thrown
        error = thrown
      }
      const retryAfter = response && retryAfterSeconds(response.headers)
      if (response) {
        const isRetried = REJECTED.includes(response.status) || (canRepeat && LOST.includes(response.status))
        if (isLast || !isRetried || (retryAfter ?? 0) * 1000 > maxWaitMs) return parse(response)
      }
      const delayMs = retryDelayMs(attempt, retryAfter)
      onRetry?.({ attempt, delayMs, status: response?.status, error })
      await wait(delayMs, options.signal)
    }
  }

  #headers({ takesIdempotencyKey }: Operation, { body }: RequestParts, options: CallOptions): Headers {
    const headers = new Headers({ Authorization: `Bearer ${this.#options.key}`, Accept: 'application/json, text/csv' })
    // Browsers name themselves, and another name would need a permission of the service.
    if (!isBrowser()) {
      const name = `device-intelligence-client/${VERSION}`
      headers.set('User-Agent', this.#options.userAgent ? `${this.#options.userAgent} ${name}` : name)
    }
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (options.requestId) headers.set('X-Request-Id', options.requestId)
    if (takesIdempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey ?? randomToken())
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
    return headers
  }

  async #send(
    operation: Operation,
    parts: RequestParts,
    headers: Headers,
    { signal, timeoutMs = this.#options.timeoutMs ?? 30_000 }: CallOptions,
    attempt: number,
  ): Promise<ReceivedResponse> {
    const { onRequest, onResponse, fetch = (request) => globalThis.fetch(request) } = this.#options
    signal?.throwIfAborted()
    const url = `${this.#url}${pathOf(operation, parts)}`
    const body = parts.body === undefined ? null : JSON.stringify(parts.body)
    const limit = deadline(timeoutMs, signal)
    try {
      const request = new Request(url, { method: operation.method, headers, body, signal: limit.signal })
      await onRequest?.(request, { attempt })
      const response = await fetch(request)
      onResponse?.(response, { attempt })
      // The body is part of the attempt: a response that is cut off is a lost connection.
      const text = await response.text()
      const requestId = response.headers.get('x-request-id') ?? undefined
      return { status: response.status, headers: response.headers, requestId, text }
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ConnectionError(`No response to ${operation.method} ${url}.`, { cause: limit.signal.reason ?? cause })
    } finally {
      limit.clear()
    }
  }
}

function parseUrl(url: unknown): string {
  const expected = 'the URL of the service, such as https://devices.example'
  if (!url) throw new TypeError(`The option \`url\` is missing: ${expected}.`)
  if (!/^https?:\/\/./.test(String(url)) || !URL.canParse(String(url))) {
    throw new TypeError(`The option \`url\` is "${url}"; expected ${expected}.`)
  }
  return String(url).replace(/\/+$/, '')
}

function pathOf({ path }: Operation, { params = {}, query = {} }: RequestParts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    // Filters by attribute names of the catalogue are an object.
    if (typeof value === 'object') for (const [each, one] of Object.entries(value)) search.append(each, String(one))
    else search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}

function parseEnvelope({ text, ...response }: ReceivedResponse): Envelope {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new UnexpectedResponseError(response, text)
  }
  if (isErrorEnvelope(body)) throw errorOf(response, body)
  if (typeof body !== 'object' || body === null || !('data' in body)) throw new UnexpectedResponseError(response, text)
  return { ...response, data: body.data, meta: 'meta' in body ? body.meta : undefined }
}

/** The text of a file; errors are in the envelope. */
function parseFile({ text, ...response }: ReceivedResponse): Envelope {
  const isFile = response.status === 200 && /^text\/csv\b/.test(response.headers.get('content-type') ?? '')
  if (isFile) return { ...response, data: text }
  parseEnvelope({ ...response, text })
  throw new UnexpectedResponseError(response, text)
}

const isBrowser = () => 'document' in globalThis || 'WorkerGlobalScope' in globalThis

/** 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

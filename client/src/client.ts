import { ConnectionError, errorOf, retryAfterSeconds } from './errors.ts'
import { Endpoints, type ErrorEnvelope, type Operation, type Sent } from './generated.ts'
import { type Page, type PagedRequest, type PageMeta, paged } from './paging.ts'
import { deadline, pauseMs, wait } from './waiting.ts'

export type ClientOptions = {
  /** Address of the service, such as `https://devices.example`. */
  readonly url: string
  /** An API key. Keep it on your servers: whoever has it acts in your name. */
  readonly key: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Further attempts after 429, 503 or a lost connection; 3 unless given, 0 for none. */
  readonly maxRetries?: number
  /** A longer `Retry-After` than this is not waited for; one minute unless given. */
  readonly maxWaitMs?: number
  /** How long one attempt may take; half a minute unless given. */
  readonly timeoutMs?: number
  /** Sees every answer before it is read, for limits and logs. */
  readonly onResponse?: (response: Response) => void
}

export type CallOptions = {
  readonly signal?: AbortSignal
  /** A token of your own for a POST. Without it each call gets one, kept over its retries. */
  readonly idempotencyKey?: string
  /** A token of your own to find the request again. */
  readonly requestId?: string
}

type Received = { readonly status: number; readonly headers: Headers; readonly text: string }
type Answer = { readonly success: true; readonly data: unknown; readonly meta?: unknown }

const RETRIED = [429, 503]

/** The service, one method per endpoint. Refusals are thrown as errors by their code. */
export class DeviceIntelligence extends Endpoints {
  readonly #options: Required<Pick<ClientOptions, 'fetch' | 'maxRetries' | 'maxWaitMs' | 'timeoutMs'>> & ClientOptions

  constructor(options: ClientOptions) {
    super()
    const { fetch = (request) => globalThis.fetch(request) } = options
    const url = options.url.replace(/\/+$/, '')
    this.#options = { maxRetries: 3, maxWaitMs: 60_000, timeoutMs: 30_000, ...options, fetch, url }
  }

  protected async read<Data>(operation: Operation, sent: Sent, options: CallOptions = {}): Promise<Data> {
    return (await this.#answer(operation, sent, options)).data as Data
  }

  protected list<Item, Meta extends PageMeta>(
    operation: Operation,
    sent: Sent,
    options: CallOptions = {},
  ): PagedRequest<Item, Meta> {
    return paged(async (next) => {
      const { data, meta } = await this.#answer(operation, { ...sent, query: { ...sent.query, ...next } }, options)
      return { data, meta } as Page<Item, Meta>
    })
  }

  async #answer(operation: Operation, sent: Sent, options: CallOptions): Promise<Answer> {
    const { maxRetries, maxWaitMs } = this.#options
    const headers = this.#headers(operation, sent, options)
    // What was lost on the way may have been done: only what can be repeated without harm is sent again.
    const isRepeatable = operation.method !== 'POST' || headers.has('Idempotency-Key')
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= maxRetries
      let pause: number
      try {
        const response = await this.#send(operation, sent, headers, options)
        const pauseAsked = pauseMs(attempt, retryAfterSeconds(response))
        if (isLast || !RETRIED.includes(response.status) || pauseAsked > maxWaitMs) return readAnswer(response)
        pause = pauseAsked
      } catch (error) {
        if (isLast || !isRepeatable || !(error instanceof ConnectionError)) throw error
        pause = pauseMs(attempt, undefined)
      }
      await wait(pause, options.signal)
    }
  }

  #headers({ method, takesIdempotencyKey }: Operation, { body }: Sent, options: CallOptions): Headers {
    const headers = new Headers({ Authorization: `Bearer ${this.#options.key}`, Accept: 'application/json' })
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (options.requestId) headers.set('X-Request-Id', options.requestId)
    if (method === 'POST' && takesIdempotencyKey)
      headers.set('Idempotency-Key', options.idempotencyKey ?? randomToken())
    return headers
  }

  async #send(operation: Operation, sent: Sent, headers: Headers, { signal }: CallOptions): Promise<Received> {
    const { url, fetch, timeoutMs, onResponse } = this.#options
    signal?.throwIfAborted()
    const limit = deadline(timeoutMs, signal)
    const body = sent.body === undefined ? null : JSON.stringify(sent.body)
    const address = `${url}${addressOf(operation, sent)}`
    try {
      const request = new Request(address, { method: operation.method, headers, body, signal: limit.signal })
      const response = await fetch(request)
      onResponse?.(response)
      // Read to its end within the time of the attempt; what is cut off on the way is a lost connection too.
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ConnectionError(`${operation.method} ${address} was not answered.`, {
        cause: limit.signal.reason ?? cause,
      })
    } finally {
      limit.clear()
    }
  }
}

function addressOf({ path }: Operation, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    // Filters by names that only the catalogue knows are given together, as an object.
    if (typeof value === 'object') for (const [each, one] of Object.entries(value)) search.append(each, String(one))
    else search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}

function readAnswer(response: Received): Answer {
  let answer: Answer | ErrorEnvelope
  try {
    answer = JSON.parse(response.text)
  } catch (cause) {
    throw new ConnectionError(`The answer (${response.status}) is not one of the service.`, { cause })
  }
  if (answer.success) return answer
  throw errorOf(response, answer)
}

/** 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

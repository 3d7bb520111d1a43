import { OutgoingHttpError, readBodyText } from '../lib/outgoing-http.ts'
import { type ResolveHost, sendPinned } from '../lib/pinned-http.ts'

/** How a call ended: with a response, or why there is none. */
export type WebhookCallResult = {
  readonly status: number | null
  /** The beginning of the response body, or the reason why there is no response. */
  readonly responseText: string
  readonly isAccepted: boolean
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 4_096
const STORED_RESPONSE_CHARS = 500

export type WebhookCallOptions = {
  readonly allowPrivateAddresses: boolean
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly resolve?: ResolveHost
}

/** Posts a delivery to an address that was checked. Redirects are not followed. */
export async function callWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowPrivateAddresses, userAgent, signal, resolve }: WebhookCallOptions,
): Promise<WebhookCallResult> {
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const rules = { allowPrivate: allowPrivateAddresses, resolve }
    const response = await sendPinned(url, rules, {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json', 'User-Agent': userAgent },
      signal: deadline,
    })
    const limit = { maxBytes: MAX_RESPONSE_BYTES, signal: deadline, whenLonger: 'cut' } as const
    const text = (await readBodyText(response, limit)).replace(/\p{Cc}+/gu, ' ').slice(0, STORED_RESPONSE_CHARS)
    const { status } = response
    if (status >= 300 && status < 400) {
      return { status, responseText: `Redirects are not followed. ${text}`.trim(), isAccepted: false }
    }
    return { status, responseText: text, isAccepted: status >= 200 && status < 300 }
  } catch (error) {
    return failedCall(failureReason(error))
  }
}

/** Never the message of the runtime, which names addresses and ports of the operator's network. */
function failureReason(error: unknown): string {
  if (error instanceof OutgoingHttpError) return error.message
  const { name = '', code = '' } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return `No response within ${TIMEOUT_MS / 1000} seconds.`
  const reason = FAILURE_REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return reason ?? `The connection failed${/^[A-Z_]{1,40}$/.test(code) ? ` (${code})` : ''}.`
}

const FAILURE_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_|DNS_)/, 'The host name cannot be resolved.'],
  [/^(ECONNREFUSED|ConnectionRefused)$/, 'The connection was refused.'],
  [/CERT|SSL|TLS/, 'The TLS certificate was not accepted.'],
]

const failedCall = (reason: string): WebhookCallResult => ({
  status: null,
  responseText: reason.slice(0, STORED_RESPONSE_CHARS),
  isAccepted: false,
})

import { lookup } from 'node:dns/promises'
import { OutgoingHttpError, readBodyText, sendOutgoing } from '../lib/outgoing-http.ts'
import { isPublicAddress } from '../lib/public-address.ts'

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
  /** Resolves a host name. */
  readonly resolve?: (name: string) => Promise<{ readonly address: string; readonly family: number }>
}

/**
 * Posts a delivery. The name is resolved once and the connection goes to the address that was checked, so DNS rebinding is
 * not possible. Redirects are not followed, because they would bypass the check.
 */
export async function callWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowPrivateAddresses, userAgent, signal, resolve = lookup }: WebhookCallOptions,
): Promise<WebhookCallResult> {
  try {
    const target = new URL(url)
    const name = target.hostname.replace(/^\[|\]$/g, '')
    const { address, family } = await resolve(name)
    if (!allowPrivateAddresses && !isPublicAddress(address)) {
      return failedCall('The host name does not resolve to a public address.')
    }
    const pinned = new URL(url)
    pinned.hostname = family === 6 ? `[${address}]` : address
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await sendOutgoing(pinned, {
      method: 'POST',
      body,
      headers: { ...headers, Host: target.host, 'Content-Type': 'application/json', 'User-Agent': userAgent },
      signal: deadline,
      tlsServerName: target.protocol === 'https:' ? name : undefined,
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

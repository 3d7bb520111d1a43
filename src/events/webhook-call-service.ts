import { lookup } from 'node:dns/promises'
import { readBodyText, sendOutgoing } from '../lib/outgoing-http.ts'
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
}

/**
 * Posts a delivery. The name is resolved once and the connection goes to the address that was checked, so DNS rebinding is
 * not possible. Redirects are not followed, because they would bypass the check.
 */
export async function callWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowPrivateAddresses, userAgent, signal }: WebhookCallOptions,
): Promise<WebhookCallResult> {
  try {
    const target = new URL(url)
    const name = target.hostname.replace(/^\[|\]$/g, '')
    const { address, family } = await lookup(name)
    if (!allowPrivateAddresses && !isPublicAddress(address)) {
      return failedCall(`${name} leads to ${address}, which is no address of the internet`)
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
    return failedCall(error instanceof Error ? error.message : String(error))
  }
}

const failedCall = (why: string): WebhookCallResult => ({
  status: null,
  responseText: why.slice(0, STORED_RESPONSE_CHARS),
  isAccepted: false,
})

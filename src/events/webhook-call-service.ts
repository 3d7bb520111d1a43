import { lookup } from 'node:dns/promises'
import { isPublicAddress } from '../lib/public-address.ts'

/** How a call ended: with an answer, or why there is none. */
export type WebhookCallResult = {
  readonly status: number | null
  /** The beginning of the answer, or why there is none. */
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
 * Posts a delivery. The name is resolved here and the connection goes to the very address that was checked: a name that leads
 * elsewhere at the second look leads nowhere. Redirects are not followed, because they would lead past the check.
 */
export async function callWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowPrivateAddresses: allowPrivate, userAgent, signal }: WebhookCallOptions,
): Promise<WebhookCallResult> {
  try {
    const target = new URL(url)
    const name = target.hostname.replace(/^\[|\]$/g, '')
    const { address, family } = await lookup(name)
    if (!allowPrivate && !isPublicAddress(address)) {
      return failedCall(`${name} leads to ${address}, which is no address of the internet`)
    }
    const pinned = new URL(url)
    pinned.hostname = family === 6 ? `[${address}]` : address
    const answer = await fetch(pinned, {
      method: 'POST',
      body,
      headers: { ...headers, Host: target.host, 'Content-Type': 'application/json', 'User-Agent': userAgent },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // The certificate must be that of the name, whatever the address.
      ...(target.protocol === 'https:' ? { tls: { serverName: name } } : {}),
    })
    const text = await readBeginning(answer)
    if (answer.status >= 300 && answer.status < 400) {
      return { status: answer.status, responseText: `Redirects are not followed. ${text}`.trim(), isAccepted: false }
    }
    return { status: answer.status, responseText: text, isAccepted: answer.status >= 200 && answer.status < 300 }
  } catch (error) {
    return failedCall(error instanceof Error ? error.message : String(error))
  }
}

const failedCall = (why: string): WebhookCallResult => ({
  status: null,
  responseText: why.slice(0, STORED_RESPONSE_CHARS),
  isAccepted: false,
})

async function readBeginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    bytes += value.length
    if (bytes < MAX_RESPONSE_BYTES) continue
    await reader.cancel()
    break
  }
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, STORED_RESPONSE_CHARS)
}

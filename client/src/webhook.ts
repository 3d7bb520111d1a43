import type { ServiceEvent } from './generated.ts'

/** A delivery that must not be trusted: forged, altered, too old, or not a webhook. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

export type VerifyOptions = {
  /** Maximum difference between the sender's clock and ours; default 300. */
  readonly toleranceSeconds?: number
  /** Current time in epoch milliseconds. */
  readonly now?: number
}

const encoder = new TextEncoder()

/**
 * Verifies a delivery by Standard Webhooks and returns its event. `secrets`: the secret of the endpoint (`whsec_…`), or both
 * while one is being rotated. `body`: the request body as received, not parsed.
 */
export async function verifyWebhook<Event = ServiceEvent>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const sentAt = Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - sentAt) > toleranceSeconds) {
    throw new WebhookVerificationError('The delivery is too old, or its clock is wrong.')
  }
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
  const signed = encoder.encode(`${id}.${timestamp}.${text}`)
  const receivedSignatures = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (fromBase64(each.slice(3)) ?? []) : []))
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importSecret(secret)
    // WebCrypto compares in constant time.
    for (const signature of receivedSignatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as Event
    }
  }
  throw new WebhookVerificationError('No signature of the delivery matches.')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const header =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const value = Array.isArray(header) ? header[0] : header
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new WebhookVerificationError('Invalid webhook secret: expected whsec_ and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

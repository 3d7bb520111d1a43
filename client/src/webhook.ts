import type { ServiceEvent } from './generated.ts'

/** A delivery that must not be trusted: forged, altered, too old, or not a webhook at all. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

export type VerifyOptions = {
  /** How far the clock of the sender may be from ours; five minutes unless given. */
  readonly toleranceSeconds?: number
  /** Epoch milliseconds that count as now. */
  readonly now?: number
}

const encoder = new TextEncoder()

/**
 * The event of a delivery, once its signature is found good by one of the secrets (`whsec_…`; give both while one is
 * being rotated). `body` is the request's body as it came, before anybody parsed it. The form is that of Standard Webhooks.
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
  const given = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (fromBase64(each.slice(3)) ?? []) : []))
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importSecret(secret)
    // WebCrypto compares in a time that tells nothing about where they differ.
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as Event
    }
  }
  throw new WebhookVerificationError('No signature of the delivery fits.')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const value = Array.isArray(found) ? found[0] : found
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new WebhookVerificationError('The secret is not one of a webhook: whsec_ and base64 are expected.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

import { Webhook } from 'standardwebhooks'
import { EVENT_TIERS, EVENT_TYPES, type EventType } from '../contract/events.ts'
import { TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { DomainError, invalid } from '../lib/errors.ts'
import { isPublicAddress } from '../lib/public-address.ts'
import { reason } from '../lib/reasons.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'

/** A URL that receives the events of an organization. */
export type WebhookEndpoint = {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  /** All of them when empty. */
  readonly types: readonly EventType[]
  readonly createdAt: number
  readonly disabledAt: number | null
  readonly disabledReason: string | null
  /** Until when deliveries are also signed with the previous secret; null if there is none. */
  readonly overlapUntil: number | null
}

/** Secrets that sign a delivery: the current one and, for a while, the previous one. */
export type WebhookSecrets = {
  readonly current: string
  readonly previous: string | null
  readonly previousUntil: number | null
}

/** Delays before each further attempt, three days in total. */
const RETRY_DELAYS_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  18 * HOUR_MS,
  22 * HOUR_MS,
]

/** Time of the next attempt; null after the last one. */
export function nextAttemptAt(attempts: number, now: number): number | null {
  const delay = RETRY_DELAYS_MS[attempts - 1]
  return delay === undefined ? null : now + delay
}

/** Headers of a delivery by the Standard Webhooks scheme. While two secrets are valid, it is signed with both. */
export function signDelivery(id: string, body: string, secrets: WebhookSecrets, now: number): Record<string, string> {
  const timestamp = new Date(now)
  const { current, previous, previousUntil } = secrets
  const activeSecrets = previous !== null && (previousUntil ?? 0) > now ? [current, previous] : [current]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': activeSecrets.map((secret) => new Webhook(secret).sign(id, timestamp, body)).join(' '),
  }
}

const EXPECTED_URL = 'an https address without user name and password'

/** Validates a URL. Every call checks again that its name resolves to a public address. */
export function parseWebhookUrl(text: string, allowPrivate: boolean): string {
  if (text.length > 1_000 || !URL.canParse(text))
    throw invalid('url', text, EXPECTED_URL, reason('not_an_https_address'))
  const url = new URL(text)
  const hint = allowPrivate ? '' : '; set WEBHOOK_ALLOW_PRIVATE=on to allow others'
  const isAllowedScheme = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:')
  if (url.username !== '' || url.password !== '')
    throw invalid('url', text, EXPECTED_URL, reason('not_an_https_address'))
  if (!isAllowedScheme) throw invalid('url', text, `${EXPECTED_URL}${hint}`, reason('not_an_https_address'))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLiteral = /^[\d.]+$/.test(host) || host.includes(':')
  if (!allowPrivate && (host === 'localhost' || (isLiteral && !isPublicAddress(host)))) {
    throw invalid('url', text, `an address that is reached over the internet${hint}`, reason('address_not_public'))
  }
  return url.href
}

/** Whether an organization of this tier receives events of this type. */
export const tierReceives = (tier: Tier, type: string) => tierIncludes(tier, EVENT_TIERS[type as EventType])

export function assertTierReceives(tier: Tier, types: readonly EventType[]): void {
  const type = types.find((candidate) => !tierReceives(tier, candidate))
  if (!type) return
  const needed = TIER_NAMES[EVENT_TIERS[type]]
  const message = `${type} events need the ${needed} tier; the organization has ${TIER_NAMES[tier]}.`
  throw new DomainError('forbidden', message, reason('tier_needed', { tier: needed }), [{ field: 'types', message }])
}

export function parseEventTypes(words: readonly string[]): readonly EventType[] {
  return words.map((word) => {
    const type = EVENT_TYPES.find((known) => known === word)
    if (!type) throw invalid('types', word, `one of ${EVENT_TYPES.join(', ')}`)
    return type
  })
}

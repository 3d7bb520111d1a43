import type { Tier } from './tiers.ts'

/** The tier an organization needs to receive events of a type: that of the endpoints they come from. */
export const EVENT_TIERS = {
  'identifier.status_changed': 'enterprise',
  'price.changed': 'enterprise',
  'import.finished': 'public',
  'key.expiring': 'public',
  'appraisal.created': 'paid',
  'appraisal.bought': 'paid',
  'appraisal.declined': 'paid',
  'appraisal.sold': 'paid',
  'appraisal.reopened': 'paid',
  'purchase.created': 'paid',
  'stock.changed': 'paid',
  'quote.created': 'paid',
  'quote.arrived': 'paid',
  'quote.bought': 'paid',
  'quote.declined': 'paid',
  'quote.expired': 'paid',
  'quote.cancelled': 'paid',
  'webhook.disabled': 'public',
  'webhook.test': 'public',
  'usage.threshold_reached': 'public',
} as const satisfies Readonly<Record<string, Tier>>

export type EventType = keyof typeof EVENT_TIERS
export const EVENT_TYPES = Object.keys(EVENT_TIERS) as [EventType, ...EventType[]]

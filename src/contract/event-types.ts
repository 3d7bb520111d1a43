import type { Tier } from './tiers.ts'

export const EVENT_TYPES = [
  'identifier.status_changed',
  'price.changed',
  'import.finished',
  'key.expiring',
  'appraisal.created',
  'appraisal.bought',
  'appraisal.declined',
  'appraisal.sold',
  'appraisal.reopened',
  'webhook.disabled',
  'webhook.test',
  'usage.threshold_reached',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The tier an organization needs to receive events of a type: that of the endpoints they come from. */
export const EVENT_TIERS: Readonly<Record<EventType, Tier>> = {
  'identifier.status_changed': 'enterprise',
  'price.changed': 'enterprise',
  'import.finished': 'public',
  'key.expiring': 'public',
  'appraisal.created': 'paid',
  'appraisal.bought': 'paid',
  'appraisal.declined': 'paid',
  'appraisal.sold': 'paid',
  'appraisal.reopened': 'paid',
  'webhook.disabled': 'public',
  'webhook.test': 'public',
  'usage.threshold_reached': 'public',
}

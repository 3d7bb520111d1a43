import { z } from 'zod'
import { eventSchema } from './events.ts'
import { component, instant } from './values.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const webhookSchema = component('Webhook', 'A webhook endpoint.', {
  id: z.string().describe('Webhook id.'),
  organization_id: z.string().describe('Organization whose events it gets.'),
  url: z.string().describe('Address that events are sent to.'),
  types: z.array(z.string()).describe('Event types that are sent; all if empty.'),
  created_at: instant.describe('Time of creation.'),
  disabled_at: instant.nullable().describe('Time at which it was disabled; null while it is enabled.'),
  disabled_reason: z
    .string()
    .nullable()
    .describe('Why the service disabled it; null while it is enabled, or if a person disabled it.'),
  overlap_until: instant.nullable().describe('Until then deliveries are also signed with the previous secret.'),
})
export type WebhookWire = z.infer<typeof webhookSchema>

export const deliverySchema = component('WebhookDelivery', 'Delivery of one event to one webhook endpoint.', {
  event_id: z.string().describe('Event id.'),
  payload: eventSchema.describe('The event.'),
  state: z.enum(DELIVERY_STATES).describe('State of the delivery.'),
  attempts: z.int().min(0).describe('Attempts so far.'),
  status: z.int().nullable().describe('HTTP status of the last response; null without one.'),
  response: z.string().describe('Start of the last response, or why there was none.'),
  next_at: instant.nullable().describe('Time of the next attempt; null if none follows.'),
  settled_at: instant.nullable().describe('Time at which it was delivered or given up.'),
})
export type DeliveryWire = z.infer<typeof deliverySchema>

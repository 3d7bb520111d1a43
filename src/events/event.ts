import type { EventData, EventType, EventWire } from '../contract/events.ts'
import { isoInstant } from '../lib/time.ts'

/** An event to be written in the transaction of the change it reports. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type
    /** Null for all organizations. */
    readonly organizationId: string | null
    /** Events of a subject are delivered one after the other. */
    readonly subject: string
    readonly data: EventData[Type]
    readonly createdAt: number
    /** Of several events with the same key only the first is stored. */
    readonly dedupeKey?: string
  }
}[EventType]

/** Position among the events of all organizations, in the order of their commits. Never shown to callers. */
export type EventPosition = { readonly revision: number; readonly ordinal: number }

export const BEFORE_FIRST_EVENT: EventPosition = { revision: 0, ordinal: 0 }

export type StoredEvent = EventPosition & {
  readonly id: string
  readonly type: string
  readonly subject: string
  /** JSON. */
  readonly data: string
  readonly createdAt: number
}

/** An event as lists show it and webhooks carry it. */
export const presentEvent = ({ id, type, createdAt, data }: StoredEvent) =>
  ({ id, type, timestamp: isoInstant(createdAt), data: JSON.parse(data) }) as EventWire

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

/** Ids of events from before version 0.2 are their position: revision and ordinal in base 36. */
const LEGACY_ID = /^evt_([0-9a-z]{9})([0-9a-z]{4})$/

function legacyId({ revision, ordinal }: EventPosition): string {
  return `evt_${revision.toString(36).padStart(9, '0')}${ordinal.toString(36).padStart(4, '0')}`
}

/** Undefined for an id of the current form. */
export function parseLegacyId(id: string): EventPosition | undefined {
  const [, revision, ordinal] = LEGACY_ID.exec(id) ?? []
  if (revision === undefined || ordinal === undefined) return undefined
  return { revision: Number.parseInt(revision, 36), ordinal: Number.parseInt(ordinal, 36) }
}

export type StoredEvent = EventPosition & {
  readonly id: string | null
  readonly type: string
  readonly subject: string
  /** JSON. */
  readonly data: string
  readonly createdAt: number
}

export const eventId = (event: Pick<StoredEvent, 'id' | keyof EventPosition>): string => event.id ?? legacyId(event)

/** An event as lists show it and webhooks carry it: the same text every time. */
export function eventJson(event: StoredEvent): string {
  const { type, createdAt, data } = event
  const id = eventId(event)
  return `{"id":"${id}","type":${JSON.stringify(type)},"timestamp":"${isoInstant(createdAt)}","data":${data}}`
}

/** The wire form as an object. */
export const presentEvent = (event: StoredEvent) => JSON.parse(eventJson(event)) as EventWire

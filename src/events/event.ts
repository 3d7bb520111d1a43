import { EVENT_ID, type EventData, type EventType, type EventWire } from '../contract/events.ts'
import { isoInstant } from '../lib/time.ts'

/** An event that is yet to be written, together with the change it tells of. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type
    /** Null where it is for every organization. */
    readonly organizationId: string | null
    /** What it is about. Events about the same are delivered one after the other. */
    readonly subject: string
    readonly data: EventData[Type]
    readonly createdAt: number
    /** Given where an event must be written only once, whoever writes it and however often. */
    readonly dedupeKey?: string
  }
}[EventType]

/** Where an event stands among all events, in the order of their commits. */
export type EventPosition = { readonly revision: number; readonly ordinal: number }

export const BEFORE_FIRST_EVENT: EventPosition = { revision: 0, ordinal: 0 }

const REVISION_LENGTH = 9
const ORDINAL_LENGTH = 4

/** The place as text that sorts as it does. */
export function eventId({ revision, ordinal }: EventPosition): string {
  return `evt_${toBase36(revision, REVISION_LENGTH)}${toBase36(ordinal, ORDINAL_LENGTH)}`
}

/** Undefined when it is no id of an event. */
export function parseEventId(id: string): EventPosition | undefined {
  if (!EVENT_ID.test(id)) return undefined
  return {
    revision: Number.parseInt(id.slice(4, 4 + REVISION_LENGTH), 36),
    ordinal: Number.parseInt(id.slice(4 + REVISION_LENGTH), 36),
  }
}

const toBase36 = (value: number, length: number) => value.toString(36).padStart(length, '0')

export type StoredEvent = EventPosition & {
  readonly type: string
  readonly subject: string
  /** JSON. */
  readonly data: string
  readonly createdAt: number
}

/** An event as lists show it and webhooks carry it: the same text every time. */
export function eventJson(event: StoredEvent): string {
  const { type, createdAt, data } = event
  const id = eventId(event)
  return `{"id":"${id}","type":${JSON.stringify(type)},"timestamp":"${isoInstant(createdAt)}","data":${data}}`
}

/** The wire form, for whoever reads fields of it. */
export const presentEvent = (event: StoredEvent) => JSON.parse(eventJson(event)) as EventWire

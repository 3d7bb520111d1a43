import type { ApiKey } from '../auth/auth-store.ts'
import { DAY_MS, isoInstant } from '../lib/time.ts'
import type { NewEvent } from './event.ts'

/** How long events are kept; their deliveries go with them. */
const EVENT_RETENTION_DAYS = 30
const EXPIRY_NOTICE_MS = 7 * DAY_MS

export type EventMaintenanceOptions = {
  readonly findExpiringKeys: (from: number, to: number) => Promise<readonly ApiKey[]>
  readonly writeEvents: (events: readonly NewEvent[]) => Promise<unknown>
  readonly deleteBefore: (before: number) => Promise<void>
  readonly now: () => number
}

/** Writes events for keys that expire soon and deletes old events. */
export async function maintainEvents(options: EventMaintenanceOptions): Promise<void> {
  const now = options.now()
  const keys = await options.findExpiringKeys(now, now + EXPIRY_NOTICE_MS)
  const events = keys.flatMap((key) => keyExpiringEvent(key, now) ?? [])
  if (events.length > 0) await options.writeEvents(events)
  await options.deleteBefore(now - EVENT_RETENTION_DAYS * DAY_MS)
}

/** One event per expiry date: a key whose expiry is moved gets another event. */
function keyExpiringEvent(
  { id, organizationId, name, tier, lastFour, expiresAt }: ApiKey,
  now: number,
): NewEvent | null {
  if (expiresAt === null) return null
  return {
    type: 'key.expiring',
    organizationId,
    subject: `key ${id}`,
    createdAt: now,
    dedupeKey: `key.expiring ${id} ${expiresAt}`,
    data: { key_id: id, name, tier, last_four: lastFour, expires_at: isoInstant(expiresAt) },
  }
}

import type { Key } from '../access/store.ts'
import { DAY_MS, HOUR_MS, isoInstant } from '../time.ts'
import type { NewEvent } from './event.ts'

/** How long events are kept; their deliveries go with them. */
const EVENT_DAYS = 30
const NOTICE_MS = 7 * DAY_MS

export type ChoreParts = {
  readonly expiringKeys: (from: number, to: number) => Promise<readonly Key[]>
  readonly write: (events: readonly NewEvent[]) => Promise<void>
  readonly forgetBefore: (before: number) => Promise<void>
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** What is done every hour by one process: telling of keys that end, and forgetting what is old. Returns how to stop. */
export function keepChores({ expiringKeys, write, forgetBefore, now, failed }: ChoreParts): () => void {
  async function look(): Promise<void> {
    const keys = await expiringKeys(now(), now() + NOTICE_MS)
    const events = keys.flatMap((key) => keyEvent(key, now()) ?? [])
    if (events.length > 0) await write(events)
    await forgetBefore(now() - EVENT_DAYS * DAY_MS)
  }
  const begin = () => void look().catch(failed)
  const timer = setInterval(begin, HOUR_MS)
  begin()
  return () => clearInterval(timer)
}

/** Told once for each end that a key has: one that is put off is told of again. */
function keyEvent({ id, organizationId, name, tier, lastFour, expiresAt }: Key, now: number): NewEvent | null {
  if (expiresAt === null) return null
  return {
    type: 'key.expiring',
    organizationId,
    subject: `key ${id}`,
    createdAt: now,
    once: `key.expiring ${id} ${expiresAt}`,
    data: { key_id: id, name, tier, last_four: lastFour, expires_at: isoInstant(expiresAt) },
  }
}

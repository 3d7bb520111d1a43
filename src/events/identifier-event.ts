import type { NewEvent } from './event.ts'
import type { OrganizationWatch } from './watch.ts'

/** Status of an identifier in a list or source before and after a change; null if it has none. */
export type IdentifierStatusChange = {
  readonly source: string
  readonly list: string | null
  readonly before: string | null
  readonly after: string | null
}

/** The events for the watches of an identifier; none if nothing changed. */
export const identifierChangedEvents = (
  watches: readonly OrganizationWatch[],
  change: IdentifierStatusChange,
  now: number,
): NewEvent[] => watches.flatMap((watch) => identifierChangedEvent(watch, change, now) ?? [])

function identifierChangedEvent(
  watch: OrganizationWatch,
  { source, list, before, after }: IdentifierStatusChange,
  now: number,
): NewEvent | null {
  if (before === after || watch.identifier === null || watch.identifierType === null) return null
  const change = before === null ? 'listed' : after === null ? 'cleared' : 'changed'
  return {
    type: 'identifier.status_changed',
    organizationId: watch.organizationId,
    subject: `identifier ${watch.subject}`,
    createdAt: now,
    data: {
      watch_id: watch.id,
      reference: watch.reference,
      identifier: watch.identifier,
      identifier_type: watch.identifierType,
      source,
      list,
      change,
      status_before: before,
      status_after: after,
      message: changeMessage(list === null ? `The source "${source}"` : `The list "${list}"`, change, after),
    },
  }
}

function changeMessage(source: string, change: 'listed' | 'changed' | 'cleared', after: string | null): string {
  if (change === 'cleared') return `${source} no longer reports it.`
  return change === 'listed' ? `${source} reports it now: ${after}.` : `${source} reports it otherwise now: ${after}.`
}

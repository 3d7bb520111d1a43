import type { NewEvent } from './event.ts'
import type { Watch } from './watch.ts'

/** What a list or a source said of an identifier before, and what it says now; null is nothing. */
export type IdentifierStatusChange = {
  readonly source: string
  readonly list: string | null
  readonly before: string | null
  readonly after: string | null
}

/** Tells whoever watches an identifier of a change; null where nothing changed. */
export function identifierChangedEvent(
  watch: Watch & { readonly organizationId: string },
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

function changeMessage(who: string, change: 'listed' | 'changed' | 'cleared', after: string | null): string {
  if (change === 'cleared') return `${who} no longer reports it.`
  return change === 'listed' ? `${who} reports it now: ${after}.` : `${who} reports it otherwise now: ${after}.`
}

import { BATCH_MAX_ITEMS, IDENTIFIER_TYPES, type IdentifierType } from '../contract/imei.ts'
import { DomainError, invalid } from '../errors.ts'
import { type Identifier, isUnreadable } from './identifier/identifier.ts'
import { readIdentifier } from './identifier/read.ts'

export type LookupRequest = {
  /** The identifier as it was sent; it is echoed. */
  readonly sent: string
  readonly identifier: Identifier
}

const TYPES: ReadonlyMap<string, IdentifierType> = new Map([
  ...IDENTIFIER_TYPES.map((type) => [type, type] as const),
  ['serial_number', 'serial'] as const,
])

/** Reads one lookup from a body or an item of a batch; `place` names it in a refusal. */
export function readLookupRequest(body: unknown, place = ''): LookupRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(place === '' ? 'body' : place.slice(0, -1), body, 'a JSON object with an identifier')
  }
  const { identifier: sent, identifier_type: type } = body as { identifier?: unknown; identifier_type?: unknown }
  if (typeof sent === 'number') {
    throw invalid(
      `${place}identifier`,
      sent,
      'text in quotation marks; a JSON number loses leading zeros and the digits beyond the fifteenth',
    )
  }
  if (typeof sent !== 'string') {
    throw invalid(`${place}identifier`, sent, 'an IMEI, MEID, ESN or serial number as text')
  }
  const declared = readType(type, `${place}identifier_type`)
  const identifier = readIdentifier(sent, declared)
  if (isUnreadable(identifier)) throw invalid(`${place}identifier`, sent, identifier.expected)
  return { sent, identifier }
}

function readType(type: unknown, field: string): IdentifierType | undefined {
  if (type === undefined || type === null) return undefined
  const known = typeof type === 'string' ? TYPES.get(type.trim().toLowerCase()) : undefined
  if (!known) throw invalid(field, type, `one of ${IDENTIFIER_TYPES.join(', ')}`)
  return known
}

/** The items of a batch, unread: each is accepted or refused for itself. */
export function readBatch(body: unknown): readonly unknown[] {
  const items = typeof body === 'object' && body !== null ? (body as { items?: unknown }).items : undefined
  if (!Array.isArray(items)) throw invalid('items', items, `an array of 1 to ${BATCH_MAX_ITEMS} lookups`)
  if (items.length < 1 || items.length > BATCH_MAX_ITEMS) {
    throw invalid('items', `${items.length} items`, `an array of 1 to ${BATCH_MAX_ITEMS} lookups`)
  }
  return items
}

/** What a batch counts for: every item, whether it turns out well or not. */
export function batchCost(body: unknown): number {
  const items = typeof body === 'object' && body !== null ? (body as { items?: unknown }).items : undefined
  return Array.isArray(items) ? Math.min(BATCH_MAX_ITEMS, Math.max(1, items.length)) : 1
}

export function readLookupRequests(items: readonly unknown[]): readonly (LookupRequest | DomainError)[] {
  return items.map((item, index) => {
    try {
      return readLookupRequest(item, `items[${index}].`)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'invalid') return error
      throw error
    }
  })
}

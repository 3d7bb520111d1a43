import type { IdentifierType } from '../contract/lookups.ts'
import { isDayInRange } from '../contract/values.ts'
import { DEFAULT_THRESHOLD_PERCENT, type WatchRequestWire, type WatchWire } from '../contract/watches.ts'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, endOfDay, isDay, isoInstant, isoInstantOrNull } from '../lib/time.ts'

export type Watch = {
  readonly id: string
  readonly kind: 'identifier' | 'variant'
  /** Normalized key of an identifier, or the id of a variant. */
  readonly subject: string
  readonly identifier: string | null
  readonly identifierType: IdentifierType | null
  readonly reference: string | null
  readonly thresholdPercent: number | null
  readonly lastCents: number | null
  readonly until: number | null
  readonly createdAt: number
}

export type OrganizationWatch = Watch & { readonly organizationId: string }

/**
 * Parses a watch request; the price of a variant is added by the caller. A watch of an identifier without end ends with the
 * retention of lookups, because an identifier is personal data.
 */
export function parseWatchRequest(
  request: WatchRequestWire,
  now: number,
  retentionDays: number,
): Omit<Watch, 'id' | 'createdAt'> {
  const isUnlimited = request.identifier === undefined || retentionDays === 0
  const defaultUntil = isUnlimited ? null : now + retentionDays * DAY_MS
  const until = request.until === undefined ? defaultUntil : parseUntil(request.until, now)
  const common = { reference: request.reference || null, until, lastCents: null }
  const { identifier: input, variant_id: variantId } = request
  if (input === undefined) {
    const thresholdPercent = request.threshold_percent ?? DEFAULT_THRESHOLD_PERCENT
    const variant = { subject: variantId ?? '', identifier: null, identifierType: null, thresholdPercent }
    return { ...common, kind: 'variant', ...variant }
  }
  const identifier = parseIdentifier(input, request.identifier_type)
  if (isInvalidIdentifier(identifier))
    throw invalid('identifier', input, identifier.expected, reason('not_an_identifier'))
  return {
    ...common,
    kind: 'identifier',
    subject: identifier.key,
    identifier: input,
    identifierType: identifier.type,
    thresholdPercent: null,
  }
}

/** A day counts until its end. */
function parseUntil(text: string, now: number): number {
  const isInRange = isDayInRange(text.slice(0, 10))
  const until = !isInRange
    ? Number.NaN
    : isDay(text)
      ? endOfDay(text)
      : text.length === 10
        ? Number.NaN
        : Date.parse(text)
  if (Number.isNaN(until))
    throw invalid(
      'until',
      text,
      'a day such as 2026-12-31 or an instant such as 2026-12-31T12:00:00Z',
      reason('not_a_day'),
    )
  if (until <= now) throw invalid('until', text, 'a time that is yet to come', reason('day_over'))
  return until
}

export function presentWatch(watch: Watch): WatchWire {
  return {
    id: watch.id,
    kind: watch.kind,
    identifier: watch.identifier,
    identifier_type: watch.identifierType,
    variant_id: watch.kind === 'variant' ? watch.subject : null,
    threshold_percent: watch.thresholdPercent,
    reference_price: watch.lastCents,
    until: isoInstantOrNull(watch.until),
    reference: watch.reference,
    created_at: isoInstant(watch.createdAt),
  }
}

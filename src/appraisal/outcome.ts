import type { AuditEntry } from '../auth/audit-store.ts'
import type { AppraisalDecision, FullAppraisalWire, StoredAppraisalWire } from '../contract/appraisal.ts'
import type { EventData } from '../contract/events.ts'
import type { DeclinedBy, OutcomeRequestWire, OutcomeStatus, OutcomeWire } from '../contract/outcome.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { NewEvent } from '../events/event.ts'
import { conflict, invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { addDays, dayIn, dayOf, isoInstant } from '../lib/time.ts'

export type Deal = { readonly price: number; readonly currency: string; readonly date: string }

/** `channel`: where it was sold; null if not recorded. */
export type Sale = Deal & { readonly channel: string | null }

/** Whether an appraised device was bought, sold or declined. */
export type Outcome = {
  readonly status: OutcomeStatus
  readonly bought: Deal | null
  readonly sold: Sale | null
  readonly declined: { readonly by: DeclinedBy | null; readonly date: string } | null
  readonly note: string | null
  /** Null unless bought. */
  readonly purchaseId: string | null
  /** Whether a person released a price that was held. */
  readonly isPriceReleased?: boolean
  /** Who recorded it first. */
  readonly createdBy: AuthorWire
  readonly updatedAt: number
}

/** The appraisal an outcome belongs to. */
export type AppraisedDevice = {
  readonly organizationId: string
  readonly appraisalId: string
  readonly decision: AppraisalDecision
  readonly reference: string | null
  readonly deviceId: string | null
}

type OutcomeContext = {
  readonly appraisalId: string
  /** Currency of a price that names none. */
  readonly currency: string
  readonly now: number
  readonly author: AuthorWire
  /** Name of the item of a batch in error messages. */
  readonly prefix: string
  /** The purchase that a device bought now belongs to. */
  readonly purchaseId: string | null
}

/** In some time zones it is already tomorrow. */
const MAX_DAYS_AHEAD = 1

/** The outcome after a request; the current one if nothing changes. A later request corrects an earlier one. */
export function nextOutcome(
  current: Outcome | null,
  request: OutcomeRequestWire,
  { appraisalId, currency, now, author, prefix, purchaseId }: OutcomeContext,
): Outcome {
  const { status, price = 0, declined_by: by } = request
  const date = request.date ?? current?.[status]?.date ?? dayIn(now, request.time_zone ?? 'UTC')
  if (date > addDays(dayOf(now), MAX_DAYS_AHEAD))
    throw invalid(`${prefix}date`, date, 'a day that is not in the future', reason('day_in_future'))
  const deal: Deal = { price, currency: request.currency ?? currency, date }
  const note = (request.note ?? current?.note) || null
  const bought = status === 'sold' ? (current?.bought ?? null) : status === 'bought' ? deal : null
  if (status === 'sold') {
    if (!bought) {
      const message = `Appraisal ${appraisalId} cannot be sold because it is not bought. Record the status "bought" with the price you paid first.`
      throw conflict(`${prefix}status`, message, reason('not_bought_yet'))
    }
    if (date < bought.date)
      throw invalid(
        `${prefix}date`,
        date,
        `a day on or after the purchase on ${bought.date}`,
        reason('day_before_purchase', { day: bought.date }),
      )
  }
  const next: Outcome = {
    status,
    bought,
    sold: status === 'sold' ? { ...deal, channel: request.channel ?? current?.sold?.channel ?? null } : null,
    declined: status === 'declined' ? { by: by ?? null, date } : null,
    note,
    purchaseId: status === 'declined' ? null : status === 'bought' ? purchaseId : (current?.purchaseId ?? null),
    // Another price is in doubt again.
    isPriceReleased:
      request.release_price ??
      (current?.isPriceReleased === true && isSamePrice(current, bought, status === 'sold' ? deal : null)),
    createdBy: current?.createdBy ?? author,
    updatedAt: now,
  }
  return current && isSameOutcome(current, next) ? current : next
}

const isSamePrice = (current: Outcome, bought: Deal | null, sold: Deal | null) =>
  [
    [current.bought, bought],
    [current.sold, sold],
  ].every(([before, after]) => before?.price === after?.price && before?.currency === after?.currency)

const isSameOutcome = (left: Outcome, right: Outcome) =>
  JSON.stringify({ ...presentOutcome(left), updated_at: '' }) ===
  JSON.stringify({ ...presentOutcome(right), updated_at: '' })

export function presentOutcome({
  status,
  bought,
  sold,
  declined,
  note,
  purchaseId,
  isPriceReleased,
  createdBy,
  updatedAt,
}: Outcome): OutcomeWire {
  const deal = (value: Deal | null) => value && { price: value.price, currency: value.currency, date: value.date }
  return {
    status,
    bought: deal(bought),
    sold: sold && { price: sold.price, currency: sold.currency, date: sold.date, channel: sold.channel },
    declined: declined && { by: declined.by, date: declined.date },
    note,
    purchase_id: purchaseId,
    ...(isPriceReleased && { price_released: true as const }),
    created_by: createdBy,
    updated_at: isoInstant(updatedAt),
  }
}

export const withOutcome = (appraisal: StoredAppraisalWire, outcome: Outcome | null): FullAppraisalWire => ({
  ...appraisal,
  outcome: outcome && presentOutcome(outcome),
})

export function outcomeEvent(
  device: AppraisedDevice,
  before: Outcome | null,
  after: Outcome | null,
  now: number,
): NewEvent {
  const { organizationId, appraisalId, reference, deviceId } = device
  const common = { organizationId, subject: `appraisal ${appraisalId}`, createdAt: now }
  const appraisal = { appraisal_id: appraisalId, reference, device_id: deviceId }
  if (after === null) return { type: 'appraisal.reopened', ...common, data: appraisal }
  const correction = before !== null && before.status === after.status
  if (after.declined) {
    const data = { ...appraisal, declined_by: after.declined.by, date: after.declined.date, correction }
    return { type: 'appraisal.declined', ...common, data }
  }
  const bought = after.bought as Deal
  if (!after.sold) {
    // A revoked sale makes the device bought again, which corrects the earlier event.
    const data = { ...appraisal, ...bought, correction: before !== null }
    return { type: 'appraisal.bought', ...common, data }
  }
  const data: EventData['appraisal.sold'] = {
    ...appraisal,
    price: after.sold.price,
    currency: after.sold.currency,
    date: after.sold.date,
    bought_price: bought.price,
    bought_currency: bought.currency,
    bought_date: bought.date,
    correction,
  }
  return { type: 'appraisal.sold', ...common, data }
}

/** Audit entry with the outcome before and after. */
export function outcomeAudit(appraisalId: string, before: Outcome | null, after: Outcome | null): AuditEntry {
  return {
    action: after ? 'appraisal.outcome_recorded' : 'appraisal.outcome_removed',
    subject: appraisalId,
    detail: {
      ...(after ? { status: after.status, ...dealDetail(after) } : {}),
      ...(before ? { before: Object.values({ status: before.status, ...dealDetail(before) }).join(' ') } : {}),
    },
  }
}

function dealDetail({ status, bought, sold, declined }: Outcome): Record<string, string> {
  const deal = status === 'sold' ? sold : bought
  if (deal) return { price: String(deal.price), currency: deal.currency, date: deal.date }
  return { ...(declined?.by ? { by: declined.by } : {}), date: declined?.date ?? '' }
}

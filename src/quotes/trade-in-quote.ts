import type { Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defects.ts'
import type { DeviceKind } from '../contract/device-kinds.ts'
import type { Language } from '../contract/languages.ts'
import type {
  QUOTE_CHANNELS,
  QuoteContactWire,
  QuoteEntryWire,
  QuoteOfferWire,
  QuoteSettlementWire,
  QuoteState,
  QuoteWire,
} from '../contract/quotes.ts'
import type { AuthorWire } from '../contract/values.ts'
import { conflict, type DomainError } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'

/** What a customer states about a device. */
export type QuoteAnswers = {
  readonly deviceId: string
  readonly variantId: string | null
  readonly attributes: Readonly<Record<string, string>>
  readonly condition: Condition
  readonly defects: readonly DefectCode[]
}

/** A device as described, and what is offered for it. */
export type QuotedDevice = {
  readonly answers: QuoteAnswers
  /** With the stated attributes. */
  readonly deviceName: string
  readonly deviceKind: DeviceKind | null
  readonly offer: QuoteOfferWire
  readonly currency: string
  readonly sample: boolean
  readonly sharePercent: number
}

export type Quote = QuotedDevice & {
  readonly organizationId: string
  readonly id: string
  /** Changes with each change of the quote. */
  readonly revision: number
  readonly createdAt: number
  /** Whether the customer kept the price. */
  readonly isKept: boolean
  readonly channel: (typeof QUOTE_CHANNELS)[number]
  /** As stored: an open quote may be over. */
  readonly state: QuoteState
  readonly language: Language
  readonly contact: QuoteContactWire | null
  readonly validUntil: number
  readonly arrivedAt: number | null
  readonly arrivedBy: AuthorWire | null
  readonly endedAt: number | null
  readonly note: string | null
  readonly settlement: QuoteSettlementWire | null
}

/** The state at this moment: what is over is expired before a job says so. */
export const stateAt = ({ state, validUntil }: Pick<Quote, 'state' | 'validUntil'>, now: number): QuoteState =>
  state === 'open' && validUntil < now ? 'expired' : state

const NEXT: Readonly<Record<QuoteState, readonly QuoteState[]>> = {
  open: ['arrived', 'bought', 'declined', 'expired', 'cancelled'],
  arrived: ['bought', 'declined', 'expired', 'cancelled'],
  bought: [],
  declined: [],
  expired: [],
  cancelled: [],
}

/** Whether the change has an effect; throws if the quote is over. */
export function requireChange(quote: Quote, to: QuoteState, now: number): boolean {
  const state = stateAt(quote, now)
  if (state === to) return false
  if (!NEXT[state].includes(to)) throw overError(quote, state)
  return true
}

const OVER: Readonly<Record<Exclude<QuoteState, 'open'>, string>> = {
  arrived: 'is at the counter already',
  bought: 'was used: the device was bought',
  declined: 'was declined',
  expired: 'has expired',
  cancelled: 'was cancelled',
}

/** Throws unless an appraisal may settle the quote; one that was bought is bought once. */
export function requireSettleable(quote: Quote, to: 'arrived' | 'bought' | 'declined', now: number): void {
  if (!requireChange(quote, to, now) && to !== 'arrived') throw overError(quote, to)
}

function overError({ id, validUntil, endedAt }: Quote, state: QuoteState): DomainError {
  const day = isoInstant(endedAt ?? validUntil).slice(0, 10)
  const text = state === 'open' ? 'is open' : OVER[state]
  return conflict('state', `Quote ${id} ${text} (${day}).`, reason('quote_over', { quote: id, state, day }))
}

export function presentQuoteEntry(quote: Quote, now: number): QuoteEntryWire {
  const { answers } = quote
  const state = stateAt(quote, now)
  return {
    quote_id: quote.id,
    state,
    channel: quote.channel,
    created_at: isoInstant(quote.createdAt),
    valid_until: isoInstant(quote.validUntil),
    device_id: answers.deviceId,
    device_name: quote.deviceName,
    device_kind: quote.deviceKind,
    variant_id: answers.variantId,
    attributes: answers.attributes,
    condition: answers.condition,
    defects: [...answers.defects],
    offer: quote.offer,
    currency: quote.currency,
    sample: quote.sample,
    share_percent: quote.sharePercent,
    language: quote.language,
    arrived_at: isoInstantOrNull(quote.arrivedAt),
    arrived_by: quote.arrivedBy,
    ended_at: isoInstantOrNull(quote.endedAt ?? (state === 'expired' ? quote.validUntil : null)),
    note: quote.note,
    settlement: quote.settlement,
  }
}

export const presentQuote = (quote: Quote, now: number): QuoteWire => ({
  ...presentQuoteEntry(quote, now),
  contact: quote.contact,
})

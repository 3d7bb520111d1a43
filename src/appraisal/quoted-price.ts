import type { AppraisalWire } from '../contract/appraisal.ts'
import type { QuoteAtCounterWire } from '../contract/quotes.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { RecordWrites } from '../records/record-store.ts'

/** What the counter found about the device of a quote. */
export type CounterFindings = Pick<AppraisalWire, 'identity' | 'defects' | 'risk' | 'currency'> & {
  readonly offer: Pick<AppraisalWire['offer'], 'decision' | 'condition' | 'reasons'>
}

/** Quotes of customers, as the counter meets them. */
export type QuotesAtCounter = {
  /** The answers of the customer beside what the counter found; throws if there is no such quote. */
  readonly compare: (
    organizationId: string,
    quoteId: string,
    found: CounterFindings,
    now: number,
  ) => Promise<QuoteAtCounterWire>
  /** What the appraisal writes to the quote; throws if it is over. */
  readonly settle: (
    organizationId: string,
    compared: QuoteAtCounterWire,
    deal: {
      readonly appraisalId: string
      readonly state: 'arrived' | 'bought' | 'declined'
      readonly paid: number | null
    },
    author: AuthorWire,
    now: number,
  ) => Promise<RecordWrites>
}

/** Whether this amount is what the customer was promised: nobody has to approve it then. */
export const isPromised = (
  quote: QuoteAtCounterWire | null,
  { agreed_offer: agreed, currency }: Pick<AppraisalWire, 'agreed_offer' | 'currency'>,
): boolean =>
  quote?.price_held === true && quote.price !== null && quote.currency === currency && (agreed ?? 0) <= quote.price

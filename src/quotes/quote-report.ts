/** What became of the quotes of a period, and what holding their prices cost. */

import type { QuoteReportWire } from '../contract/quote-report.ts'
import type { QuoteDifferenceWire } from '../contract/quotes.ts'
import { type Quote, stateAt } from './trade-in-quote.ts'

/** Reasons that are listed. */
const MAX_REASONS = 50

type Reason = Pick<QuoteDifferenceWire, 'kind' | 'said' | 'is'> & { count: number; bought: number }

export function createQuoteReport(now: number) {
  const states = { open: 0, arrived: 0, bought: 0, declined: 0, expired: 0, cancelled: 0 }
  const counts = { kept: 0, arrived: 0, price_held: 0, requoted: 0, requotes_bought: 0 }
  const reasons = new Map<string, Reason>()
  const money = new Map<string, { bought: number; quoted: number; paid: number; held_cost: number }>()

  return {
    add(quote: Quote): void {
      counts.kept++
      states[stateAt(quote, now)]++
      if (quote.arrivedAt !== null || quote.settlement) counts.arrived++
      const { settlement } = quote
      if (!settlement) return
      const isBought = settlement.paid !== null
      if (settlement.price_held) counts.price_held++
      else if (settlement.differences.length > 0) {
        counts.requoted++
        if (isBought) counts.requotes_bought++
      }
      for (const { kind, said, is } of settlement.differences) {
        const key = JSON.stringify([kind, said, is])
        const reason = reasons.get(key) ?? { kind, said, is, count: 0, bought: 0 }
        reasons.set(key, { ...reason, count: reason.count + 1, bought: reason.bought + Number(isBought) })
      }
      if (!isBought) return
      const sums = money.get(quote.currency) ?? { bought: 0, quoted: 0, paid: 0, held_cost: 0 }
      money.set(quote.currency, {
        bought: sums.bought + 1,
        quoted: sums.quoted + (quote.offer.price ?? 0),
        paid: sums.paid + (settlement.paid ?? 0),
        held_cost: sums.held_cost + (settlement.price_held ? settlement.held_cost : 0),
      })
    },

    result: (from: string, to: string): QuoteReportWire => ({
      from,
      to,
      ...counts,
      states: { ...states },
      reasons: [...reasons.values()].sort((a, b) => b.count - a.count).slice(0, MAX_REASONS),
      money: [...money].map(([currency, sums]) => ({ currency, ...sums })),
    }),
  }
}

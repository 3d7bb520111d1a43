import type { Variant } from '../../catalog/device.ts'
import { estimateDevice, type Markets } from '../engine/estimate.ts'
import type { DeviceFacts } from '../engine/observation.ts'
import { configurationOf } from '../market/configuration.ts'
import type { VariantObservation } from './device-quotes.ts'
import { firstDay, history, type PricePoint, periodsBefore, weeksOf } from './history.ts'
import type { Quote, SideQuote } from './quote.ts'

/** What a device was seen for before the weeks that its quotes hold. */
export type Past = {
  readonly markets: Markets
  readonly facts: DeviceFacts
  /** The real observations between two instants. */
  readonly read: (since: number, until: number) => Promise<readonly VariantObservation[]>
}

type Points = { readonly resale: readonly PricePoint[]; readonly buyback: readonly PricePoint[] }

/** The quote of a variant with so many days of history; `past` is null for a device nobody has observed. */
export async function withHistory(
  quote: Quote,
  variant: Variant,
  { days, now }: { readonly days: number; readonly now: number },
  past: Past | null,
): Promise<Quote> {
  const weeks = weeksOf(days)
  const first = firstDay(now, weeks)
  const older: Points[] = []
  if (past) {
    for (const { since, until, weeks: count } of periodsBefore(now, weeks)) {
      const rows = await past.read(since, until)
      if (rows.some((row) => isOf(row, variant))) older.unshift(seenIn(past, rows, variant, until, count))
    }
  }
  const long = <Side extends SideQuote>(side: Side, points: (of: Points) => readonly PricePoint[]): Side => ({
    ...side,
    history: [...older.flatMap(points), ...side.history.filter(({ date }) => date >= first)],
  })
  return {
    ...quote,
    resale: long(quote.resale, ({ resale }) => resale),
    buyback: long(quote.buyback, ({ buyback }) => buyback),
  }
}

const isOf = ({ exactVariantId, variantId }: VariantObservation, variant: Variant) =>
  exactVariantId === null ? variantId === configurationOf(variant) : exactVariantId === variant.id

/** Each period is read as of its end: what was junk is told by the prices of that time, not by today's. */
function seenIn(
  { markets, facts }: Past,
  rows: readonly VariantObservation[],
  variant: Variant,
  until: number,
  weeks: number,
): Points {
  const at = facts.variants.findIndex(({ variantId }) => variantId === configurationOf(variant))
  const { resale, buyback } = estimateDevice(markets, facts, rows, until)
  return { resale: history(resale, at, weeks), buyback: history(buyback, at, weeks) }
}

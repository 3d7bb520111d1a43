import type { Variant } from '../../catalog/device.ts'
import { configurationOf } from '../configuration.ts'
import { estimateDevice, type FittedMarkets } from '../model/estimate.ts'
import type { DeviceInput } from '../model/observation.ts'
import { withoutQuarantined } from '../model/source-quarantine.ts'
import type { VariantObservation } from './device-quotes.ts'
import { earlierPeriods, historyStart, type PricePoint, weeklyHistory, weeksInDays } from './history.ts'
import type { Quote, SideQuote } from './quote.ts'

/** Observations of a device from before the weeks that its quotes contain. */
export type EarlierObservations = {
  readonly markets: FittedMarkets
  readonly facts: DeviceInput
  /** The real observations between two instants. */
  readonly read: (since: number, until: number) => Promise<readonly VariantObservation[]>
}

type SidePoints = { readonly resale: readonly PricePoint[]; readonly buyback: readonly PricePoint[] }

/** Extends the history of a quote to this many days; `past` is null for an unobserved device. */
export async function extendHistory(
  quote: Quote,
  variant: Variant,
  { days, now }: { readonly days: number; readonly now: number },
  earlier: EarlierObservations | null,
): Promise<Quote> {
  const weeks = weeksInDays(days)
  const firstDay = historyStart(now, weeks)
  const earlierPoints: SidePoints[] = []
  if (earlier) {
    for (const { since, until, weeks: count } of earlierPeriods(now, weeks)) {
      const rows = await earlier.read(since, until)
      if (rows.some((row) => isOfVariant(row, variant)))
        earlierPoints.unshift(pointsOfPeriod(earlier, rows, variant, until, count))
    }
  }
  const extended = <Side extends SideQuote>(
    side: Side,
    points: (period: SidePoints) => readonly PricePoint[],
  ): Side => ({
    ...side,
    history: [...earlierPoints.flatMap(points), ...side.history.filter(({ date }) => date >= firstDay)],
  })
  return {
    ...quote,
    resale: extended(quote.resale, ({ resale }) => resale),
    buyback: extended(quote.buyback, ({ buyback }) => buyback),
  }
}

const isOfVariant = ({ exactVariantId, variantId }: VariantObservation, variant: Variant) =>
  exactVariantId === null ? variantId === configurationOf(variant) : exactVariantId === variant.id

/** Each period is evaluated as of its end: outliers are judged by the prices of that time, not of today. */
function pointsOfPeriod(
  { markets, facts }: EarlierObservations,
  rows: readonly VariantObservation[],
  variant: Variant,
  until: number,
  weeks: number,
): SidePoints {
  const variantIndex = facts.variants.findIndex(({ variantId }) => variantId === configurationOf(variant))
  const { resale, buyback } = estimateDevice(markets, facts, withoutQuarantined(markets, facts, rows, until), until)
  return { resale: weeklyHistory(resale, variantIndex, weeks), buyback: weeklyHistory(buyback, variantIndex, weeks) }
}

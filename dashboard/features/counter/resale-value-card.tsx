import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import { formatAmount } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { GradePrices } from '../devices/grade-prices.tsx'
import { PRICE_SOURCE_LABELS } from '../devices/price-source-labels.ts'

/** Resale price per grade with its 80 % range, and the trade-in price. */
export function ResaleValueCard({ preview, grade }: { preview: AppraisalPreviewWire; grade: Condition | null }) {
  const { grades, currency, offer } = preview
  const source = offer.source ? PRICE_SOURCE_LABELS[offer.source] : null
  const format = (amount: number | null) => formatAmount(amount, currency, true)
  return (
    <Card
      title="Resale value"
      action={source ? <Badge tone={source.tone}>{offer.source}</Badge> : undefined}
      note={source ? `Prices are ${source.text}. Confidence ${offer.market_confidence} of 100.` : undefined}
    >
      {grades.every(({ resale }) => resale === null) ? (
        <EmptyState title="No price available" />
      ) : (
        <GradePrices
          format={format}
          chosen={grade}
          rows={grades.map(({ condition, resale, buyback }) => {
            const range = resale ? `${format(resale.low)} – ${format(resale.high)}` : '–'
            const paid = buyback ? ` · trade-in ${format(buyback.amount)}` : ''
            return { grade: condition, amount: resale?.amount ?? null, range: resale, text: range + paid }
          })}
        />
      )}
    </Card>
  )
}

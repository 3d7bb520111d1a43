import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import { formatAmount } from '../../format.ts'
import { Badge, Card, EmptyState } from '../../ui/basics.tsx'
import { GradePrices } from '../devices/grade-prices.tsx'
import { PRICE_SOURCE_LABELS } from '../devices/price-source-labels.ts'

/** What it sells for in each grade, with the range that eight of ten deals fall into, and what a trade-in pays. */
export function ResaleValueCard({ preview, grade }: { preview: AppraisalPreviewWire; grade: Condition | null }) {
  const { grades, currency, offer } = preview
  const source = offer.source ? PRICE_SOURCE_LABELS[offer.source] : null
  const said = (amount: number | null) => formatAmount(amount, currency, true)
  return (
    <Card
      title="What is it worth?"
      action={source ? <Badge tone={source.tone}>{offer.source}</Badge> : undefined}
      note={source ? `The numbers are ${source.text}. Confidence ${offer.market_confidence} of 100.` : undefined}
    >
      {grades.every(({ resale }) => resale === null) ? (
        <EmptyState title="There is no basis for a price" />
      ) : (
        <GradePrices
          said={said}
          chosen={grade}
          rungs={grades.map(({ condition, resale, buyback }) => {
            const range = resale ? `${said(resale.low)} – ${said(resale.high)}` : '–'
            const paid = buyback ? ` · trade-ins pay ${said(buyback.amount)}` : ''
            return { grade: condition, amount: resale?.amount ?? null, range: resale, text: range + paid }
          })}
        />
      )}
    </Card>
  )
}

import type { AppraisalPreviewWire } from '../../src/contract/appraisal.ts'
import type { Condition } from '../../src/contract/grades.ts'
import { Badge, Card, Empty, type Tone } from '../parts/basics.tsx'
import { RangeBar } from '../parts/range-bar.tsx'
import { amountIn } from '../words.ts'

const SOURCES: Readonly<Record<NonNullable<AppraisalPreviewWire['offer']['source']>, { tone: Tone; text: string }>> = {
  market: { tone: 'good', text: 'From observed deals.' },
  estimate: { tone: 'warn', text: 'Estimated: nobody observed a deal of this variant.' },
  sample: { tone: 'violet', text: 'Estimated from launch price and age; sample data is on.' },
}

/** What it sells for in each grade, with the range that eight of ten deals fall into, and what a trade-in pays. */
export function WorthCard({ preview, grade }: { preview: AppraisalPreviewWire; grade: Condition | null }) {
  const { grades, currency, offer } = preview
  const source = offer.source ? SOURCES[offer.source] : null
  const most = Math.max(1, ...grades.map(({ resale }) => resale?.high ?? 0))
  return (
    <Card
      title="What is it worth?"
      action={source ? <Badge tone={source.tone}>{offer.source}</Badge> : undefined}
      note={source ? `${source.text} Confidence ${offer.market_confidence} of 100.` : undefined}
    >
      {grades.every(({ resale }) => resale === null) ? (
        <Empty title="There is no basis for a price" />
      ) : (
        <div className="ladder">
          {grades.map(({ condition, resale, buyback }, i) => (
            <div key={condition} className={condition === grade ? 'rung rung-chosen' : 'rung'}>
              <span className="rung-name">{condition}</span>
              <span className="rung-price">{amountIn(resale?.amount ?? null, currency, true)}</span>
              <span className="rung-range">
                {resale ? (
                  <RangeBar value={resale.amount} low={resale.low} high={resale.high} most={most} tone={i} />
                ) : null}
              </span>
              <span className="rung-text soft">
                {resale ? `${amountIn(resale.low, currency, true)} – ${amountIn(resale.high, currency, true)}` : '–'}
                {buyback ? ` · trade-ins pay ${amountIn(buyback.amount, currency, true)}` : ''}
              </span>
            </div>
          ))}
        </div>
      )}
    </Card>
  )
}

import type { AppraisalPreviewWire } from '../../src/contract/appraisal.ts'
import type { Condition } from '../../src/contract/grades.ts'
import { Badge, Card, Empty } from '../parts/basics.tsx'
import { SOURCES } from '../price/block-words.ts'
import { GradeLadder } from '../price/ladder.tsx'
import { amountIn } from '../words.ts'

/** What it sells for in each grade, with the range that eight of ten deals fall into, and what a trade-in pays. */
export function WorthCard({ preview, grade }: { preview: AppraisalPreviewWire; grade: Condition | null }) {
  const { grades, currency, offer } = preview
  const source = offer.source ? SOURCES[offer.source] : null
  const said = (amount: number | null) => amountIn(amount, currency, true)
  return (
    <Card
      title="What is it worth?"
      action={source ? <Badge tone={source.tone}>{offer.source}</Badge> : undefined}
      note={source ? `The numbers are ${source.text}. Confidence ${offer.market_confidence} of 100.` : undefined}
    >
      {grades.every(({ resale }) => resale === null) ? (
        <Empty title="There is no basis for a price" />
      ) : (
        <GradeLadder
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

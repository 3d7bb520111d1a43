import type { Condition } from '../../../src/contract/condition-grades.ts'
import { RangeBar } from '../../ui/range-bar.tsx'

/** What one grade is worth: an amount and, where there is one, the range that eight of ten deals fall into. */
type GradePriceRow = {
  readonly grade: Condition
  readonly amount: number | null
  readonly range: { readonly low: number; readonly high: number } | null
  readonly text: string
}

/** Prices by grade, from the best to the worst, on one scale. */
export function GradePrices({
  rungs,
  said,
  chosen,
}: {
  rungs: readonly GradePriceRow[]
  /** How an amount is written. */
  said: (amount: number | null) => string
  chosen?: Condition | null
}) {
  const most = Math.max(1, ...rungs.map(({ range }) => range?.high ?? 0))
  return (
    <div className="ladder">
      {rungs.map(({ grade, amount, range, text }, i) => (
        <div key={grade} className={grade === chosen ? 'rung rung-chosen' : 'rung'}>
          <span className="rung-name">{grade}</span>
          <span className="rung-price">{said(amount)}</span>
          <span className="rung-range">
            {amount !== null && range ? (
              <RangeBar value={amount} low={range.low} high={range.high} most={most} tone={i} />
            ) : null}
          </span>
          <span className="rung-text soft">{text}</span>
        </div>
      ))}
    </div>
  )
}

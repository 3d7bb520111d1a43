import type { Condition } from '../../../src/contract/condition-grades.ts'
import { codeTexts } from '../../codes.ts'
import { RangeBar } from '../../ui/range-bar.tsx'

type GradePriceRow = {
  readonly grade: Condition
  readonly amount: number | null
  readonly range: { readonly low: number; readonly high: number } | null
  readonly text: string
}

/** Prices by grade with their ranges on one scale, best grade first. */
export function GradePrices({
  rows,
  format,
  chosen,
}: {
  rows: readonly GradePriceRow[]
  format: (amount: number | null) => string
  chosen?: Condition | null
}) {
  const max = Math.max(1, ...rows.map(({ range }) => range?.high ?? 0))
  return (
    <div className="grade-prices">
      {rows.map(({ grade, amount, range, text }, i) => (
        <div key={grade} className={grade === chosen ? 'grade-price grade-price-chosen' : 'grade-price'}>
          <span className="grade-price-name">{codeTexts().gradeName(grade)}</span>
          <span className="grade-price-amount">{format(amount)}</span>
          <span className="grade-price-range">
            {range ? <RangeBar value={amount} low={range.low} high={range.high} max={max} tone={i} /> : null}
          </span>
          <span className="grade-price-text muted">{text}</span>
        </div>
      ))}
    </div>
  )
}

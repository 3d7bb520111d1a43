import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLot, type Lot } from '../../../src/lists/lot.ts'
import { readAmountText } from '../../amount-text.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { type AppraisedRow, isWorthAsking } from './appraised-row.ts'

/** What the supplier's prices bring, and the best choice for a budget. */
export function LotCard({
  rows,
  currency,
  show,
}: {
  rows: readonly AppraisedRow[]
  currency: string
  /** Shows only the rows of the lot; null shows all. */
  show: (lines: ReadonlySet<number> | null) => void
}) {
  const { t } = useTranslation('appraise-list')
  const [budget, setBudget] = useState('')
  const [isShown, setShown] = useState(false)
  const money = (amount: number) => formatAmount(amount, currency, true)
  const asked = rows.filter(({ asking }) => asking !== null)
  const worthwhile = useMemo(() => rows.filter(isWorthAsking), [rows])
  const amount = readAmountText(budget, currency) ?? 0
  const lot = useMemo(() => (amount > 0 ? chooseLot(worthwhile.map(toLotRow), amount) : null), [worthwhile, amount])
  const sum = (list: readonly AppraisedRow[], read: (row: AppraisedRow) => number) =>
    list.reduce((total, row) => total + row.quantity * read(row), 0)
  const toggleShown = () => {
    show(isShown || !lot ? null : new Set(lot.counts.keys()))
    setShown(!isShown)
  }
  return (
    <Card title={t('lot.title')} note={t('lot.note')}>
      <dl className="figures">
        <Fact name={t('lot.asked')} note={t('lot.devices', { count: sum(asked, () => 1) })}>
          {money(sum(asked, ({ asking }) => asking ?? 0))}
        </Fact>
        <Fact name={t('lot.worthwhile')} note={t('lot.devices', { count: sum(worthwhile, () => 1) })}>
          {money(sum(worthwhile, ({ asking }) => asking ?? 0))}
        </Fact>
        <Fact name={t('lot.profit')} note={t('lot.profitNote')}>
          {money(sum(worthwhile, ({ profitAtAsking }) => profitAtAsking ?? 0))}
        </Fact>
      </dl>
      <div className="lot-budget">
        <TextField
          label={t('lot.budget', { currency })}
          inputMode="decimal"
          value={budget}
          onValueChange={(text) => {
            setBudget(text)
            setShown(false)
            show(null)
          }}
        />
        {lot ? (
          <p role="status">
            {lotText(lot)}{' '}
            <Button variant="link" onClick={toggleShown}>
              {t(isShown ? 'lot.showAll' : 'lot.show')}
            </Button>
          </p>
        ) : null}
      </div>
    </Card>
  )

  function lotText({ counts, cost, profit }: Lot): string {
    const count = [...counts.values()].reduce((total, each) => total + each, 0)
    return count === 0
      ? t('lot.none')
      : t('lot.best', { count, devices: formatCount(count), cost: money(cost), profit: money(profit) })
  }
}

const toLotRow = ({ line, asking, profitAtAsking, quantity }: AppraisedRow) => ({
  line,
  cost: asking ?? 0,
  profit: profitAtAsking ?? 0,
  quantity,
})

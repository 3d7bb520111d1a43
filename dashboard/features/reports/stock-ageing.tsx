import { useTranslation } from 'react-i18next'
import type { DealReportWire } from '../../../src/contract/deal-report.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'

/** How long the devices in stock have been there, and what they should bring. */
export function StockAgeing({ report: { ageing, in_stock: stock, currency } }: { report: DealReportWire }) {
  const { t } = useTranslation('reports')
  const money = (amount: number) => formatAmount(amount, currency)
  if (stock.count === 0) return null
  const most = Math.max(1, ...ageing.map(({ amount }) => amount))
  return (
    <Card title={t('ageing.title')} note={t('ageing.note')}>
      <DataTable
        label={t('ageing.title')}
        rows={ageing}
        rowKey={({ min_days: days }) => days}
        columns={[
          {
            title: t('ageing.age'),
            isRowName: true,
            className: 'nowrap',
            cell: ({ min_days: min, max_days: max }) =>
              max === null ? t('ageing.over', { days: min - 1 }) : t('ageing.between', { min, max }),
          },
          { title: t('ageing.devices'), className: 'number', cell: ({ count }) => formatCount(count) },
          {
            title: t('name.paid'),
            className: 'ageing-amount',
            cell: ({ amount, min_days: min }) => (
              <>
                <span className="ageing-sum">{money(amount)}</span>
                <span className="ageing-track" aria-hidden="true">
                  <span
                    className={min > 60 ? 'ageing-bar ageing-old' : 'ageing-bar'}
                    style={{ inlineSize: `${(100 * amount) / most}%` }}
                  />
                </span>
              </>
            ),
          },
          {
            title: t('ageing.expected'),
            className: 'number',
            cell: ({ count, expected_profit: profit }) => (count === 0 ? '–' : formatAmount(profit, currency, true)),
          },
        ]}
      />
    </Card>
  )
}

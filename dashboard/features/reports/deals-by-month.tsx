import { useTranslation } from 'react-i18next'
import type { DealReportWire } from '../../../src/contract/deal-report.ts'
import { formatAmount, formatCount, formatExactAmount, formatShortAmount, formatShortMonth } from '../../format.ts'
import { MonthBars } from '../../ui/charts/lazy-charts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { saleColumns } from './sale-columns.tsx'

const monthName = (month: string) => formatShortMonth(`${month}-01`)

export function DealsByMonth({ report: { months, currency } }: { report: DealReportWire }) {
  const { t } = useTranslation('reports')
  const money = (amount: number) => formatExactAmount(amount, currency)
  // Nine columns: cents would not fit a tablet.
  const rounded = (amount: number) => formatAmount(amount, currency, true)
  const short = (amount: number) => formatShortAmount(amount, currency)
  const withDeals = months
    .filter(({ bought, sold, declined }) => bought.count + sold.count + declined.count > 0)
    .toReversed()
  return (
    <Card title={t('months.title')} note={t('months.note', { currency })}>
      <MonthBars
        label={t('months.chart')}
        months={months.map(({ month }) => monthName(month))}
        format={money}
        formatShort={short}
        series={[
          { name: t('name.paid'), values: months.map(({ bought }) => bought.amount), colour: 0 },
          { name: t('name.received'), values: months.map(({ sold }) => sold.amount), colour: 2 },
          { name: t('name.margin'), values: months.map(({ sold }) => sold.profit), colour: 4 },
        ]}
      />
      <div className="cards-of-pairs month-table">
        <DataTable
          label={t('months.table')}
          rows={withDeals}
          rowKey={({ month }) => month}
          columns={[
            { title: t('name.month'), className: 'nowrap', cell: ({ month }) => monthName(month) },
            { title: t('name.bought'), className: 'number', cell: ({ bought }) => formatCount(bought.count) },
            { title: t('name.paid'), className: 'number', cell: ({ bought }) => rounded(bought.amount) },
            ...saleColumns(t, rounded),
            { title: t('name.declined'), className: 'number', cell: ({ declined }) => formatCount(declined.count) },
          ]}
        />
      </div>
    </Card>
  )
}

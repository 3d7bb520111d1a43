import type { TFunction } from 'i18next'
import type { DealReportWire } from '../../../src/contract/deal-report.ts'
import { formatCount } from '../../format.ts'
import type { Column } from '../../ui/data-table.tsx'

/** Columns of the sales of a month or of a group. */
export const saleColumns = (
  t: TFunction<'reports'>,
  money: (amount: number) => string,
): Column<Pick<DealReportWire['totals'], 'sold'>>[] => [
  { title: t('name.sold'), className: 'number', cell: ({ sold }) => formatCount(sold.count) },
  { title: t('name.received'), className: 'number', cell: ({ sold }) => money(sold.amount) },
  { title: t('name.margin'), className: 'number', cell: ({ sold }) => money(sold.profit) },
  {
    title: t('name.marginPercent'),
    className: 'number roomy-only',
    cell: ({ sold: { margin_percent: percent } }) => (percent === null ? '–' : `${formatCount(percent)} %`),
  },
  {
    title: t('name.daysHeld'),
    className: 'number roomy-only',
    cell: ({ sold: { median_days_held: days } }) => (days === null ? '–' : formatCount(days)),
  },
]

import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type DealReportWire, REPORT_GROUPS, type ReportGroup } from '../../../src/contract/deal-report.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { SegmentedControl } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { saleColumns } from './sale-columns.tsx'

/** Deals by employee, device or channel. */
export function DealsByGroup({
  report: { groups, currency },
  by,
  choose,
}: {
  report: DealReportWire
  by: ReportGroup
  choose: (by: ReportGroup) => void
}) {
  const { t } = useTranslation('reports')
  const money = (amount: number) => formatAmount(amount, currency, true)
  const hasPurchases = by !== 'channel'
  const purchaseColumns: Column<DealReportWire['groups'][number]>[] = [
    { title: t('name.bought'), className: 'number', cell: ({ bought }) => formatCount(bought.count) },
    { title: t('name.paid'), className: 'number', cell: ({ bought }) => money(bought.amount) },
  ]
  return (
    <Card
      title={t('groups.title')}
      action={
        <SegmentedControl
          label={t('groups.title')}
          options={REPORT_GROUPS.map((value) => ({ value, text: t(`groups.${value}`) }))}
          chosen={by}
          choose={choose}
        />
      }
    >
      {groups.length === 0 ? (
        <p className="muted">{t('noSales')}</p>
      ) : (
        <DataTable
          label={t('groups.title')}
          rows={groups}
          rowKey={({ key }) => key ?? ''}
          columns={[
            {
              title: t(`groups.${by}`),
              isRowName: true,
              cell: ({ key, name }) => {
                const text = name || (key === null ? t('groups.unknown') : t('unnamed'))
                return by === 'device' && key !== null ? (
                  <Link to={`/dashboard/devices/${key}`}>{name || key}</Link>
                ) : (
                  text
                )
              },
            },
            ...(hasPurchases ? purchaseColumns : []),
            ...saleColumns(t, money),
          ]}
        />
      )}
    </Card>
  )
}

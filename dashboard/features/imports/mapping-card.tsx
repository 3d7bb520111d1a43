import { useTranslation } from 'react-i18next'
import type { PricePreviewWire } from '../../../src/contract/uploads.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { PRICE_FIELDS } from './upload-labels.ts'
import { type ColumnMapping, withColumn } from './upload-options.ts'

/** Lets the user correct the detected field of each column. */
export function MappingCard({
  prices,
  mapping,
  change,
}: {
  prices: PricePreviewWire
  mapping: ColumnMapping
  change: (mapping: ColumnMapping) => void
}) {
  const { t } = useTranslation('imports')
  const { currency, side } = prices.implied
  const implies = currency && side ? 'both' : currency ? 'currency' : side ? 'side' : null
  const detected = implies && t(`columns.detected.${implies}`, { currency, side })
  const is = (...fields: string[]) => fields.some((field) => Object.values(mapping).includes(field))
  const hasPrice = is('amount', 'cents')
  const hasDevice = is('model', 'variant', 'sku', 'partNumber')
  const missing = hasPrice ? (hasDevice ? null : 'device') : hasDevice ? 'price' : 'both'
  // A list with a column per grade is read as one with these columns.
  const madeColumns: Readonly<Record<string, string>> = { condition: t('field.condition'), price: t('field.amount') }
  const columnName = (name: string, at: number) => madeColumns[name] ?? (name || t('columns.nth', { number: at + 1 }))
  return (
    <Card title={t('columns.title')} note={[t('columns.note'), detected].filter(Boolean).join(' ')}>
      {missing ? <p className="doubt">{t(`columns.missing.${missing}`)}</p> : null}
      <DataTable
        label={t('columns.title')}
        rows={prices.columns}
        rowKey={(_, at) => at}
        isMuted={({ name }) => !mapping[name]}
        columns={[
          { title: t('column.column'), cell: ({ name }, at) => columnName(name, at) },
          {
            title: t('column.field'),
            cell: ({ name }, at) => (
              <Select
                aria-label={t('columns.fieldFor', { name: columnName(name, at) })}
                value={mapping[name] ?? ''}
                options={[
                  ['', t('columns.ignore')],
                  ...PRICE_FIELDS.map((field) => [field, t(`field.${field}`)] as const),
                ]}
                onValueChange={(value) => change(withColumn(mapping, name, value || null))}
              />
            ),
          },
          {
            title: t('column.example'),
            className: 'muted upload-examples',
            cell: ({ examples }) => examples.join(' · ') || '–',
          },
        ]}
      />
    </Card>
  )
}

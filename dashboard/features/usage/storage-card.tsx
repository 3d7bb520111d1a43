import { useTranslation } from 'react-i18next'
import type { StoredAmountWire } from '../../../src/contract/storage.ts'
import { formatCount } from '../../format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'

/** Everything that the organization stores, beside its bounds. */
export function StorageCard({ storage }: { storage: readonly StoredAmountWire[] }) {
  const { t } = useTranslation('usage')
  return (
    <Card title={t('storage.title')} note={t('storage.note')}>
      <DataTable
        label={t('storage.title')}
        rows={storage}
        rowKey={({ kind }) => kind}
        columns={[
          { title: t('storage.kind'), cell: ({ kind }) => t(`storage.kinds.${kind}`) },
          { title: t('storage.used'), cell: ({ used }) => formatCount(used) },
          { title: t('storage.limit'), cell: ({ limit }) => formatCount(limit) },
        ]}
      />
    </Card>
  )
}

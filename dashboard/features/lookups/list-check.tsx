import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { LookupBatchItemWire } from '../../../src/contract/lookups.ts'
import { callApi } from '../../api.ts'
import { errorText } from '../../error-text.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { RiskBadge, statusText } from './risk-badge.tsx'
import type { ListedIdentifier } from './typed-imei.ts'

/** Small enough to show progress, large enough to be fast. */
const BATCH_SIZE = 100

type CheckedIdentifier = { readonly identifier: string; readonly item: LookupBatchItemWire }

/** Checks a pasted list in batches; results keep the order of the list. */
export function ListCheck({ identifiers, clear }: { identifiers: readonly ListedIdentifier[]; clear: () => void }) {
  const { t } = useTranslation('lookups')
  const [checked, setChecked] = useState<readonly CheckedIdentifier[]>([])
  const change = useApiMutation()
  const run = () =>
    change.mutate(async () => {
      setChecked([])
      for (let from = 0; from < identifiers.length; from += BATCH_SIZE) {
        const items = identifiers.slice(from, from + BATCH_SIZE)
        const { data } = await callApi('POST /api/imei/batch', { body: { items } })
        setChecked((before) => [
          ...before,
          ...data.map((item) => ({ identifier: items[item.index]?.identifier ?? '', item })),
        ])
      }
    })
  return (
    <Card
      title={t('list.title', { count: identifiers.length })}
      action={
        <span className="actions">
          <Button onClick={clear}>{t('list.clear')}</Button>
          <Button variant="primary" isBusy={change.isPending} onClick={run}>
            {t('list.checkAll')}
          </Button>
        </span>
      }
    >
      {change.isPending ? (
        <progress aria-label={t('list.progress')} value={checked.length} max={identifiers.length} />
      ) : null}
      <ErrorMessage error={change.error} />
      {checked.length > 0 ? <Results checked={checked} /> : null}
    </Card>
  )
}

function Results({ checked }: { checked: readonly CheckedIdentifier[] }) {
  const { t } = useTranslation('lookups')
  return (
    <DataTable
      label={t('list.results')}
      rows={checked}
      rowKey={({ identifier }) => identifier}
      columns={[
        {
          title: t('column.identifier'),
          cell: ({ identifier, item }) =>
            item.success ? <Link to={`/dashboard/lookups/${item.result.lookup_id}`}>{identifier}</Link> : identifier,
        },
        {
          title: t('column.risk'),
          cell: ({ item }) =>
            item.success ? <RiskBadge lookup={item.result} /> : <Badge tone="plain">{t('list.invalid')}</Badge>,
        },
        {
          title: t('column.device'),
          cell: ({ item }) =>
            item.success ? (item.result.device_match.matched_device_name ?? t('unknownDevice')) : errorText(item.error),
        },
        {
          title: t('column.blacklist'),
          cell: ({ item }) => (item.success ? statusText(item.result.blacklist_status) : '–'),
        },
      ]}
    />
  )
}

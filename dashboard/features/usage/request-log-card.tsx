import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UsageByKeyWire } from '../../../src/contract/usage.ts'
import { formatTime } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'

const STATUSES = [
  ['', 'all'],
  ['2', 'success'],
  ['4', 'client'],
  ['5', 'server'],
] as const
const SHOWN = 100

/** Requests of the last three days, without parameters or bodies. */
export function RequestLogCard({ keys, endpoints }: { keys: UsageByKeyWire['keys']; endpoints: readonly string[] }) {
  const { t } = useTranslation('usage')
  const [filter, setFilter] = useState({ key: '', endpoint: '', status: '', before: '' })
  const result = useOperation('GET /api/usage/requests', { query: filter })
  const choose = (name: 'key' | 'endpoint' | 'status') => (value: string) =>
    setFilter({ ...filter, before: '', [name]: value })
  const nameOf = (id: string) => (id === 'dashboard' ? t('dashboard') : (keys.find((key) => key.id === id)?.name ?? id))
  return (
    <Card title={t('log.title')} note={t('log.note')}>
      <p className="inline-actions">
        <Select
          aria-label={t('group.key_id')}
          value={filter.key}
          options={[
            ['', t('log.allKeys')],
            ['dashboard', t('dashboard')],
            ...keys.map((key) => [key.id, key.name] as const),
          ]}
          onValueChange={choose('key')}
        />
        <Select
          aria-label={t('group.endpoint')}
          value={filter.endpoint}
          options={[['', t('log.allEndpoints')], ...endpoints]}
          onValueChange={choose('endpoint')}
        />
        <Select
          aria-label={t('group.status')}
          value={filter.status}
          options={STATUSES.map(([value, name]) => [value, t(`log.status.${name}`)] as const)}
          onValueChange={choose('status')}
        />
      </p>
      <QueryView query={result} skeletonLines={6} empty={<EmptyState title={t('log.none')} />}>
        {(requests) => (
          <>
            <DataTable
              label={t('requests')}
              rows={requests}
              rowKey={(request) => request.id}
              columns={[
                { title: t('log.time'), className: 'nowrap', cell: ({ at }) => formatTime(at) },
                { title: t('group.key_id'), cell: (request) => nameOf(request.key_id) },
                {
                  title: t('log.request'),
                  cell: ({ method, endpoint }) => (
                    <code>
                      {method} {endpoint}
                    </code>
                  ),
                },
                {
                  title: t('group.status'),
                  cell: ({ status }) => (
                    <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
                  ),
                },
                { title: 'ms', cell: ({ ms }) => ms.toFixed(ms < 10 ? 2 : 0) },
                {
                  title: t('log.requestId'),
                  cell: (request) => <code className="muted">{request.request_id}</code>,
                },
              ]}
            />
            <p className="inline-actions">
              {filter.before ? (
                <Button onClick={() => setFilter({ ...filter, before: '' })}>{t('log.newest')}</Button>
              ) : null}
              {requests.length === SHOWN ? (
                <Button onClick={() => setFilter({ ...filter, before: requests.at(-1)?.id ?? '' })}>
                  {t('log.older')}
                </Button>
              ) : null}
            </p>
          </>
        )}
      </QueryView>
    </Card>
  )
}

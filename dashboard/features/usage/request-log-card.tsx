import { useState } from 'react'
import type { RequestLogEntryWire, UsageWire } from '../../../src/contract/dashboard.ts'
import { formatTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'

const STATUSES = [
  ['', 'All statuses'],
  ['2', 'Success'],
  ['4', 'Client error'],
  ['5', 'Server error'],
] as const
const SHOWN = 100

/** Requests of the last three days, without parameters or bodies. */
export function RequestLogCard({ keys, routes }: { keys: UsageWire['keys']; routes: readonly string[] }) {
  const [filter, setFilter] = useState({ key: '', route: '', status: '', before: '' })
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value))
  const result = useApiQuery<RequestLogEntryWire[]>(`/account/requests?${query}`)
  const choose = (name: 'key' | 'route' | 'status') => (event: { target: { value: string } }) =>
    setFilter({ ...filter, before: '', [name]: event.target.value })
  const nameOf = (id: string) => (id === 'dashboard' ? 'Dashboard' : (keys.find((key) => key.id === id)?.name ?? id))
  return (
    <Card title="Request log" note="Last three days. Query parameters and bodies are never logged.">
      <p className="inline-actions">
        <select aria-label="Key" value={filter.key} onChange={choose('key')}>
          <option value="">All keys</option>
          <option value="dashboard">Dashboard</option>
          {keys.map((key) => (
            <option key={key.id} value={key.id}>
              {key.name}
            </option>
          ))}
        </select>
        <select aria-label="Endpoint" value={filter.route} onChange={choose('route')}>
          <option value="">All endpoints</option>
          {routes.map((route) => (
            <option key={route}>{route}</option>
          ))}
        </select>
        <select aria-label="Status" value={filter.status} onChange={choose('status')}>
          {STATUSES.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </p>
      <QueryView query={result} skeletonLines={6}>
        {(requests) =>
          requests.length === 0 ? (
            <EmptyState title="No matching requests in the last three days" />
          ) : (
            <>
              <DataTable label="Requests" head={['Time', 'Key', 'Request', 'Status', 'ms', 'Request id']}>
                {requests.map((one) => (
                  <tr key={one.id}>
                    <td data-label="Time" className="nowrap">
                      {formatTime(one.at)}
                    </td>
                    <td data-label="Key">{nameOf(one.key_id)}</td>
                    <td data-label="Request">
                      <code>
                        {one.method} {one.route}
                      </code>
                    </td>
                    <td data-label="Status">
                      <Badge tone={one.status < 400 ? 'good' : one.status < 500 ? 'warn' : 'bad'}>{one.status}</Badge>
                    </td>
                    <td data-label="ms">{one.ms.toFixed(one.ms < 10 ? 2 : 0)}</td>
                    <td data-label="Request id">
                      <code className="muted">{one.request_id}</code>
                    </td>
                  </tr>
                ))}
              </DataTable>
              <p className="inline-actions">
                {filter.before ? <Button onClick={() => setFilter({ ...filter, before: '' })}>Newest</Button> : null}
                {requests.length === SHOWN ? (
                  <Button onClick={() => setFilter({ ...filter, before: requests.at(-1)?.id ?? '' })}>Older</Button>
                ) : null}
              </p>
            </>
          )
        }
      </QueryView>
    </Card>
  )
}

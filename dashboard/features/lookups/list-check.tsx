import { useState } from 'react'
import { Link } from 'wouter'
import type { LookupBatchItemWire } from '../../../src/contract/lookups.ts'
import { apiPost } from '../../api.ts'
import { pluralize } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { RiskBadge, statusText } from './risk-badge.tsx'

/** Small enough to show progress, large enough to be fast. */
const BATCH_SIZE = 100

type CheckedIdentifier = { readonly identifier: string; readonly item: LookupBatchItemWire }

/** Checks a pasted list in batches; results keep the order of the list. */
export function ListCheck({ identifiers, clear }: { identifiers: readonly string[]; clear: () => void }) {
  const [checked, setChecked] = useState<readonly CheckedIdentifier[]>([])
  const change = useApiMutation()
  const run = () =>
    change.mutate(async () => {
      setChecked([])
      for (let from = 0; from < identifiers.length; from += BATCH_SIZE) {
        const some = identifiers.slice(from, from + BATCH_SIZE)
        const items = some.map((identifier) => ({ identifier }))
        const { data } = await apiPost<LookupBatchItemWire[]>('/account/explore/imei/batch', { items })
        setChecked((before) => [...before, ...data.map((item) => ({ identifier: some[item.index] ?? '', item }))])
      }
    })
  return (
    <Card
      title={pluralize(identifiers.length, 'identifier')}
      action={
        <span className="page-actions">
          <Button onClick={clear}>Clear list</Button>
          <Button variant="primary" isBusy={change.isPending} onClick={run}>
            Check all
          </Button>
        </span>
      }
    >
      {change.isPending ? (
        <progress aria-label="Identifiers checked" value={checked.length} max={identifiers.length} />
      ) : null}
      {change.error ? <ErrorMessage error={change.error} /> : null}
      {checked.length > 0 ? <Results checked={checked} /> : null}
    </Card>
  )
}

function Results({ checked }: { checked: readonly CheckedIdentifier[] }) {
  return (
    <DataTable label="Results" head={['Identifier', 'Risk', 'Device', 'Blacklist']}>
      {checked.map(({ identifier, item }) => (
        <tr key={identifier}>
          <td data-label="Identifier">
            {item.success ? <Link to={`/dashboard/lookups/${item.result.lookup_id}`}>{identifier}</Link> : identifier}
          </td>
          <td data-label="Risk">
            {item.success ? <RiskBadge lookup={item.result} /> : <Badge tone="plain">Invalid</Badge>}
          </td>
          <td data-label="Device">
            {item.success ? (item.result.device_match.matched_device_name ?? 'Unknown device') : item.error.message}
          </td>
          <td data-label="Blacklist">{item.success ? statusText(item.result.blacklist_status) : '–'}</td>
        </tr>
      ))}
    </DataTable>
  )
}

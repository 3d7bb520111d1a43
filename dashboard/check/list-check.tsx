import { useState } from 'react'
import { Link } from 'wouter'
import type { BatchItemWire } from '../../src/contract/imei.ts'
import { useChange } from '../answers.ts'
import { LEVEL_TONES } from '../pages/lookup.tsx'
import { Badge, Button, Card, Problem } from '../parts/basics.tsx'
import { Table } from '../parts/table.tsx'
import { post } from '../service.ts'
import { plural, spoken } from '../words.ts'

/** Few enough that progress is seen, many enough that a long list is quick. */
const AT_A_TIME = 100

type Checked = { readonly identifier: string; readonly item: BatchItemWire }

/** Many at once: in the order of the list, the worst can be seen by its colour. */
export function ListCheck({ identifiers, clear }: { identifiers: readonly string[]; clear: () => void }) {
  const [checked, setChecked] = useState<readonly Checked[]>([])
  const change = useChange()
  const run = () =>
    change.mutate(async () => {
      setChecked([])
      for (let from = 0; from < identifiers.length; from += AT_A_TIME) {
        const some = identifiers.slice(from, from + AT_A_TIME)
        const items = some.map((identifier) => ({ identifier }))
        const { data } = await post<BatchItemWire[]>('/account/explore/imei/batch', { items })
        setChecked((before) => [...before, ...data.map((item) => ({ identifier: some[item.index] ?? '', item }))])
      }
    })
  return (
    <Card
      title={plural(identifiers.length, 'identifier')}
      action={
        <span className="page-actions">
          <Button onClick={clear}>Another list</Button>
          <Button look="main" busy={change.isPending} onClick={run}>
            Check all
          </Button>
        </span>
      }
    >
      {change.isPending ? (
        <progress aria-label="Checked so far" value={checked.length} max={identifiers.length} />
      ) : null}
      {change.error ? <Problem error={change.error} /> : null}
      {checked.length > 0 ? <Results checked={checked} /> : null}
    </Card>
  )
}

function Results({ checked }: { checked: readonly Checked[] }) {
  return (
    <Table label="Results" head={['Identifier', 'Risk', 'Device', 'Blacklist']}>
      {checked.map(({ identifier, item }) => (
        <tr key={identifier}>
          <td data-label="Identifier">
            {item.success ? <Link to={`/dashboard/lookups/${item.result.lookup_id}`}>{identifier}</Link> : identifier}
          </td>
          <td data-label="Risk">
            {item.success ? (
              <Badge tone={LEVEL_TONES[item.result.risk_level]}>
                {item.result.risk_score} {item.result.risk_level}
              </Badge>
            ) : (
              <Badge tone="plain">refused</Badge>
            )}
          </td>
          <td data-label="Device">
            {item.success ? (item.result.device_match.matched_device_name ?? 'not recognised') : item.error.message}
          </td>
          <td data-label="Blacklist">{item.success ? spoken(item.result.blacklist_status) : '–'}</td>
        </tr>
      ))}
    </Table>
  )
}

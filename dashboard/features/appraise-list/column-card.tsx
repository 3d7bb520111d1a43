import type { ListColumn } from '../../../src/appraisal/device-list-row.ts'
import { pluralize } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { COLUMN_LABELS, type ListColumns, type ParsedList } from './list-columns.ts'

const SAMPLES = 3
const IDENTIFYING_COLUMNS: readonly ListColumn[] = ['text', 'identifier', 'device_id', 'variant_id']

/** Lets the user correct the detected field of each column before anything is sent. */
export function ColumnCard({
  list,
  mayCheck,
  change,
  begin,
}: {
  list: ParsedList
  mayCheck: boolean
  change: (columns: ListColumns) => void
  begin: () => void
}) {
  const { columns } = list
  // A field belongs to one column: choosing it here removes it from the other.
  const choose = (at: number, column: ListColumn | null) =>
    change(columns.map((one, i) => (i === at ? column : one === column ? null : one)))
  const canBegin = IDENTIFYING_COLUMNS.some((column) => columns.includes(column))
  const choices = (Object.keys(COLUMN_LABELS) as ListColumn[]).filter((one) => mayCheck || one !== 'identifier')
  return (
    <Card
      title={pluralize(list.rows.length, 'row')}
      note={
        mayCheck
          ? 'Check the field of each column.'
          : 'Check the field of each column. Identifiers are ignored: checking them needs the Enterprise tier.'
      }
      action={
        <Button variant="primary" disabled={!canBegin} onClick={begin}>
          Appraise {pluralize(list.rows.length, 'device')}
        </Button>
      }
    >
      {canBegin ? null : <p className="doubt">No column names the device. Choose one.</p>}
      <DataTable label="Columns" head={['Column', 'Field', 'Example']}>
        {list.header.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
          <tr key={at}>
            <td data-label="Column">{name.trim() || `Column ${at + 1}`}</td>
            <td data-label="Field">
              <select
                aria-label={`Field for ${name.trim() || `column ${at + 1}`}`}
                value={columns[at] ?? ''}
                onChange={(event) => choose(at, choices.find((one) => one === event.target.value) ?? null)}
              >
                <option value="">Ignore</option>
                {choices.map((column) => (
                  <option key={column} value={column}>
                    {COLUMN_LABELS[column]}
                  </option>
                ))}
              </select>
            </td>
            <td data-label="Example" className="muted">
              {list.rows
                .slice(0, SAMPLES)
                .map((row) => row[at]?.trim())
                .filter(Boolean)
                .join(' · ') || '–'}
            </td>
          </tr>
        ))}
      </DataTable>
    </Card>
  )
}

import type { ListColumn } from '../../src/appraisal/list-row.ts'
import { Button, Card } from '../parts/basics.tsx'
import { Table } from '../parts/table.tsx'
import { plural } from '../words.ts'
import { COLUMN_WORDS, type Columns, type List } from './columns.ts'

const SAMPLES = 3
const NAMES_A_DEVICE: readonly ListColumn[] = ['text', 'identifier', 'device_id', 'variant_id']

/** What each column was taken for, with some of its cells, to be corrected before anything is sent. */
export function ColumnCard({
  list,
  mayCheck,
  change,
  begin,
}: {
  list: List
  mayCheck: boolean
  change: (columns: Columns) => void
  begin: () => void
}) {
  const { columns } = list
  // One column is one thing: what is chosen here is taken from where it stood.
  const choose = (at: number, column: ListColumn | null) =>
    change(columns.map((one, i) => (i === at ? column : one === column ? null : one)))
  const canBegin = NAMES_A_DEVICE.some((column) => columns.includes(column))
  const choices = (Object.keys(COLUMN_WORDS) as ListColumn[]).filter((one) => mayCheck || one !== 'identifier')
  return (
    <Card
      title={plural(list.rows.length, 'row')}
      note={
        mayCheck
          ? 'Look over what each column is taken for.'
          : 'Look over what each column is taken for. Identifiers are left out: checking them needs the Enterprise tier.'
      }
      action={
        <Button look="main" disabled={!canBegin} onClick={begin}>
          Appraise {plural(list.rows.length, 'device')}
        </Button>
      }
    >
      {canBegin ? null : <p className="doubt">No column names the device. Say which one does.</p>}
      <Table label="Columns" head={['Column', 'Is taken for', 'For example']}>
        {list.header.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
          <tr key={at}>
            <td data-label="Column">{name.trim() || `Column ${at + 1}`}</td>
            <td data-label="Is taken for">
              <select
                aria-label={`What ${name.trim() || `column ${at + 1}`} is`}
                value={columns[at] ?? ''}
                onChange={(event) => choose(at, choices.find((one) => one === event.target.value) ?? null)}
              >
                <option value="">nothing, leave it out</option>
                {choices.map((column) => (
                  <option key={column} value={column}>
                    {COLUMN_WORDS[column]}
                  </option>
                ))}
              </select>
            </td>
            <td data-label="For example" className="soft">
              {list.rows
                .slice(0, SAMPLES)
                .map((row) => row[at]?.trim())
                .filter(Boolean)
                .join(' · ') || '–'}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

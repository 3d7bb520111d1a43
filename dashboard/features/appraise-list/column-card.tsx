import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../../src/appraisal/device-list-row.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { LIST_FIELDS, type ListColumns, type ParsedList } from './list-columns.ts'

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
  const { t } = useTranslation('appraise-list')
  const { columns } = list
  // A field belongs to one column: choosing it here removes it from the other.
  const choose = (at: number, column: ListColumn | null) =>
    change(columns.map((field, i) => (i === at ? column : field === column ? null : field)))
  const canBegin = IDENTIFYING_COLUMNS.some((column) => columns.includes(column))
  const choices = LIST_FIELDS.filter((field) => mayCheck || field !== 'identifier')
  const columnName = (name: string, at: number) => name.trim() || t('columns.unnamed', { number: at + 1 })
  return (
    <Card
      title={t('columns.rows', { count: list.rows.length })}
      note={t(mayCheck ? 'columns.note' : 'columns.noteNoCheck')}
      action={
        <Button variant="primary" disabled={!canBegin} onClick={begin}>
          {t('columns.begin', { count: list.rows.length })}
        </Button>
      }
    >
      {canBegin ? null : <p className="doubt">{t('columns.noDevice')}</p>}
      <DataTable
        label={t('columns.label')}
        rows={list.header}
        rowKey={(_, at) => at}
        columns={[
          { title: t('columns.column'), cell: columnName },
          {
            title: t('columns.field'),
            cell: (name, at) => (
              <Select
                aria-label={t('columns.fieldFor', { column: columnName(name, at) })}
                value={columns[at] ?? ''}
                options={[
                  ['', t('columns.ignore')],
                  ...choices.map((column) => [column, t(`field.${column}`)] as const),
                ]}
                onValueChange={(value) => choose(at, choices.find((field) => field === value) ?? null)}
              />
            ),
          },
          {
            title: t('columns.example'),
            className: 'muted',
            cell: (_, at) =>
              list.rows
                .slice(0, SAMPLES)
                .map((row) => row[at]?.trim())
                .filter(Boolean)
                .join(' · ') || '–',
          },
        ]}
      />
    </Card>
  )
}

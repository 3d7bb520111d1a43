import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { LIST_COLUMNS, type ListColumn } from '../../../src/contract/device-list-columns.ts'
import { type ColumnAssignment, IDENTIFYING_COLUMNS } from '../../../src/lists/list-columns.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Select, SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import type { NewListFields } from './list-run.ts'
import { type ParsedList, type SheetChoice, selectRows } from './parsed-list.ts'

const SAMPLES = 3
const CHECKED_COLUMNS: readonly ListColumn[] = ['identifier', 'serial']

/** Lets the user correct the detected field of each column before anything is sent. */
export function ColumnCard({
  list,
  fields,
  changeFields,
  mayCheck,
  change,
  chooseSheet,
  begin,
}: {
  list: ParsedList
  fields: NewListFields
  changeFields: (fields: NewListFields) => void
  mayCheck: boolean
  change: (columns: ColumnAssignment) => void
  chooseSheet: (sheet: SheetChoice) => void
  begin: () => void
}) {
  const { t } = useTranslation('appraise-list')
  const { columns, workbook } = list
  const { header } = list.layout
  const { rows, skipped } = useMemo(() => selectRows(list), [list])
  // A field belongs to one column: choosing it here removes it from the other.
  const choose = (at: number, column: ListColumn | null) =>
    change(columns.map((field, i) => (i === at ? column : field === column ? null : field)))
  const canBegin = IDENTIFYING_COLUMNS.some((column) => columns.includes(column))
  const choices = LIST_COLUMNS.filter((field) => mayCheck || !CHECKED_COLUMNS.includes(field))
  const columnName = (name: string, at: number) => name.trim() || t('columns.unnamed', { number: at + 1 })
  return (
    <Card
      title={t('columns.rows', { count: rows.length })}
      note={t(mayCheck ? 'columns.note' : 'columns.noteNoCheck')}
      action={
        <Button
          variant="primary"
          disabled={!canBegin || rows.length === 0 || fields.name.trim() === ''}
          onClick={begin}
        >
          {t('columns.begin', { count: rows.length })}
        </Button>
      }
    >
      {canBegin ? null : <p className="doubt">{t('columns.noDevice')}</p>}
      <div className="field-pair">
        <TextField
          label={t('lists.name')}
          required
          maxLength={100}
          value={fields.name}
          onValueChange={(name) => changeFields({ ...fields, name })}
        />
        <TextField
          label={t('lists.supplier')}
          maxLength={100}
          value={fields.supplier}
          onValueChange={(supplier) => changeFields({ ...fields, supplier })}
        />
      </div>
      {workbook ? (
        <SelectField
          label={t('columns.sheet')}
          value={String(workbook.sheet)}
          options={[
            ...(workbook.alike > 1 ? [['all', t('columns.allSheets', { count: workbook.alike })] as const] : []),
            ...workbook.sheets.map((name, at) => [String(at), name] as const),
          ]}
          onValueChange={(value) => chooseSheet(value === 'all' ? value : Number(value))}
        />
      ) : null}
      {skipped > 0 ? <p className="muted">{t('columns.skipped', { count: skipped })}</p> : null}
      <DataTable
        label={t('columns.label')}
        rows={header}
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
              rows
                .slice(0, SAMPLES)
                .map(({ fields }) => fields[at]?.trim())
                .filter(Boolean)
                .join(' · ') || '–',
          },
        ]}
      />
    </Card>
  )
}

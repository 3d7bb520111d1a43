import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LIST_STATES } from '../../../src/contract/device-lists.ts'
import { formatTime } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Breadcrumbs, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { CompareCard } from './compare-card.tsx'
import { ListResults } from './list-results.tsx'
import { useListRows } from './list-rows.ts'
import { RowDialog } from './row-dialog.tsx'
import { TeachCard } from './teach-card.tsx'

/** A list with its rows: read, corrected and downloaded by anyone who may appraise lists. */
export function DeviceListPage({ id }: { id: string }) {
  const { t } = useTranslation('appraise-list')
  const { list, rows, isLoading, error, change, correct } = useListRows(id)
  const [editedLine, setEditedLine] = useState<number | null>(null)
  const [isRenaming, setRenaming] = useState(false)
  const edit = useCallback(({ line }: { readonly line: number }) => setEditedLine(line), [])
  const saving = useApiMutation()
  const edited = rows.find(({ line }) => line === editedLine)
  if (!list) {
    return (
      <>
        <PageHeader title={t('title')} />
        {error?.code === 'NOT_FOUND' ? <EmptyState title={t('notFound')} /> : <ErrorMessage error={error} />}
        {error ? null : <LoadingSkeleton lines={8} />}
      </>
    )
  }
  const { supplier, created_by: author, created_at: time } = list
  return (
    <>
      <Breadcrumbs label={t('lists.title')} links={[['/dashboard/list', t('title')]]} here={list.name} />
      <PageHeader
        title={list.name}
        lead={t(supplier ? 'addedBySupplier' : 'addedBy', { supplier, by: author.name || '–', time: formatTime(time) })}
      >
        <Select
          aria-label={t('lists.state')}
          value={list.state}
          disabled={saving.isPending}
          options={LIST_STATES.map((state) => [state, t(`state.${state}`)] as const)}
          onValueChange={(state) => saving.mutate(() => change({ state }))}
        />
        <Button onClick={() => setRenaming(true)}>{t('rename')}</Button>
      </PageHeader>
      <ErrorMessage error={error ?? saving.error} />
      {isLoading ? (
        <p className="muted" role="status">
          {t('progress.of', { done: rows.length, total: list.row_count })}
        </p>
      ) : null}
      {isLoading || !list.previous ? null : <CompareCard key={list.id} list={list} />}
      {isLoading ? null : <TeachCard rows={rows} words={list.words} teach={change} />}
      {rows.length > 0 ? (
        <ListResults listId={list.id} rows={rows} isDone={!isLoading} edit={edit} correct={correct} />
      ) : isLoading ? null : (
        <EmptyState title={t('noRows')} />
      )}
      {isLoading || list.previous ? null : <CompareCard key={list.id} list={list} />}
      {edited ? <RowDialog row={edited} correct={correct} close={() => setEditedLine(null)} /> : null}
      {isRenaming ? <RenameDialog list={list} save={change} close={() => setRenaming(false)} /> : null}
    </>
  )
}

function RenameDialog({
  list,
  save,
  close,
}: {
  list: { readonly name: string; readonly supplier: string }
  save: (fields: { name: string; supplier: string }) => Promise<void>
  close: () => void
}) {
  const { t } = useTranslation(['appraise-list', 'common'])
  const [name, setName] = useState(list.name)
  const [supplier, setSupplier] = useState(list.supplier)
  return (
    <FormDialog
      title={t('rename')}
      action={t('common:action.save')}
      send={() => save({ name, supplier })}
      close={close}
    >
      <TextField label={t('lists.name')} required maxLength={100} value={name} onValueChange={setName} />
      <TextField label={t('lists.supplier')} maxLength={100} value={supplier} onValueChange={setSupplier} />
    </FormDialog>
  )
}

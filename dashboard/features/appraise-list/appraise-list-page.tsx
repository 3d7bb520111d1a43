import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { DeviceListWire, ListState } from '../../../src/contract/device-lists.ts'
import { callApi } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatCount, formatTime } from '../../format.ts'
import { operationQuery, queryClient, useOperation } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmailText } from '../../ui/email-text.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { ColumnCard } from './column-card.tsx'
import { useListRun } from './list-run.ts'
import { type ParsedList, parseList, parseListFile } from './parsed-list.ts'

const STATE_TONES: Readonly<Record<ListState, Tone>> = {
  open: 'blue',
  offered: 'warn',
  bought: 'good',
  declined: 'plain',
}

/** Adds a list from a file or pasted rows, and shows those that were added before. */
export function AppraiseListPage() {
  const { t } = useTranslation('appraise-list')
  const [, navigate] = useLocation()
  const [list, setList] = useState<ParsedList>()
  const [fields, setFields] = useState({ name: '', supplier: '' })
  const mayAppraise = useHasTier('paid')
  const mayCheck = useHasTier('enterprise')
  const earlierLists = useOperation('GET /api/lists', mayAppraise ? {} : null).data?.data ?? []
  const { run, start, stop } = useListRun((id) => navigate(`/dashboard/list/${id}`))
  if (!mayAppraise) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState title={t('needsPaid')} />
      </>
    )
  }
  const take = async (read: ParsedList) => {
    if (read.lines.length === 0) return
    // A file may be chosen before the page has the earlier lists.
    const known = await queryClient.ensureQueryData(operationQuery('GET /api/lists', {})).catch(() => null)
    const alike = findAlike(read, known?.data ?? [])
    // Identifier checks need a higher tier: ignore the column.
    const columns = (alike?.columns ?? read.columns).map((column) =>
      !mayCheck && (column === 'identifier' || column === 'serial') ? null : column,
    )
    setList({ ...read, columns })
    setFields({ name: read.name || t('input.pasted'), supplier: alike?.supplier ?? '' })
  }
  const begin = (mode: 'new' | 'copy' | 'continue') => list && start(list, fields, mode)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {list ? <Button onClick={() => setList(undefined)}>{t('newList')}</Button> : null}
      </PageHeader>
      {list ? null : <ListInput take={take} />}
      {run.earlier ? (
        <div className="banner" role="alert">
          <span>
            {t('earlier', {
              name: run.earlier.name,
              by: run.earlier.created_by.name || '–',
              time: formatTime(run.earlier.created_at),
            })}
          </span>
          <span className="actions">
            <Link className="button button-primary" to={`/dashboard/list/${run.earlier.id}`}>
              {t('openEarlier')}
            </Link>
            {run.earlier.row_count < run.total ? (
              <Button onClick={() => begin('continue')}>
                {t('continueReading', { count: run.total - run.earlier.row_count })}
              </Button>
            ) : null}
            <Button onClick={() => begin('copy')}>{t('readAgain')}</Button>
          </span>
        </div>
      ) : null}
      {run.isRunning ? (
        <Card>
          <div className="list-progress">
            <progress max={run.total} value={run.done} aria-label={t('progress.label')} />
            <span role="status">
              {t('progress.of', { done: run.done, total: run.total })}
              {run.isWaiting ? <> {t('progress.waiting')}</> : null}
            </span>
            <Button onClick={stop}>{t('progress.stop')}</Button>
          </div>
        </Card>
      ) : null}
      <ErrorMessage error={run.error} />
      {list && !run.isRunning ? (
        <ColumnCard
          list={list}
          fields={fields}
          changeFields={setFields}
          mayCheck={mayCheck}
          change={(columns) => setList({ ...list, columns })}
          chooseSheet={async (sheet) => {
            if (list.workbook) await take(await parseListFile(list.workbook.bytes, { sheet, name: list.name }))
          }}
          begin={() => begin('new')}
        />
      ) : null}
      {list ? null : <EarlierLists lists={earlierLists} />}
    </>
  )
}

/** The newest list with the same titles: its columns were confirmed by a person. */
function findAlike({ layout }: ParsedList, lists: readonly DeviceListWire[]): DeviceListWire | undefined {
  if (!layout.hasHeader) return undefined
  const titles = JSON.stringify(layout.header.map((title) => title.trim()))
  return lists.find(({ header }) => JSON.stringify(header) === titles)
}

function EarlierLists({ lists }: { lists: readonly DeviceListWire[] }) {
  const { t } = useTranslation('appraise-list')
  if (lists.length === 0) return null
  return (
    <Card title={t('lists.title')}>
      <DataTable
        label={t('lists.title')}
        rows={lists}
        rowKey={({ id }) => id}
        actions={({ id }) => (
          <ApiButton send={() => callApi('DELETE /api/lists/{id}', { params: { id } })}>{t('lists.remove')}</ApiButton>
        )}
        columns={[
          {
            title: t('lists.name'),
            isRowName: true,
            cell: ({ id, name }) => <Link to={`/dashboard/list/${id}`}>{name}</Link>,
          },
          { title: t('lists.supplier'), cell: ({ supplier }) => supplier || '–' },
          {
            title: t('lists.state'),
            cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{t(`state.${state}`)}</Badge>,
          },
          { title: t('lists.rows'), className: 'number', cell: ({ row_count: rows }) => formatCount(rows) },
          { title: t('lists.by'), cell: ({ created_by: author }) => <EmailText>{author.name || '–'}</EmailText> },
          { title: t('lists.added'), cell: ({ created_at: time }) => formatTime(time) },
        ]}
      />
    </Card>
  )
}

function ListInput({ take }: { take: (list: ParsedList) => Promise<void> }) {
  const { t } = useTranslation('appraise-list')
  const titles = [t('column.device'), t('field.storage'), t('column.grade'), 'IMEI']
  const row = ['iPhone 13', '128GB', codeTexts().gradeName('Good'), '35…']
  const [pasted, setPasted] = useState('')
  const [problem, setProblem] = useState('')
  const takeFile = async (file: Blob | undefined) => {
    if (!file) return
    setProblem('')
    try {
      const name = file instanceof File ? file.name.slice(0, 100) : ''
      const list = await parseListFile(new Uint8Array(await file.arrayBuffer()), { name })
      if (list.lines.length === 0) setProblem(t('input.empty', { name }))
      else await take(list)
    } catch {
      setProblem(t('input.unreadable'))
    }
  }
  return (
    <Card>
      <FileDrop title={t('input.drop')} accept=".xlsx,.xls,.csv,.tsv,.txt,.json,text/csv,text/plain" take={takeFile}>
        {t('input.formats')}
      </FileDrop>
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      <label className="field">
        <span className="pick-name">{t('input.paste')}</span>
        <textarea
          className="list-field"
          rows={4}
          spellCheck={false}
          placeholder={`${titles.join('\t')}\n${row.join('\t')}`}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
      </label>
      <p className="card-actions">
        <Button variant="primary" disabled={pasted.trim() === ''} onClick={async () => take(await parseList(pasted))}>
          {t('input.preview')}
        </Button>
      </p>
    </Card>
  )
}

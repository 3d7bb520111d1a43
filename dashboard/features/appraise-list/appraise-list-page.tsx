import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { useAppraisalRun } from './appraisal-run.ts'
import { ColumnCard } from './column-card.tsx'
import { ListResults } from './list-results.tsx'
import { type ParsedList, parseList, parseListFile } from './parsed-list.ts'

const EXAMPLE = 'Model\tStorage\tGrade\tIMEI\niPhone 13\t128GB\tGood\t35…'

export function AppraiseListPage() {
  const { t } = useTranslation('appraise-list')
  const [list, setList] = useState<ParsedList>()
  const mayAppraise = useHasTier('paid')
  const mayCheck = useHasTier('enterprise')
  const { run, start, stop, reset } = useAppraisalRun()
  if (!mayAppraise) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState title={t('needsPaid')} />
      </>
    )
  }
  const take = (read: ParsedList) => {
    // Identifier checks need a higher tier: ignore the column.
    const columns = mayCheck
      ? read.columns
      : read.columns.map((column) => (column === 'identifier' || column === 'serial' ? null : column))
    setList(read.lines.length > 0 ? { ...read, columns } : undefined)
  }
  const isBegun = run.total > 0
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {list ? (
          <Button
            onClick={() => {
              reset()
              setList(undefined)
            }}
          >
            {t('newList')}
          </Button>
        ) : null}
      </PageHeader>
      {list ? null : <ListInput take={take} />}
      {list && !isBegun ? (
        <ColumnCard
          list={list}
          mayCheck={mayCheck}
          change={(columns) => setList({ ...list, columns })}
          chooseSheet={async (sheet) => {
            if (list.workbook) take(await parseListFile(list.workbook.bytes, sheet))
          }}
          begin={() => start(list, mayCheck)}
        />
      ) : null}
      {run.isRunning ? (
        <Card>
          <div className="list-progress">
            <progress max={run.total} value={run.rows.length} aria-label={t('progress.label')} />
            <span role="status">{t('progress.of', { done: run.rows.length, total: run.total })}</span>
            <Button onClick={stop}>{t('progress.stop')}</Button>
          </div>
        </Card>
      ) : null}
      <ErrorMessage error={run.error} />
      {list && run.rows.length > 0 ? (
        <ListResults header={list.layout.header} rows={run.rows} isDone={!run.isRunning} />
      ) : null}
    </>
  )
}

function ListInput({ take }: { take: (list: ParsedList) => void }) {
  const { t } = useTranslation('appraise-list')
  const [pasted, setPasted] = useState('')
  const [problem, setProblem] = useState('')
  const takeFile = async (file: Blob | undefined) => {
    if (!file) return
    setProblem('')
    try {
      take(await parseListFile(new Uint8Array(await file.arrayBuffer())))
    } catch {
      setProblem(t('input.unreadable'))
    }
  }
  return (
    <Card>
      <FileDrop title={t('input.drop')} accept=".xlsx,.csv,.tsv,.txt,text/csv,text/plain" take={takeFile}>
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
          rows={6}
          spellCheck={false}
          placeholder={EXAMPLE}
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

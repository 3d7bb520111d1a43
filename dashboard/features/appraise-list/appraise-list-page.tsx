import { useState } from 'react'
import { formatCount } from '../../format.ts'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { useAppraisalRun } from './appraisal-run.ts'
import { ColumnCard } from './column-card.tsx'
import { type ListColumns, type ParsedList, parseList, parseListFile } from './list-columns.ts'
import { ListResults } from './list-results.tsx'

export function AppraiseListPage() {
  const [list, setList] = useState<ParsedList>()
  const mayAppraise = useHasTier('paid')
  const mayCheck = useHasTier('enterprise')
  const { run, start, stop, reset } = useAppraisalRun()
  if (!mayAppraise) {
    return (
      <>
        <PageHeader title="Appraise a list" />
        <EmptyState title="Appraisals need the Paid tier" />
      </>
    )
  }
  const take = (read: ParsedList) => {
    // Identifier checks need a higher tier: ignore the column.
    const columns = mayCheck ? read.columns : read.columns.map((column) => (column === 'identifier' ? null : column))
    setList(read.rows.length > 0 ? { ...read, columns } : undefined)
  }
  const isBegun = run.total > 0
  return (
    <>
      <PageHeader
        title="Appraise a list"
        lead="Upload an Excel or CSV file, or paste rows from a spreadsheet. Every row is saved as an appraisal."
      >
        {list ? (
          <Button
            onClick={() => {
              reset()
              setList(undefined)
            }}
          >
            New list
          </Button>
        ) : null}
      </PageHeader>
      {list ? null : <ListInput take={take} />}
      {list && !isBegun ? (
        <ColumnCard
          list={list}
          mayCheck={mayCheck}
          change={(columns: ListColumns) => setList({ ...list, columns })}
          begin={() => start(list, list.columns)}
        />
      ) : null}
      {run.isRunning ? (
        <Card>
          <div className="list-progress">
            <progress max={run.total} value={run.rows.length} aria-label="Rows appraised" />
            <span role="status">
              {formatCount(run.rows.length)} of {formatCount(run.total)}
            </span>
            <Button onClick={stop}>Stop</Button>
          </div>
        </Card>
      ) : null}
      {run.error ? <ErrorMessage error={run.error} /> : null}
      {list && run.rows.length > 0 ? (
        <ListResults header={list.header} rows={run.rows} isDone={!run.isRunning} />
      ) : null}
    </>
  )
}

function ListInput({ take }: { take: (list: ParsedList) => void }) {
  const [pasted, setPasted] = useState('')
  const [problem, setProblem] = useState('')
  const takeFile = async (file: Blob | undefined) => {
    if (!file) return
    setProblem('')
    try {
      take(await parseListFile(file))
    } catch {
      setProblem('This file cannot be read. Save it as XLSX or CSV and try again.')
    }
  }
  return (
    <Card>
      <FileDrop
        title="Drop an Excel or CSV file here or choose one"
        accept=".xlsx,.csv,.tsv,.txt,text/csv,text/plain"
        take={takeFile}
      >
        XLSX, or text separated by comma, semicolon, tab or |. Columns are detected by name.
      </FileDrop>
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      <label className="field">
        <span className="pick-name">Paste rows</span>
        <textarea
          rows={6}
          spellCheck={false}
          placeholder={'Model\tStorage\tGrade\tIMEI\niPhone 13\t128GB\tGood\t35…'}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
      </label>
      <p className="card-actions">
        <Button variant="primary" disabled={pasted.trim() === ''} onClick={() => take(parseList(pasted))}>
          Preview
        </Button>
      </p>
    </Card>
  )
}

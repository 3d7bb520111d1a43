import i18next from 'i18next'
import { useRef, useState } from 'react'
import { apiPost, RequestError } from '../../api.ts'
import { type AppraisedRow, failedRow, toAppraisedRow } from './appraised-row.ts'
import { type ListColumns, type ParsedList, toRowRequest } from './list-columns.ts'

/** Maximum batch size of the API. */
const BATCH_SIZE = 500

export type AppraisalRun = {
  readonly rows: readonly AppraisedRow[]
  readonly total: number
  readonly isRunning: boolean
  readonly error: RequestError | null
}

const NOT_STARTED: AppraisalRun = { rows: [], total: 0, isRunning: false, error: null }

/** Appraises a list in batches and shows results as they arrive. Stopping keeps the finished rows. */
export function useAppraisalRun() {
  const [run, setRun] = useState<AppraisalRun>(NOT_STARTED)
  const stopping = useRef<AbortController | null>(null)

  async function start(list: ParsedList, columns: ListColumns): Promise<void> {
    const aborter = new AbortController()
    stopping.current = aborter
    const total = list.rows.length
    let rows: AppraisedRow[] = []
    setRun({ rows, total, isRunning: true, error: null })
    try {
      for (let from = 0; from < total; from += BATCH_SIZE) {
        const done = await appraiseBatch(list, columns, from, aborter.signal)
        rows = [...rows, ...done]
        setRun({ rows, total, isRunning: true, error: null })
      }
      setRun({ rows, total, isRunning: false, error: null })
    } catch (error) {
      if (!(error instanceof RequestError) && !aborter.signal.aborted) throw error
      setRun({ rows, total, isRunning: false, error: error instanceof RequestError ? error : null })
    }
  }

  return {
    run,
    start,
    stop: () => stopping.current?.abort(),
    reset: () => {
      stopping.current?.abort()
      setRun(NOT_STARTED)
    },
  }
}

async function appraiseBatch(
  list: ParsedList,
  columns: ListColumns,
  from: number,
  signal: AbortSignal,
): Promise<AppraisedRow[]> {
  const requests = list.rows.slice(from, from + BATCH_SIZE).map((row, i) => ({
    line: list.firstLine + from + i,
    own: row,
    name: row[columns.indexOf('text')]?.trim() || row.find((cell) => cell.trim()) || '',
    request: toRowRequest(row, columns),
  }))
  const items = requests.flatMap(({ request }) => (typeof request === 'string' ? [] : [request]))
  const path = '/api/appraisals/batch'
  const results = items.length > 0 ? (await apiPost(path, { items }, signal)).data : []
  let at = 0
  return requests.map(({ request, ...row }) => {
    if (typeof request === 'string') return failedRow(row, request)
    const item = results[at++]
    return item ? toAppraisedRow(row, item) : failedRow(row, i18next.t('appraise-list:noResult'))
  })
}

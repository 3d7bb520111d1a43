import { useRef, useState } from 'react'
import { appraiseListRows } from '../../../src/import/device-lists/appraise-rows.ts'
import { callApi, RequestError } from '../../api.ts'
import { type AppraisedRow, toAppraisedRow } from './appraised-row.ts'
import { type ListRow, type ParsedList, readRows, selectRows } from './parsed-list.ts'

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

  /** `mayCheck`: identifiers are sent, which needs a higher tier. */
  async function start(list: ParsedList, mayCheck: boolean): Promise<void> {
    const aborter = new AbortController()
    stopping.current = aborter
    const lines = selectRows(list).rows
    const total = lines.length
    let rows: AppraisedRow[] = []
    setRun({ rows, total, isRunning: true, error: null })
    try {
      for (let from = 0; from < total; from += BATCH_SIZE) {
        const batch = readRows(list, lines.slice(from, from + BATCH_SIZE))
        const done = await appraiseBatch(batch, mayCheck, aborter.signal)
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
  rows: readonly ListRow[],
  mayCheck: boolean,
  signal: AbortSignal,
): Promise<AppraisedRow[]> {
  const results = await appraiseListRows(rows, async (requests) => {
    const items = mayCheck ? [...requests] : requests.map(({ identifier: _, ...request }) => request)
    return (await callApi('POST /api/appraisals/batch', { body: { items } }, signal)).data
  })
  return results.map(toAppraisedRow)
}

import { useRef, useState } from 'react'
import type { AppraisalItemWire } from '../../src/contract/appraisal.ts'
import { post, Refusal } from '../service.ts'
import { type AppraisedRow, appraisedRow, refusedRow } from './appraised.ts'
import { type Columns, type List, requestOf } from './columns.ts'

/** As many as one call takes. */
const AT_A_TIME = 500

export type Run = {
  readonly rows: readonly AppraisedRow[]
  readonly total: number
  readonly isRunning: boolean
  readonly error: Refusal | null
}

const NOT_BEGUN: Run = { rows: [], total: 0, isRunning: false, error: null }

/** Appraises a list, some hundreds of rows at a time, and shows what there is so far. Stopping keeps what was done. */
export function useRun() {
  const [run, setRun] = useState<Run>(NOT_BEGUN)
  const stopping = useRef<AbortController | null>(null)

  async function start(list: List, columns: Columns): Promise<void> {
    const aborter = new AbortController()
    stopping.current = aborter
    const total = list.rows.length
    let rows: AppraisedRow[] = []
    setRun({ rows, total, isRunning: true, error: null })
    try {
      for (let from = 0; from < total; from += AT_A_TIME) {
        const done = await appraise(list, columns, from, aborter.signal)
        rows = [...rows, ...done]
        setRun({ rows, total, isRunning: true, error: null })
      }
      setRun({ rows, total, isRunning: false, error: null })
    } catch (error) {
      if (!(error instanceof Refusal) && !aborter.signal.aborted) throw error
      setRun({ rows, total, isRunning: false, error: error instanceof Refusal ? error : null })
    }
  }

  return {
    run,
    start,
    stop: () => stopping.current?.abort(),
    reset: () => {
      stopping.current?.abort()
      setRun(NOT_BEGUN)
    },
  }
}

async function appraise(list: List, columns: Columns, from: number, signal: AbortSignal): Promise<AppraisedRow[]> {
  const asked = list.rows.slice(from, from + AT_A_TIME).map((row, i) => ({
    line: list.firstLine + from + i,
    name: row[columns.indexOf('text')]?.trim() || row.find((cell) => cell.trim()) || '',
    request: requestOf(row, columns),
  }))
  const items = asked.flatMap(({ request }) => (typeof request === 'string' ? [] : [request]))
  const path = '/account/explore/appraisals/batch'
  const told = items.length > 0 ? (await post<AppraisalItemWire[]>(path, { items }, signal)).data : []
  let at = 0
  return asked.map(({ line, name, request }) => {
    if (typeof request === 'string') return refusedRow(line, name, request)
    const answer = told[at++]
    return answer ? appraisedRow(line, name, answer) : refusedRow(line, name, 'was not answered')
  })
}

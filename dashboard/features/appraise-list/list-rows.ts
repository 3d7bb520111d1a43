import { useEffect, useMemo, useState } from 'react'
import type {
  DeviceListChangeWire,
  DeviceListRowWire,
  DeviceListWithRowsWire,
} from '../../../src/contract/device-lists.ts'
import { callApi, RequestError } from '../../api.ts'
import { type AppraisedRow, toAppraisedRow } from './appraised-row.ts'

/** A row comes with its appraisal, about five kilobytes. */
const ROWS_PER_REQUEST = 100

export type ListChange = Partial<DeviceListChangeWire>
type SentRow = NonNullable<DeviceListChangeWire['rows']>[number]

type OpenList = {
  /** Null until the first rows arrived. */
  readonly list: Omit<DeviceListWithRowsWire, 'rows'> | null
  readonly rows: ReadonlyMap<number, AppraisedRow>
  readonly isLoading: boolean
  readonly error: RequestError | null
}

/** A list with all its rows, loaded page by page, and its changes. */
export function useListRows(id: string) {
  const [state, setState] = useState<OpenList>({ list: null, rows: new Map(), isLoading: true, error: null })

  useEffect(() => {
    const aborter = new AbortController()
    load(id, aborter.signal, (page) => setState((before) => merge(before, page, page.next_after !== null))).catch(
      (error: unknown) => {
        if (aborter.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setState((before) => ({ ...before, isLoading: false, error }))
      },
    )
    return () => aborter.abort()
  }, [id])

  /** Sends a change; rows are sent in several requests if they are many. */
  async function change({ rows = [], ...fields }: ListChange): Promise<void> {
    for (let from = 0; from === 0 || from < rows.length; from += ROWS_PER_REQUEST) {
      const sent = rows.slice(from, from + ROWS_PER_REQUEST)
      const body = { ...(from === 0 ? fields : {}), ...(sent.length > 0 ? { rows: sent } : {}) }
      const { data } = await callApi('PATCH /api/lists/{id}', { params: { id }, body })
      setState((before) => merge(before, data, false))
    }
  }
  const rows = useMemo(() => [...state.rows.values()], [state.rows])
  return { ...state, rows, change, changeRow: (row: SentRow) => change({ rows: [row] }) }
}

async function load(id: string, signal: AbortSignal, onPage: (page: DeviceListWithRowsWire) => void): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const query: Record<string, string> = { after: String(after), limit: String(ROWS_PER_REQUEST) }
    const { data }: { data: DeviceListWithRowsWire } = await callApi(
      'GET /api/lists/{id}',
      { params: { id }, query },
      signal,
    )
    onPage(data)
    after = data.next_after
  }
}

function merge(before: OpenList, { rows, ...list }: DeviceListWithRowsWire, isLoading: boolean): OpenList {
  const merged = new Map(before.rows)
  for (const row of rows as DeviceListRowWire[]) merged.set(row.line, toAppraisedRow(row, list.columns))
  return { list, rows: merged, isLoading, error: null }
}

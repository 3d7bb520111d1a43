import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
/** Some fields of a row; earlier corrections of the others stay. */
export type RowCorrection = NonNullable<SentRow['change']>

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

  /** Corrections of the rows as the service last answered, and the corrections that are sent one after the other. */
  const corrections = useRef(new Map<number, DeviceListRowWire['change']>())
  const sending = useRef(Promise.resolve())

  function correctRow(line: number, correction: RowCorrection): Promise<void> {
    const send = () => {
      const before = corrections.current.get(line) ?? state.rows.get(line)?.change
      return change({ rows: [{ line, change: { ...toCorrection(before), ...correction } }] })
    }
    const sent = sending.current.then(send)
    sending.current = sent.catch(() => {})
    return sent
  }

  /** Sends a change; rows are sent in several requests if they are many. */
  async function change({ rows = [], ...fields }: ListChange): Promise<void> {
    for (let from = 0; from === 0 || from < rows.length; from += ROWS_PER_REQUEST) {
      const sent = rows.slice(from, from + ROWS_PER_REQUEST)
      const body = { ...(from === 0 ? fields : {}), ...(sent.length > 0 ? { rows: sent } : {}) }
      const { data } = await callApi('PATCH /api/lists/{id}', { params: { id }, body })
      for (const row of data.rows as DeviceListRowWire[]) corrections.current.set(row.line, row.change)
      setState((before) => merge(before, data, false))
    }
  }
  const rows = useMemo(() => [...state.rows.values()], [state.rows])
  const latest = useRef(correctRow)
  latest.current = correctRow
  /** Corrects some fields of a row; of two corrections right after each other none is lost. Stable between renderings. */
  const correct = useCallback((line: number, correction: RowCorrection) => latest.current(line, correction), [])
  return { ...state, rows, change, correct }
}

/** Fields that were not corrected are left out. */
function toCorrection(change: DeviceListRowWire['change'] | undefined): RowCorrection {
  return {
    device_id: change?.device_id ?? undefined,
    storage: change?.storage ?? undefined,
    condition: change?.condition ?? undefined,
    defects: change?.defects ?? undefined,
    identifier: change?.identifier ?? undefined,
    asking_price: change?.asking_price ?? undefined,
  }
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

import { useRef, useState } from 'react'
import type { DeviceListWithRowsWire } from '../../../src/contract/device-lists.ts'
import { callApi, RequestError } from '../../api.ts'
import { type ParsedList, selectRows } from './parsed-list.ts'

/** Maximum number of rows of one request. */
const ROWS_PER_REQUEST = 500

export type NewListFields = { readonly name: string; readonly supplier: string }

type ListRun = {
  readonly done: number
  readonly total: number
  readonly isRunning: boolean
  readonly error: RequestError | null
  /** The list of the same file that was found instead. */
  readonly earlier: DeviceListWithRowsWire | null
}

const NOT_STARTED: ListRun = { done: 0, total: 0, isRunning: false, error: null, earlier: null }

/** Adds a list and sends its rows for appraisal. Stopping keeps the finished rows. */
export function useListRun(onFinished: (id: string) => void) {
  const [run, setRun] = useState<ListRun>(NOT_STARTED)
  const stopping = useRef<AbortController | null>(null)

  async function start(list: ParsedList, fields: NewListFields, isCopy: boolean): Promise<void> {
    const aborter = new AbortController()
    stopping.current = aborter
    const lines = selectRows(list).rows
    const progress = { total: lines.length, isRunning: true, error: null, earlier: null }
    setRun({ ...progress, done: 0 })
    try {
      const added = await callApi('POST /api/lists', {
        body: {
          ...fields,
          header: list.layout.header.map((title) => title.trim()),
          columns: [...list.columns],
          ...(list.fileHash ? { file_hash: list.fileHash } : {}),
          is_copy: isCopy,
        },
      })
      const { id, is_new: isNew } = added.data
      if (!isNew) {
        setRun({ ...NOT_STARTED, earlier: added.data })
        return
      }
      for (let from = 0; from < lines.length && !aborter.signal.aborted; from += ROWS_PER_REQUEST) {
        const rows = lines
          .slice(from, from + ROWS_PER_REQUEST)
          .map(({ line, fields: cells }) => ({ line, cells: [...cells] }))
        await callApi('PATCH /api/lists/{id}', { params: { id }, body: { rows } }, aborter.signal)
        setRun({ ...progress, done: from + rows.length })
      }
      onFinished(id)
    } catch (error) {
      if (!(error instanceof RequestError) && !aborter.signal.aborted) throw error
      setRun({ ...NOT_STARTED, error: error instanceof RequestError ? error : null })
    }
  }

  return { run, start, stop: () => stopping.current?.abort() }
}

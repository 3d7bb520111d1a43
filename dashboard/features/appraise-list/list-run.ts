import { useRef, useState } from 'react'
import type { DeviceListWithRowsWire } from '../../../src/contract/device-lists.ts'
import { callApi, RequestError } from '../../api.ts'
import { type ParsedList, selectRows } from './parsed-list.ts'

/** Few rows per request: progress is seen, and the service answers others in between. */
const ROWS_PER_REQUEST = 25
/** Longest wait before a request is sent again. */
const MAX_WAIT_SECONDS = 90

export type NewListFields = { readonly name: string; readonly supplier: string }

/** `continue` adds the rows that an interrupted run of the same file did not send, `copy` adds a further list. */
type RunMode = 'new' | 'copy' | 'continue'

type ListRun = {
  readonly done: number
  readonly total: number
  readonly isRunning: boolean
  /** The limit of requests per minute is used up. */
  readonly isWaiting: boolean
  readonly error: RequestError | null
  /** The list of the same file that was found instead. */
  readonly earlier: DeviceListWithRowsWire | null
}

const NOT_STARTED: ListRun = { done: 0, total: 0, isRunning: false, isWaiting: false, error: null, earlier: null }

/** Adds a list and sends its rows for appraisal. Stopping keeps the finished rows. */
export function useListRun(onFinished: (id: string) => void) {
  const [run, setRun] = useState<ListRun>(NOT_STARTED)
  const stopping = useRef<AbortController | null>(null)

  async function start(list: ParsedList, fields: NewListFields, mode: RunMode): Promise<void> {
    const aborter = new AbortController()
    const { signal } = aborter
    stopping.current = aborter
    const lines = selectRows(list).rows
    const progress = { ...NOT_STARTED, total: lines.length, isRunning: true }
    setRun(progress)
    try {
      const { data: added } = await callApi('POST /api/lists', {
        body: {
          ...fields,
          header: list.layout.header.map((title) => title.trim()),
          columns: [...list.columns],
          ...(list.fileHash ? { file_hash: list.fileHash } : {}),
          is_copy: mode === 'copy',
        },
      })
      if (!added.is_new && mode !== 'continue') {
        setRun({ ...NOT_STARTED, total: lines.length, earlier: added })
        return
      }
      const { id } = added
      for (let from = added.row_count; from < lines.length && !signal.aborted; from += ROWS_PER_REQUEST) {
        setRun({ ...progress, done: from })
        const rows = lines
          .slice(from, from + ROWS_PER_REQUEST)
          .map(({ line, fields: cells }) => ({ line, cells: [...cells] }))
        await sendPatiently(
          () => callApi('PATCH /api/lists/{id}', { params: { id }, body: { rows, omit_rows: true } }, signal),
          { signal, onWait: () => setRun({ ...progress, done: from, isWaiting: true }) },
        )
      }
      onFinished(id)
    } catch (error) {
      if (!(error instanceof RequestError) && !signal.aborted) throw error
      setRun({ ...NOT_STARTED, error: error instanceof RequestError ? error : null })
    }
  }

  return { run, start, stop: () => stopping.current?.abort() }
}

/** Sends again when the service says so: the limit per minute is used up, or it has too much to do. */
async function sendPatiently(
  send: () => Promise<unknown>,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<void> {
  for (;;) {
    try {
      await send()
      return
    } catch (error) {
      const seconds = error instanceof RequestError && [429, 503].includes(error.status) ? error.retryAfter : undefined
      if (seconds === undefined || seconds > MAX_WAIT_SECONDS) throw error
      onWait()
      await wait(seconds, signal)
    }
  }
}

const wait = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

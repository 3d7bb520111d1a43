import type { Database as BunDatabase } from 'bun:sqlite'
import type { ColumnValues, WriteStats } from '../database.ts'

export type SqlValue = string | number | null

/** The values of one parameter for all rows: numbers as typed arrays (NaN is null), everything else as text. */
export type TransferColumn = TextColumn | Int32Array | Float64Array

/** All values in one text and the length of each; -1 is null. Copied as a whole: no value is escaped or parsed. */
type TextColumn = { readonly text: string; readonly lengths: Int32Array }

/** One statement and its rows. Columns are transferred much faster than row objects. */
export type WriteStep = { readonly sql: string; readonly rows: number; readonly columns: readonly TransferColumn[] }

export function toTransferColumn(values: ColumnValues): TransferColumn {
  if (!Array.isArray(values)) return values as Int32Array | Float64Array
  const list = values as readonly SqlValue[]
  let fitsInt32 = true
  for (const value of list) {
    if (typeof value === 'string') return toTextColumn(list)
    if (value === null || (value | 0) !== value) fitsInt32 = false
  }
  return fitsInt32
    ? Int32Array.from(list as number[])
    : Float64Array.from(list, (value) => (value as number) ?? Number.NaN)
}

/** `join` writes null as nothing, and so undefined: a length of what is not in the text would shift all values after it. */
const toTextColumn = (values: readonly (SqlValue | undefined)[]): TextColumn => ({
  text: values.join(''),
  lengths: Int32Array.from(values, (value) => (value === null || value === undefined ? -1 : String(value).length)),
})

export type WriterThreadOptions = {
  readonly pragmas: readonly string[]
  /** How long to wait for another process's lock. */
  readonly lockTimeoutMs: number
  /** A larger WAL is started over, even if that has to wait for readers. */
  readonly maxWalPages: number
  /**
   * Pause after a write, so that other processes get the lock: the minimum, or a share of the time the lock was held. The
   * share doubles while others are writing.
   */
  readonly pauseAfterWrite: { readonly minMs: number; readonly share: number }
}

type ThreadRequest =
  | ({ readonly file: string } & WriterThreadOptions)
  | { readonly id: number; readonly steps: readonly WriteStep[] }
  | { readonly committedRows: number }
type ThreadResponse = {
  readonly id: number
  readonly written?: WriteStats
  readonly failure?: { readonly code: string; readonly message: string }
}
type ThreadPort = { onmessage: ((event: { data: unknown }) => void) | null; postMessage(report: ThreadResponse): void }

export type WriterThread = {
  /**
   * Atomic: resolves when all steps are on the disk. `lockHeldMs` excludes the commit, which takes as long for few rows as
   * for many.
   */
  readonly write: (steps: readonly WriteStep[]) => Promise<WriteStats>
  /** Counts a commit of another connection of this process, which leaves checkpoints to the thread. */
  readonly countCommit: (rows: number) => void
  /** True after the thread crashed; start another one. */
  readonly hasFailed: () => boolean
  readonly stop: () => void
}

/**
 * The code of the thread. It is passed as source text, so that it also works in the one-file executable, and may
 * therefore refer only to its parameters.
 */
function runWriter(Connection: new (file: string, options: object) => BunDatabase, port: ThreadPort): void {
  let connection: BunDatabase
  let options: WriterThreadOptions
  let commits = 0
  let rowsWritten = 0
  let pauseUntil = 0
  let lastVersion = -1
  let othersWroteAt = Number.NEGATIVE_INFINITY
  /** SQLite's own busy handler sleeps up to 100 ms and would miss the pauses of a long import. */
  const begin = () => {
    const deadline = performance.now() + options.lockTimeoutMs
    for (;;) {
      try {
        connection.run('begin immediate')
        return
      } catch (error) {
        const code = (error as { code?: string }).code ?? ''
        if (!code.startsWith('SQLITE_BUSY') || performance.now() > deadline) throw error
        Bun.sleepSync(1)
      }
    }
  }
  const checkpoint = () => {
    try {
      const { log } = connection.query('pragma wal_checkpoint(passive)').get() as { log: number }
      // Readers prevented a restart of the WAL: wait for them briefly, before it grows without bound. The file keeps its size,
      // because a commit that makes it longer waits for everything that the file system has to write.
      if (log > options.maxWalPages) {
        connection.run('pragma busy_timeout = 200')
        connection.query('pragma wal_checkpoint(restart)').get()
      }
    } catch {
      // Another process is at it; the next checkpoint follows.
    }
    connection.run('pragma busy_timeout = 0')
  }
  const countCommit = (rows: number) => {
    commits++
    rowsWritten += rows
    if (commits < 250 && rowsWritten < 2_000) return
    commits = 0
    rowsWritten = 0
    checkpoint()
  }
  const unpack = (column: TransferColumn): ArrayLike<SqlValue> => {
    if (!('text' in column)) return column
    let end = 0
    return Array.from(column.lengths, (length) => {
      if (length < 0) return null
      const start = end
      end += length
      return column.text.slice(start, end)
    })
  }
  port.onmessage = ({ data }) => {
    const request = data as ThreadRequest
    if ('file' in request) {
      connection = new Connection(request.file, { strict: true })
      // Another process may hold the file while the first pragma reads it; `begin` below waits by itself.
      connection.run(`pragma busy_timeout = ${request.lockTimeoutMs}`)
      for (const pragma of request.pragmas) connection.run(pragma)
      connection.run('pragma busy_timeout = 0')
      options = request
      return
    }
    if ('committedRows' in request) {
      countCommit(request.committedRows)
      return
    }
    try {
      const pauseMs = pauseUntil - performance.now()
      if (pauseMs > 0) Bun.sleepSync(pauseMs)
      begin()
      const startedAt = performance.now()
      // Changes only when another connection has committed.
      const { data_version: version } = connection.query('pragma data_version').get() as { data_version: number }
      if (version !== lastVersion && lastVersion !== -1) othersWroteAt = startedAt
      lastVersion = version
      for (const { sql, rows, columns } of request.steps) {
        const statement = connection.query(sql)
        const values = columns.map(unpack)
        const row: SqlValue[] = new Array(values.length)
        for (let index = 0; index < rows; index++) {
          for (let column = 0; column < values.length; column++) {
            const value = values[column]?.[index] as SqlValue
            row[column] = Number.isNaN(value) ? null : value
          }
          statement.run(...row)
        }
      }
      const lockHeldMs = performance.now() - startedAt
      connection.run('commit')
      const hasOtherWriters = performance.now() - othersWroteAt < 1_000
      port.postMessage({ id: request.id, written: { lockHeldMs, hasOtherWriters } })
      const { minMs, share } = options.pauseAfterWrite
      pauseUntil = performance.now() + Math.max(minMs, lockHeldMs * (hasOtherWriters ? 2 * share : share))
      // Checkpoints run after the response, so that no caller waits for another process's pages.
      countCommit(request.steps.reduce((sum, { rows }) => sum + rows, 0))
    } catch (error) {
      if (connection.inTransaction) connection.run('rollback')
      const { code = '', message = '' } = error as { code?: string; message?: string }
      port.postMessage({ id: request.id, failure: { code, message } })
    }
  }
}

/** A connection in its own thread, so that waiting for the disk does not block the event loop. */
export function startWriterThread(file: string, options: WriterThreadOptions): WriterThread {
  const source = `import { Database } from 'bun:sqlite'\n;(${runWriter.toString()})(Database, self)`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const thread = new Worker(url) as Worker & { ref(): void; unref(): void }
  const pendingById = new Map<number, PromiseWithResolvers<WriteStats>>()
  let nextId = 0
  let failed = false
  // An idle thread must not keep the process alive. While a write is pending it must, or the event loop would spin instead
  // of sleeping.
  thread.unref()
  thread.onmessage = ({ data }: MessageEvent<ThreadResponse>) => {
    const pending = pendingById.get(data.id)
    pendingById.delete(data.id)
    if (pendingById.size === 0) thread.unref()
    if (!data.failure) pending?.resolve(data.written as WriteStats)
    else pending?.reject(Object.assign(new Error(data.failure.message), { code: data.failure.code }))
  }
  thread.onerror = ({ message }) => {
    failed = true
    for (const pending of pendingById.values()) pending.reject(new Error(`The writer thread failed: ${message}`))
    pendingById.clear()
  }
  thread.postMessage({ file, ...options } satisfies ThreadRequest)
  return {
    write(steps) {
      const pending = Promise.withResolvers<WriteStats>()
      const id = nextId++
      if (pendingById.size === 0) thread.ref()
      pendingById.set(id, pending)
      thread.postMessage({ id, steps } satisfies ThreadRequest)
      return pending.promise
    },
    countCommit: (committedRows) => thread.postMessage({ committedRows } satisfies ThreadRequest),
    hasFailed: () => failed,
    stop() {
      thread.terminate()
      URL.revokeObjectURL(url)
    },
  }
}

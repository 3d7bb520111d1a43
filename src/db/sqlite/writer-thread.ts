import type { Database as BunDatabase } from 'bun:sqlite'
import type { ColumnValues, WriteStats } from '../database.ts'

export type SqlValue = string | number | null

/** The values of one parameter, row by row: numbers as they lie in memory (NaN is null), everything else as JSON. */
export type TransferColumn = string | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** One statement and the rows it is run with. Columns are handed over in a fraction of the time that rows take. */
export type WriteStep = { readonly sql: string; readonly rows: number; readonly columns: readonly TransferColumn[] }

export function toTransferColumn(values: ColumnValues): TransferColumn {
  // A copy: what is handed over is no longer there for whoever gave it.
  if (!Array.isArray(values)) return (values as Int32Array | Float64Array).slice() as TransferColumn
  const given = values as readonly SqlValue[]
  let isWhole = true
  for (const value of given) {
    if (typeof value === 'string') return JSON.stringify(given)
    if (value === null || (value | 0) !== value) isWhole = false
  }
  return isWhole
    ? Int32Array.from(given as number[])
    : Float64Array.from(given, (value) => (value as number) ?? Number.NaN)
}

export type WriterThreadOptions = {
  readonly pragmas: readonly string[]
  /** How long to wait for another process's lock. */
  readonly lockTimeoutMs: number
  /** Beyond so many pages the log of the store is emptied, even if readers have to be waited for. */
  readonly maxWalPages: number
  /**
   * How long to leave the lock alone after a write, so that others get it: this long, or this share of what it was held for.
   * The share is doubled while others are writing.
   */
  readonly pauseAfterWrite: { readonly leastMs: number; readonly share: number }
}

type ThreadRequest =
  | ({ readonly file: string } & WriterThreadOptions)
  | { readonly id: number; readonly steps: readonly WriteStep[] }
type ThreadResponse = {
  readonly id: number
  readonly written?: WriteStats
  readonly failure?: { readonly code: string; readonly message: string }
}
type ThreadPort = { onmessage: ((event: { data: unknown }) => void) | null; postMessage(report: ThreadResponse): void }

export type WriterThread = {
  /**
   * Resolves when the steps are on the disk, all of them, or rejects and none is. The commit does not count as holding the
   * lock: a slow disk takes as long for few rows as for many.
   */
  readonly write: (steps: readonly WriteStep[]) => Promise<WriteStats>
  /** True after it broke; another one has to be started. */
  readonly hasFailed: () => boolean
  readonly stop: () => void
}

/**
 * What runs in the thread. It is handed over as text, so that it also works in the one-file executable, and may
 * therefore use nothing but its parameters.
 */
function runWriter(Connection: new (file: string, options: object) => BunDatabase, port: ThreadPort): void {
  let connection: BunDatabase
  let rules: WriterThreadOptions
  let commits = 0
  let rowsWritten = 0
  let restUntil = 0
  let seenVersion = -1
  let othersWroteAt = Number.NEGATIVE_INFINITY
  /** SQLite itself would look again after up to 100 ms and miss every gap that a long import leaves. */
  const begin = () => {
    const giveUpAt = performance.now() + rules.lockTimeoutMs
    for (;;) {
      try {
        connection.run('begin immediate')
        return
      } catch (error) {
        const code = (error as { code?: string }).code ?? ''
        if (!code.startsWith('SQLITE_BUSY') || performance.now() > giveUpAt) throw error
        Bun.sleepSync(1)
      }
    }
  }
  const checkpoint = () => {
    try {
      const { log } = connection.query('pragma wal_checkpoint(passive)').get() as { log: number }
      // Readers in between kept it from beginning anew. They are waited for a moment before the log grows on and on.
      if (log > rules.maxWalPages) {
        connection.run('pragma busy_timeout = 200')
        connection.query('pragma wal_checkpoint(truncate)').get()
      }
    } catch {
      // Somebody else is at it; the next one will do.
    }
    connection.run('pragma busy_timeout = 0')
  }
  port.onmessage = ({ data }) => {
    const order = data as ThreadRequest
    if ('file' in order) {
      connection = new Connection(order.file, { strict: true })
      for (const pragma of order.pragmas) connection.run(pragma)
      rules = order
      return
    }
    try {
      const restMs = restUntil - performance.now()
      if (restMs > 0) Bun.sleepSync(restMs)
      begin()
      const begunAt = performance.now()
      // The number changes when another connection has committed something, and only then.
      const { data_version: version } = connection.query('pragma data_version').get() as { data_version: number }
      if (version !== seenVersion && seenVersion !== -1) othersWroteAt = begunAt
      seenVersion = version
      for (const { sql, rows, columns } of order.steps) {
        const statement = connection.query(sql)
        const values = columns.map((column) =>
          typeof column === 'string' ? (JSON.parse(column) as SqlValue[]) : column,
        )
        const row: SqlValue[] = new Array(values.length)
        for (let at = 0; at < rows; at++) {
          for (let place = 0; place < values.length; place++) {
            const value = (values[place] as readonly SqlValue[])[at] as SqlValue
            row[place] = Number.isNaN(value) ? null : value
          }
          statement.run(...row)
        }
      }
      const heldMs = performance.now() - begunAt
      connection.run('commit')
      const besideOthers = performance.now() - othersWroteAt < 1_000
      port.postMessage({ id: order.id, written: { lockHeldMs: heldMs, hasOtherWriters: besideOthers } })
      const { leastMs, share } = rules.pauseAfterWrite
      restUntil = performance.now() + Math.max(leastMs, heldMs * (besideOthers ? 2 * share : share))
      // After the answer, not in the commit: folding another process's pages into the file must not be waited for.
      commits++
      for (const { rows } of order.steps) rowsWritten += rows
      if (commits >= 250 || rowsWritten >= 2_000) {
        commits = 0
        rowsWritten = 0
        checkpoint()
      }
    } catch (error) {
      if (connection.inTransaction) connection.run('rollback')
      const { code = '', message = '' } = error as { code?: string; message?: string }
      port.postMessage({ id: order.id, failure: { code, message } })
    }
  }
}

/** A connection in a thread of its own: waiting for the disk there holds up nobody here. */
export function startWriterThread(file: string, rules: WriterThreadOptions): WriterThread {
  const source = `import { Database } from 'bun:sqlite'\n;(${runWriter.toString()})(Database, self)`
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const thread = new Worker(address) as Worker & { ref(): void; unref(): void }
  const waiting = new Map<number, PromiseWithResolvers<WriteStats>>()
  let nextId = 0
  let failed = false
  // The thread alone keeps no process alive. While it is waited for it counts, or the event loop, which would see nothing
  // to wait for, would ask over and over instead of sleeping.
  thread.unref()
  thread.onmessage = ({ data }: MessageEvent<ThreadResponse>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if (waiting.size === 0) thread.unref()
    if (!data.failure) asked?.resolve(data.written as WriteStats)
    else asked?.reject(Object.assign(new Error(data.failure.message), { code: data.failure.code }))
  }
  thread.onerror = ({ message }) => {
    failed = true
    for (const asked of waiting.values()) asked.reject(new Error(`The writing thread failed: ${message}`))
    waiting.clear()
  }
  thread.postMessage({ file, ...rules } satisfies ThreadRequest)
  return {
    write(steps) {
      const asked = Promise.withResolvers<WriteStats>()
      const id = nextId++
      if (waiting.size === 0) thread.ref()
      waiting.set(id, asked)
      const numbers = steps.flatMap(({ columns }) => columns.filter((column) => typeof column !== 'string'))
      thread.postMessage(
        { id, steps } satisfies ThreadRequest,
        numbers.map((column) => column.buffer),
      )
      return asked.promise
    },
    hasFailed: () => failed,
    stop() {
      thread.terminate()
      URL.revokeObjectURL(address)
    },
  }
}

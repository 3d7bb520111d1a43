import type { Database as BunDatabase } from 'bun:sqlite'

export type Value = string | number | null

/** One statement and the rows it is run with. */
export type WriteStep = { readonly sql: string; readonly rows: readonly (readonly Value[])[] }

type Order =
  | { readonly file: string; readonly pragmas: readonly string[] }
  | { readonly id: number; readonly steps: readonly WriteStep[]; readonly patienceMs: number }
type Report = { readonly id: number; readonly failure?: { readonly code: string; readonly message: string } }
type Port = { onmessage: ((event: { data: unknown }) => void) | null; postMessage(report: Report): void }

export type WriterThread = {
  /** Resolves when the steps are on the disk, all of them, or rejects and none is. */
  readonly write: (steps: readonly WriteStep[]) => Promise<void>
  /** True after it broke; another one has to be started. */
  readonly hasFailed: () => boolean
  readonly stop: () => void
}

/**
 * What runs in the thread. It is handed over as text, so that it also works in the one-file executable, and may
 * therefore use nothing but its parameters.
 */
function work(Connection: new (file: string, options: object) => BunDatabase, port: Port): void {
  let connection: BunDatabase
  let sinceCheckpoint = 0
  /** SQLite itself would look again after up to 100 ms and miss every gap that a long import leaves. */
  const begin = (patienceMs: number) => {
    const giveUpAt = performance.now() + patienceMs
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
      connection.run('pragma wal_checkpoint(passive)')
    } catch {
      // Somebody else is at it; the next one will do.
    }
  }
  port.onmessage = ({ data }) => {
    const order = JSON.parse(data as string) as Order
    if ('file' in order) {
      connection = new Connection(order.file, { strict: true })
      for (const pragma of order.pragmas) connection.run(pragma)
      return
    }
    try {
      begin(order.patienceMs)
      for (const { sql, rows } of order.steps) {
        const statement = connection.query(sql)
        for (const row of rows) statement.run(...(row as Value[]))
      }
      connection.run('commit')
      port.postMessage({ id: order.id })
      // After the answer, not in the commit: folding another process's pages into the file must not be waited for.
      sinceCheckpoint++
      if (sinceCheckpoint >= 250) {
        sinceCheckpoint = 0
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
export function startWriterThread(file: string, pragmas: readonly string[], patienceMs: number): WriterThread {
  const source = `import { Database } from 'bun:sqlite'\n;(${work.toString()})(Database, self)`
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  // The thread alone keeps no process alive.
  const thread = new Worker(address) as Worker & { unref(): void }
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let nextId = 0
  let failed = false
  thread.unref()
  thread.onmessage = ({ data }: MessageEvent<Report>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if (!data.failure) asked?.resolve()
    else asked?.reject(Object.assign(new Error(data.failure.message), { code: data.failure.code }))
  }
  thread.onerror = ({ message }) => {
    failed = true
    for (const asked of waiting.values()) asked.reject(new Error(`The writing thread failed: ${message}`))
    waiting.clear()
  }
  // Text is handed over as it is; cloning the rows one by one takes several times as long.
  const send = (order: Order) => thread.postMessage(JSON.stringify(order))
  send({ file, pragmas })
  return {
    write(steps) {
      const asked = Promise.withResolvers<void>()
      const id = nextId++
      waiting.set(id, asked)
      send({ id, steps, patienceMs })
      return asked.promise
    },
    hasFailed: () => failed,
    stop() {
      thread.terminate()
      URL.revokeObjectURL(address)
    },
  }
}

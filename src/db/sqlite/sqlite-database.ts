import { Database as BunDatabase } from 'bun:sqlite'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CompiledQuery, Kysely, sql } from 'kysely'
import { unavailable } from '../../lib/errors.ts'
import { incrementCounter, openChangeFeed, touchCounterQuery } from '../change-feed.ts'
import { rowCount, toColumns } from '../column-batch.ts'
import type {
  Database,
  DatabaseOptions,
  TableColumns,
  TableRows,
  Topic,
  Tx,
  UpsertOptions,
  WriteStats,
} from '../database.ts'
import { isLocked, isWriteLost } from '../database-errors.ts'
import { assertKnownSchema, MIGRATIONS } from '../migrations/index.ts'
import { assertNotMoving, FILLING_TABLE, MOVED_TABLE } from '../move/move-endpoint.ts'
import type { Schema } from '../schema.ts'
import { statementLog } from '../statement-log.ts'
import { lastRowPerKey, upsertClause } from '../upsert-clause.ts'
import { bunSqliteDialect } from './bun-dialect.ts'
import { withFileLock } from './file-lock.ts'
import {
  type SqlValue,
  startWriterThread,
  toTransferColumn,
  type WriterThread,
  type WriterThreadOptions,
  type WriteStep,
} from './writer-thread.ts'

/** With less free space the next lookups would fail. */
const MIN_FREE_BYTES = 1_048_576
const LOCK_TIMEOUT_MS = 5_000
const SCAN_ROWS = 5_000
/** Short enough to use the pauses of a long import. */
const MAX_LOCK_POLL_MS = 2

/**
 * Two connections to one file: a read-only one, so that reads never wait for writes, and a writer whose transactions queue
 * in this process. Waiting for another process's write lock does not block the event loop.
 */
export async function openSqlite(file: string, options: DatabaseOptions): Promise<Database> {
  const { workload = 'job', allowDuringMove = false, pollIntervalMs } = options
  const writerConnection = connect(file)
  if (workload === 'job') for (const pragma of JOB_PRAGMAS) writerConnection.run(pragma)
  const writer = new Kysely<Schema>({ dialect: bunSqliteDialect(writerConnection), ...statementLog(options) })
  const runInSequence = serialQueue()
  const changedRows = rowChangeCounter(writerConnection)
  let thread: WriterThread | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return runInSequence(async () => {
      await begin(writerConnection)
      let result: T
      try {
        result = await work(writer)
      } catch (error) {
        rollback(writerConnection)
        throw error
      }
      commit(writerConnection)
      if (workload === 'server') thread?.countCommit(changedRows())
      return result
    })
  }

  if (!allowDuringMove) checkNotMoving(writerConnection)
  await migrate(writer, transaction)
  const readerConnection = connect(file)
  readerConnection.run('pragma query_only = on')
  const query = new Kysely<Schema>({ dialect: bunSqliteDialect(readerConnection), ...statementLog(options) })
  const changes = openChangeFeed(query, pollIntervalMs)

  function openThread(): WriterThread {
    if (thread && !thread.hasFailed()) return thread
    // From now on the thread makes the checkpoints: in the event loop every request would wait for the disk.
    if (workload === 'server') writerConnection.run('pragma wal_autocheckpoint = 0')
    return startWriterThread(file, THREAD_OPTIONS[workload])
  }

  async function write(
    tables: readonly (TableRows | TableColumns)[],
    statements: readonly CompiledQuery[] = [],
  ): Promise<WriteStats> {
    // Prepared before its turn in the queue.
    const steps = [
      ...tables
        .map(toColumns)
        .filter((batch) => rowCount(batch) > 0)
        .flatMap(toWriteSteps),
      ...statements.map(({ sql, parameters }) => ({
        sql,
        rows: 1,
        columns: parameters.map((value) => toTransferColumn([value as SqlValue])),
      })),
    ]
    try {
      const { pendingWrite } = await runInSequence(async () => {
        thread = openThread()
        const pendingWrite = thread.write(steps)
        lastWrite = pendingWrite.catch(() => {})
        // A job may send the next rows already: the thread writes them one after the other, with pauses.
        if (workload === 'server') await pendingWrite
        return { pendingWrite }
      })
      return await pendingWrite
    } catch (error) {
      exitIfWriteLost(error)
      throw error
    }
  }

  return {
    query,
    transaction,
    withLock: (name, work, onWait) => withFileLock(join(dirname(file), `${name}.lock`), work, onWait),
    insertMany: async (_tx, table, rows, options) =>
      insertMany(writerConnection, table, rows as unknown as Record<string, unknown>[], options),
    announceChange: incrementCounter,
    onChange: changes.onChange,
    bulk: {
      hasSingleWriter: true,
      writeBatch: write,
      async findByValues(tx, table, column, values) {
        // SQLite does not reorder a cross join.
        const { rows } = await sql`select found.* from json_each(${JSON.stringify(values)}) as wanted
          cross join ${sql.table(table)} as found on found.${sql.ref(column)} = wanted.value`.execute(tx)
        return rows as never
      },
      scanRows: (table, columns) =>
        scanRows(
          readerConnection,
          table,
          columns.map((name) => `"${name}"`),
        ) as never,
      analyzeTable: async () => {},
    },
    admin: {
      dialect: 'sqlite',
      checkWritable: async () => {
        // The write below is so small that it succeeds on a nearly full disk.
        const { bavail: freeBlocks, bsize: blockBytes } = await statfs(dirname(file))
        if (freeBlocks * blockBytes < MIN_FREE_BYTES) throw new Error('the disk is full')
        await write([], [touchCounterQuery(query)])
      },
      msSinceLastResponse: changes.msSinceLastResponse,
      poolUsage: () => null,
    },
    async close() {
      changes.stop()
      await runInSequence(async () => {
        await lastWrite
        thread?.stop()
        await query.destroy()
        await writer.destroy()
      })
    },
  }
}

/**
 * In rowid order, which reads pages sequentially; key order would take many times as long. In batches, so that a large
 * table is never in memory as a whole.
 */
async function* scanRows(connection: BunDatabase, table: string, columns: readonly string[]): AsyncGenerator<object[]> {
  const statement = connection.query(
    `select rowid as "scan rowid", ${columns.join(', ')} from "${table}" where rowid > ? order by rowid limit ${SCAN_ROWS}`,
  )
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = statement.all(after) as { 'scan rowid': number }[]
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last['scan rowid']
  }
}

const PRAGMAS = [
  // Takes effect in a new file only, before anything else is written to it.
  'pragma auto_vacuum = incremental',
  'pragma journal_mode = wal',
  // FULL: a commit is on the disk before it is acknowledged, so that a power cut does not lose it.
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  'pragma cache_size = -8000',
  // Shrinks the WAL file after a busy hour.
  'pragma journal_size_limit = 33554432',
]

/** 32 MB in pages of 4 KiB. */
const MAX_WAL_PAGES = 8_000

/** A long import writes to the same pages repeatedly: a larger cache and rare checkpoints double its speed. */
const JOB_PRAGMAS = ['pragma cache_size = -64000', 'pragma wal_autocheckpoint = 8000']

const THREAD_OPTIONS: Readonly<Record<'server' | 'job', WriterThreadOptions>> = {
  server: {
    pragmas: [...PRAGMAS, 'pragma wal_autocheckpoint = 0'],
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    maxWalPages: MAX_WAL_PAGES,
    pauseAfterWrite: { minMs: 0, share: 0 },
  },
  job: {
    // Half the cache of the connection above is enough, because batches arrive in index order.
    pragmas: [...PRAGMAS, ...JOB_PRAGMAS, 'pragma cache_size = -32000'],
    // Two imports beside a service on a busy machine may wait long for each other.
    lockTimeoutMs: 30_000,
    maxWalPages: MAX_WAL_PAGES,
    // Other processes poll the lock every 2 ms, or less often on a busy machine.
    pauseAfterWrite: { minMs: 4, share: 0.2 },
  },
}

function connect(file: string): BunDatabase {
  const connection = new BunDatabase(file, { create: true, strict: true })
  connection.run('pragma busy_timeout = 1000')
  for (const pragma of PRAGMAS) connection.run(pragma)
  // `begin` waits for other processes without blocking the event loop.
  connection.run('pragma busy_timeout = 0')
  return connection
}

async function begin(connection: BunDatabase): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, MAX_LOCK_POLL_MS)) {
    try {
      connection.run('begin immediate')
      return
    } catch (error) {
      if (!isLocked(error)) throw error
      if (performance.now() > deadline) throw unavailable('The database is busy. Try again shortly.', 1, error)
      await Bun.sleep(pauseMs)
    }
  }
}

function commit(connection: BunDatabase): void {
  try {
    connection.run('commit')
  } catch (error) {
    exitIfWriteLost(error)
    rollback(connection)
    throw error
  }
}

function exitIfWriteLost(error: unknown): void {
  if (!isWriteLost(error)) return
  process.stderr.write(
    `The disk failed to write a commit (${String(error)}). Stopping; the next start recovers the database.\n`,
  )
  process.exit(74)
}

/** Rows that were changed since the last call. */
function rowChangeCounter(connection: BunDatabase): () => number {
  const statement = connection.query<{ total: number }, []>('select total_changes() as total')
  let before = 0
  return () => {
    const total = statement.get()?.total ?? before
    const changed = total - before
    before = total
    return changed
  }
}

function rollback(connection: BunDatabase): void {
  if (connection.inTransaction) connection.run('rollback')
}

/** Runs jobs one after the other; a failed one does not stop the next. */
function serialQueue(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const run = last.then(job, job)
    last = run.catch(() => {})
    return run
  }
}

function checkNotMoving(connection: BunDatabase): void {
  const markerTables = connection
    .query('select name from sqlite_master where name in (?, ?)')
    .values(FILLING_TABLE, MOVED_TABLE)
    .flat()
  if (markerTables.length === 0) return
  const moved = markerTables.includes(MOVED_TABLE)
    ? (connection.query(`select sentence from ${MOVED_TABLE}`).get() as { sentence: string } | null)
    : null
  connection.close()
  assertNotMoving({ isFilling: markerTables.includes(FILLING_TABLE), moved: moved?.sentence })
}

async function migrate(writer: Kysely<Schema>, transaction: Database['transaction']): Promise<void> {
  // The write lock serializes migrations: a second process waits here and then finds them applied.
  await transaction(async () => {
    await sql`create table if not exists migration (name text primary key, applied_at bigint not null)`.execute(writer)
  })
  const applied = await sql<{ name: string }>`select name from migration`.execute(writer)
  assertKnownSchema(applied.rows.map(({ name }) => name))
  for (const migration of MIGRATIONS) {
    await transaction(async (tx) => {
      const done = await sql<{ name: string }>`select name from migration where name = ${migration.name}`.execute(tx)
      if (done.rows.length > 0) return
      await migration.up(tx as unknown as Kysely<unknown>, 'sqlite')
      await sql`insert into migration (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(tx)
    })
  }
}

function insertMany(
  connection: BunDatabase,
  table: string,
  rows: readonly Record<string, unknown>[],
  options: UpsertOptions = {},
): void {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const statement = connection.query(insertSql(table, columns, options))
  const typedRows = rows as readonly Record<string, SqlValue>[]
  for (const row of lastRowPerKey(typedRows, options.rowsAreDistinct ? undefined : options.conflictColumns)) {
    statement.run(...columns.map((name) => row[name] ?? null))
  }
}

function toWriteSteps({ table, columns, options = {}, changeTopic }: TableColumns): WriteStep[] {
  const rows = rowCount({ table, columns })
  const values = Object.values(columns).map(toTransferColumn)
  if (!changeTopic) return [{ sql: insertSql(table, Object.keys(columns), options), rows, columns: values }]
  return [
    { sql: INCREMENT_COUNTER_SQL, rows: 1, columns: [toTransferColumn([changeTopic])] },
    { sql: insertSql(table, Object.keys(columns), options, changeTopic), rows, columns: values },
  ]
}

const INCREMENT_COUNTER_SQL =
  'insert into change (topic, counter) values (?, 1) on conflict (topic) do update set counter = change.counter + 1'

function insertSql(table: string, columns: readonly string[], options: UpsertOptions, changeTopic?: Topic): string {
  const allColumns = changeTopic ? [...columns, 'revision'] : columns
  const placeholders = columns.map(() => '?')
  if (changeTopic) placeholders.push(`(select counter from change where topic = '${changeTopic}')`)
  const names = allColumns.map((name) => `"${name}"`).join(', ')
  return `insert into "${table}" (${names}) values (${placeholders.join(', ')})${upsertClause(table, allColumns, options)}`
}

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledQuery, Insertable, Kysely, Selectable, Transaction } from 'kysely'
import { unavailable } from '../lib/errors.ts'
import { explainOpenError } from './open-errors.ts'
import type { Schema } from './schema.ts'

/** Topics of change notifications. Each has a counter in the database that every process polls. */
export const TOPICS = [
  'access',
  'catalogue',
  'market',
  'rates',
  'repair',
  'lists',
  'watches',
  'events',
  'jobs',
  'settings',
] as const
export type Topic = (typeof TOPICS)[number]

export type Tx = Transaction<Schema> | Kysely<Schema>

export type UpsertOptions = {
  /** The unique key. Makes the write an upsert; of several rows with the same key the last wins. */
  readonly conflictColumns?: readonly string[]
  /** Columns that an upsert overwrites: none when empty (keep the first row), all other columns when absent. */
  readonly updateColumns?: readonly string[]
  /** Overwrite only rows whose value in this column is not greater than the new row's. */
  readonly onlyIfNewerBy?: string
  /** Overwrite only rows that have this value, which is a constant of the program. */
  readonly onlyIf?: { readonly column: string; readonly value: string }
  /** The caller guarantees distinct keys; skips deduplication. */
  readonly rowsAreDistinct?: boolean
}

export type TableRows = {
  readonly table: keyof Schema & string
  readonly rows: readonly object[]
  readonly options?: UpsertOptions
}

/** The values of one column, row by row. In an array of numbers NaN stands for null. */
export type ColumnValues = readonly (string | number | null)[] | Int32Array | Float64Array

/** Distinct rows in columnar form: a long list of row objects would take several times the memory. */
export type TableColumns = {
  readonly table: keyof Schema & string
  readonly columns: Readonly<Record<string, ColumnValues>>
  readonly options?: UpsertOptions
  /** Increments this topic's counter in the same transaction; the rows get its new value as `revision`. */
  readonly changeTopic?: Topic
}

export type WriteStats = {
  /** How long the write lock was held, without the commit. */
  readonly lockHeldMs: number
  /** Whether another process wrote within the last second. */
  readonly hasOtherWriters: boolean
}

export type Database = {
  /** Read-only. Writes go through `transaction`, because SQLite has a single writer connection. */
  readonly query: Kysely<Schema>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Bulk insert. Call it inside `transaction` with at most a few thousand rows. */
  insertMany<Table extends keyof Schema & string>(
    tx: Tx,
    table: Table,
    rows: readonly Insertable<Schema[Table]>[],
    options?: UpsertOptions,
  ): Promise<void>
  /**
   * Runs `work` while holding the lock `name` (valid as a file name) across all processes. Calls `onWait` once if the lock
   * is taken; if that throws, it stops waiting. The lock is released when the process ends, even by kill -9.
   */
  withLock<T>(name: string, work: () => Promise<T>, onWait: () => void): Promise<T>
  /** Increments the topic's counter in the transaction of the change; returns the new value. */
  announceChange(tx: Tx, topic: Topic): Promise<number>
  /** Calls `react` in every process within a second of an announced change, and once soon after subscribing. */
  onChange(topic: Topic, react: () => void): () => void
  readonly bulk: BulkAccess
  readonly admin: DatabaseAdmin
  close(): Promise<void>
}

/** Reads and writes of many rows. */
type BulkAccess = {
  /** Whether all writers share one lock, so that long jobs must pause between writes. */
  readonly hasSingleWriter: boolean
  /**
   * Inserts rows, then runs statements, in one transaction. On SQLite it runs in a worker thread, so that the event loop
   * does not wait for the disk; a job's writes pause in between for other processes. On PostgreSQL rows of a change topic
   * come last: their counter is locked until the commit, and others change their rows before they announce it.
   */
  writeBatch(tables: readonly (TableRows | TableColumns)[], statements?: readonly CompiledQuery[]): Promise<WriteStats>
  /** Rows whose column has one of many values. Always uses the column's index, however large the table is. */
  findByValues<Table extends keyof Schema & string>(
    tx: Tx,
    table: Table,
    column: keyof Schema[Table] & string,
    values: readonly string[],
  ): Promise<Selectable<Schema[Table]>[]>
  /** Every row of a table in no particular order, in batches of the fastest size for this database. */
  scanRows<Table extends 'device' | 'variant', Column extends keyof Schema[Table] & string>(
    table: Table,
    columns: readonly Column[],
  ): AsyncIterable<readonly Pick<Schema[Table], Column>[]>
  /**
   * Updates planner statistics after a bulk load: until autovacuum does, PostgreSQL would scan the whole table for a few
   * rows. Does nothing on SQLite.
   */
  analyzeTable(table: keyof Schema & string): Promise<void>
}

/** Health and maintenance. */
type DatabaseAdmin = {
  /** For display. Code outside of `db/` must not branch on it. */
  readonly dialect: 'sqlite' | 'postgres'
  /** Makes a write without effect; rejects when the database is unavailable, full or read-only. */
  checkWritable(): Promise<void>
  /** Time since the last successful poll of the change counters. */
  msSinceLastResponse(): number
  /** Connections of the pool; null for the embedded database. */
  poolUsage(): { readonly inUse: number; readonly waiting: number; readonly max: number } | null
}

export type DatabaseOptions = {
  /** A `postgres://` URL; empty for SQLite in `dataDir`. */
  readonly url: string
  readonly dataDir: string
  /** A server must respond with 503 within two seconds; a job may wait for a slow statement. */
  readonly workload?: 'server' | 'job'
  /** Maximum PostgreSQL connections; 10 unless set. */
  readonly maxConnections?: number
  /** Called once if another process is running migrations; opening waits until it has finished. */
  readonly onWait?: () => void
  /** Poll interval of the change counters; PostgreSQL also sends notifications. */
  readonly pollIntervalMs?: number
  /** Called after every statement; without it statements are not timed. */
  readonly onStatement?: (sql: string, durationMs: number, isError: boolean) => void
  /** Only for the move itself: otherwise a database that is partly filled, or was moved away, cannot be opened. */
  readonly allowDuringMove?: boolean
}

/** Whether the database exists already. Does not create it. */
export async function databaseExists({ url, dataDir }: DatabaseOptions): Promise<boolean> {
  if (!url) return existsSync(sqlitePath(dataDir))
  const { hasTables } = await import('./postgres/postgres-database.ts')
  return hasTables(url).catch((error) => throwExplained(error, { url, dataDir }))
}

/**
 * Whether another process may have the database open. SQLite keeps the WAL file until the last connection closes, and
 * after a kill. Always true for PostgreSQL.
 */
export function mayBeOpenElsewhere({ url, dataDir }: DatabaseOptions): boolean {
  return url !== '' || existsSync(`${sqlitePath(dataDir)}-wal`)
}

/** Start of the name of a folder in the data folder that exists while a backup is restored. */
export const RESTORING = 'restoring'

export const sqlitePath = (dataDir: string) => join(dataDir, 'device-intelligence.sqlite')

/** Opens the database, creating it if needed, and runs pending migrations. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return open(options).catch((error) => throwExplained(error, options))
}

function throwExplained(error: unknown, { url, dataDir }: DatabaseOptions): never {
  throw explainOpenError(error, { url, dataDir, file: sqlitePath(dataDir) }) ?? error
}

async function open(options: DatabaseOptions): Promise<Database> {
  if (options.url) {
    const { openPostgres } = await import('./postgres/postgres-database.ts')
    return openPostgres(options)
  }
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const file = sqlitePath(options.dataDir)
  // The database before may be kept under another name: an empty one in its place would hide that.
  if (!existsSync(file)) requireNoRestore(options.dataDir)
  restrictFileMode(file)
  const { openSqlite } = await import('./sqlite/sqlite-database.ts')
  return openSqlite(file, options)
}

function requireNoRestore(dataDir: string): void {
  const folder = readdirSync(dataDir).find((name) => name.startsWith(RESTORING))
  if (folder === undefined) return
  const remedy = `Run it again, or remove ${join(dataDir, folder)} to start without its data.`
  throw unavailable(`A restore is running or was interrupted in ${dataDir}. ${remedy}`, 0)
}

/**
 * Keeps other users of the machine from reading the database. The file is created before SQLite opens it, because SQLite
 * would make it world-readable; the WAL and shared-memory files inherit its mode.
 */
function restrictFileMode(file: string): void {
  // Only if missing: closing any handle of a file drops every POSIX lock that this process holds on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
    } catch {
      // Missing, or owned by another user who decides its mode.
    }
  }
}

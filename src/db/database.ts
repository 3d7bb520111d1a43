import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledQuery, Insertable, Kysely, Selectable, Transaction } from 'kysely'
import { explainOpenError } from './open-errors.ts'
import type { PartitionedTable, TotalTable } from './postgres/monthly-partitions.ts'
import type { Schema } from './schema.ts'

/** What can change under a running process. Each has a counter that every process watches. */
export const TOPICS = ['access', 'catalogue', 'market', 'repair', 'lists', 'watches', 'events'] as const
export type Topic = (typeof TOPICS)[number]

export type Tx = Transaction<Schema> | Kysely<Schema>

export type UpsertOptions = {
  /** The columns that make a row the same row; with them the write is an upsert, and the last of equal rows counts. */
  readonly conflictColumns?: readonly string[]
  /** What an upsert overwrites; nothing (keep the first) when empty; all other columns when absent. */
  readonly updateColumns?: readonly string[]
  /** An upsert overwrites only rows whose value in this column is not greater than the new one's. */
  readonly onlyIfNewerBy?: string
  /** The rows are known to differ in the conflict columns; looking for doubles among them is left out. */
  readonly rowsAreDistinct?: boolean
}

export type TableRows = {
  readonly table: keyof Schema & string
  readonly rows: readonly object[]
  readonly options?: UpsertOptions
}

/** The values of one column, row by row. In an array of numbers NaN stands for null. */
export type ColumnValues = readonly (string | number | null)[] | Int32Array | Float64Array

/** Rows of a table column by column, all different: a long list as objects would fill the heap several times over. */
export type TableColumns = {
  readonly table: keyof Schema & string
  readonly columns: Readonly<Record<string, ColumnValues>>
  readonly options?: UpsertOptions
  /** Raises this topic's counter first, in the same transaction; its new value is the rows' `revision`. */
  readonly changeTopic?: Topic
}

export type WriteStats = {
  /** How long others were kept from writing, the commit not counted. */
  readonly lockHeldMs: number
  /** Whether others have been writing lately. */
  readonly hasOtherWriters: boolean
}

export type Database = {
  /** Which database this is, to be shown; nobody outside this folder decides anything by it. */
  readonly dialect: 'sqlite' | 'postgres'
  /** Whether all writers share one lock, so that long work must leave gaps for others. */
  readonly hasSingleWriter: boolean
  /** For reading. Writes go through `transaction`, because SQLite has one writer and it must never wait for itself. */
  readonly query: Kysely<Schema>
  /** For reading what may be some seconds old, such as histories, exports and usage: a replica where there is one. */
  readonly replica: Kysely<Schema>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work` while nobody else, here or in another process, runs any under this name (a word that is good for a file).
   * `onWait` is called once if somebody does. Who ends frees the name, by kill -9 too.
   */
  withLock<T>(name: string, work: () => Promise<T>, onWait: () => void): Promise<T>
  /** Many rows at once, at full speed on both. Call it inside `transaction` and keep batches to a few thousand rows. */
  insertMany<Table extends keyof Schema & string>(
    tx: Tx,
    table: Table,
    rows: readonly Insertable<Schema[Table]>[],
    options?: UpsertOptions,
  ): Promise<void>
  /**
   * The rows of a table whose column is one of many values, found value by value through the column's index, however large the
   * table is.
   */
  findByValues<Table extends keyof Schema & string>(
    tx: Tx,
    table: Table,
    column: keyof Schema[Table] & string,
    values: readonly string[],
  ): Promise<Selectable<Schema[Table]>[]>
  /** Every row of a table that has an `id`, in no order, in the portions this store hands out fastest. */
  scanRows<Table extends 'device' | 'variant', Column extends keyof Schema[Table] & string>(
    table: Table,
    columns: readonly Column[],
  ): AsyncIterable<readonly Pick<Schema[Table], Column>[]>
  /**
   * Rows into tables, then statements, in one transaction that needs no answer on the way. On SQLite it runs in a thread
   * of its own, so that the event loop does not wait for the disk, and a job's writes leave gaps for other processes.
   */
  writeBatch(tables: readonly (TableRows | TableColumns)[], statements?: readonly CompiledQuery[]): Promise<WriteStats>
  /**
   * To be called after a table was filled: until PostgreSQL has looked at it again by itself, it would read the whole
   * table to find a few rows. SQLite needs no such look.
   */
  analyzeTable(table: keyof Schema & string): Promise<void>
  /** Makes room for the coming months where records are kept by the month. To be called now and then; it changes little. */
  createMonthlyPartitions(now: number): Promise<void>
  /**
   * Drops whole months of records below an id, where they are kept by the month, and takes them from the totals; gives how
   * many rows went. What is left below the id is for the caller to delete. Null when another process is at it.
   */
  dropPartitionsBelow(table: PartitionedTable, bound: string, totals: readonly TotalTable[]): Promise<number | null>
  /** Raises the topic's counter in the same transaction as the change; returns the new value. */
  announceChange(tx: Tx, topic: Topic): Promise<number>
  /** `react` is called in every process, this one included, within a second of an announcement, and once soon after the call. */
  onChange(topic: Topic, react: () => void): () => void
  /** Writes what changes nothing; rejects when the store is away, full or read-only. */
  checkWritable(): Promise<void>
  /** How long ago the store last answered this process, whether or not anybody asked for something. */
  msSinceLastResponse(): number
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** Empty: SQLite in `dataDir`. Otherwise a `postgres://` address. */
  readonly url: string
  readonly dataDir: string
  /** A server must answer 503 within two seconds; a job may wait for a slow statement. */
  readonly workload?: 'server' | 'job'
  /** Another address to read from what may be some seconds old; empty for none. PostgreSQL only. */
  readonly replicaUrl?: string
  /** Connections to PostgreSQL at most, per process. */
  readonly maxConnections?: number
  /** Called once if another process is bringing the schema up to date, which is waited for, however long it takes. */
  readonly onWait?: () => void
  /** How often the counters of changes are looked at; a PostgreSQL tells of changes besides. */
  readonly pollIntervalMs?: number
  /** Only for the move itself: otherwise a store that is half filled, or was moved away, is refused. */
  readonly allowDuringMove?: boolean
}

/** Whether there is a store already; asking makes none. */
export async function databaseExists({ url, dataDir }: DatabaseOptions): Promise<boolean> {
  if (!url) return existsSync(sqlitePath(dataDir))
  const { hasTables } = await import('./postgres/postgres-database.ts')
  return hasTables(url).catch((error) => throwExplained(error, { url, dataDir }))
}

/**
 * Whether some process may have the store open. SQLite keeps its log file beside the store until the last one closes it,
 * and after a kill; of a PostgreSQL nobody can tell.
 */
export function mayBeOpenElsewhere({ url, dataDir }: DatabaseOptions): boolean {
  return url !== '' || existsSync(`${sqlitePath(dataDir)}-wal`)
}

export const sqlitePath = (dataDir: string) => join(dataDir, 'device-intelligence.sqlite')

/** Opens the store and brings its schema up to date; where there is none it makes one. */
export async function openDatabase(opening: DatabaseOptions): Promise<Database> {
  return open(opening).catch((error) => throwExplained(error, opening))
}

function throwExplained(error: unknown, { url, dataDir }: DatabaseOptions): never {
  throw explainOpenError(error, { url, dataDir, file: sqlitePath(dataDir) }) ?? error
}

async function open(opening: DatabaseOptions): Promise<Database> {
  if (opening.url) {
    const { openPostgres } = await import('./postgres/postgres-database.ts')
    const {
      url,
      replicaUrl = '',
      maxConnections: connections = 10,
      workload: patience = 'job',
      allowDuringMove: isMoving = false,
    } = opening
    const { onWait = () => {}, pollIntervalMs: lookEveryMs } = opening
    return openPostgres({
      url,
      replicaUrl,
      maxConnections: connections,
      workload: patience,
      allowDuringMove: isMoving,
      onWait,
      pollIntervalMs: lookEveryMs,
    })
  }
  mkdirSync(opening.dataDir, { recursive: true, mode: 0o700 })
  const file = sqlitePath(opening.dataDir)
  restrictFileMode(file)
  const { openSqlite } = await import('./sqlite/sqlite-database.ts')
  return openSqlite(file, opening)
}

/**
 * The store holds identifiers and hashes that are nobody else's business on the machine. The file is made before SQLite
 * opens it, which would let others read it; what SQLite puts beside it has the file's own mode.
 */
function restrictFileMode(file: string): void {
  // Only where there is none: closing any handle of a file drops every lock that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if ((statSync(each).mode & 0o077) !== 0) chmodSync(each, 0o600)
    } catch {
      // Not there, or another user's: then it is theirs to say who reads it.
    }
  }
}

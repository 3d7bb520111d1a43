import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { incrementCounter, openChangeFeed, touchCounterQuery } from '../change-feed.ts'
import { rowCount, toColumns } from '../column-batch.ts'
import type { ColumnValues, Database, DatabaseOptions, TableColumns, Topic, Tx } from '../database.ts'
import { isConnectionLost } from '../database-errors.ts'
import { assertKnownSchema, MIGRATIONS } from '../migrations/index.ts'
import { assertNotMoving, FILLING_TABLE, MOVED_TABLE } from '../move/move-endpoint.ts'
import type { Schema } from '../schema.ts'
import { statementLog } from '../statement-log.ts'
import { upsertClause } from '../upsert-clause.ts'
import { withAdvisoryLock } from './advisory-lock.ts'
import { toArrayLiteral } from './array-literal.ts'
import { listenForNotifications, NOTIFY_QUERY } from './change-notifications.ts'
import { circuitBreakerPool } from './circuit-breaker-pool.ts'
import { NulFreeClient } from './nul-free-client.ts'
import { primaryUrl } from './primary.ts'
import { openPrimaryPool } from './primary-pool.ts'
import { watchReplication } from './replication-warning.ts'
import { postgresTypeParsers } from './type-parsers.ts'

/** Advisory lock key of the migrations; an arbitrary constant. */
const MIGRATION_LOCK = 7_310_042

/** Per process, unless the caller needs fewer; one more listens for changes. */
const MAX_CONNECTIONS = 10
const SCAN_ROWS = 5_000
/** A caller waits for a server, which responds with 503 on a timeout. */
const SERVER_TIMEOUTS = { connectionTimeoutMillis: 1_500, query_timeout: 1_800 }
/** The same limits inside PostgreSQL, which would otherwise continue an abandoned statement. */
const SERVER_STATEMENT_TIMEOUTS = { statement_timeout: 1_800, idle_in_transaction_session_timeout: 10_000 }
/**
 * Compiling a recursive query over many observations takes ten times as long as running it. With the default cost of random
 * reads, made for rotating disks, the newest prices of a device are found by reading and sorting all of them.
 */
const PLANNER_SETTINGS = { options: '-c jit=off -c random_page_cost=1.1' }
/** A job waits for a busy database or a long statement. */
const JOB_TIMEOUTS = { connectionTimeoutMillis: 10_000 }

export async function openPostgres(options: DatabaseOptions): Promise<Database> {
  const { url, maxConnections = MAX_CONNECTIONS, workload = 'job', pollIntervalMs } = options
  const isServer = workload === 'server'
  const { acceptsParameters } = await migrate(options)

  const newPool = (hostUrl: string) => {
    const hostPool = new pg.Pool({
      Client: NulFreeClient,
      connectionString: hostUrl,
      types: postgresTypeParsers,
      max: maxConnections,
      ...(isServer ? SERVER_TIMEOUTS : JOB_TIMEOUTS),
      ...(acceptsParameters ? PLANNER_SETTINGS : {}),
      ...(isServer && acceptsParameters ? SERVER_STATEMENT_TIMEOUTS : {}),
      application_name: 'device-intelligence',
    })
    // The pool replaces a broken idle connection at the next query; without a listener the error would end the process.
    hostPool.on('error', () => {})
    hostPool.on('connect', (client) => {
      // A connection may also break between two queries of a transaction; the next query reports it.
      client.on('error', () => {})
      watchReplication(client)
    })
    return hostPool
  }
  const pool = await openPrimaryPool(url, newPool)
  const dialect = new PostgresDialect({ pool: isServer ? circuitBreakerPool(pool, isConnectionLost) : pool })
  const query = new Kysely<Schema>({ dialect, ...statementLog(options) })
  const changes = openChangeFeed(query, pollIntervalMs)
  const stopListening = isServer ? listenForNotifications(url, changes.pollNow, pool.onMove) : () => {}
  const columnTypes: ColumnTypeCache = new Map()
  return {
    query,
    transaction: (work) => query.transaction().execute(work),
    withLock: (name, work, onWait) => withAdvisoryLock(url, name, work, { onWait, onMove: pool.onMove }),
    insertMany: async (tx, table, rows, options) => {
      if (rows.length > 0)
        await insertColumns(tx, columnTypes, toColumns({ table, rows, ...(options ? { options } : {}) }))
    },
    announceChange: announceAndNotify,
    onChange: changes.onChange,
    bulk: {
      hasSingleWriter: false,
      writeBatch: (tables, statements = []) =>
        query.transaction().execute(async (tx) => {
          const batches = tables.map(toColumns).filter((batch) => rowCount(batch) > 0)
          for (const batch of batches.filter(({ changeTopic }) => !changeTopic))
            await insertColumns(tx, columnTypes, batch)
          for (const statement of statements) await tx.executeQuery(statement)
          for (const batch of batches.filter(({ changeTopic }) => changeTopic))
            await insertColumns(tx, columnTypes, batch)
          return { lockHeldMs: 0, hasOtherWriters: false }
        }),
      async findByValues(tx, table, column, values) {
        // "offset 0" keeps the planner from a sequential scan, which it would estimate as cheaper than many index look-ups.
        const { rows } = await sql`select found.* from unnest(${toArrayLiteral(values)}::text[]) as wanted (value)
          cross join lateral (select * from ${sql.table(table)} where ${sql.ref(column)} = wanted.value offset 0) as found`.execute(
          tx,
        )
        return rows as never
      },
      scanRows: (table, columns) =>
        scanRows(
          query,
          table,
          columns.map((name) => sql.ref(name)),
        ) as never,
      analyzeTable: async (table) => {
        await sql`analyze ${sql.table(table)}`.execute(query)
      },
    },
    admin: {
      dialect: 'postgres',
      checkWritable: async () => {
        await query.executeQuery(touchCounterQuery(query))
      },
      msSinceLastResponse: changes.msSinceLastResponse,
      poolUsage: () => ({ ...pool.usage(), max: maxConnections }),
    },
    async close() {
      changes.stop()
      stopListening()
      await query.destroy()
    },
  }
}

/** Whether the database holds our tables. */
export async function hasTables(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: await primaryUrl(url), connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ found: string | null }>(`select to_regclass('migration')::text as found`)
    return rows[0]?.found != null
  } finally {
    await client.end().catch(() => {})
  }
}

/** In batches that stay well below a server's statement timeout. */
async function* scanRows(
  query: Kysely<Schema>,
  table: string,
  columns: readonly RawBuilder<unknown>[],
): AsyncGenerator<object[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string }>`select ${sql.join([sql.ref('id'), ...columns])} from ${sql.table(table)}
      where id > ${after} order by id limit ${SCAN_ROWS}`.execute(query)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

async function announceAndNotify(tx: Tx, topic: Topic): Promise<number> {
  const counter = await incrementCounter(tx, topic)
  await sql.raw(NOTIFY_QUERY).execute(tx)
  return counter
}

/** SQLSTATE of a connection pooler that rejects an unknown startup parameter. */
const PROTOCOL_VIOLATION = '08P01'

/**
 * Runs all pending migrations in one transaction and detects whether a connection accepts settings as startup parameters.
 * The lock belongs to the transaction: it is released when the process ends, even by kill -9, and works through a
 * transaction pooler.
 */
async function migrate(options: DatabaseOptions): Promise<{ acceptsParameters: boolean }> {
  const connectionString = await primaryUrl(options.url)
  const open = (parameters: object) => {
    const pool = new pg.Pool({
      connectionString,
      types: postgresTypeParsers,
      max: 1,
      connectionTimeoutMillis: 5_000,
      ...parameters,
    })
    pool.on('error', () => {})
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  }
  const run = async (db: Kysely<unknown>) => {
    try {
      await db.transaction().execute((tx) => runMigrations(tx, options))
    } finally {
      await db.destroy()
    }
  }
  try {
    // Long enough for any migration; the point is whether the parameter is accepted.
    await run(open({ statement_timeout: 24 * 3_600_000, ...PLANNER_SETTINGS }))
    return { acceptsParameters: true }
  } catch (error) {
    if ((error as { code?: string }).code !== PROTOCOL_VIOLATION) throw error
    await run(open({}))
    return { acceptsParameters: false }
  }
}

async function runMigrations(tx: Kysely<unknown>, { allowDuringMove, onWait }: DatabaseOptions): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`.execute(tx)
  if (!rows[0]?.taken) {
    onWait?.()
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
  }
  await sql`create table if not exists migration (name text primary key, applied_at bigint not null)`.execute(tx)
  if (!allowDuringMove) await checkNotMoving(tx)
  const applied = await sql<{ name: string }>`select name from migration`.execute(tx)
  const appliedNames = new Set(applied.rows.map((row) => row.name))
  assertKnownSchema([...appliedNames])
  for (const migration of MIGRATIONS.filter(({ name }) => !appliedNames.has(name))) {
    await migration.up(tx, 'postgres')
    await sql`insert into migration (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(tx)
  }
}

async function checkNotMoving(connection: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ filling: string | null; moved: string | null }>`
    select to_regclass(${FILLING_TABLE})::text as filling, to_regclass(${MOVED_TABLE})::text as moved`.execute(
    connection,
  )
  const [state] = rows
  const moved =
    state?.moved == null
      ? undefined
      : await sql<{ sentence: string }>`select sentence from ${sql.table(MOVED_TABLE)}`.execute(connection)
  assertNotMoving({ isFilling: state?.filling != null, moved: moved?.rows[0]?.sentence })
}

/** PostgreSQL column types by table; they do not change while a process runs. */
type ColumnTypeCache = Map<string, Promise<ReadonlyMap<string, string>>>

async function readColumnTypes(tx: Tx, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(tx)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Sends each column as one array, which takes half the time of a JSON document. */
async function insertColumns(tx: Tx, cache: ColumnTypeCache, batch: TableColumns): Promise<void> {
  const { table, options = {}, changeTopic } = batch
  const columns = { ...batch.columns }
  if (changeTopic) columns.revision = new Float64Array(rowCount(batch)).fill(await announceAndNotify(tx, changeTopic))
  const names = Object.keys(columns)
  let cached = cache.get(table)
  if (!cached) {
    cached = readColumnTypes(tx, table)
    cache.set(table, cached)
    cached.catch(() => cache.delete(table))
  }
  const types = await cached
  const arrays = names.map((name) => {
    const type = types.get(name)
    if (!type) throw new Error(`The table ${table} has no column ${name}.`)
    return sql`${toArrayLiteral(columns[name] as ColumnValues)}::${sql.raw(type)}[]`
  })
  const columnList = sql.join(names.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${columnList}) select * from unnest(${sql.join(arrays)})
    ${sql.raw(upsertClause(table, names, options))}`.execute(tx)
}

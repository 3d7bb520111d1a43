import { Kysely, PostgresDialect, type PostgresPool, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { openChangeFeed, raiseCounter, touchCounterQuery } from '../change-feed.ts'
import { rowCount, toColumns } from '../column-batch.ts'
import type { ColumnValues, Database, TableColumns, Topic, Tx } from '../database.ts'
import { isConnectionLost } from '../database-errors.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { MOVED_TABLE, PROGRESS_TABLE } from '../move/move-endpoint.ts'
import { assertNotMoving } from '../move/move-state.ts'
import type { Schema } from '../schema.ts'
import { assertSchemaNotNewer } from '../schema-version.ts'
import { upsertClause } from '../upsert-clause.ts'
import { withAdvisoryLock } from './advisory-lock.ts'
import { toArrayLiteral } from './array-literal.ts'
import { listenForNotifications, NOTIFY_QUERY } from './change-notifications.ts'
import { circuitBreakerPool } from './circuit-breaker-pool.ts'
import { createMonthlyPartitions, dropPartitionsBelow, isLockTimeout } from './monthly-partitions.ts'
import { postgresTypeParsers } from './type-parsers.ts'

/** Any fixed number: all programs of ours that share a database take the same lock while they migrate. */
const MIGRATION_LOCK = 7_310_042

const SCAN_ROWS = 5_000
/** How a server waits: not long, because somebody waits for it, who is then told 503. */
const SERVER_TIMEOUTS = { connectionTimeoutMillis: 1_500, query_timeout: 1_800 }
/** The same on the side of the database, which would go on with a statement that nobody waits for any more. */
const SERVER_STATEMENT_TIMEOUTS = { statement_timeout: 1_800, idle_in_transaction_session_timeout: 10_000 }
/** A job would rather wait for a busy database or a long statement. */
const JOB_TIMEOUTS = { connectionTimeoutMillis: 10_000 }

export type PostgresOptions = {
  readonly url: string
  readonly replicaUrl: string
  readonly maxConnections: number
  readonly workload: 'server' | 'job'
  readonly allowDuringMove: boolean
  readonly onWait: () => void
  readonly pollIntervalMs: number | undefined
}

export async function openPostgres(opening: PostgresOptions): Promise<Database> {
  const {
    url,
    replicaUrl,
    maxConnections: connections,
    workload: patience,
    allowDuringMove: isMoving,
    onWait,
    pollIntervalMs: lookEveryMs,
  } = opening
  const { takesLimits } = await migrate(url, { allowDuringMove: isMoving, onWait })

  function openPool(connectionString: string): PostgresPool {
    const isServer = patience === 'server'
    const pool = new pg.Pool({
      connectionString,
      types: postgresTypeParsers,
      max: connections,
      ...(isServer ? SERVER_TIMEOUTS : JOB_TIMEOUTS),
      ...(isServer && takesLimits ? SERVER_STATEMENT_TIMEOUTS : {}),
      application_name: 'device-intelligence',
    })
    // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
    pool.on('error', () => {})
    return isServer ? circuitBreakerPool(pool, isConnectionLost) : pool
  }

  const pool = openPool(url)
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const replicaPool = replicaUrl ? poolWithFallback(openPool(replicaUrl), pool) : undefined
  const replica = replicaPool ? new Kysely<Schema>({ dialect: new PostgresDialect({ pool: replicaPool }) }) : query
  const changes = openChangeFeed(query, lookEveryMs)
  const stopNotices = patience === 'server' ? listenForNotifications(url, changes.lookNow) : () => {}
  const columnTypes: ColumnTypeCache = new Map()
  return {
    dialect: 'postgres',
    hasSingleWriter: false,
    query,
    replica,
    transaction: (work) => query.transaction().execute(work),
    withLock: (name, work, onWait) => withAdvisoryLock(url, name, work, onWait),
    insertMany: async (tx, table, rows, options) => {
      if (rows.length > 0)
        await insertColumns(tx, columnTypes, toColumns({ table, rows, ...(options ? { options } : {}) }))
    },
    async findByValues(tx, table, column, values) {
      // "offset 0" keeps the planner from reading the whole table instead, which it would think cheaper than many look-ups.
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
    writeBatch: (tables, statements = []) =>
      query.transaction().execute(async (tx) => {
        for (const each of tables.map(toColumns)) if (rowCount(each) > 0) await insertColumns(tx, columnTypes, each)
        for (const statement of statements) await tx.executeQuery(statement)
        return { lockHeldMs: 0, hasOtherWriters: false }
      }),
    analyzeTable: async (table) => {
      await sql`analyze ${sql.table(table)}`.execute(query)
    },
    createMonthlyPartitions: (now) => createMonthlyPartitions(query as never, now),
    dropPartitionsBelow: (table, bound, totals) => dropPartitionsBelow(query as never, table, bound, totals),
    announceChange: announceAndNotify,
    onChange: changes.onChange,
    checkWritable: async () => {
      await query.executeQuery(touchCounterQuery(query))
    },
    msSinceLastResponse: changes.silentForMs,
    async close() {
      changes.stop()
      stopNotices()
      if (replica !== query) await replica.destroy()
      await query.destroy()
    },
  }
}

/** Whether a program of ours has made its tables in this database. */
export async function hasTables(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ found: string | null }>(`select to_regclass('migration')::text as found`)
    return rows[0]?.found != null
  } finally {
    await client.end().catch(() => {})
  }
}

/** In portions, each well within a server's patience. */
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
  const counter = await raiseCounter(tx, topic)
  await sql.raw(NOTIFY_QUERY).execute(tx)
  return counter
}

/** What a replica that is away would have answered, the database itself does. */
function poolWithFallback(first: PostgresPool, second: PostgresPool): PostgresPool {
  return {
    options: first.options,
    connect: () => first.connect().catch(() => second.connect()),
    end: () => first.end(),
  }
}

type MigrationOptions = Pick<PostgresOptions, 'allowDuringMove' | 'onWait'>

/** SQLSTATE of a pooler that does not know a setting it would have to pass on. */
const PROTOCOL_VIOLATION = '08P01'

/**
 * Brings the schema up to date, all of it or nothing, and says whether limits may be set when a connection is opened. The
 * lock belongs to the transaction: it goes when this process does, even by kill -9, and a pooler that hands each
 * transaction to another connection cannot lose it.
 */
async function migrate(url: string, how: MigrationOptions): Promise<{ takesLimits: boolean }> {
  const open = (limits: object) => {
    const pool = new pg.Pool({
      connectionString: url,
      types: postgresTypeParsers,
      max: 1,
      connectionTimeoutMillis: 5_000,
      ...limits,
    })
    pool.on('error', () => {})
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  }
  const run = async (db: Kysely<unknown>) => {
    try {
      await db.transaction().execute((tx) => runMigrations(tx, how))
      // Where somebody holds a table just now: the months are made long before they come.
      await createMonthlyPartitions(db, Date.now()).catch((error) => {
        if (!isLockTimeout(error)) throw error
      })
    } finally {
      await db.destroy()
    }
  }
  try {
    // Long enough for any migration; what matters is whether it is taken.
    await run(open({ statement_timeout: 24 * 3_600_000 }))
    return { takesLimits: true }
  } catch (error) {
    if ((error as { code?: string }).code !== PROTOCOL_VIOLATION) throw error
    await run(open({}))
    return { takesLimits: false }
  }
}

async function runMigrations(
  tx: Kysely<unknown>,
  { allowDuringMove: isMoving, onWait }: MigrationOptions,
): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`.execute(tx)
  if (!rows[0]?.taken) {
    onWait()
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
  }
  await sql`create table if not exists migration (name text primary key, applied_at bigint not null)`.execute(tx)
  if (!isMoving) await checkNotMoving(tx)
  const done = await sql<{ name: string }>`select name from migration`.execute(tx)
  const names = new Set(done.rows.map((row) => row.name))
  assertSchemaNotNewer([...names], MIGRATIONS)
  for (const migration of MIGRATIONS.filter(({ name }) => !names.has(name))) {
    await migration.up(tx, 'postgres')
    await sql`insert into migration (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(tx)
  }
}

async function checkNotMoving(connection: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ filling: string | null; moved: string | null }>`
    select to_regclass(${PROGRESS_TABLE})::text as filling, to_regclass(${MOVED_TABLE})::text as moved`.execute(
    connection,
  )
  const [state] = rows
  const sealed =
    state?.moved == null
      ? undefined
      : await sql<{ sentence: string }>`select sentence from ${sql.table(MOVED_TABLE)}`.execute(connection)
  assertNotMoving({ isFilling: state?.filling != null, moved: sealed?.rows[0]?.sentence })
}

/** Column types by table, as PostgreSQL names them; they do not change while a process runs. */
type ColumnTypeCache = Map<string, Promise<ReadonlyMap<string, string>>>

async function readColumnTypes(tx: Tx, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(tx)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Each column travels as one array: half the work of a JSON document for both sides. */
async function insertColumns(tx: Tx, known: ColumnTypeCache, given: TableColumns): Promise<void> {
  const { table, options = {}, changeTopic: announces } = given
  const columns = { ...given.columns }
  if (announces) columns.revision = new Float64Array(rowCount(given)).fill(await announceAndNotify(tx, announces))
  const names = Object.keys(columns)
  let types = known.get(table)
  if (!types) {
    types = readColumnTypes(tx, table)
    known.set(table, types)
    types.catch(() => known.delete(table))
  }
  const typeOf = await types
  const arrays = names.map((name) => {
    const type = typeOf.get(name)
    if (!type) throw new Error(`The table ${table} has no column ${name}.`)
    return sql`${toArrayLiteral(columns[name] as ColumnValues)}::${sql.raw(type)}[]`
  })
  const listed = sql.join(names.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${listed}) select * from unnest(${sql.join(arrays)})
    ${sql.raw(upsertClause(table, names, options))}`.execute(tx)
}

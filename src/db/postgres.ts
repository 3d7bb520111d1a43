import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { withAdvisoryLock } from './advisory-lock.ts'
import { arrayLiteral } from './array-literal.ts'
import { announce, watchChanges } from './changes.ts'
import { columnsOf, rowCount } from './columns.ts'
import { isGone } from './failures.ts'
import { guardedPool } from './guarded-pool.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { refuseIfMoving } from './move/moved.ts'
import { NOTES, SEAL } from './move/side.ts'
import type { ColumnValues, Database, TableColumns, Tx } from './open.ts'
import { postgresTypes } from './postgres-types.ts'
import type { Schema } from './schema.ts'
import { upsertClause } from './upsert.ts'

/** Any fixed number: all programs of ours that share a database take the same lock while they migrate. */
const MIGRATION_LOCK = 7_310_042

const SCAN_ROWS = 5_000
export async function openPostgres(url: string, patience: 'server' | 'job', isMoving: boolean): Promise<Database> {
  await migrate(url, isMoving)
  const pool = new pg.Pool({
    connectionString: url,
    types: postgresTypes,
    max: 10,
    // A server gives up early and answers 503; a job would rather wait for a busy server or a long statement.
    ...(patience === 'server'
      ? { connectionTimeoutMillis: 1_500, query_timeout: 1_800, statement_timeout: 1_800 }
      : { connectionTimeoutMillis: 10_000 }),
    application_name: 'device-intelligence',
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  const guarded = patience === 'server' ? guardedPool(pool, isGone) : pool
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: guarded }) })
  const changes = watchChanges(query)
  const columnTypes: Types = new Map()
  return {
    dialect: 'postgres',
    singleWriter: false,
    query,
    transaction: (work) => query.transaction().execute(work),
    alone: (name, work, onWait) => withAdvisoryLock(url, name, work, onWait),
    insertMany: async (tx, table, rows, options) => {
      if (rows.length > 0)
        await insertColumns(tx, columnTypes, columnsOf({ table, rows, ...(options ? { options } : {}) }))
    },
    async *scan(table, columns) {
      // In portions, each well within a server's patience.
      const names = sql.join(['id', ...columns].map((name) => sql.ref(name)))
      for (let after = ''; ; ) {
        const { rows } = await sql<{ id: string }>`select ${names} from ${sql.table(table)}
          where id > ${after} order by id limit ${SCAN_ROWS}`.execute(query)
        const last = rows.at(-1)
        if (!last) return
        yield rows as never
        after = last.id
      }
    },
    write: (tables, statements = []) =>
      query.transaction().execute(async (tx) => {
        for (const each of tables.map(columnsOf)) if (rowCount(each) > 0) await insertColumns(tx, columnTypes, each)
        for (const statement of statements) await tx.executeQuery(statement)
        return { heldMs: 0, besideOthers: false }
      }),
    tableFilled: async (table) => {
      await sql`analyze ${sql.table(table)}`.execute(query)
    },
    announce,
    onChange: changes.onChange,
    ping: async () => {
      await sql`select 1`.execute(query)
    },
    async close() {
      changes.stop()
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

async function migrate(url: string, isMoving: boolean): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, types: postgresTypes, max: 1, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
      // The lock belongs to the connection: it goes when this process does, even by kill -9.
      await sql`create table if not exists migration (name text primary key, applied_at bigint not null)`.execute(
        connection,
      )
      const done = await sql<{ name: string }>`select name from migration`.execute(connection)
      const names = new Set(done.rows.map((row) => row.name))
      if (!isMoving) await refuseMoving(connection)
      for (const migration of MIGRATIONS.filter(({ name }) => !names.has(name))) {
        await connection.transaction().execute(async (tx) => {
          await migration.up(tx, 'postgres')
          await sql`insert into migration (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(tx)
        })
      }
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
    })
  } finally {
    await db.destroy()
  }
}

async function refuseMoving(connection: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ filling: string | null; moved: string | null }>`
    select to_regclass(${NOTES})::text as filling, to_regclass(${SEAL})::text as moved`.execute(connection)
  const [state] = rows
  const sealed =
    state?.moved == null
      ? undefined
      : await sql<{ sentence: string }>`select sentence from ${sql.table(SEAL)}`.execute(connection)
  refuseIfMoving({ isFilling: state?.filling != null, moved: sealed?.rows[0]?.sentence })
}

/** Column types by table, as PostgreSQL names them; they do not change while a process runs. */
type Types = Map<string, Promise<ReadonlyMap<string, string>>>

async function typesOf(tx: Tx, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(tx)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Each column travels as one array: half the work of a JSON document for both sides. */
async function insertColumns(tx: Tx, known: Types, given: TableColumns): Promise<void> {
  const { table, options = {}, announces } = given
  const columns = { ...given.columns }
  if (announces) columns.revision = new Float64Array(rowCount(given)).fill(await announce(tx, announces))
  const names = Object.keys(columns)
  let types = known.get(table)
  if (!types) {
    types = typesOf(tx, table)
    known.set(table, types)
    types.catch(() => known.delete(table))
  }
  const typeOf = await types
  const arrays = names.map((name) => {
    const type = typeOf.get(name)
    if (!type) throw new Error(`The table ${table} has no column ${name}.`)
    return sql`${arrayLiteral(columns[name] as ColumnValues)}::${sql.raw(type)}[]`
  })
  const listed = sql.join(names.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${listed}) select * from unnest(${sql.join(arrays)})
    ${sql.raw(upsertClause(table, names, options))}`.execute(tx)
}

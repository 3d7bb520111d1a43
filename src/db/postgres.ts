import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { withAdvisoryLock } from './advisory-lock.ts'
import { announce, watchChanges } from './changes.ts'
import { isGone } from './failures.ts'
import { guardedPool } from './guarded-pool.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { Database, ManyOptions, Tx } from './open.ts'
import type { Schema } from './schema.ts'
import { lastOfEach, upsertClause } from './upsert.ts'

/** Any fixed number: all programs of ours that share a database take the same lock while they migrate. */
const MIGRATION_LOCK = 7_310_042

const SCAN_ROWS = 5_000
const BIGINT = 20
const NUMERIC = 1700

/** Counts and sums arrive as text by default; ours all fit a double, as they do in SQLite. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT || oid === NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

export async function openPostgres(url: string, patience: 'server' | 'job'): Promise<Database> {
  await migrate(url)
  const pool = new pg.Pool({
    connectionString: url,
    types,
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
  return {
    dialect: 'postgres',
    singleWriter: false,
    query,
    transaction: (work) => query.transaction().execute(work),
    alone: (name, work, onWait) => withAdvisoryLock(url, name, work, onWait),
    insertMany: (tx, table, rows, options) =>
      insertMany(tx, table, rows as unknown as Record<string, unknown>[], options),
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
        for (const { table, rows, options } of tables)
          await insertMany(tx, table, rows as Record<string, unknown>[], options)
        for (const statement of statements) await tx.executeQuery(statement)
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

async function migrate(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, types, max: 1, connectionTimeoutMillis: 5_000 })
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

/** The rows travel as one JSON parameter and take their types from the table itself. */
async function insertMany(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
  options: ManyOptions = {},
): Promise<void> {
  const first = rows[0]
  if (!first) return
  const columns = Object.keys(first)
  const names = columns.map((name) => `"${name}"`).join(', ')
  // PostgreSQL cannot store NUL in text; SQLite can. It means nothing in any of our texts.
  const json = JSON.stringify([...lastOfEach(rows, options.distinct ? undefined : options.conflict)]).replaceAll(
    '\\u0000',
    '',
  )
  await sql`insert into ${sql.table(table)} (${sql.raw(names)})
    select ${sql.raw(names)} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)
    ${sql.raw(upsertClause(table, columns, options))}`.execute(tx)
}

import pg from 'pg'
import { MIGRATIONS } from '../migrations/index.ts'
import { type DatabaseCheck, TOTAL_CHECKS } from './database-check.ts'

/**
 * Reads every table of a PostgreSQL store, each to its last row, and compares the totals kept beside them. References are
 * the database's own care: it never lets one be broken.
 */
export async function checkPostgres(url: string): Promise<DatabaseCheck> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'device-intelligence check',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    // One moment for all of it, so that a count and its total agree while others write.
    await client.query('begin isolation level repeatable read read only')
    const { rows: found } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    )
    const tables = []
    for (const { name } of found) {
      const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${pg.escapeIdentifier(name)}`)
      tables.push({ name, rows: Number(rows[0]?.rows ?? 0), isComplete: true })
    }
    const there = new Set(tables.map(({ name }) => name))
    if (!there.has('migration')) return { ...EMPTY_CHECK, tables, problems: ['it is not a store of this program'] }
    const known = new Set(MIGRATIONS.map(({ name }) => name))
    const applied = await client.query<{ name: string }>('select name from migration order by name')
    const wrongTotals: string[] = []
    for (const { kept, sql } of TOTAL_CHECKS.filter((total) => there.has(total.kept))) {
      const { rows } = await client.query<{ whose: string; kept: string; counted: string }>(sql)
      wrongTotals.push(...rows.map((row) => `${kept} of ${row.whose} says ${row.kept}, there are ${row.counted}`))
    }
    const unknownMigrations = applied.rows.map(({ name }) => name).filter((name) => !known.has(name))
    return { ...EMPTY_CHECK, tables, unknownMigrations, wrongTotals }
  } finally {
    await client.end().catch(() => {})
  }
}

const EMPTY_CHECK: DatabaseCheck = {
  tables: [],
  problems: [],
  unknownMigrations: [],
  brokenReferences: [],
  wrongTotals: [],
}

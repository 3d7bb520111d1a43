import pg from 'pg'
import { unknownMigrations } from '../migrations/index.ts'
import { primaryUrl } from '../postgres/primary.ts'
import {
  type DatabaseCheck,
  describeMismatch,
  EMPTY_CHECK,
  TOTAL_CHECKS,
  type TotalMismatch,
} from './database-check.ts'

/** Counts the rows of every table and compares the totals. PostgreSQL itself guarantees the references. */
export async function checkPostgres(url: string): Promise<DatabaseCheck> {
  const client = new pg.Client({
    connectionString: await primaryUrl(url),
    connectionTimeoutMillis: 5_000,
    application_name: 'device-intelligence check',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    // One snapshot, so that counts and totals agree while others write.
    await client.query('begin isolation level repeatable read read only')
    const { rows: tableRows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
         and c.relkind = 'r' order by 1`,
    )
    const tables = []
    for (const { name } of tableRows) {
      const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${pg.escapeIdentifier(name)}`)
      tables.push({ name, rows: Number(rows[0]?.rows ?? 0), isComplete: true })
    }
    const tableNames = new Set(tables.map(({ name }) => name))
    if (!tableNames.has('migration'))
      return { ...EMPTY_CHECK, tables, problems: ['it is not a database of this program'] }
    const applied = await client.query<{ name: string }>('select name from migration order by name')
    const wrongTotals: string[] = []
    for (const { table, sql } of TOTAL_CHECKS.filter((check) => tableNames.has(check.table))) {
      const { rows } = await client.query<TotalMismatch>(sql)
      wrongTotals.push(...rows.map((row) => describeMismatch(table, row)))
    }
    const names = applied.rows.map(({ name }) => name)
    return { ...EMPTY_CHECK, tables, unknownMigrations: unknownMigrations(names), wrongTotals }
  } finally {
    await client.end().catch(() => {})
  }
}

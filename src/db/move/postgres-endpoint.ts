import pg from 'pg'
import { toArrayLiteral } from '../postgres/array-literal.ts'
import { primaryUrl } from '../postgres/primary.ts'
import { postgresTypeParsers } from '../postgres/type-parsers.ts'
import {
  FILLING_TABLE,
  isInternalTable,
  MOVED_TABLE,
  type MoveEndpoint,
  type MoveRow,
  type MoveValue,
  moveRowKey,
  sortParentsFirst,
} from './move-endpoint.ts'

const quoteName = pg.escapeIdentifier
const columnList = (columns: readonly string[]) => columns.map(quoteName).join(', ')

export async function openPostgresEndpoint(url: string): Promise<MoveEndpoint> {
  const client = new pg.Client({
    connectionString: await primaryUrl(url),
    types: postgresTypeParsers,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'device-intelligence move',
  })
  client.on('error', () => {})
  await client.connect()
  // Pages are read in the order of the primary key. The planner expects few rows after a position, because it estimates a row
  // comparison by the first column alone, and would read and sort a whole organization for every page.
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off')
  const columnTypes = new Map<string, string>()

  async function runQuery(text: string, values: readonly unknown[] = []): Promise<MoveRow[]> {
    return (await client.query<MoveValue[]>({ text, values: [...values], rowMode: 'array' })).rows
  }

  const tableExists = async (table: string) => (await runQuery('select to_regclass($1)::text', [table]))[0]?.[0] != null

  /** Those of no constraint. `finishFilling` creates them again, which takes less time than keeping them up to date. */
  async function dropIndexes(): Promise<void> {
    const indexes = (await runQuery(
      `select c.relname, pg_get_indexdef(c.oid) from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = current_schema()::regnamespace
         and not exists (select from pg_constraint where conindid = c.oid)`,
    )) as [string, string][]
    for (const [name, definition] of indexes) {
      await client.query(`insert into ${FILLING_TABLE} (index_sql) values ($1)`, [definition])
      await client.query(`drop index ${quoteName(name)}`)
    }
  }

  const endpoint: MoveEndpoint = {
    async tables() {
      const columnRows = (await runQuery(`
        select c.relname, a.attname, format_type(a.atttypid, null), array_position(i.indkey::int[], a.attnum::int)
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_index i on i.indrelid = c.oid and i.indisprimary
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        order by c.oid, a.attname`)) as [string, string, string, number | null][]
      const references = (await runQuery(
        `select conrelid::regclass::text, confrelid::regclass::text from pg_constraint where contype = 'f'`,
      )) as [string, string][]
      for (const [table, column, type] of columnRows) columnTypes.set(`${table}.${column}`, type)
      const byTable = Map.groupBy(
        columnRows.filter(([name]) => !isInternalTable(name)),
        ([name]) => name,
      )
      const tables = [...byTable].map(([name, columns]) => ({
        name,
        columns: columns.map(([, column]) => column).sort(),
        key: columns
          .filter(([, , , keyPosition]) => keyPosition !== null)
          .sort((a, b) => Number(a[3]) - Number(b[3]))
          .map(([, column]) => column),
      }))
      return sortParentsFirst(
        tables,
        references.map(([from, to]) => ({ from, to })),
      )
    },
    countRows: async ({ name }) => Number((await runQuery(`select count(*) from ${quoteName(name)}`))[0]?.[0]),
    async read(table, after, limit) {
      const key = columnList(table.key)
      const placeholders = table.key.map((_, index) => `$${index + 2}`).join(', ')
      const rows = await runQuery(
        `select ${columnList(table.columns)} from ${quoteName(table.name)} ${after ? `where (${key}) > (${placeholders})` : ''}
         order by ${key} limit $1`,
        [limit, ...(after ?? [])],
      )
      const last = rows.at(-1)
      return { rows, last: last ? moveRowKey(table, last) : null }
    },
    async holdSnapshot() {
      await client.query('begin isolation level repeatable read read only')
    },
    async lockWrites() {
      await client.query('begin')
      const tables = await endpoint.tables()
      await client.query(`lock table ${tables.map(({ name }) => quoteName(name)).join(', ')} in exclusive mode`)
    },
    async closeForWrites(message) {
      // 25006 is the error of a read-only database, for which the service responds with 503.
      await client.query(`create or replace function ${MOVED_TABLE}_refusal() returns trigger language plpgsql as $refusal$
        begin raise exception using errcode = '25006', message = ${pg.escapeLiteral(message)}; end $refusal$`)
      for (const { name } of await endpoint.tables())
        await client.query(`create or replace trigger ${MOVED_TABLE} before insert or update or delete on ${quoteName(name)}
          for each statement execute function ${MOVED_TABLE}_refusal()`)
      await client.query(`create table if not exists ${MOVED_TABLE} (sentence text not null)`)
      await client.query(`delete from ${MOVED_TABLE}`)
      await runQuery(`insert into ${MOVED_TABLE} (sentence) values ($1)`, [message])
      await client.query('commit')
    },
    async reopenForWrites() {
      await client.query('begin')
      await client.query(`drop function if exists ${MOVED_TABLE}_refusal() cascade`)
      await client.query(`drop table if exists ${MOVED_TABLE}`)
      await client.query('commit')
    },
    isFilling: () => tableExists(FILLING_TABLE),
    async startFilling() {
      await client.query(`create table if not exists ${FILLING_TABLE} (index_sql text)`)
    },
    async clear(tables) {
      await client.query('begin')
      await dropIndexes()
      await client.query(`truncate ${tables.map(({ name }) => quoteName(name)).join(', ')}`)
      await client.query('commit')
    },
    async insert(table, rows) {
      // Columns as arrays, which `unnest` turns into rows.
      const types = table.columns.map((name, index) => `$${index + 1}::${columnTypes.get(`${table.name}.${name}`)}[]`)
      const arrays = table.columns.map((_, index) => toArrayLiteral(rows.map((row) => row[index] ?? null)))
      await runQuery(
        `insert into ${quoteName(table.name)} (${columnList(table.columns)}) select * from unnest(${types.join(', ')})`,
        arrays,
      )
    },
    async finishFilling(tables) {
      const serialColumns = (await runQuery(
        `select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
           and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null`,
      )) as [string, string][]
      for (const [table, column] of serialColumns)
        await client.query(`select setval(pg_get_serial_sequence(${pg.escapeLiteral(quoteName(table))}, ${pg.escapeLiteral(column)}),
          (select coalesce(max(${quoteName(column)}), 0) + 1 from ${quoteName(table)}), false)`)
      await client.query('begin')
      for (const [sql] of await runQuery(`select index_sql from ${FILLING_TABLE}`)) await client.query(String(sql))
      await client.query(`drop table ${FILLING_TABLE}`)
      await client.query('commit')
      for (const { name } of tables) await client.query(`analyze ${quoteName(name)}`)
    },
    close: () => client.end().catch(() => {}),
    [Symbol.asyncDispose]: () => endpoint.close(),
  }
  return endpoint
}

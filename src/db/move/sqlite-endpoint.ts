import { Database as BunDatabase, type SQLQueryBindings } from 'bun:sqlite'
import {
  FILLING_TABLE,
  isInternalTable,
  MOVED_TABLE,
  type MoveEndpoint,
  type MoveRow,
  sortParentsFirst,
} from './move-endpoint.ts'

const TRIGGER_EVENTS = ['insert', 'update', 'delete'] as const

export function openSqliteEndpoint(file: string): MoveEndpoint {
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  connection.run('pragma busy_timeout = 60000')
  connection.run('pragma synchronous = full')
  connection.run('pragma foreign_keys = on')
  connection.run('pragma cache_size = -64000')
  const columnList = (columns: readonly string[]) => columns.map((name) => `"${name}"`).join(', ')
  const tableNames = () =>
    (
      connection
        .query(`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
        .all() as { name: string }[]
    ).map(({ name }) => name)

  function allowWrites(): void {
    for (const table of tableNames())
      for (const event of TRIGGER_EVENTS) connection.run(`drop trigger if exists "moved_${table}_${event}"`)
    connection.run(`drop table if exists ${MOVED_TABLE}`)
  }

  function inTransaction(work: () => void): void {
    connection.run('begin immediate')
    try {
      work()
      connection.run('commit')
    } catch (error) {
      if (connection.inTransaction) connection.run('rollback')
      throw error
    }
  }

  /** `finishFilling` creates them again: sorting once takes less time than an insertion at a random place for every row. */
  function dropIndexes(): void {
    const indexes = connection
      .query(`select name, sql from sqlite_master where type = 'index' and sql is not null`)
      .all() as { name: string; sql: string }[]
    for (const { name, sql } of indexes) {
      connection.run(`insert into ${FILLING_TABLE} (index_sql) values (?)`, [sql])
      connection.run(`drop index "${name}"`)
    }
  }

  const endpoint: MoveEndpoint = {
    async tables() {
      const userTables = tableNames().filter((name) => !isInternalTable(name))
      const references = userTables.flatMap((from) =>
        (connection.query(`pragma foreign_key_list("${from}")`).all() as { table: string }[]).map(({ table }) => ({
          from,
          to: table,
        })),
      )
      const tables = userTables.map((name) => {
        const columns = connection.query(`pragma table_info("${name}")`).all() as { name: string; pk: number }[]
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
        return { name, columns: columns.map((column) => column.name).sort(), key: key.map((column) => column.name) }
      })
      return sortParentsFirst(tables, references)
    },
    countRows: async ({ name }) => Number(connection.query(`select count(*) from "${name}"`).values()[0]?.[0]),
    async read({ name, columns }, after, limit) {
      const sql = `select rowid, ${columnList(columns)} from "${name}" where rowid > ? order by rowid limit ?`
      const rowsWithId = connection.query(sql).values(Number(after?.[0] ?? Number.MIN_SAFE_INTEGER), limit) as MoveRow[]
      const last = rowsWithId.at(-1)
      return { rows: rowsWithId.map((row) => row.slice(1)), last: last ? [last[0] ?? null] : null }
    },
    async holdSnapshot() {
      connection.run('begin')
    },
    async lockWrites() {
      connection.run('begin immediate')
    },
    async closeForWrites(message) {
      allowWrites()
      const quoted = `'${message.replaceAll("'", "''")}'`
      for (const { name } of await endpoint.tables())
        for (const event of TRIGGER_EVENTS)
          connection.run(
            `create trigger "moved_${name}_${event}" before ${event} on "${name}" begin select raise(abort, ${quoted}); end`,
          )
      connection.run(`create table ${MOVED_TABLE} (sentence text not null)`)
      connection.run(`insert into ${MOVED_TABLE} (sentence) values (?)`, [message])
      connection.run('commit')
    },
    reopenForWrites: async () => inTransaction(allowWrites),
    isFilling: async () => tableNames().includes(FILLING_TABLE),
    async startFilling() {
      connection.run(`create table if not exists ${FILLING_TABLE} (index_sql text)`)
      // A power cut may undo the last rows of a target that is then filled again from the start.
      connection.run('pragma synchronous = normal')
    },
    async clear(tables) {
      inTransaction(() => {
        dropIndexes()
        for (const { name } of tables.toReversed()) connection.run(`delete from "${name}"`)
      })
    },
    async insert({ name, columns }, rows) {
      const placeholders = columns.map(() => '?').join(', ')
      const statement = connection.query(`insert into "${name}" (${columnList(columns)}) values (${placeholders})`)
      inTransaction(() => {
        for (const row of rows) statement.run(...(row as SQLQueryBindings[]))
      })
    },
    async finishFilling() {
      connection.run('pragma synchronous = full')
      const indexes = connection.query(`select index_sql as sql from ${FILLING_TABLE}`).all() as { sql: string }[]
      inTransaction(() => {
        for (const { sql } of indexes) connection.run(sql)
        connection.run(`drop table ${FILLING_TABLE}`)
      })
      connection.run('pragma wal_checkpoint(truncate)')
    },
    async close() {
      if (connection.inTransaction) connection.run('rollback')
      connection.close()
    },
    [Symbol.asyncDispose]: () => endpoint.close(),
  }
  return endpoint
}

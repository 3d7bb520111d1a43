import { Database as BunDatabase, type SQLQueryBindings } from 'bun:sqlite'
import { isLocked } from '../database-errors.ts'
import { upsertClause } from '../upsert-clause.ts'
import {
  CHANGED_TABLE,
  isInternalTable,
  MOVED_TABLE,
  type MovedTable,
  type MoveEndpoint,
  type MoveRow,
  moveRowKey,
  PROGRESS_TABLE,
  sortParentsFirst,
} from './move-endpoint.ts'

const LOCK_TIMEOUT_MS = 60_000
const TRIGGER_EVENTS = ['insert', 'update', 'delete'] as const

export function openSqliteEndpoint(file: string): MoveEndpoint {
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  connection.run('pragma busy_timeout = 5000')
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
  const tableExists = (table: string) => tableNames().includes(table)

  /** SQL condition for the rows with these keys, and its parameters. */
  function keyCondition(table: MovedTable, rowsWithKeys: readonly MoveRow[]) {
    const placeholders = `(${table.key.map(() => '?').join(', ')})`
    const keys = rowsWithKeys.flatMap((row) => moveRowKey(table, row)) as SQLQueryBindings[]
    return { where: `(${columnList(table.key)}) in (values ${rowsWithKeys.map(() => placeholders).join(', ')})`, keys }
  }

  function stopTracking(): void {
    dropTriggers('changed')
    connection.run(`drop table if exists ${CHANGED_TABLE}`)
  }

  function allowWrites(): void {
    dropTriggers('moved')
    connection.run(`drop table if exists ${MOVED_TABLE}`)
  }

  function dropTriggers(prefix: 'changed' | 'moved'): void {
    for (const table of tableNames())
      for (const event of TRIGGER_EVENTS) connection.run(`drop trigger if exists "${prefix}_${table}_${event}"`)
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
    async read({ name, columns }, after, limit) {
      const sql = `select rowid, ${columnList(columns)} from "${name}" where rowid > ? order by rowid limit ?`
      const rowsWithId = connection.query(sql).values(Number(after?.[0] ?? Number.MIN_SAFE_INTEGER), limit) as MoveRow[]
      const last = rowsWithId.at(-1)
      return { rows: rowsWithId.map((row) => row.slice(1)), last: last ? [last[0] ?? null] : null }
    },
    async findByKeys(table, rowsWithKeys) {
      const { where, keys } = keyCondition(table, rowsWithKeys)
      const statement = connection.prepare(`select ${columnList(table.columns)} from "${table.name}" where ${where}`)
      try {
        return statement.values(...keys) as MoveRow[]
      } finally {
        statement.finalize()
      }
    },
    async transaction(work) {
      connection.run('begin immediate')
      try {
        const result = await work()
        connection.run('commit')
        return result
      } catch (error) {
        if (connection.inTransaction) connection.run('rollback')
        throw error
      }
    },
    async upsert(table, rows) {
      const { name, columns, key } = table
      const placeholders = columns.map(() => '?').join(', ')
      const upsert = upsertClause(name, columns, { conflictColumns: key })
      const statement = connection.query(
        `insert into "${name}" (${columnList(columns)}) values (${placeholders})${upsert}`,
      )
      for (const row of rows) statement.run(...(row as SQLQueryBindings[]))
    },
    async deleteRows(table, rowsWithKeys) {
      const { where, keys } = keyCondition(table, rowsWithKeys)
      connection.run(`delete from "${table.name}" where ${where}`, keys)
    },
    async setProgress(name, value) {
      connection.run(`create table if not exists ${PROGRESS_TABLE} (name text primary key, value text not null)`)
      if (value === null) connection.run(`delete from ${PROGRESS_TABLE} where name = ?`, [name])
      else connection.run(`insert or replace into ${PROGRESS_TABLE} (name, value) values (?, ?)`, [name, value])
    },
    async getProgress(name) {
      if (!tableExists(PROGRESS_TABLE)) return undefined
      const row = connection.query(`select value from ${PROGRESS_TABLE} where name = ?`).get(name) as {
        value: string
      } | null
      return row?.value
    },
    async snapshot(work) {
      connection.run('begin')
      try {
        return await work()
      } finally {
        connection.run('commit')
      }
    },
    async trackChanges() {
      const tables = await endpoint.tables()
      await endpoint.transaction(async () => {
        stopTracking()
        connection.run(`create table ${CHANGED_TABLE} (name text primary key)`)
        for (const { name } of tables)
          for (const event of TRIGGER_EVENTS) {
            // A row at the end has the largest row id, so it is copied as a new row. Not "insert or ignore": the policy for
            // conflicts of the statement that fires the trigger would override it.
            const condition = event === 'insert' ? `when exists (select 1 from "${name}" where rowid > new.rowid)` : ''
            connection.run(`create trigger "changed_${name}_${event}" after ${event} on "${name}" ${condition}
              begin insert into ${CHANGED_TABLE}
                select '${name}' where not exists (select 1 from ${CHANGED_TABLE} where name = '${name}'); end`)
          }
      })
    },
    async changedTables() {
      const rows = connection.query(`select name from ${CHANGED_TABLE}`).values() as [string][]
      return new Set(rows.map(([name]) => name))
    },
    async lockWrites() {
      const deadline = performance.now() + LOCK_TIMEOUT_MS
      for (;;) {
        try {
          connection.run('begin immediate')
          return
        } catch (error) {
          if (!isLocked(error) || performance.now() > deadline) throw error
          await Bun.sleep(1)
        }
      }
    },
    async closeForWrites(message) {
      stopTracking()
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
    async finishCopy() {
      connection.run(`drop table if exists ${PROGRESS_TABLE}`)
    },
    analyze: async () => {},
    async reopenForWrites() {
      await endpoint.transaction(async () => {
        stopTracking()
        allowWrites()
      })
    },
    async close() {
      if (connection.inTransaction) connection.run('rollback')
      // After a move that failed.
      if (tableExists(CHANGED_TABLE)) await endpoint.transaction(async () => stopTracking())
      connection.close()
    },
    [Symbol.asyncDispose]: () => endpoint.close(),
  }
  return endpoint
}

import { Database as BunDatabase } from 'bun:sqlite'
import { closeSync, openSync, readSync } from 'node:fs'
import { isDraft, unknownMigrations } from '../migrations/index.ts'
import {
  type CheckedTable,
  type DatabaseCheck,
  describeMismatch,
  EMPTY_CHECK,
  TOTAL_CHECKS,
  type TotalMismatch,
} from './database-check.ts'

const MAX_PROBLEMS = 100
const SQLITE_HEADER = 'SQLite format 3\0'

/** The file is not a database of this program. */
export class NotADatabaseError extends Error {}

/**
 * Checks every page, index and reference and counts the rows. For a damaged database it counts the rows of each table that
 * can still be read, from both ends.
 */
export function checkSqlite(file: string): DatabaseCheck {
  assertSqliteFile(file)
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    connection.run('pragma busy_timeout = 5000')
    connection.run('pragma query_only = on')
    // The integrity check reads the file in random order: a small cache would read it many times.
    connection.run('pragma cache_size = -256000')
    // One snapshot, so that counts and totals agree while others write.
    connection.run('begin')
    const names = listTables(connection)
    if (!names.includes('migration') || !names.includes('setting'))
      throw new NotADatabaseError(`${file} is an SQLite file, but not a database of this program.`)
    const problems = findIntegrityProblems(connection)
    const tables = names.map((name) =>
      problems.length > 0 ? countReadableRows(connection, name) : countRows(connection, name),
    )
    const isDamaged = tables.some(({ isComplete }) => !isComplete)
    if (isDamaged) return { ...EMPTY_CHECK, tables, problems }
    const applied = connection.query('select name from migration order by name').all() as { name: string }[]
    const appliedNames = applied.map(({ name }) => name)
    // Its tables are others.
    if (isDraft(appliedNames)) return { ...EMPTY_CHECK, tables, problems, isDraft: true }
    return {
      tables,
      problems,
      isDraft: false,
      unknownMigrations: unknownMigrations(appliedNames),
      brokenReferences: findBrokenReferences(connection),
      wrongTotals: findWrongTotals(connection, new Set(names)),
    }
  } catch (error) {
    if (!isCorruption(error)) throw error
    return { ...EMPTY_CHECK, problems: [`nothing in it can be read (${errorMessage(error)})`] }
  } finally {
    connection.close()
  }
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isCorruption = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test((error as { code?: string }).code ?? '')

function assertSqliteFile(file: string): void {
  const head = new Uint8Array(SQLITE_HEADER.length)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, head, 0, head.length, 0)
  } finally {
    closeSync(handle)
  }
  const start = Buffer.from(head).toString('latin1')
  if (start === SQLITE_HEADER) return
  const isDump = /^(PGDMP|--\s)/.test(start)
  throw new NotADatabaseError(
    isDump
      ? `${file} is a dump of PostgreSQL, not a backup of this program. pg_restore or psql restores it.`
      : `${file} is not an SQLite file.`,
  )
}

function listTables(connection: BunDatabase): string[] {
  const sql = `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`
  return (connection.query(sql).all() as { name: string }[]).map(({ name }) => name)
}

function findIntegrityProblems(connection: BunDatabase): string[] {
  try {
    const rows = connection.query(`pragma integrity_check(${MAX_PROBLEMS})`).all() as { integrity_check: string }[]
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  } catch (error) {
    if (!isCorruption(error)) throw error
    return [errorMessage(error)]
  }
}

function countRows(connection: BunDatabase, name: string): CheckedTable {
  const { rows } = connection.query(`select count(*) as rows from "${name}"`).get() as { rows: number }
  return { name, rows, isComplete: true }
}

/** Reads from the front up to the first damaged page, then from the back. */
function countReadableRows(connection: BunDatabase, name: string): CheckedTable {
  let rows = 0
  let lastFromFront = Number.NEGATIVE_INFINITY
  const countInOrder = (order: 'asc' | 'desc', isDone: (rowid: number) => boolean): boolean => {
    try {
      for (const row of connection
        .query(`select rowid as "checked rowid", * from "${name}" order by rowid ${order}`)
        .iterate()) {
        const rowid = (row as { 'checked rowid': number })['checked rowid']
        if (isDone(rowid)) return true
        rows++
        if (order === 'asc') lastFromFront = rowid
      }
      return true
    } catch (error) {
      if (!isCorruption(error)) throw error
      return false
    }
  }
  const isComplete = countInOrder('asc', () => false)
  if (!isComplete) countInOrder('desc', (rowid) => rowid <= lastFromFront)
  return { name, rows, isComplete }
}

function findBrokenReferences(connection: BunDatabase): string[] {
  const rows = connection.query('pragma foreign_key_check').all() as { table: string; parent: string }[]
  const rowsByReference = Map.groupBy(rows, ({ table, parent }) => `${table} → ${parent}`)
  return [...rowsByReference].map(([reference, broken]) => `${reference}: ${broken.length}`)
}

function findWrongTotals(connection: BunDatabase, tables: ReadonlySet<string>): string[] {
  return TOTAL_CHECKS.filter(({ table }) => tables.has(table)).flatMap(({ table, sql }) =>
    (connection.query(sql).all() as TotalMismatch[]).map((row) => describeMismatch(table, row)),
  )
}

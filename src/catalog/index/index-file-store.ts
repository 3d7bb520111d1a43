import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLocked } from '../../db/database-errors.ts'
import { withFileLock } from '../../db/sqlite/file-lock.ts'
import {
  createLocalDatabase,
  isDamaged,
  type LocalDatabase,
  openLocalDatabase,
  removeLocalDatabase,
  replaceLocalDatabase,
} from '../../db/sqlite/local-database.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { AddDevices, ChangeCursor, IndexChange, RegistryIndex, RegistryIndexFile } from '../catalogue-service.ts'
import type { BaseUrl } from '../present.ts'
import { registryReader } from './index-reader-store.ts'
import {
  createIndexIndexes,
  createIndexTables,
  INDEX_VERSION,
  type IndexWriter,
  indexWriter,
  numberAtPlace,
  readCursor,
  readFact,
  writeFact,
} from './index-store.ts'

const FILE_NAME = /^registry-[0-9a-z]+\.sqlite$/
/** Files of databases that this machine no longer serves are deleted after this time. */
const MAX_UNUSED_MS = 30 * DAY_MS
/** A file of this size is checked in some 30 ms. A larger one is checked where it is read. */
const MAX_FULLY_CHECKED_BYTES = 64_000_000

/** Where the index of a database is. Its name depends on neither the credentials nor the options of the URL. */
export function registryIndexPath(dataDir: string, databaseUrl: string): string {
  const database = databaseUrl.replace(/\/\/[^@/]*@/, '//').replace(/\?.*/, '')
  return join(dataDir, `registry-${Bun.hash(database).toString(36)}.sqlite`)
}

/** The index of one database on this machine. */
export function registryIndexFile(dataDir: string, databaseUrl: string, baseUrl: BaseUrl): RegistryIndexFile {
  const file = registryIndexPath(dataDir, databaseUrl)
  // With PostgreSQL nothing else needs the folder at the first start.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  removeUnused(file)
  return {
    open: (sourceId, onDamage) => openExisting(file, sourceId, baseUrl, onDamage),
    async build(sourceId, fill) {
      const unfinished = `${file}.${process.pid}.new`
      const db = createLocalDatabase(unfinished)
      try {
        await fillIndex(db, sourceId, fill)
        db.close()
        await replaceLocalDatabase(unfinished, file)
      } catch (error) {
        db.close()
        removeLocalDatabase(unfinished)
        throw error
      }
    },
    withLock: (work, onWait) => withFileLock(`${file}.lock`, work, onWait),
  }
}

/** Fills an empty database. */
export async function fillIndex(
  db: LocalDatabase,
  sourceId: string,
  fill: (add: AddDevices) => Promise<ChangeCursor> | ChangeCursor,
): Promise<void> {
  createIndexTables(db)
  db.run('begin')
  const writer = indexWriter(db)
  let place = 0
  const cursor = await fill((devices) => {
    for (const { id, revision, device } of devices) if (!device) writer.putUnreadable(id, revision)
    const readable = devices.flatMap(({ revision, device }) => (device ? { revision, device } : []))
    writer.add(readable.map((stored) => ({ ...stored, number: numberAtPlace(place++) })))
  })
  writer.finish(cursor)
  writeFact(db, 'version', INDEX_VERSION)
  writeFact(db, 'source', sourceId)
  db.run('commit')
  createIndexIndexes(db)
  db.run("insert into device_text (device_text) values ('optimize')")
}

/** Null if there is no file, or one of another version or database, or a damaged one. */
function openExisting(file: string, sourceId: string, baseUrl: BaseUrl, onDamage: () => void): RegistryIndex | null {
  const existing = statSync(file, { throwIfNoEntry: false })
  if (!existing?.size) return null
  const isReplaced = () => statSync(file, { throwIfNoEntry: false })?.ino !== existing.ino
  let db: LocalDatabase | undefined
  try {
    db = openLocalDatabase(file)
    const isUsable =
      readFact(db, 'version') === INDEX_VERSION && readFact(db, 'source') === sourceId && isComplete(db, existing.size)
    if (isUsable) {
      return openIndex(db, baseUrl, {
        openWriter: () => openLocalDatabase(file),
        isReplaced,
        onDamage() {
          // The next start must not open it again, whatever happens to this one.
          if (!isReplaced()) removeLocalDatabase(file)
          onDamage()
        },
      })
    }
  } catch (error) {
    // A file without our tables is damaged, too.
    if (!isDamaged(error) && !/no such table/.test(String(error))) throw error
  }
  db?.close()
  removeLocalDatabase(file)
  return null
}

function isComplete(db: LocalDatabase, bytes: number): boolean {
  const read = (pragma: string) => (db.query(`pragma ${pragma}`).values() as [[number | string]])[0][0]
  const wholeBytes = Number(read('page_count')) * Number(read('page_size'))
  if (bytes < wholeBytes - walBytes(db)) return false
  return bytes > MAX_FULLY_CHECKED_BYTES || tablesOf(db).every((table) => read(`quick_check('${table}')`) === 'ok')
}

/** Without the full-text index itself, whose check takes as long as that of all tables: it is read from tables of its own. */
function tablesOf(db: LocalDatabase): string[] {
  const tables = "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'"
  return (db.query(tables).values() as [string][]).map(([name]) => name)
}

/** Pages that are only in the WAL yet. */
function walBytes(db: LocalDatabase): number {
  return statSync(`${db.filename}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

export type IndexOptions = {
  /** A second connection, so that requests do not see an unfinished change. */
  readonly openWriter?: () => LocalDatabase
  /** Whether another process has removed or replaced the file: this one still reads the old one. */
  readonly isReplaced?: () => boolean
  readonly onDamage?: () => void
}

export function openIndex(
  db: LocalDatabase,
  baseUrl: BaseUrl,
  { openWriter = () => db, isReplaced = () => false, onDamage = () => {} }: IndexOptions = {},
): RegistryIndex {
  let writing: { readonly connection: LocalDatabase; readonly writer: IndexWriter } | undefined
  const reader = registryReader(db, baseUrl)
  let damaged = false

  function reportDamage(error: unknown): void {
    // SQLite does not notice a torn page that holds only text.
    if (damaged || !(isDamaged(error) || error instanceof SyntaxError)) return
    damaged = true
    onDamage()
  }

  /** Notices damage in whatever part of the file a call reads, or a list that it returns. */
  function noticeDamage<Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) {
    return (...args: Arguments): Result => {
      try {
        const result = call(...args)
        return isGenerator(result) ? (noticeDamageIn(result) as Result) : result
      } catch (error) {
        reportDamage(error)
        throw error
      }
    }
  }

  function* noticeDamageIn(list: Generator): Generator {
    try {
      yield* list
    } catch (error) {
      reportDamage(error)
      throw error
    }
  }

  function writable() {
    if (!writing) {
      const connection = openWriter()
      connection.run('pragma busy_timeout = 0')
      writing = { connection, writer: indexWriter(connection) }
    }
    return writing
  }
  /** What is stored counts until the next change. */
  function derivedValues() {
    const changes = Number(readFact(db, 'changes') ?? 0)
    return {
      readDerived(name: string): string | undefined {
        const row = db.query('select json from derived where name = ? and changes = ?').get(name, changes)
        return (row as { json: string } | null)?.json
      },
      storeDerived(name: string, json: string): void {
        const { connection } = writable()
        // A change that is being written makes the value out of date.
        if (connection.inTransaction) return
        try {
          connection
            .query('insert or replace into derived (name, changes, json) values (?, ?, ?)')
            .run(name, changes, json)
        } catch (error) {
          // Without it the value is computed again.
          if (isDamaged(error)) throw error
        }
      },
    }
  }
  function beginChange(): IndexChange | null {
    const { connection, writer } = writable()
    try {
      connection.run('begin immediate')
    } catch (error) {
      if (isLocked(error)) return null
      throw error
    }
    return {
      put(devices) {
        for (const { id, revision, device } of devices) {
          if (device) writer.put({ device, revision })
          else writer.putUnreadable(id, revision)
        }
      },
      remove(ids) {
        for (const id of ids) writer.remove(id)
      },
      commit(cursor) {
        writer.finish(cursor)
        connection.run('commit')
        reader.forget()
      },
      rollback() {
        if (connection.inTransaction) connection.run('rollback')
        writer.forget()
      },
    }
  }

  const reads = {
    state: () => ({ cursor: readCursor(db), changes: Number(readFact(db, 'changes') ?? 0) }),
    summary() {
      const sum = 'select count(*) as count, coalesce(sum(revision), 0) as revisions from'
      const rows = ['device', 'unreadable'].map(
        (table) => db.query(`${sum} ${table}`).get() as { count: number; revisions: number },
      )
      return {
        count: rows.reduce((total, { count }) => total + count, 0),
        revisions: rows.reduce((total, { revisions }) => total + revisions, 0),
      }
    },
    count: () =>
      Number(readFact(db, 'devices') ?? 0) +
      (db.query('select count(*) as count from unreadable').get() as { count: number }).count,
    revisionOf(id: string) {
      const row = db
        .query('select revision from device where id = ?1 union all select revision from unreadable where id = ?1')
        .get(id) as { revision: number } | null
      return row?.revision
    },
    listIds: () =>
      (db.query('select id from device union all select id from unreadable').values() as [string][]).map(([id]) => id),
  }

  return {
    ...replaceFunctions(reads, noticeDamage),
    beginChange: noticeDamage(() => {
      const change = beginChange()
      return change && replaceFunctions(change, noticeDamage)
    }),
    createRegistry: () => replaceFunctions({ ...reader.createRegistry(), ...derivedValues() }, noticeDamage),
    isDamaged: () => damaged,
    isReplaced,
    close() {
      reader.close()
      if (writing && writing.connection !== db) writing.connection.close()
      db.close()
    },
  }
}

const isGenerator = (result: unknown): result is Generator =>
  typeof result === 'object' && result !== null && Object.prototype.toString.call(result) === '[object Generator]'

type AnyFunction = (...args: unknown[]) => unknown

function replaceFunctions<Methods extends object>(
  methods: Methods,
  replace: (call: AnyFunction) => AnyFunction,
): Methods {
  const entries = Object.entries(methods).map(([name, value]) => [
    name,
    typeof value === 'function' ? replace(value as AnyFunction) : value,
  ])
  return Object.fromEntries(entries) as Methods
}

function removeUnused(file: string): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name === basename(file) || !FILE_NAME.test(name)) continue
    if (Date.now() - statSync(path).mtimeMs > MAX_UNUSED_MS) removeLocalDatabase(path)
  }
}

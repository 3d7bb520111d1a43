import { afterAll, describe } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { type CatalogueSize, copyFilled, copyFilledPostgres } from './filled-database.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { isLongRun, isShortRun } from './suite.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
if (!postgres) console.warn('PostgreSQL is not installed: its tests are skipped (see CONTRIBUTING.md, "Tests").')

export type Store = {
  readonly name: string
  /** A new database with about 30 devices of the bundled catalogue, if one was prepared for the run. */
  open(): Promise<DatabaseOptions>
  /** A new database with the whole bundled catalogue, if one was prepared for the run. */
  openFull(): Promise<DatabaseOptions>
  /** A new, empty database. */
  openEmpty(): Promise<DatabaseOptions>
  clean(): Promise<void>
}

function sqlite(): Store {
  const folders: string[] = []
  function newFolder(): string {
    const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
    folders.push(dataDir)
    return dataDir
  }
  async function filled(size: CatalogueSize): Promise<DatabaseOptions> {
    const dataDir = newFolder()
    copyFilled(dataDir, size)
    return { url: '', dataDir }
  }
  return {
    name: 'SQLite',
    open: () => filled('small'),
    openFull: () => filled('full'),
    openEmpty: async () => ({ url: '', dataDir: newFolder() }),
    async clean() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function postgresStore(server: TestPostgres): Store {
  const folder = mkdtempSync(join(tmpdir(), 'di-test-'))
  return {
    name: 'PostgreSQL',
    open: async () => ({ url: await copyFilledPostgres(server, folder, 'small'), dataDir: folder }),
    openFull: async () => ({ url: await copyFilledPostgres(server, folder, 'full'), dataDir: folder }),
    openEmpty: async () => ({ url: await server.createDatabase(), dataDir: folder }),
    clean: async () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function describeEach(stores: readonly Store[], tests: (store: Store) => void): void {
  for (const store of stores) {
    describe(`on ${store.name}`, () => {
      tests(store)
      afterAll(() => store.clean())
    })
  }
}

/** Runs the tests in the short suite on SQLite only: what they test does not depend on the database. */
export function onSqlite(tests: (store: Store) => void): void {
  describeEach(isLongRun ? [] : [sqlite()], tests)
}

/** Runs the same tests on SQLite and PostgreSQL in either suite, for behaviour that differs between them. */
export function onBothDatabases(tests: (store: Store) => void): void {
  describeEach([sqlite(), ...(postgres ? [postgresStore(postgres)] : [])], tests)
}

/**
 * Runs the tests on SQLite in the short suite and on PostgreSQL in the long one. Every test of such a file belongs inside, or
 * it runs twice.
 */
export function onDatabaseOfSuite(tests: (store: Store) => void): void {
  describeEach([...(isLongRun ? [] : [sqlite()]), ...(postgres && !isShortRun ? [postgresStore(postgres)] : [])], tests)
}

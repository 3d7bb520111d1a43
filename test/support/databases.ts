import { afterAll, describe } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Opening } from '../../src/db/open.ts'
import { copyFilled } from './filled-store.ts'
import { startPostgres } from './postgres.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
if (!postgres) console.warn('No PostgreSQL here: its half of these tests is left out (see README, "Tests").')

export type Store = {
  readonly name: string
  /** A new store of its own, with the catalogue on board where one was prepared for the run. */
  open(): Promise<Opening>
  /** A new store that no program has opened yet. */
  openEmpty(): Promise<Opening>
  clean(): Promise<void>
}

function sqlite(): Store {
  const folders: string[] = []
  function newFolder(): string {
    const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
    folders.push(dataDir)
    return dataDir
  }
  return {
    name: 'SQLite',
    async open() {
      const dataDir = newFolder()
      copyFilled(dataDir)
      return { url: '', dataDir }
    },
    openEmpty: async () => ({ url: '', dataDir: newFolder() }),
    async clean() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs the same promises on both databases, each in a store of its own. */
export function onBothDatabases(promises: (store: Store) => void): void {
  const stores = [sqlite()]
  if (postgres) {
    const folder = mkdtempSync(join(tmpdir(), 'di-test-'))
    stores.push({
      name: 'PostgreSQL',
      open: async () => ({ url: await postgres.createDatabase(process.env.FILLED_POSTGRES), dataDir: folder }),
      openEmpty: async () => ({ url: await postgres.createDatabase(), dataDir: folder }),
      clean: async () => {
        rmSync(folder, { recursive: true, force: true })
      },
    })
  }
  for (const store of stores) {
    describe(`on ${store.name}`, () => {
      promises(store)
      afterAll(() => store.clean())
    })
  }
}

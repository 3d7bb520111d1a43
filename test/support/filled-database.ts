import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../../src/catalog/bundled-catalogue-service.ts'
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { seedCatalogueOnStart } from '../../src/import/catalogue/seed-catalogue-service.ts'
import type { TestPostgres } from './postgres.ts'

const SQLITE_FILE = 'device-intelligence.sqlite'

/** About 30 devices. Loading them instead of the whole catalogue halves the CPU time of a start. */
const SMALL_CATALOGUE = /^(apple-iphone-1[1-7]|google-pixel-7|samsung-galaxy-s22)/

export type CatalogueSize = 'full' | 'small'

/** The prepared databases of a run: SQLite folders and the names of PostgreSQL databases. */
export type FilledStores = {
  readonly FILLED_SQLITE: string
  readonly FILLED_SQLITE_SMALL: string
  readonly FILLED_POSTGRES?: string
  readonly FILLED_POSTGRES_SMALL?: string
}

/**
 * Creates schema and catalogue once per run, in one database of each kind and size. Otherwise every started service would do it,
 * and on PostgreSQL it takes most of the start.
 */
export async function fillStores(folder: string, postgres: TestPostgres | undefined): Promise<FilledStores> {
  const sqlite = {
    FILLED_SQLITE: await fillSqlite(join(folder, 'filled'), 'full'),
    FILLED_SQLITE_SMALL: await fillSqlite(join(folder, 'filled-small'), 'small'),
  }
  if (!postgres) return sqlite
  async function fillPostgres(server: TestPostgres, size: CatalogueSize): Promise<string> {
    const url = await server.createDatabase()
    await fill({ url, dataDir: folder }, size)
    return new URL(url).pathname.slice(1)
  }
  return {
    ...sqlite,
    FILLED_POSTGRES: await fillPostgres(postgres, 'full'),
    FILLED_POSTGRES_SMALL: await fillPostgres(postgres, 'small'),
  }
}

async function fillSqlite(dataDir: string, size: CatalogueSize): Promise<string> {
  mkdirSync(dataDir, { mode: 0o700 })
  await fill({ url: '', dataDir }, size)
  return dataDir
}

/** The small catalogue carries the version of the full one, so that a program does not add the missing devices. */
async function fill(options: DatabaseOptions, size: CatalogueSize): Promise<void> {
  const isIncluded = (id: string) => size === 'full' || SMALL_CATALOGUE.test(id)
  const bundled = {
    version: bundledCatalogueVersion(),
    devices: () => bundledDevices().filter(({ id }) => isIncluded(id)),
    tacs: () => bundledTacs().filter(({ deviceId }) => isIncluded(deviceId)),
  }
  const db = await openDatabase(options)
  await seedCatalogueOnStart(db, bundled, () => {})
  await db.close()
}

/** Copies the filled database into a folder. Without a prepared one the folder stays empty. */
export function copyFilled(dataDir: string, size: CatalogueSize = 'full'): void {
  const filled = size === 'full' ? process.env.FILLED_SQLITE : process.env.FILLED_SQLITE_SMALL
  if (filled) copyFileSync(join(filled, SQLITE_FILE), join(dataDir, SQLITE_FILE))
}

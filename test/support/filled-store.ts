import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { catalogueVersion, devicesOnBoard, tacsOnBoard } from '../../src/catalog/onboard.ts'
import { type Opening, openDatabase } from '../../src/db/open.ts'
import { bringOnBoard } from '../../src/import/catalogue/on-board.ts'
import type { TestPostgres } from './postgres.ts'

const SQLITE_FILE = 'device-intelligence.sqlite'

/** Where the filled stores of a run are: `FILLED_SQLITE` is a folder, `FILLED_POSTGRES` the name of a database. */
export type FilledStores = { readonly FILLED_SQLITE: string; readonly FILLED_POSTGRES?: string }

/**
 * Brings the schema and the catalogue into one store of each kind, once a run: every service that a test starts would do
 * the same again, and on PostgreSQL that is most of its start.
 */
export async function fillStores(folder: string, postgres: TestPostgres | undefined): Promise<FilledStores> {
  const dataDir = join(folder, 'filled')
  mkdirSync(dataDir, { mode: 0o700 })
  await fill({ url: '', dataDir })
  if (!postgres) return { FILLED_SQLITE: dataDir }
  const url = await postgres.createDatabase()
  await fill({ url, dataDir })
  return { FILLED_SQLITE: dataDir, FILLED_POSTGRES: new URL(url).pathname.slice(1) }
}

async function fill(opening: Opening): Promise<void> {
  const db = await openDatabase(opening)
  await bringOnBoard(db, { version: catalogueVersion(), devices: devicesOnBoard, tacs: tacsOnBoard }, () => {})
  await db.close()
}

/** Puts a copy of the filled store into a folder, where there is one; else the folder stays empty. */
export function copyFilled(dataDir: string): void {
  const filled = process.env.FILLED_SQLITE
  if (filled) copyFileSync(join(filled, SQLITE_FILE), join(dataDir, SQLITE_FILE))
}

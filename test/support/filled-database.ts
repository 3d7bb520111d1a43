import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fitLaunchPricesOf } from '../../src/app/launch-prices.ts'
import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../../src/catalog/bundled-catalogue-service.ts'
import { openCatalogue } from '../../src/catalog/catalogue-service.ts'
import { catalogueStore } from '../../src/catalog/catalogue-store.ts'
import { registryIndexFile, registryIndexPath } from '../../src/catalog/index/index-file-store.ts'
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { reloadOnTopic } from '../../src/db/reload-on-change.ts'
import { seedCatalogueOnStart } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { openLog } from '../../src/lib/log.ts'
import type { TestPostgres } from './postgres.ts'

const SQLITE_FILE = 'device-intelligence.sqlite'

/** About 30 devices. Loading them instead of the whole catalogue halves the CPU time of a start. */
const SMALL_CATALOGUE = /^(apple-iphone-1[1-7]|google-pixel-7|samsung-galaxy-s22)/

export type CatalogueSize = 'full' | 'small'

/** The prepared databases of a run: a folder with files, and the names of PostgreSQL databases. */
export type FilledStores = {
  readonly FILLED_FOLDER: string
  readonly FILLED_POSTGRES?: string
  readonly FILLED_POSTGRES_SMALL?: string
}

type Kind = 'sqlite' | 'postgres'

/**
 * Creates schema, catalogue, registry index and the fit of launch prices once per run, in one database of each kind and size.
 * Otherwise every started service would do it, which takes most of a start.
 */
export async function fillStores(folder: string, postgres: TestPostgres | undefined): Promise<FilledStores> {
  const filledFolder = join(folder, 'filled')
  for (const size of ['full', 'small'] as const) {
    await fill({ url: '', dataDir: newFolderOf(filledFolder, 'sqlite', size) }, size)
  }
  if (!postgres) return { FILLED_FOLDER: filledFolder }
  async function fillPostgres(server: TestPostgres, size: CatalogueSize): Promise<string> {
    const url = await server.createDatabase()
    await fill({ url, dataDir: newFolderOf(filledFolder, 'postgres', size) }, size)
    return new URL(url).pathname.slice(1)
  }
  return {
    FILLED_FOLDER: filledFolder,
    FILLED_POSTGRES: await fillPostgres(postgres, 'full'),
    FILLED_POSTGRES_SMALL: await fillPostgres(postgres, 'small'),
  }
}

const folderOf = (filledFolder: string, kind: Kind, size: CatalogueSize) => join(filledFolder, `${kind}-${size}`)

function newFolderOf(filledFolder: string, kind: Kind, size: CatalogueSize): string {
  const dataDir = folderOf(filledFolder, kind, size)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return dataDir
}

/**
 * Creates schema, catalogue and index. The small catalogue carries the version of the full one, so that a program does not add
 * the missing devices.
 */
export async function fill(options: DatabaseOptions, size: CatalogueSize): Promise<void> {
  const isIncluded = (id: string) => size === 'full' || SMALL_CATALOGUE.test(id)
  const bundled = {
    version: bundledCatalogueVersion(),
    devices: () => bundledDevices().filter(({ id }) => isIncluded(id)),
    tacs: () => bundledTacs().filter(({ deviceId }) => isIncluded(deviceId)),
  }
  const db = await openDatabase(options)
  await seedCatalogueOnStart(db, bundled, () => {})
  const catalogue = await openCatalogue({
    source: catalogueStore(db),
    file: registryIndexFile(options.dataDir, options.url, ''),
    reloadOnChange: reloadOnTopic(db, openLog('error'))('registry', 'catalogue'),
  })
  await fitLaunchPricesOf(catalogue.registry())
  catalogue.close()
  await db.close()
}

/** Copies the filled database into a folder. Without a prepared one the folder stays empty. */
export function copyFilled(dataDir: string, size: CatalogueSize = 'full'): void {
  const filled = process.env.FILLED_FOLDER
  if (!filled) return
  copyFileSync(join(folderOf(filled, 'sqlite', size), SQLITE_FILE), join(dataDir, SQLITE_FILE))
  copyIndex('sqlite', size, { url: '', dataDir })
}

/** A copy of the filled PostgreSQL database; its index is put into the folder. Without a prepared one it is empty. */
export async function copyFilledPostgres(server: TestPostgres, dataDir: string, size: CatalogueSize): Promise<string> {
  const template = size === 'full' ? process.env.FILLED_POSTGRES : process.env.FILLED_POSTGRES_SMALL
  const url = await server.createDatabase(template)
  if (template) copyIndex('postgres', size, { url, dataDir })
  return url
}

function copyIndex(kind: Kind, size: CatalogueSize, { url, dataDir }: DatabaseOptions): void {
  const filled = folderOf(process.env.FILLED_FOLDER ?? '', kind, size)
  const [index] = readdirSync(filled).filter((name) => /^registry-.*\.sqlite$/.test(name))
  if (!index) throw new Error(`${filled} has no registry index.`)
  copyFileSync(join(filled, index), registryIndexPath(dataDir, url))
}

import type { Kysely } from 'kysely'
import { conflict } from '../../lib/errors.ts'
import * as all from './all.ts'

export type DatabaseDialect = 'sqlite' | 'postgres'

/** One numbered step of the schema. It runs once, whole or not at all, in a transaction. */
export type Migration = {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: DatabaseDialect) => Promise<void>
}

/** In order. A landed migration is never changed; a later one corrects it. For a new one, add a line to `all.ts`. */
export const MIGRATIONS: readonly Migration[] = Object.values(all)

const NAMES = new Set(MIGRATIONS.map(({ name }) => name))

/** Applied migrations that this version does not have, sorted by number. */
export const unknownMigrations = (applied: readonly string[]): string[] =>
  applied.filter((name) => !NAMES.has(name)).sort()

/** Throws if a newer version of the program has migrated the database: this version could damage its data. */
export function assertSchemaNotNewer(applied: readonly string[]): void {
  const newest = unknownMigrations(applied).at(-1)
  if (newest === undefined) return
  const message = `The database was upgraded by a newer version of this program (it has ${newest}). Run that version, or restore the backup made before the upgrade.`
  throw conflict('newer database', message)
}

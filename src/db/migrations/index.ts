import type { Kysely } from 'kysely'
import { conflict } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { migration as schema } from './001-schema.ts'

export type DatabaseDialect = 'sqlite' | 'postgres'

/** One numbered step of the schema. It runs once, whole or not at all, in a transaction. */
export type Migration = {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: DatabaseDialect) => Promise<void>
}

/** In order. A released migration is never changed; a later one corrects it. */
export const MIGRATIONS: readonly Migration[] = [schema]

const NAMES = new Set(MIGRATIONS.map(({ name }) => name))

/** Applied migrations that this version does not have, sorted by number. */
export const unknownMigrations = (applied: readonly string[]): string[] =>
  applied.filter((name) => !NAMES.has(name)).sort()

/** Of a database from before version 0.1.0, whose data no version reads. */
export const isDraft = (applied: readonly string[]) => applied.length > 0 && !applied.includes(schema.name)

/** Throws if another version of the program created or migrated the database: this version could damage its data. */
export function assertKnownSchema(applied: readonly string[]): void {
  const newest = unknownMigrations(applied).at(-1)
  if (newest === undefined) return
  if (isDraft(applied)) {
    const message =
      'A draft from before version 0.1.0 created this database, and its data cannot be read: start with an empty data folder or database.'
    throw conflict('database of a draft', message, reason('technical'))
  }
  const message = `The database was upgraded by a newer version of this program (it has ${newest}). Run that version, or restore the backup made before the upgrade.`
  throw conflict('newer database', message, reason('technical'))
}

import type { Kysely } from 'kysely'
import * as all from './all.ts'

export type DatabaseDialect = 'sqlite' | 'postgres'

/** One numbered step of the schema. It runs once, whole or not at all, in a transaction. */
export type Migration = {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: DatabaseDialect) => Promise<void>
}

/** In order. A landed migration is never changed; a later one corrects it. For a new one, add a line to `all.ts`. */
export const MIGRATIONS: readonly Migration[] = Object.values(all)

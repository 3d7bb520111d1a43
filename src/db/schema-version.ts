import { conflict } from '../lib/errors.ts'

/** Throws if a newer version of the program has migrated the database: this version could damage its data. */
export function assertSchemaNotNewer(
  applied: readonly string[],
  migrations: readonly { readonly name: string }[],
): void {
  const knownNames = new Set(migrations.map(({ name }) => name))
  const newer = applied.filter((name) => !knownNames.has(name)).sort()
  if (newer.length === 0) return
  const message = `The database was upgraded by a newer version of this program (it has ${newer.at(-1)}). Run that version, or restore the backup made before the upgrade.`
  throw conflict('newer database', message)
}

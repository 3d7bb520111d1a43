import { conflict } from '../lib/errors.ts'

/** A schema that this program does not know may keep what it would overwrite or never look at. */
export function assertSchemaNotNewer(applied: readonly string[], known: readonly { readonly name: string }[]): void {
  const names = new Set(known.map(({ name }) => name))
  const newer = applied.filter((name) => !names.has(name)).sort()
  if (newer.length === 0) return
  const message = `The store was brought up to date by a newer version of this program (it has ${newer.at(-1)}). Run that version, or restore the copy that was made before.`
  throw conflict('newer store', message)
}

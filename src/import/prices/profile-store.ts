/** Named sets of import options. */

import type { Database } from '../../db/database.ts'
import { readSetting, writeSetting } from '../../db/setting-store.ts'
import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'

export type ImportProfile = { readonly name: string; readonly options: Readonly<Record<string, string>> }

const PREFIX = 'import_profile:'
const NAME = /^[a-z0-9][a-z0-9._-]{0,59}$/

export function profileStore(db: Database) {
  function keyOf(name: string): string {
    if (NAME.test(name)) return `${PREFIX}${name}`
    const message = `"${name.slice(0, 60)}" is no name for a profile; use lower-case letters, digits, dots and dashes.`
    throw new DomainError('invalid', message, reason('technical'), [{ field: 'profile', message }])
  }

  async function find(name: string): Promise<ImportProfile | undefined> {
    const options = await readSetting(db.query, keyOf(name))
    return options === undefined ? undefined : { name, options: JSON.parse(options) as ImportProfile['options'] }
  }

  return {
    find,
    /** Throws with the list of saved profiles if there is none with this name. */
    async read(name: string): Promise<ImportProfile> {
      const profile = await find(name)
      if (profile) return profile
      const names = (await this.list()).map((saved) => saved.name)
      const available = names.length === 0 ? 'none is saved yet' : `there are: ${names.join(', ')}`
      throw new DomainError('not_found', `There is no profile ${name}; ${available}.`, reason('not_found'), [
        { field: 'profile', message: 'unknown' },
      ])
    },
    async save({ name, options }: ImportProfile): Promise<void> {
      const key = keyOf(name)
      await db.transaction((tx) => writeSetting(tx, key, JSON.stringify(options)))
    },
    async list(): Promise<ImportProfile[]> {
      const rows = await db.query.selectFrom('setting').selectAll().where('name', 'like', `${PREFIX}%`).execute()
      return rows
        .map(({ name, value }) => ({
          name: name.slice(PREFIX.length),
          options: JSON.parse(value) as ImportProfile['options'],
        }))
        .sort((left, right) => (left.name < right.name ? -1 : 1))
    },
    async remove(name: string): Promise<boolean> {
      const result = await db.transaction((tx) =>
        tx.deleteFrom('setting').where('name', '=', keyOf(name)).executeTakeFirstOrThrow(),
      )
      return Number(result.numDeletedRows) > 0
    },
  }
}

/**
 * Merges the options of a run with those of its profile. Options of this run take precedence and are saved to the profile,
 * except what a person decides for one file: `add-variants` and `confirm-amounts`.
 */
export async function resolveProfile(
  db: Database,
  options: Readonly<Record<string, string>>,
  dryRun: boolean,
): Promise<Readonly<Record<string, string>>> {
  const { profile: name, 'add-variants': addVariants, 'confirm-amounts': confirmAmounts, ...runOptions } = options
  if (name === undefined) return options
  const profiles = profileStore(db)
  const hasOptions = Object.keys(runOptions).length > 0
  const saved = hasOptions ? await profiles.find(name) : await profiles.read(name)
  const merged = { ...saved?.options, ...runOptions }
  if (hasOptions && !dryRun) await profiles.save({ name, options: merged })
  return {
    ...merged,
    ...(addVariants === undefined ? {} : { 'add-variants': addVariants }),
    ...(confirmAmounts === undefined ? {} : { 'confirm-amounts': confirmAmounts }),
  }
}

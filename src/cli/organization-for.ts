import { accessStore } from '../access/store.ts'
import { noSuch } from '../errors.ts'
import type { Context } from './command.ts'
import { CommandError } from './command-error.ts'

/** The only organization there is, or the one that is named. */
export async function organizationFor(given: string | undefined, context: Context): Promise<string> {
  const organizations = await accessStore(await context.openStore()).organizations()
  const named = given === undefined ? organizations : organizations.filter(({ id }) => id === given)
  const [only, ...others] = named
  if (given !== undefined && !only) throw noSuch('organization', given)
  if (!only) throw new CommandError('There is no organization yet; make one with: org create NAME')
  if (others.length > 0) throw new CommandError(`--org is needed: there are ${named.length} organizations.`, 2)
  return only.id
}

import { authStore } from '../auth/auth-store.ts'
import { unknownId } from '../lib/errors.ts'
import type { CommandContext } from './command.ts'
import { CommandError } from './command-error.ts'

/** The only organization there is, or the one that is named. */
export async function resolveOrganization(id: string | undefined, context: CommandContext): Promise<string> {
  const organizations = await authStore(await context.openExistingDatabase()).organizations()
  const named = id === undefined ? organizations : organizations.filter((organization) => organization.id === id)
  const [only, ...others] = named
  if (id !== undefined && !only) throw unknownId('organization', id)
  if (!only) throw new CommandError('There is no organization yet; make one with: org create NAME')
  if (others.length > 0) throw new CommandError(`--org is needed: there are ${named.length} organizations.`, 2)
  return only.id
}

import { authStore } from '../auth/auth-store.ts'
import { unknownId } from '../lib/errors.ts'
import type { CommandContext } from './command.ts'
import { CommandError } from './command-error.ts'

/** Id of the named organization, or of the only one. */
export async function resolveOrganization(id: string | undefined, context: CommandContext): Promise<string> {
  const organizations = await authStore(await context.openExistingDatabase()).organizations()
  const candidates = id === undefined ? organizations : organizations.filter((organization) => organization.id === id)
  const [only, ...others] = candidates
  if (id !== undefined && !only) throw unknownId('organization', id)
  if (!only) throw new CommandError('There is no organization yet. Create one with: org create NAME')
  if (others.length > 0) throw new CommandError(`--org is needed: there are ${candidates.length} organizations.`, 2)
  return only.id
}

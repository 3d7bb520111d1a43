import { authStore } from '../auth/auth-store.ts'
import { TIERS } from '../contract/tiers.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'

const USAGE = 'org tier ORG_ID public|paid|enterprise'

export const orgTier: Command = {
  name: 'org tier',
  usage: 'ORG_ID public|paid|enterprise',
  help: 'Set the highest tier that an organization may use, with its keys and in the dashboard.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 2, most: 2, usage: USAGE })
    const [id = '', given = ''] = positionals
    const tier = TIERS.find((known) => known === given)
    if (!tier) throw new CommandError(`A tier is public, paid or enterprise. Usage: ${USAGE}`, 2)
    await authStore(await context.openExistingDatabase()).setTier(id, tier, currentCommandLineActor(), context.now())
    context.report(
      `${id} may now use tiers up to ${tier}. Keys, watches and webhook events above it are paused from now on.`,
    )
    return 0
  },
}

import { accessStore } from '../access/store.ts'
import { TIERS } from '../contract/tiers.ts'
import { commandLineActor } from './actor.ts'
import { type Command, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'

const USAGE = 'org tier ORG_ID public|paid|enterprise'

export const orgTier: Command = {
  name: 'org tier',
  usage: 'ORG_ID public|paid|enterprise',
  help: 'Set the highest tier that an organization may use, with its keys and in the dashboard.',
  async run(args, context) {
    const { positionals } = readArguments(args, {}, { least: 2, most: 2, usage: USAGE })
    const [id = '', given = ''] = positionals
    const tier = TIERS.find((known) => known === given)
    if (!tier) throw new CommandError(`A tier is public, paid or enterprise. Usage: ${USAGE}`, 2)
    await accessStore(await context.openStore()).setTier(id, tier, commandLineActor(), context.now())
    context.tell(`${id} may now use tiers up to ${tier}. Keys above it are refused from now on.`)
    return 0
  },
}

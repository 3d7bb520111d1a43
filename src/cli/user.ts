import { linkAddress } from '../account/link.ts'
import { accountStore } from '../account/store.ts'
import { baseUrlOf } from '../config.ts'
import { accountBodies, ROLES } from '../contract/account.ts'
import { commandLineActor } from './actor.ts'
import { type Command, readArguments, required } from './command.ts'
import { CommandError } from './command-error.ts'

const USAGE = 'user create --email EMAIL --org ORG_ID [--role owner|member] [--json]'

export const userCreate: Command = {
  name: 'user create',
  usage: '--email EMAIL --org ORG_ID [--role owner|member] [--json]',
  help: 'Let a person into an organization and print a link that signs them in once.',
  details: 'The link is good for three days and one use. For somebody who lost their password, make another.',
  async run(args, context) {
    const options = {
      email: { type: 'string' },
      org: { type: 'string' },
      role: { type: 'string' },
      json: { type: 'boolean' },
    } as const
    const { values } = readArguments(args, options, { least: 0, most: 0, usage: USAGE })
    const email = accountBodies.signIn.shape.email.safeParse(required(values.email, 'email', USAGE))
    if (!email.success) throw new CommandError(`"${values.email}" is not an email address. Usage: ${USAGE}`, 2)
    const role = ROLES.find((known) => known === (values.role ?? 'owner'))
    if (!role) throw new CommandError(`A role is owner or member. Usage: ${USAGE}`, 2)
    const organizationId = required(values.org, 'org', USAGE)
    const accounts = accountStore(await context.openStore())
    const person = { email: email.data, role }
    const token = await accounts.addMember(organizationId, person, commandLineActor(), context.now())
    const link = linkAddress(baseUrlOf(context.config), token)
    context.print(
      values.json ? JSON.stringify({ email: email.data, organization_id: organizationId, role, link }) : link,
    )
    context.tell('The link signs in once, within three days. Open it in a browser while the service runs.')
    return 0
  },
}

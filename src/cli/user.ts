import { linkAddress } from '../account/link.ts'
import { accountStore } from '../account/store.ts'
import { baseUrlOf } from '../config.ts'
import { accountBodies, ROLES } from '../contract/account.ts'
import { textTable } from '../text/text-table.ts'
import { minuteOf } from '../time.ts'
import { commandLineActor } from './actor.ts'
import { type Command, readArguments, required } from './command.ts'
import { CommandError } from './command-error.ts'
import { presentPerson } from './present.ts'

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

const LIST_USAGE = 'user list [--json]'

export const userList: Command = {
  name: 'user list',
  usage: '[--json]',
  help: 'List the people, their organizations and roles, and when each was last seen.',
  async run(args, context) {
    const { values } = readArguments(args, { json: { type: 'boolean' } }, { least: 0, most: 0, usage: LIST_USAGE })
    const people = await accountStore(await context.openStore()).everybody()
    if (values.json) context.print(JSON.stringify(people.map(presentPerson)))
    else {
      const rows = people.map(({ email, name, memberships, seenAt }) => [
        email,
        name || '-',
        memberships.map(({ organizationId, role }) => `${organizationId} (${role})`).join(', ') || '-',
        seenAt === null ? 'never' : minuteOf(seenAt),
      ])
      context.print(textTable(['EMAIL', 'NAME', 'ORGANIZATIONS', 'LAST SEEN'], rows))
    }
    return 0
  },
}

const REMOVE_USAGE = 'user remove EMAIL'

export const userRemove: Command = {
  name: 'user remove',
  usage: 'EMAIL',
  help: 'Remove a person from everywhere: they are signed out and can no longer sign in.',
  async run(args, context) {
    const { positionals } = readArguments(args, {}, { least: 1, most: 1, usage: REMOVE_USAGE })
    const email = (positionals[0] ?? '').trim().toLowerCase()
    const accounts = accountStore(await context.openStore())
    const left = await accounts.removePerson(email, commandLineActor(), context.now())
    context.tell(`${email} is removed.`)
    for (const organizationId of left) {
      context.tell(`${organizationId} has no owner now; "user create" makes a link for another.`)
    }
    return 0
  },
}

const SETUP_USAGE = 'user setup-code [--json]'

export const userSetupCode: Command = {
  name: 'user setup-code',
  usage: '[--json]',
  help: 'Print a code that makes the first owner in the dashboard; only while there is nobody.',
  async run(args, context) {
    const { values } = readArguments(args, { json: { type: 'boolean' } }, { least: 0, most: 0, usage: SETUP_USAGE })
    const code = await accountStore(await context.openOrMakeStore()).makeSetupCode(context.now())
    if (code === undefined) {
      throw new CommandError('The service has its owner already. "user create" makes a link for another person.')
    }
    const url = `${baseUrlOf(context.config)}/dashboard`
    context.print(values.json ? JSON.stringify({ code, url }) : code)
    context.tell(`Open ${url} and enter it there. It works once; the first owner ends all such codes.`)
    return 0
  },
}

const RESET_USAGE = 'user reset-second-factor EMAIL'

export const userResetSecondFactor: Command = {
  name: 'user reset-second-factor',
  usage: 'EMAIL',
  help: 'Take away the authenticator app, passkeys and recovery codes of somebody who lost them; they are signed out.',
  async run(args, context) {
    const { positionals } = readArguments(args, {}, { least: 1, most: 1, usage: RESET_USAGE })
    const email = (positionals[0] ?? '').trim().toLowerCase()
    const accounts = accountStore(await context.openStore())
    await accounts.removeFactors(email, commandLineActor(), context.now())
    context.tell(`${email} signs in with the password alone now.`)
    return 0
  },
}

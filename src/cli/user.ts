import { baseUrlOf } from '../config.ts'
import { dashboardBodies, MEMBER_ROLES } from '../contract/dashboard.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { formatMinute } from '../lib/time.ts'
import { oneTimeLinkUrl } from '../people/one-time-link.ts'
import { peopleStore } from '../people/people-store.ts'
import { type Command, parseArguments, requireOption } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { presentPerson } from './present.ts'
import { reportWithoutOwner } from './user-data.ts'

const USAGE = 'user create --email EMAIL --org ORG_ID [--role owner|manager|clerk] [--existing] [--json]'

export const userCreate: Command = {
  name: 'user create',
  usage: '--email EMAIL --org ORG_ID [--role owner|manager|clerk] [--existing] [--json]',
  help: 'Print a one-time link by which a person sets a password and joins an organization.',
  details: [
    'The link works once, within three days. Using it ends all sessions of the person.',
    '  --existing   for a person who has an account already: to join another organization, or after a lost password',
  ].join('\n'),
  async run(args, context) {
    const options = {
      email: { type: 'string' },
      org: { type: 'string' },
      role: { type: 'string' },
      existing: { type: 'boolean' },
      json: { type: 'boolean' },
    } as const
    const { values } = parseArguments(args, options, { least: 0, most: 0, usage: USAGE })
    const email = dashboardBodies.signIn.shape.email.safeParse(requireOption(values.email, 'email', USAGE))
    if (!email.success) throw new CommandError(`"${values.email}" is not an email address. Usage: ${USAGE}`, 2)
    // Scripts may still use the former name of the role.
    const roleName = values.role === 'member' ? 'manager' : (values.role ?? 'owner')
    const role = MEMBER_ROLES.find((each) => each === roleName)
    if (!role) throw new CommandError(`A role is ${MEMBER_ROLES.join(', ')}. Usage: ${USAGE}`, 2)
    const organizationId = requireOption(values.org, 'org', USAGE)
    const accounts = peopleStore(await context.openExistingDatabase())
    const person = { email: email.data, role }
    const existing = await accounts.findPerson(email.data)
    if (existing && !values.existing) {
      const organizations = (await accounts.memberships(existing.id)).map(
        ({ organizationName, organizationId: id, role }) => `${organizationName} (${id}, ${role})`,
      )
      throw new CommandError(
        `${email.data} already has an account; member of: ${organizations.join(', ') || 'no organization'}. ` +
          'Add --existing to create a link for that account.',
      )
    }
    const token = await accounts.createSignInLink(organizationId, person, currentCommandLineActor(), context.now())
    const link = oneTimeLinkUrl(baseUrlOf(context.config), token)
    context.print(
      values.json ? JSON.stringify({ email: email.data, organization_id: organizationId, role, link }) : link,
    )
    context.report('The link signs in once, within three days. Open it in a browser while the service runs.')
    return 0
  },
}

const LIST_USAGE = 'user list [--json]'

export const userList: Command = {
  name: 'user list',
  usage: '[--json]',
  help: 'List the people, their organizations and roles, and when each was last seen.',
  async run(args, context) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } }, { least: 0, most: 0, usage: LIST_USAGE })
    const people = await peopleStore(await context.openExistingDatabase()).everybody()
    if (values.json) context.print(JSON.stringify(people.map(presentPerson)))
    else {
      const rows = people.map(({ email, name, memberships, seenAt }) => [
        email,
        name || '-',
        memberships.map(({ organizationId, role }) => `${organizationId} (${role})`).join(', ') || '-',
        seenAt === null ? 'never' : formatMinute(seenAt),
      ])
      context.print(formatTextTable(['EMAIL', 'NAME', 'ORGANIZATIONS', 'LAST SEEN'], rows))
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
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage: REMOVE_USAGE })
    const email = (positionals[0] ?? '').trim().toLowerCase()
    const accounts = peopleStore(await context.openExistingDatabase())
    const left = await accounts.removePerson(email, currentCommandLineActor(), context.now())
    context.report(`${email} is removed.`)
    reportWithoutOwner(left, context)
    return 0
  },
}

const SETUP_USAGE = 'user setup-code [--json]'

export const userSetupCode: Command = {
  name: 'user setup-code',
  usage: '[--json]',
  help: 'Print a code that makes the first owner in the dashboard; only while there is nobody.',
  async run(args, context) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } }, { least: 0, most: 0, usage: SETUP_USAGE })
    const code = await peopleStore(await context.openOrCreateDatabase()).makeSetupCode(context.now())
    if (code === undefined) {
      throw new CommandError('The service has its owner already. "user create" makes a link for another person.')
    }
    const url = `${baseUrlOf(context.config)}/dashboard`
    context.print(values.json ? JSON.stringify({ code, url }) : code)
    context.report(`Open ${url} and enter it there. It works once; the first owner ends all such codes.`)
    return 0
  },
}

const RESET_USAGE = 'user reset-second-factor EMAIL'

export const userResetSecondFactor: Command = {
  name: 'user reset-second-factor',
  usage: 'EMAIL',
  help: 'Take away the authenticator app, passkeys and recovery codes of somebody who lost them; they are signed out.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage: RESET_USAGE })
    const email = (positionals[0] ?? '').trim().toLowerCase()
    const accounts = peopleStore(await context.openExistingDatabase())
    await accounts.removeFactors(email, currentCommandLineActor(), context.now())
    context.report(`${email} signs in with the password alone now.`)
    return 0
  },
}

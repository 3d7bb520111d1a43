import type { Member } from '../../client/src/index.ts'
import { baseUrlOf } from '../config.ts'
import { MEMBER_ROLES } from '../contract/account-limits.ts'
import { dashboardBodies } from '../contract/dashboard-bodies.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { oneTimeLinkUrl } from '../people/one-time-link.ts'
import { peopleStore } from '../people/people-store.ts'
import { personDataStore } from '../people/person-data-store.ts'
import {
  type CommandContext,
  type CommandOption,
  type CommandOutput,
  choice,
  command,
  flag,
  text,
  withDefault,
} from './command.ts'
import { CommandError } from './command-error.ts'
import type { ManagementService } from './remote.ts'
import { minuteOf } from './tables.ts'

export const EMAIL: CommandOption<string> = {
  placeholder: 'EMAIL',
  accepts: 'an email address',
  parse: (value) => dashboardBodies.signIn.shape.email.safeParse(value).data,
}

/** Scripts may still use "member", the former name of a manager. */
const ROLE = {
  ...choice(MEMBER_ROLES),
  parse: (value: string) => MEMBER_ROLES.find((role) => role === (value === 'member' ? 'manager' : value)),
}

/** Not validated: an address that was stored once can always be named. */
const STORED_EMAIL: CommandOption<string> = { placeholder: 'EMAIL', parse: (value) => value.trim().toLowerCase() }

const openStore = async ({ openExistingDatabase }: CommandContext) => peopleStore(await openExistingDatabase())

/** Commands about people have two forms: the database finds a person in all organizations, the API in one. */
const userCreate = command({
  name: 'user create',
  help: 'Print a one-time link by which a person sets a password and joins an organization.',
  options: {
    email: EMAIL,
    org: text('ORG_ID'),
    role: withDefault(ROLE, 'owner'),
    existing: flag('for a person who already has an account: to join another organization, or after a lost password'),
  },
  json: true,
  notes: ['The link works once, within three days. Using it ends all sessions of the person.'],
  async run({ email, org, role, existing }, context) {
    const people = await openStore(context)
    const person = await people.findPerson(email)
    if (person && !existing) {
      const organizations = (await people.memberships(person.id)).map(
        ({ organizationName, organizationId, role }) => `${organizationName} (${organizationId}, ${role})`,
      )
      throw new CommandError(
        `${email} already has an account; member of: ${organizations.join(', ') || 'no organization'}. ` +
          'Add --existing to create a link for that account.',
      )
    }
    const token = await people.createSignInLink(org, { email, role }, context.actor, context.now())
    return linkOutput(
      { email, organization_id: org, role, link: oneTimeLinkUrl(baseUrlOf(context.config), token) },
      context,
    )
  },
  async remote({ email, org, role, existing }, { client, of }, context) {
    const { members } = existing ? await client.listMembers(of) : { members: [] }
    const member = members.find((each) => each.email === email)
    const { link } = member
      ? await client.resetMemberPassword(member.id, of)
      : await client.inviteMember(of, { email, role })
    return linkOutput({ email, organization_id: org, role, link }, context)
  },
})

type NewLinkJson = {
  readonly email: string
  readonly organization_id: string
  readonly role: string
  readonly link: string
}

function linkOutput(json: NewLinkJson, { report }: CommandContext): CommandOutput {
  report('The link signs in once, within three days. Open it in a browser while the service runs.')
  return { text: json.link, json }
}

const userList = command({
  name: 'user list',
  help: 'List people with their organizations, roles and when they were last seen.',
  json: true,
  async run(_, context) {
    const people = await (await openStore(context)).everybody()
    return peopleOutput(
      people.map((person) => ({
        id: person.id,
        email: person.email,
        name: person.name,
        organizations: person.memberships.map(({ organizationId, role }) => ({ id: organizationId, role })),
        created_at: isoInstant(person.createdAt),
        last_seen_at: isoInstantOrNull(person.seenAt),
      })),
    )
  },
  async remote(_, { client, of: { organization_id: organizationId } }) {
    if (organizationId === undefined) {
      throw new CommandError('On a running service, "user list" needs --org: it lists one organization.', 2)
    }
    const { members } = await client.listMembers({ organization_id: organizationId })
    return peopleOutput(
      members.map(({ id, email, name, role, joined_at, seen_at }) => {
        const organizations = [{ id: organizationId, role }]
        return { id, email, name, organizations, created_at: joined_at, last_seen_at: seen_at }
      }),
    )
  },
})

type PersonJson = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly organizations: readonly { readonly id: string; readonly role: string }[]
  readonly created_at: string
  readonly last_seen_at: string | null
}

function peopleOutput(people: readonly PersonJson[]): CommandOutput {
  const table = formatItemTable(people, {
    EMAIL: ({ email }) => email,
    NAME: ({ name }) => name || '-',
    ORGANIZATIONS: ({ organizations }) => organizations.map(({ id, role }) => `${id} (${role})`).join(', ') || '-',
    'LAST SEEN': (person) => (person.last_seen_at === null ? 'never' : minuteOf(person.last_seen_at)),
  })
  return { json: people, text: table }
}

async function findMember({ client, of }: ManagementService, email: string): Promise<Member> {
  const { members } = await client.listMembers(of)
  const member = members.find((each) => each.email === email)
  if (!member) throw new CommandError(`${email} is not a member of the organization.`, 1, undefined, 'not_found')
  return member
}

const userRemove = command({
  name: 'user remove',
  help: 'Remove a person from all organizations. They are signed out and can no longer sign in.',
  arguments: { email: STORED_EMAIL },
  async run({ email }, context) {
    const withoutOwner = await (await openStore(context)).removePerson(email, context.actor, context.now())
    context.report(`${email} is removed.`)
    reportWithoutOwner(withoutOwner, context)
  },
  async remote({ email }, service, context) {
    const { id } = await findMember(service, email)
    await service.client.removeMember(id, service.of)
    context.report(`${email} is removed from the organization.`)
  },
})

export const userErase = command({
  name: 'user erase',
  help: 'Remove a person like "user remove" and replace their name and address in audit trails by an id.',
  arguments: { email: STORED_EMAIL },
  async run({ email }, context) {
    const db = await context.openExistingDatabase()
    const withoutOwner = await personDataStore(db).erase(email, (person) =>
      peopleStore(db).removePerson(person, context.actor, context.now()),
    )
    context.report(`${email} is erased.`)
    reportWithoutOwner(withoutOwner, context)
  },
})

export const userExport = command({
  name: 'user export',
  help: 'Print everything stored about a person as JSON, without secrets.',
  arguments: { email: STORED_EMAIL },
  async run({ email }, context) {
    const data = await personDataStore(await context.openExistingDatabase()).export(email)
    return { text: JSON.stringify(data, null, 2) }
  },
})

const userResetSecondFactor = command({
  name: 'user reset-second-factor',
  help: 'Remove the authenticator app, passkeys and recovery codes of a person who lost them. They are signed out.',
  arguments: { email: STORED_EMAIL },
  async run({ email }, context) {
    await (await openStore(context)).removeFactors(email, context.actor, context.now())
    context.report(`${email} now signs in with the password alone.`)
  },
  async remote({ email }, service, context) {
    const { id } = await findMember(service, email)
    await service.client.resetMemberSecondFactor(id, service.of)
    context.report(`${email} now signs in with the password alone.`)
  },
})

const userSetupCode = command({
  name: 'user setup-code',
  help: 'Print a code that creates the first owner in the dashboard. Only while there are no people.',
  json: true,
  async run(_, context) {
    const code = await peopleStore(await context.openOrCreateDatabase()).makeSetupCode(context.now())
    if (code === undefined) {
      throw new CommandError('The service already has an owner. "user create" creates a link for another person.')
    }
    const url = `${baseUrlOf(context.config)}/dashboard`
    context.report(`Open ${url} and enter it there. It works once and expires when the first owner is created.`)
    return { text: code, json: { code, url } }
  },
})

export const userCommands = [
  ...[userCreate, userList, userRemove, userErase, userExport, userResetSecondFactor, userSetupCode],
]

function reportWithoutOwner(organizationIds: readonly string[], context: CommandContext): void {
  for (const id of organizationIds) context.report(`${id} has no owner now; "user create" creates a link for another.`)
}

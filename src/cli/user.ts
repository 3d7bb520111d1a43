import type { Member } from '../../client/src/index.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { baseUrlOf } from '../config.ts'
import { MEMBER_ROLES } from '../contract/account-limits.ts'
import { dashboardBodies } from '../contract/dashboard-bodies.ts'
import { unknownId } from '../lib/errors.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { accountDataStore } from '../people/account-data-store.ts'
import type { Account } from '../people/account-store.ts'
import { oneTimeLinkUrl } from '../people/one-time-link.ts'
import { peopleStore } from '../people/people-store.ts'
import {
  type CommandContext,
  type CommandOption,
  type CommandOutput,
  choice,
  command,
  optional,
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

const ROLE = choice(MEMBER_ROLES)

/** Not validated: an address that was stored once can always be named. */
const STORED_EMAIL: CommandOption<string> = { placeholder: 'EMAIL', parse: (value) => value.trim().toLowerCase() }

const openStore = async ({ openExistingDatabase }: CommandContext) => peopleStore(await openExistingDatabase())

/** More accounts of one address than this are not told apart by the commands. */
const MAX_ACCOUNTS = 1_000

const ORG = optional(text('ORG_ID'))

/** The account of an address; with accounts in several organizations, `--org` says which. */
async function requireAccount(
  people: Awaited<ReturnType<typeof openStore>>,
  email: string,
  org: string | undefined,
): Promise<Account> {
  const accounts = await people.accountsWithEmail(email, MAX_ACCOUNTS)
  const candidates = org === undefined ? accounts : accounts.filter(({ organizationId }) => organizationId === org)
  const [account, ...others] = candidates
  if (!account) throw unknownId('account', email)
  if (others.length === 0) return account
  const organizations = candidates.map(({ organizationId }) => organizationId).join(', ')
  throw new CommandError(`${email} has accounts in several organizations (${organizations}); choose one with --org.`, 2)
}

/** Commands about accounts have two forms: the database finds an address in all organizations, the API in one. */
const userCreate = command({
  name: 'user create',
  help: 'Print a one-time link by which a person creates an account in an organization.',
  options: {
    email: EMAIL,
    org: text('ORG_ID'),
    role: withDefault(ROLE, 'owner'),
  },
  json: true,
  notes: ['The link works once, within three days. After a lost password use "user reset-password".'],
  async run({ email, org, role }, context) {
    const people = await openStore(context)
    const { token } = await people.invite(commandPrincipal(context.actor, org), org, { email, role }, context.now())
    return linkOutput(
      { email, organization_id: org, role, link: oneTimeLinkUrl(baseUrlOf(context.config), token) },
      context,
    )
  },
  async remote({ email, org, role }, { client, of }, context) {
    const { link } = await client.inviteMember(of, { email, role })
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
  help: 'List accounts with their organization, role and when they were last seen.',
  json: true,
  async run(_, context) {
    const accounts = await (await openStore(context)).allAccounts()
    return accountsOutput(
      accounts.map((account) => ({
        id: account.id,
        organization_id: account.organizationId,
        email: account.email,
        name: account.name,
        role: account.role,
        created_at: isoInstant(account.createdAt),
        last_seen_at: isoInstantOrNull(account.seenAt),
      })),
    )
  },
  async remote(_, { client, of: { organization_id: organizationId } }) {
    if (organizationId === undefined) {
      throw new CommandError('On a running service, "user list" needs --org: it lists one organization.', 2)
    }
    const { members } = await client.listMembers({ organization_id: organizationId })
    return accountsOutput(
      members.map(({ id, email, name, role, joined_at, seen_at }) => ({
        id,
        organization_id: organizationId,
        email,
        name,
        role,
        created_at: joined_at,
        last_seen_at: seen_at,
      })),
    )
  },
})

type AccountJson = {
  readonly id: string
  readonly organization_id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly created_at: string
  readonly last_seen_at: string | null
}

function accountsOutput(accounts: readonly AccountJson[]): CommandOutput {
  const table = formatItemTable(accounts, {
    EMAIL: ({ email }) => email,
    NAME: ({ name }) => name || '-',
    ORGANIZATION: ({ organization_id: organizationId }) => organizationId,
    ROLE: ({ role }) => role,
    'LAST SEEN': (account) => (account.last_seen_at === null ? 'never' : minuteOf(account.last_seen_at)),
  })
  return { json: accounts, text: table }
}

async function findMember({ client, of }: ManagementService, email: string): Promise<Member> {
  const { members } = await client.listMembers(of)
  const member = members.find((each) => each.email === email)
  if (!member) throw new CommandError(`${email} is not a member of the organization.`, 1, undefined, 'not_found')
  return member
}

const userRemove = command({
  name: 'user remove',
  help: 'Delete an account. The person is signed out and can no longer sign in to its organization.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  async run({ email, org }, context) {
    const people = await openStore(context)
    const account = await requireAccount(people, email, org)
    const isWithoutOwner = await people.removeAccount(account, context.actor, context.now())
    context.report(`${email} is removed.`)
    if (isWithoutOwner) reportWithoutOwner(account, context)
  },
  async remote({ email }, service, context) {
    const { id } = await findMember(service, email)
    await service.client.removeMember(id, service.of)
    context.report(`${email} is removed from the organization.`)
  },
})

export const userErase = command({
  name: 'user erase',
  help: 'Delete an account like "user remove" and replace name and address in the audit trail by its id.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  async run({ email, org }, context) {
    const db = await context.openExistingDatabase()
    const people = peopleStore(db)
    const account = await requireAccount(people, email, org)
    const isWithoutOwner = await people.removeAccount(account, context.actor, context.now())
    await accountDataStore(db).erase(account)
    context.report(`${email} is erased.`)
    if (isWithoutOwner) reportWithoutOwner(account, context)
  },
})

export const userExport = command({
  name: 'user export',
  help: 'Print everything stored about an account as JSON, without secrets.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  async run({ email, org }, context) {
    const db = await context.openExistingDatabase()
    const data = await accountDataStore(db).export(await requireAccount(peopleStore(db), email, org))
    return { text: JSON.stringify(data, null, 2) }
  },
})

const userResetPassword = command({
  name: 'user reset-password',
  help: 'Print a one-time link by which a person chooses a new password. Using it ends all sessions of the account.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  json: true,
  async run({ email, org }, context) {
    const people = await openStore(context)
    const { id, organizationId, role } = await requireAccount(people, email, org)
    const principal = commandPrincipal(context.actor, organizationId)
    const { token } = await people.createResetLink(principal, organizationId, id, context.now())
    const link = oneTimeLinkUrl(baseUrlOf(context.config), token)
    return linkOutput({ email, organization_id: organizationId, role, link }, context)
  },
  async remote({ email, org = '' }, service, context) {
    const { id, role } = await findMember(service, email)
    const { link } = await service.client.resetMemberPassword(id, service.of)
    return linkOutput({ email, organization_id: org, role, link }, context)
  },
})

const userResetSecondFactor = command({
  name: 'user reset-second-factor',
  help: 'Remove the authenticator app, passkeys and recovery codes of a person who lost them. They are signed out.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  async run({ email, org }, context) {
    const people = await openStore(context)
    const { id, organizationId } = await requireAccount(people, email, org)
    await people.resetSecondFactor(commandPrincipal(context.actor, organizationId), organizationId, id, context.now())
    context.report(`${email} now signs in with the password alone.`)
  },
  async remote({ email }, service, context) {
    const { id } = await findMember(service, email)
    await service.client.resetMemberSecondFactor(id, service.of)
    context.report(`${email} now signs in with the password alone.`)
  },
})

const userChangeEmail = command({
  name: 'user change-email',
  help: 'Change the address of an account. Its issuer identities and sessions end.',
  arguments: { email: STORED_EMAIL, next: EMAIL },
  options: { org: ORG },
  async run({ email, next, org }, context) {
    const people = await openStore(context)
    const { id, organizationId } = await requireAccount(people, email, org)
    const principal = commandPrincipal(context.actor, organizationId)
    await people.changeMemberEmail(principal, organizationId, { id, email: next }, context.now())
    context.report(`${email} is now ${next}.`)
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
  ...[userCreate, userList, userRemove, userErase, userExport],
  ...[userResetPassword, userResetSecondFactor, userChangeEmail, userSetupCode],
]

function reportWithoutOwner({ organizationId }: Account, context: CommandContext): void {
  context.report(`${organizationId} has no owner now; "user create" creates a link for another.`)
}

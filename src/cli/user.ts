import { accountDataStore } from '../auth/accounts/account-data-store.ts'
import type { Account } from '../auth/accounts/account-store.ts'
import { accountsStore } from '../auth/accounts/accounts-store.ts'
import { oneTimeLinkUrl } from '../auth/accounts/one-time-link.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { baseUrlOf } from '../config.ts'
import { MEMBER_ROLES } from '../contract/account-limits.ts'
import { emailValue } from '../contract/values.ts'
import { unknownId } from '../lib/errors.ts'
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

const EMAIL: CommandOption<string> = {
  placeholder: 'EMAIL',
  accepts: 'an email address',
  parse: (value) => emailValue.safeParse(value).data,
}

const ROLE = choice(MEMBER_ROLES)

/** Not validated: an address that was stored once can always be named. */
const STORED_EMAIL: CommandOption<string> = { placeholder: 'EMAIL', parse: (value) => value.trim().toLowerCase() }

const openStore = async ({ openExistingDatabase }: CommandContext) => accountsStore(await openExistingDatabase())

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

const userCreate = command({
  name: 'user create',
  help: 'Print a one-time link by which a person creates an account in an organization.',
  options: {
    email: EMAIL,
    org: text('ORG_ID'),
    role: withDefault(ROLE, 'owner'),
  },
  json: true,
  notes: ['The link works once, within three days. After a lost password: "api POST /api/manage/members/ID/link".'],
  async run({ email, org, role }, context) {
    const people = await openStore(context)
    const { token } = await people.invite(commandPrincipal(context.actor, org), org, { email, role }, context.now())
    return linkOutput(
      { email, organization_id: org, role, link: oneTimeLinkUrl(baseUrlOf(context.config), token) },
      context,
    )
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

// Not listed: both become operations on members.
export const userErase = command({
  name: 'user erase',
  isInternal: true,
  help: 'Delete an account and replace name and address in the audit trail by its id.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  async run({ email, org }, context) {
    const db = await context.openExistingDatabase()
    const people = accountsStore(db)
    const account = await requireAccount(people, email, org)
    const isWithoutOwner = await people.removeAccount(account, context.actor, context.now())
    await accountDataStore(db).erase(account)
    context.report(`${email} is erased.`)
    if (isWithoutOwner) reportWithoutOwner(account, context)
  },
})

export const userExport = command({
  name: 'user export',
  isInternal: true,
  help: 'Print everything stored about an account as JSON, without secrets.',
  arguments: { email: STORED_EMAIL },
  options: { org: ORG },
  async run({ email, org }, context) {
    const db = await context.openExistingDatabase()
    const data = await accountDataStore(db).export(await requireAccount(accountsStore(db), email, org))
    return { text: JSON.stringify(data, null, 2) }
  },
})

export const userCommands = [userCreate, userErase, userExport]

function reportWithoutOwner({ organizationId }: Account, context: CommandContext): void {
  context.report(`${organizationId} has no owner now; "user create" creates a link for another.`)
}

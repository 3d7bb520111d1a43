import { accountsStore } from '../auth/accounts/accounts-store.ts'
import { oneTimeLinkUrl } from '../auth/accounts/one-time-link.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { baseUrlOf } from '../config.ts'
import { MEMBER_ROLES } from '../contract/account-limits.ts'
import { emailValue } from '../contract/values.ts'
import {
  type CommandContext,
  type CommandOption,
  type CommandOutput,
  choice,
  command,
  text,
  withDefault,
} from './command.ts'

const EMAIL: CommandOption<string> = {
  placeholder: 'EMAIL',
  accepts: 'an email address',
  parse: (value) => emailValue.safeParse(value).data,
}

const ROLE = choice(MEMBER_ROLES)

const openStore = async ({ openExistingDatabase }: CommandContext) => accountsStore(await openExistingDatabase())

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

export const userCommands = [userCreate]

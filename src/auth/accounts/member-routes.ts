import type { Language } from '../../contract/languages.ts'
import {
  changeMember,
  createInvitation,
  createMemberLink,
  exportMember,
  getMember,
  listInvitations,
  listMembers,
  type MemberWire,
  removeMember,
  withdrawInvitation,
} from '../../contract/management-members.ts'
import { DONE } from '../../contract/management-shared.ts'
import { type ApiRoute, type HttpContext, route } from '../../http/context.ts'
import type { Principal } from '../../http/principal.ts'
import { unknownId } from '../../lib/errors.ts'
import { isoInstant, isoInstantOrNull } from '../../lib/time.ts'
import { invitationMail, type Mail, passwordResetMail, type Recipient } from '../../mail/mail.ts'
import type { MailService } from '../../mail/mail-service.ts'
import { reportAccountChange } from './account-changes.ts'
import type { AccountDataStore } from './account-data-store.ts'
import type { AccountsStore } from './accounts-store.ts'
import { mailLanguage } from './mail-language.ts'
import { oneTimeLinkUrl } from './one-time-link.ts'

export type MemberDependencies = {
  readonly accounts: Pick<
    AccountsStore,
    | ('members' | 'invitations' | 'findAccount' | 'invite' | 'withdrawInvitation')
    | ('changeMember' | 'removeMember' | 'createResetLink' | 'resetSecondFactor')
  >
  readonly personalData: Pick<AccountDataStore, 'export' | 'erase' | 'promiseErasure'>
  readonly auth: { readonly organizationName: (organizationId: string) => Promise<string | null> }
  /** Language of the receipts of an organization; empty if it chose none. */
  readonly receiptLanguage: (organizationId: string) => Promise<Language | ''>
  /** Sends mail in the background, if it is configured. */
  readonly mail: Pick<MailService, 'send'>
  readonly baseUrl: () => string
}

/** Members and invitations of an organization. */
export function memberRoutes(dependencies: MemberDependencies): ApiRoute[] {
  const { accounts, personalData, auth, mail } = dependencies

  /** Mails the link if mail is configured. */
  function presentLink(
    { token, expiresAt }: { readonly token: string; readonly expiresAt: number },
    toMail: (link: string) => Mail,
  ) {
    const link = oneTimeLinkUrl(dependencies.baseUrl(), token)
    return { link, expires_at: isoInstant(expiresAt), mailed: mail.send(toMail(link)) }
  }

  async function recipient(c: HttpContext, email: string): Promise<Recipient> {
    const { organizationId } = c.get('principal')
    const [account, receiptLanguage] = await Promise.all([
      accounts.findAccount(organizationId, email),
      dependencies.receiptLanguage(organizationId),
    ])
    return { email, language: mailLanguage(c, account?.language, receiptLanguage) }
  }

  async function requireMember({ organizationId }: Principal, id: string): Promise<Member> {
    const member = (await accounts.members(organizationId)).find((candidate) => candidate.id === id)
    if (!member) throw unknownId('account', id)
    return member
  }

  const organizationName = async (id: string) => (await auth.organizationName(id)) ?? id

  return [
    route(listMembers, async (c) => {
      const principal = c.get('principal')
      const members = await accounts.members(principal.organizationId)
      return { data: members.map((member) => presentMember(member, principal)) }
    }),

    route(getMember, async (c) => {
      const principal = c.get('principal')
      return { data: presentMember(await requireMember(principal, c.get('params').id), principal) }
    }),

    route(exportMember, async (c) => {
      const principal = c.get('principal')
      const member = await requireMember(principal, c.get('params').id)
      return { data: await personalData.export({ ...member, organizationId: principal.organizationId }) }
    }),

    route(listInvitations, async (c) => {
      const invitations = await accounts.invitations(c.get('principal').organizationId, c.get('facts').now)
      const data = invitations.map((invitation) => ({
        id: invitation.id,
        email: invitation.email,
        role: invitation.role,
        invited_by: invitation.createdBy,
        created_at: isoInstant(invitation.createdAt),
        expires_at: isoInstant(invitation.expiresAt),
      }))
      return { data }
    }),

    route(createInvitation, async (c) => {
      const principal = c.get('principal')
      const { email, role } = c.get('body')
      const invitation = await accounts.invite(principal, principal.organizationId, { email, role }, c.get('facts').now)
      const organization = await organizationName(principal.organizationId)
      const inviter = principal.actor.who
      const to = await recipient(c, email)
      const link = presentLink(invitation, (url) => invitationMail(to, url, { organization, inviter, role }))
      return { data: { id: invitation.id, ...link } }
    }),

    route(withdrawInvitation, async (c) => {
      const principal = c.get('principal')
      await accounts.withdrawInvitation(principal, principal.organizationId, c.get('params').id, c.get('facts').now)
      return { data: DONE }
    }),

    route(changeMember, async (c) => {
      const principal = c.get('principal')
      const { organizationId, actor } = principal
      const { id } = c.get('params')
      const { now } = c.get('facts')
      const { second_factor: secondFactor, ...change } = c.get('body')
      const { email } = change
      if (Object.keys(change).length > 0) {
        const before = await accounts.changeMember(principal, organizationId, { id, ...change }, now)
        if (email !== undefined && before.email !== email) {
          reportAccountChange(dependencies, c, before, { kind: 'email', email })
        }
      }
      if (secondFactor === false) {
        const account = await accounts.resetSecondFactor(principal, organizationId, id, now)
        reportAccountChange(dependencies, c, account, { kind: 'second_factor_reset', by: actor.who })
      }
      return { data: DONE }
    }),

    route(removeMember, async (c) => {
      const principal = c.get('principal')
      const { id } = c.get('params')
      const { organizationId } = principal
      const { now } = c.get('facts')
      const isErased = c.get('query').erase === 'true'
      const promise = isErased ? personalData.promiseErasure : undefined
      const account = await accounts.removeMember(principal, organizationId, id, now, promise)
      if (isErased) await personalData.erase(account)
      return { data: DONE }
    }),

    route(createMemberLink, async (c) => {
      const principal = c.get('principal')
      const { organizationId } = principal
      const created = await accounts.createResetLink(principal, organizationId, c.get('params').id, c.get('facts').now)
      const organization = await organizationName(organizationId)
      const to = await recipient(c, created.account.email)
      return { data: presentLink(created, (url) => passwordResetMail(to, [{ organization, url }])) }
    }),
  ]
}

type Member = Awaited<ReturnType<AccountsStore['members']>>[number]

const presentMember = (member: Member, principal: Principal): MemberWire => ({
  id: member.id,
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: isoInstant(member.joinedAt),
  seen_at: isoInstantOrNull(member.seenAt),
  second_factor: member.hasSecondFactor,
  may_reset: member.id !== principal.id,
  you: member.id === principal.id,
})

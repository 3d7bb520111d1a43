import type { MembersWire } from '../contract/people.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { invitationMail, type Mail, passwordResetMail, type Recipient } from '../mail/mail.ts'
import { reportAccountChange } from './account-changes.ts'
import type { DashboardDependencies } from './dashboard-dependencies.ts'
import { mailLanguage } from './mail-language.ts'
import { oneTimeLinkUrl } from './one-time-link.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from './session-route.ts'

export function memberRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts
  /** Mails the link if mail is configured. */
  function presentLink(
    { token, expiresAt }: { readonly token: string; readonly expiresAt: number },
    toMail: (link: string) => Mail,
  ) {
    const link = oneTimeLinkUrl(parts.baseUrl(), token)
    return { link, expires_at: isoInstant(expiresAt), mailed: parts.mail.send(toMail(link)) }
  }

  async function recipient(c: SessionContext, email: string): Promise<Recipient> {
    const [person, paper] = await Promise.all([
      people.findAccount(c.get('organization').id, email),
      parts.appraisal.receiptDetails.of(c.get('organization').id),
    ])
    return { email, language: mailLanguage(c, person?.language, paper.language) }
  }

  return [
    dashboardRoute('GET /account/members', async (c) => {
      const organization = c.get('organization')
      const { now } = c.get('facts')
      const [members, invitations] = await Promise.all([
        people.members(organization.id),
        organization.role === 'owner' ? people.invitations(organization.id, now) : [],
      ])
      const data: MembersWire = {
        members: members.map((member) => ({
          id: member.id,
          email: member.email,
          name: member.name,
          role: member.role,
          joined_at: isoInstant(member.joinedAt),
          seen_at: isoInstantOrNull(member.seenAt),
          second_factor: member.hasSecondFactor,
          may_reset: member.id !== c.get('principal').id,
          you: member.id === c.get('principal').id,
        })),
        invitations: invitations.map((invitation) => ({
          id: invitation.id,
          email: invitation.email,
          role: invitation.role,
          invited_by: invitation.createdBy,
          created_at: isoInstant(invitation.createdAt),
          expires_at: isoInstant(invitation.expiresAt),
        })),
      }
      return { data }
    }),

    dashboardRoute('POST /account/invitations', async (c, { email, role }) => {
      const principal = c.get('principal')
      const invitation = await people.invite(principal, c.get('organization').id, { email, role }, c.get('facts').now)
      const { name: organization } = c.get('organization')
      const inviter = c.get('principal').actor.who
      const to = await recipient(c, email)
      return { data: presentLink(invitation, (link) => invitationMail(to, link, { organization, inviter, role })) }
    }),

    dashboardRoute('POST /account/invitations/withdraw', async (c, { id }) => {
      await people.withdrawInvitation(c.get('principal'), c.get('organization').id, id, c.get('facts').now)
    }),

    dashboardRoute('POST /account/members/role', async (c, { id, role }) => {
      await people.changeRole(c.get('principal'), c.get('organization').id, { id, role }, c.get('facts').now)
    }),

    dashboardRoute('POST /account/members/remove', async (c, { id }) => {
      await people.removeMember(c.get('principal'), c.get('organization').id, id, c.get('facts').now)
    }),

    dashboardRoute('POST /account/members/reset-password', async (c, { id }) => {
      const { id: organizationId, name: organization } = c.get('organization')
      const created = await people.createResetLink(c.get('principal'), organizationId, id, c.get('facts').now)
      const to = await recipient(c, created.account.email)
      return { data: presentLink(created, (url) => passwordResetMail(to, [{ organization, url }])) }
    }),

    dashboardRoute('POST /account/members/reset-second-factor', async (c, { id }) => {
      const principal = c.get('principal')
      const account = await people.resetSecondFactor(principal, c.get('organization').id, id, c.get('facts').now)
      reportAccountChange(parts, c, account, { kind: 'second_factor_reset', by: principal.actor.who })
    }),

    dashboardRoute('POST /account/members/email', async (c, { id, email }) => {
      const { id: organizationId } = c.get('organization')
      const before = await people.changeMemberEmail(
        c.get('principal'),
        organizationId,
        { id, email },
        c.get('facts').now,
      )
      if (before.email !== email) reportAccountChange(parts, c, before, { kind: 'email', email })
    }),
  ]
}

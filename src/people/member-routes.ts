import type { ActivityWire, MembersWire } from '../contract/dashboard.ts'
import { HISTORY_LIMIT, pageMeta, parseCount } from '../contract/paging.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { accountChangedMail, invitationMail, type Mail, passwordResetMail } from '../mail/mail.ts'
import type { DashboardDependencies } from './dashboard-dependencies.ts'
import { oneTimeLinkUrl } from './one-time-link.ts'
import { type DashboardRoute, DONE, dashboardRoute } from './session-route.ts'

const MAX_PAGES = 1_000_000

export function memberRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people: accounts } = parts
  /** Mails the link if mail is configured. */
  function presentLink(
    { token, expiresAt }: { readonly token: string; readonly expiresAt: number },
    toMail: (link: string) => Mail,
  ) {
    const link = oneTimeLinkUrl(parts.baseUrl(), token)
    return { link, expires_at: isoInstant(expiresAt), mailed: parts.mail.send(toMail(link)) }
  }

  return [
    dashboardRoute('GET /account/members', async (c) => {
      const organization = c.get('organization')
      const { now } = c.get('facts')
      const [members, invitations] = await Promise.all([
        accounts.members(organization.id),
        organization.role === 'owner' ? accounts.invitations(organization.id, now) : [],
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
          may_reset: member.isOnlyHere && member.id !== c.get('principal').id,
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
      const made = await accounts.invite(
        c.get('organization').id,
        email,
        role,
        c.get('principal').actor,
        c.get('facts').now,
      )
      const { name: organization } = c.get('organization')
      const inviter = c.get('principal').actor.who
      return { data: presentLink(made, (link) => invitationMail(email, link, { organization, inviter, role })) }
    }),

    dashboardRoute('POST /account/invitations/withdraw', async (c, { id }) => {
      await accounts.withdrawInvitation(c.get('organization').id, id, c.get('principal').actor, c.get('facts').now)
      return DONE
    }),

    dashboardRoute('POST /account/members/role', async (c, { id, role }) => {
      await accounts.changeRole(c.get('organization').id, id, role, c.get('principal').actor, c.get('facts').now)
      return DONE
    }),

    dashboardRoute('POST /account/members/remove', async (c, { id }) => {
      await accounts.removeMember(c.get('organization').id, id, c.get('principal').actor, c.get('facts').now)
      return DONE
    }),

    dashboardRoute('POST /account/members/reset-password', async (c, { id }) => {
      const { actor } = c.get('principal')
      const created = await accounts.createResetLink(c.get('organization').id, id, actor, c.get('facts').now)
      return { data: presentLink(created, (link) => passwordResetMail(created.email, link)) }
    }),

    dashboardRoute('POST /account/members/reset-second-factor', async (c, { id }) => {
      const { actor } = c.get('principal')
      const email = await accounts.resetSecondFactor(c.get('organization').id, id, actor, c.get('facts').now)
      const change = `${actor.who} reset your two-factor authentication. You sign in with your password alone now.`
      parts.mail.send(accountChangedMail(email, change, `${parts.baseUrl()}/dashboard/account`))
      return DONE
    }),

    dashboardRoute('GET /account/activity', async (c, query) => {
      const page = parseCount(query.page, 1, MAX_PAGES)
      const limit = parseCount(query.limit, HISTORY_LIMIT.default, HISTORY_LIMIT.maximum)
      const { id } = c.get('organization')
      const [{ rows, total }, operator] = await Promise.all([
        accounts.auditTrail(id, { limit, offset: (page - 1) * limit }),
        parts.auth.operatorOrganization(),
      ])
      const data: ActivityWire[] = rows.map((row) => ({
        id: row.id,
        at: isoInstant(row.created_at),
        // Other organizations see the operator instead of the person's name.
        who: row.isForAll && operator !== id ? 'the operator' : row.who,
        action: row.action,
        subject: row.subject,
        detail: JSON.parse(row.detail),
      }))
      return { data, meta: pageMeta(page, limit, total) }
    }),
  ]
}

import { asPerson } from '../../access/actor.ts'
import { type ActivityWire, accountBodies, type MembersWire } from '../../contract/account.ts'
import { linkAddress } from '../link.ts'
import type { AccountParts } from '../parts.ts'
import { type AccountRoute, changes, DONE, instant, reads } from '../route.ts'

const ACTIVITY_PAGE = 50

export function peopleRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts } = parts

  return [
    reads('/account/members', 'member', async ({ workplace, person, now }) => {
      const [members, invitations] = await Promise.all([
        accounts.members(workplace.id),
        workplace.role === 'owner' ? accounts.invitations(workplace.id, now) : [],
      ])
      const data: MembersWire = {
        members: members.map((member) => ({
          id: member.id,
          email: member.email,
          name: member.name,
          role: member.role,
          joined_at: instant(member.joinedAt),
          you: member.id === person.id,
        })),
        invitations: invitations.map((invitation) => ({
          id: invitation.id,
          email: invitation.email,
          role: invitation.role,
          invited_by: invitation.createdBy,
          created_at: instant(invitation.createdAt),
          expires_at: instant(invitation.expiresAt),
        })),
      }
      return { data }
    }),

    changes('/account/invitations', 'owner', accountBodies.invite, async (visit, { email, role }) => {
      const made = await accounts.invite(visit.workplace.id, email, role, asPerson(visit.person), visit.now)
      return { data: { link: linkAddress(parts.baseUrl(), made.token), expires_at: instant(made.expiresAt) } }
    }),

    changes('/account/invitations/withdraw', 'owner', accountBodies.withdrawInvitation, async (visit, { id }) => {
      await accounts.withdrawInvitation(visit.workplace.id, id, asPerson(visit.person), visit.now)
      return DONE
    }),

    changes('/account/members/role', 'owner', accountBodies.changeRole, async (visit, { id, role }) => {
      await accounts.changeRole(visit.workplace.id, id, role, asPerson(visit.person), visit.now)
      return DONE
    }),

    changes('/account/members/remove', 'owner', accountBodies.removeMember, async (visit, { id }) => {
      await accounts.removeMember(visit.workplace.id, id, asPerson(visit.person), visit.now)
      return DONE
    }),

    reads('/account/activity', 'member', async ({ workplace, query }) => {
      const asked = Number(query('page') ?? 1)
      const page = Number.isSafeInteger(asked) && asked >= 1 && asked <= 1_000_000 ? asked : 1
      const { rows, total } = await accounts.auditTrail(workplace.id, {
        limit: ACTIVITY_PAGE,
        offset: (page - 1) * ACTIVITY_PAGE,
      })
      const pages = Math.ceil(total / ACTIVITY_PAGE)
      const data: ActivityWire[] = rows.map((row) => ({
        id: row.id,
        at: instant(row.created_at),
        who: row.who,
        action: row.action,
        subject: row.subject,
        detail: JSON.parse(row.detail),
      }))
      const meta = {
        page,
        limit: ACTIVITY_PAGE,
        total,
        total_pages: pages,
        has_next: page < pages,
        has_prev: page > 1 && total > 0,
      }
      return { data, meta }
    }),
  ]
}

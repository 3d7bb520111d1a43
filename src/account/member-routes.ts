import { asPerson } from '../access/actor.ts'
import { type ActivityWire, accountBodies, type MembersWire } from '../contract/account.ts'
import { pageMeta, readCount } from '../contract/paging.ts'
import { isoInstant } from '../time.ts'
import { linkAddress } from './link.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, changes, DONE, reads } from './route.ts'

const ACTIVITY_PAGE = 50
const MOST_PAGES = 1_000_000

export function memberRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts } = parts

  return [
    reads('/account/members', 'member', async (c) => {
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
          you: member.id === c.get('person').id,
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

    changes('/account/invitations', 'owner', accountBodies.invite, async (c, { email, role }) => {
      const made = await accounts.invite(
        c.get('organization').id,
        email,
        role,
        asPerson(c.get('person')),
        c.get('facts').now,
      )
      return { data: { link: linkAddress(parts.baseUrl(), made.token), expires_at: isoInstant(made.expiresAt) } }
    }),

    changes('/account/invitations/withdraw', 'owner', accountBodies.withdrawInvitation, async (c, { id }) => {
      await accounts.withdrawInvitation(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),

    changes('/account/members/role', 'owner', accountBodies.changeRole, async (c, { id, role }) => {
      await accounts.changeRole(c.get('organization').id, id, role, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),

    changes('/account/members/remove', 'owner', accountBodies.removeMember, async (c, { id }) => {
      await accounts.removeMember(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),

    reads('/account/activity', 'member', async (c) => {
      const page = readCount(c.req.query('page'), 1, MOST_PAGES)
      const { id } = c.get('organization')
      const places = { limit: ACTIVITY_PAGE, offset: (page - 1) * ACTIVITY_PAGE }
      const [{ rows, total }, operator] = await Promise.all([
        accounts.auditTrail(id, places),
        parts.access.operatorOrganization(),
      ])
      const data: ActivityWire[] = rows.map((row) => ({
        id: row.id,
        at: isoInstant(row.created_at),
        // Who changed something for all is known to their own organization; the others know them as its operator.
        who: row.isForAll && operator !== id ? 'the operator' : row.who,
        action: row.action,
        subject: row.subject,
        detail: JSON.parse(row.detail),
      }))
      return { data, meta: pageMeta(page, ACTIVITY_PAGE, total) }
    }),
  ]
}

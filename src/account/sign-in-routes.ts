import { accountBodies, type LinkWire, type SessionWire } from '../contract/account.ts'
import { invalid, notFound } from '../errors.ts'
import { isoInstant } from '../time.ts'
import { authenticate } from './authenticate.ts'
import { hasFactor } from './factor.ts'
import type { Link } from './link-store.ts'
import { type AccountParts, isSecure } from './parts.ts'
import { hashPassword } from './password.ts'
import { type AccountRoute, changes, DONE, reads } from './route.ts'
import { proceed } from './second-step.ts'
import { endedCookie } from './session-cookie.ts'
import { endCurrentSession } from './session-opening.ts'

export function signInRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts } = parts

  async function linkOrRefusal(token: string, now: number): Promise<Link> {
    const link = await accounts.findLink(token, now)
    if (!link) throw notFound('This link was used already or is too old; it')
    return link
  }

  return [
    reads('/account/session', 'person', async (c) => {
      const person = c.get('person')
      const organization = c.get('organization') ?? null
      const memberships = await accounts.memberships(person.id)
      const data: SessionWire = {
        person: { id: person.id, email: person.email, name: person.name },
        organization: organization && {
          id: organization.id,
          name: organization.name,
          tier: organization.tier,
          limits: { ...organization.limits },
        },
        role: organization?.role ?? null,
        second_factor: {
          has: hasFactor(await accounts.factorsOf(person.id)),
          required: organization?.needsSecondFactor ?? false,
        },
        organizations: memberships.map((one) => ({
          id: one.organizationId,
          name: one.organizationName,
          role: one.role,
        })),
        base_url: parts.baseUrl(),
        sample_data: parts.sampleData,
      }
      return { data }
    }),

    changes('/account/sign-in', 'anyone', accountBodies.signIn, async (c, { email, password }) =>
      proceed(parts, c, await authenticate(parts, c, email, password), null),
    ),

    changes('/account/sign-out', 'anyone', accountBodies.signOut, async (c) => {
      await endCurrentSession(parts, c)
      return { ...DONE, headers: { 'Set-Cookie': endedCookie(isSecure(parts)) } }
    }),

    changes('/account/link', 'anyone', accountBodies.link, async (c, { token }) => {
      const link = await linkOrRefusal(token, c.get('facts').now)
      const person = await accounts.findPerson(link.email)
      const data: LinkWire = {
        purpose: link.purpose,
        email: link.email,
        organization: link.organizationId && (await accounts.organizationName(link.organizationId)),
        role: link.role,
        new_person: !person?.passwordHash,
      }
      return { data }
    }),

    changes('/account/join', 'anyone', accountBodies.join, async (c, { token, name, password }) => {
      const link = await linkOrRefusal(token, c.get('facts').now)
      const known = await accounts.findPerson(link.email)
      let passwordHash: string | null = null
      if (!known?.passwordHash || link.purpose === 'sign_in') {
        if (!password) throw invalid('password', undefined, 'a password of at least 10 characters')
        passwordHash = await hashPassword(password)
      } else {
        // An invitation is not a way into an account that exists: whoever holds the link must know its password too.
        await authenticate(parts, c, link.email, password ?? '')
      }
      const person = await accounts.useLink(link, { name: name ?? '', passwordHash }, c.get('facts').now)
      if (!person) throw notFound('This link was used already or is too old; it')
      await accounts.clearAttempts(link.email)
      // A link stands for the password, not for what is asked beside it.
      return proceed(parts, c, person, link.organizationId)
    }),

    changes('/account/password', 'person', accountBodies.password, async (c, { current, next }) => {
      await authenticate(parts, c, c.get('person').email, current)
      await accounts.changePassword(c.get('person'), await hashPassword(next), c.get('sessionId'), c.get('facts').now)
      return DONE
    }),

    reads('/account/sessions', 'person', async (c) => {
      const sessions = await accounts.sessions(c.get('person').id)
      const data = sessions.map((session) => ({
        id: session.id,
        created_at: isoInstant(session.createdAt),
        seen_at: isoInstant(session.seenAt),
        address: session.address,
        agent: session.agent,
        current: session.id === c.get('sessionId'),
      }))
      return { data }
    }),

    changes('/account/sessions/end', 'person', accountBodies.endSession, async (c, { id }) => {
      if (!(await accounts.endSession(c.get('person').id, id))) throw notFound('The session')
      return DONE
    }),

    changes('/account/organization', 'person', accountBodies.switchOrganization, async (c, { id }) => {
      const mine = await accounts.memberships(c.get('person').id)
      // An organization of others is NOT_FOUND, not FORBIDDEN: its existence is none of the caller's business.
      if (!mine.some(({ organizationId }) => organizationId === id)) throw notFound('The organization')
      await accounts.switchOrganization(c.get('sessionId'), id)
      return DONE
    }),
  ]
}

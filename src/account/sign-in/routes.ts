import { accountBodies, type LinkWire, type SessionWire } from '../../contract/account.ts'
import { ApiError, invalid, notFound } from '../../errors.ts'
import { blockedUntil } from '../back-off.ts'
import { SESSION_LIFE_MS } from '../lifetime.ts'
import type { Link } from '../link-store.ts'
import { type AccountParts, isSecure, tooMany } from '../parts.ts'
import { hashPassword, isRightPassword, waitingPasswords } from '../password.ts'
import type { Person } from '../person-store.ts'
import { type AccountAnswer, type AccountRoute, changes, DONE, instant, reads, type Visit } from '../route.ts'
import { endedCookie, sessionCookie, sessionToken } from '../session-cookie.ts'

const MOST_WAITING = 40
/** Passwords that may be tried from one address, whoever they are for. */
const ATTEMPTS_PER_MINUTE = 60
const WRONG = 'The email or the password is wrong.'

export function signInRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts } = parts

  /** The person with this address and password; every way to fail looks and lasts the same. */
  async function authenticate({ address, now }: Visit, email: string, password: string): Promise<Person> {
    const knock = parts.mayKnock(`password:${address}`, ATTEMPTS_PER_MINUTE, now)
    if (!knock.allowed) throw tooMany(knock.retryAfterSeconds)
    if (waitingPasswords() > MOST_WAITING) throw tooMany(5)
    const blocked = await accounts.beginAttempt(email, (failures) => blockedUntil(failures, now), now)
    if (blocked !== null) throw tooMany(Math.ceil((blocked - now) / 1000))
    const person = await accounts.findPerson(email)
    const right = await isRightPassword(password, person?.passwordHash ?? null)
    if (!person || !right) throw new ApiError('UNAUTHORIZED', WRONG)
    await accounts.clearAttempts(email)
    return person
  }

  /** A new session in place of the one that came along, if any: a token known before signing in is worth nothing after. */
  async function begin(visit: Visit, person: Person, organizationId: string | null): Promise<AccountAnswer> {
    await endCurrent(visit)
    const agent = visit.request.headers.get('user-agent') ?? ''
    const token = await accounts.openSession(person.id, { address: visit.address, agent, organizationId }, visit.now)
    const cookie = sessionCookie(token, { secure: isSecure(parts), maxAgeSeconds: SESSION_LIFE_MS / 1000 })
    return { data: { done: true }, headers: { 'Set-Cookie': cookie } }
  }

  async function endCurrent(visit: Visit): Promise<void> {
    const token = sessionToken(visit.request.headers.get('cookie'), isSecure(parts))
    const session = token === undefined ? undefined : await accounts.findSession(token, visit.now)
    if (session) await accounts.endSession(session.person.id, session.id)
  }

  async function linkOrRefusal(token: string, now: number): Promise<Link> {
    const link = await accounts.findLink(token, now)
    if (!link) throw notFound('This link was used already or is too old; it')
    return link
  }

  return [
    reads('/account/session', 'person', async ({ person, workplace }) => {
      const memberships = await accounts.memberships(person.id)
      const data: SessionWire = {
        person: { id: person.id, email: person.email, name: person.name },
        organization: workplace && {
          id: workplace.id,
          name: workplace.name,
          tier: workplace.tier,
          limits: { ...workplace.limits },
        },
        role: workplace?.role ?? null,
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

    changes('/account/sign-in', 'anyone', accountBodies.signIn, async (visit, { email, password }) =>
      begin(visit, await authenticate(visit, email, password), null),
    ),

    changes('/account/sign-out', 'anyone', accountBodies.signOut, async (visit) => {
      await endCurrent(visit)
      return { ...DONE, headers: { 'Set-Cookie': endedCookie(isSecure(parts)) } }
    }),

    changes('/account/link', 'anyone', accountBodies.link, async (visit, { token }) => {
      const link = await linkOrRefusal(token, visit.now)
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

    changes('/account/join', 'anyone', accountBodies.join, async (visit, { token, name, password }) => {
      const link = await linkOrRefusal(token, visit.now)
      const known = await accounts.findPerson(link.email)
      let passwordHash: string | null = null
      if (!known?.passwordHash || link.purpose === 'sign_in') {
        if (!password) throw invalid('password', undefined, 'a password of at least 10 characters')
        passwordHash = await hashPassword(password)
      } else {
        // An invitation is not a way into an account that exists: whoever holds the link must know its password too.
        await authenticate(visit, link.email, password ?? '')
      }
      const person = await accounts.useLink(link, { name: name ?? '', passwordHash }, visit.now)
      if (!person) throw notFound('This link was used already or is too old; it')
      await accounts.clearAttempts(link.email)
      return begin(visit, person, link.organizationId)
    }),

    changes('/account/password', 'person', accountBodies.password, async (visit, { current, next }) => {
      await authenticate(visit, visit.person.email, current)
      await accounts.changePassword(visit.person, await hashPassword(next), visit.sessionId, visit.now)
      return DONE
    }),

    reads('/account/sessions', 'person', async ({ person, sessionId }) => {
      const sessions = await accounts.sessions(person.id)
      const data = sessions.map((session) => ({
        id: session.id,
        created_at: instant(session.createdAt),
        seen_at: instant(session.seenAt),
        address: session.address,
        agent: session.agent,
        current: session.id === sessionId,
      }))
      return { data }
    }),

    changes('/account/sessions/end', 'person', accountBodies.endSession, async ({ person }, { id }) => {
      if (!(await accounts.endSession(person.id, id))) throw notFound('The session')
      return DONE
    }),

    changes('/account/organization', 'person', accountBodies.switchOrganization, async (visit, { id }) => {
      const mine = await accounts.memberships(visit.person.id)
      // An organization of others is NOT_FOUND, not FORBIDDEN: its existence is none of the visitor's business.
      if (!mine.some(({ organizationId }) => organizationId === id)) throw notFound('The organization')
      await accounts.switchOrganization(visit.sessionId, id)
      return DONE
    }),
  ]
}

import type { LinkWire, SessionWire } from '../contract/people.ts'
import { invalid, notFound } from '../lib/errors.ts'
import { isoInstant } from '../lib/time.ts'
import { accountChangedMail, passwordResetMail, type Recipient } from '../mail/mail.ts'
import { authenticateWithPassword, confirmPassword } from './authentication-service.ts'
import { type DashboardDependencies, isHttps, limitAttempts } from './dashboard-dependencies.ts'
import { mailLanguage } from './mail-language.ts'
import { oneTimeLinkUrl } from './one-time-link.ts'
import type { OneTimeLink } from './one-time-link-store.ts'
import { moneyOf } from './organization-settings-routes.ts'
import { hashPassword } from './password-service.ts'
import { requireStrongPassword } from './password-strength.ts'
import { hasSecondFactor } from './second-factor.ts'
import { clearedSessionCookie } from './session-cookie.ts'
import { endCurrentSession } from './session-lifecycle.ts'
import { type DashboardRoute, DONE, dashboardRoute, type SessionContext } from './session-route.ts'
import { continueSignIn } from './sign-in-steps.ts'

/** Requested reset links per address. */
const RESETS_PER_MINUTE = 5

export function signInRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts

  async function requireLink(token: string, now: number): Promise<OneTimeLink> {
    const link = await people.findLink(token, now)
    if (!link) throw notFound('This link was used already or is too old; it')
    return link
  }

  function reportPasswordChange(to: Recipient): void {
    parts.mail.send(accountChangedMail(to, `${parts.baseUrl()}/dashboard/account`))
  }

  async function mailResetLink(c: SessionContext<'anyone'>, email: string): Promise<void> {
    const token = await people.createMailedLink(email, c.get('facts').now)
    if (!token) return
    const language = mailLanguage(c, (await people.findPerson(email))?.language)
    parts.mail.send(passwordResetMail({ email, language }, oneTimeLinkUrl(parts.baseUrl(), token)))
  }

  return [
    dashboardRoute('POST /account/forgot-password', async (c, { email }) => {
      if (!parts.mail.isConfigured) throw notFound('A mail server')
      limitAttempts(parts, c, 'forgot', RESETS_PER_MINUTE)
      // Not awaited: neither the response nor its time tells whether the address has an account.
      void mailResetLink(c, email).catch(() => {})
    }),

    dashboardRoute('GET /account/session', async (c) => {
      const person = c.get('person')
      const organization = c.get('organization') ?? null
      const memberships = await people.memberships(person.id)
      const data: SessionWire = {
        person: { id: person.id, email: person.email, name: person.name, language: person.language },
        organization: organization && {
          id: organization.id,
          name: organization.name,
          tier: organization.tier,
          limits: { ...organization.limits },
          ...(await moneyOf(parts, organization.id)),
        },
        role: organization?.role ?? null,
        sees_margins: organization?.seesMargins ?? false,
        offer_limit: organization?.offerLimit ?? null,
        second_factor: {
          has: hasSecondFactor(await people.factorsOf(person.id)),
          required: organization?.needsSecondFactor ?? false,
        },
        organizations: memberships.map((membership) => ({
          id: membership.organizationId,
          name: membership.organizationName,
          role: membership.role,
        })),
        base_url: parts.baseUrl(),
        sample_data: parts.sampleData(),
        runs_service: organization?.role === 'owner' && (await parts.auth.operatorOrganization()) === organization.id,
      }
      return { data }
    }),

    dashboardRoute('POST /account/sign-in', async (c, { email, password }) =>
      continueSignIn(parts, c, await authenticateWithPassword(parts, c, email, password), null),
    ),

    dashboardRoute('POST /account/sign-out', async (c) => {
      const idToken = await endCurrentSession(parts, c)
      const issuerUrl = idToken === undefined ? null : await issuerSignOutUrl(parts, idToken)
      return { data: { ...DONE.data, issuer_url: issuerUrl }, cookies: [clearedSessionCookie(isHttps(parts))] }
    }),

    dashboardRoute('POST /account/link', async (c, { token }) => {
      const link = await requireLink(token, c.get('facts').now)
      const person = await people.findPerson(link.email)
      const data: LinkWire = {
        purpose: link.purpose,
        email: link.email,
        organization: link.organizationId && (await parts.auth.organizationName(link.organizationId)),
        role: link.role,
        new_person: !person?.passwordHash,
      }
      return { data }
    }),

    dashboardRoute('POST /account/join', async (c, { token, name, password }) => {
      const link = await requireLink(token, c.get('facts').now)
      const existing = await people.findPerson(link.email)
      let passwordHash: string | null = null
      if (!existing?.passwordHash || link.purpose !== 'invitation') {
        if (!password) throw invalid('password', undefined, 'a password of at least 10 characters')
        const organization = link.organizationId && (await parts.auth.organizationName(link.organizationId))
        await requireStrongPassword(password, { email: link.email, organizations: organization ? [organization] : [] })
        passwordHash = await hashPassword(password)
      } else {
        // An invitation to an existing account also requires its password.
        await authenticateWithPassword(parts, c, link.email, password ?? '')
      }
      const person = await people.useLink(link, { name: name ?? '', passwordHash }, c.get('facts').now)
      if (!person) throw notFound('This link was used already or is too old; it')
      await people.clearAttempts(link.email)
      if (existing?.passwordHash && passwordHash) {
        reportPasswordChange({ email: person.email, language: mailLanguage(c, person.language) })
      }
      // A link replaces the password, not the second factor.
      return continueSignIn(parts, c, person, link.organizationId)
    }),

    dashboardRoute('POST /account/password', async (c, { current, next }) => {
      const { id, email } = await confirmPassword(parts, c, current)
      const organizations = (await people.memberships(id)).map(({ organizationName }) => organizationName)
      await requireStrongPassword(next, { email, organizations, field: 'next' })
      await people.changePassword(c.get('person'), await hashPassword(next), c.get('sessionId'), c.get('facts').now)
      reportPasswordChange({ email, language: mailLanguage(c, c.get('person').language) })
    }),

    dashboardRoute('GET /account/sessions', async (c) => {
      const sessions = await people.sessions(c.get('person').id)
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

    dashboardRoute('POST /account/sessions/end', async (c, { id }) => {
      if (!(await people.endSession(c.get('person').id, id))) throw notFound('The session')
    }),

    dashboardRoute('POST /account/organization', async (c, { id }) => {
      const memberships = await people.memberships(c.get('person').id)
      // Another organization is NOT_FOUND, not FORBIDDEN, so that callers cannot probe for it.
      if (!memberships.some(({ organizationId }) => organizationId === id)) throw notFound('The organization')
      await people.switchOrganization(c.get('sessionId'), id)
    }),
  ]
}

/** Null if the issuer has no page for it or does not respond: the person is then signed out here only. */
async function issuerSignOutUrl({ oidc, baseUrl }: DashboardDependencies, idToken: string): Promise<string | null> {
  try {
    return (await oidc?.client.signOutUrl(idToken, `${baseUrl()}/dashboard/sign-in`)) ?? null
  } catch (error) {
    oidc?.onFailure('no sign-out at the issuer', error)
    return null
  }
}

import type { LinkWire, SessionWire } from '../contract/people.ts'
import { ApiError } from '../http/api-error.ts'
import { invalid, notFound } from '../lib/errors.ts'
import { isoInstant } from '../lib/time.ts'
import { emailChangeMail, passwordResetMail } from '../mail/mail.ts'
import { reportAccountChange } from './account-changes.ts'
import type { Account } from './account-store.ts'
import { authenticateWithPassword, confirmPassword } from './authentication-service.ts'
import { type DashboardDependencies, isHttps, limitAttempts } from './dashboard-dependencies.ts'
import { mailLanguage } from './mail-language.ts'
import { oneTimeLinkUrl } from './one-time-link.ts'
import type { OneTimeLink } from './one-time-link-store.ts'
import { hashPassword } from './password-service.ts'
import { requireStrongPassword } from './password-strength.ts'
import { hasSecondFactor } from './second-factor.ts'
import { clearedSessionCookie, readSessionToken } from './session-cookie.ts'
import { endCurrentSession } from './session-lifecycle.ts'
import { type DashboardRoute, DONE, dashboardRoute, type SessionContext } from './session-route.ts'
import { continueSignIn, signInExpiredError } from './sign-in-steps.ts'

/** Requested reset links per address. */
const RESETS_PER_MINUTE = 5

export function signInRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts

  async function requireLink(token: string, now: number): Promise<OneTimeLink> {
    const link = await people.findLink(token, now)
    if (!link) throw linkUsedError()
    return link
  }

  async function mailResetLinks(c: SessionContext<'anyone'>, email: string): Promise<void> {
    const links = await people.createForgottenPasswordLinks(email, c.get('facts').now)
    const [first] = links
    if (!first) return
    const language = mailLanguage(c, first.account.language)
    const urls = links.map(({ organization, token }) => ({ organization, url: oneTimeLinkUrl(parts.baseUrl(), token) }))
    parts.mail.send(passwordResetMail({ email, language }, urls))
  }

  /** The session of this browser if it belongs to the account; otherwise empty. */
  async function ownSessionId(c: SessionContext<'anyone'>, accountId: string): Promise<string> {
    const token = readSessionToken(c, isHttps(parts))
    const session = token === undefined ? undefined : await people.findSession(token, c.get('facts').now)
    return session?.account.id === accountId ? session.id : ''
  }

  return [
    dashboardRoute('POST /account/forgot-password', async (c, { email }) => {
      if (!parts.mail.isConfigured) throw notFound('A mail server')
      limitAttempts(parts, c, 'forgot', RESETS_PER_MINUTE)
      // Not awaited: neither the response nor its time tells whether the address has an account.
      void mailResetLinks(c, email).catch(() => {})
    }),

    dashboardRoute('GET /account/session', async (c) => {
      const person = c.get('person')
      const organization = c.get('organization')
      const data: SessionWire = {
        person: { id: person.id, email: person.email, name: person.name, language: person.language },
        organization: {
          id: organization.id,
          name: organization.name,
          tier: organization.tier,
          limits: { ...organization.limits },
          ...(await parts.moneyOf(organization.id)),
        },
        role: organization.role,
        sees_margins: organization.seesMargins,
        offer_limit: organization.offerLimit,
        second_factor: {
          has: hasSecondFactor(await people.factorsOf(person.id)),
          required: organization.needsSecondFactor,
        },
        base_url: parts.baseUrl(),
        sample_data: parts.sampleData(),
        sends_mail: parts.mail.isConfigured,
        runs_service: organization.role === 'owner' && (await parts.auth.operatorOrganization()) === organization.id,
      }
      return { data }
    }),

    dashboardRoute('POST /account/sign-in', async (c, credentials) => {
      const [account, ...others] = await authenticateWithPassword(parts, c, credentials)
      return others.length === 0
        ? continueSignIn(parts, c, account)
        : askForOrganization(parts, c, [account, ...others])
    }),

    dashboardRoute('POST /account/sign-in/choose', async (c, { token, organization_id: organizationId }) => {
      const pending = await people.findChallenge('choose_account', token, c.get('facts').now)
      const accountIds: string[] = pending ? JSON.parse(pending.challenge) : []
      const accounts = await Promise.all(accountIds.map(people.accountById))
      const account = accounts.find((candidate) => candidate?.organizationId === organizationId)
      if (!account || !(await people.closeChallenge(token))) throw signInExpiredError()
      return continueSignIn(parts, c, account)
    }),

    dashboardRoute('POST /account/sign-out', async (c) => {
      const idToken = await endCurrentSession(parts, c)
      const issuerUrl = idToken === undefined ? null : await issuerSignOutUrl(parts, idToken)
      return { data: { ...DONE.data, issuer_url: issuerUrl }, cookies: [clearedSessionCookie(isHttps(parts))] }
    }),

    dashboardRoute('POST /account/link', async (c, { token }) => {
      const link = await requireLink(token, c.get('facts').now)
      const data: LinkWire = {
        purpose: link.purpose,
        email: link.email,
        organization: (await parts.auth.organizationName(link.organizationId)) ?? '',
        role: link.role,
      }
      return { data }
    }),

    dashboardRoute('POST /account/join', async (c, { token, name = '', password }) => {
      const { now } = c.get('facts')
      const link = await requireLink(token, now)
      if (link.purpose === 'email_change') throw linkUsedError()
      if (!password) throw invalid('password', undefined, 'a password of at least 10 characters')
      const organization = (await parts.auth.organizationName(link.organizationId)) ?? ''
      await requireStrongPassword(password, { email: link.email, name, organization, now })
      const passwordHash = await hashPassword(password)
      const account =
        link.purpose === 'invitation'
          ? await people.acceptInvitation(link, { name, passwordHash }, now)
          : await people.resetPassword(link, passwordHash, now)
      if (!account) throw linkUsedError()
      await people.clearAttempts(link.email)
      if (link.purpose === 'password_reset') reportAccountChange(parts, c, account, { kind: 'password' })
      // A link replaces the password, not the second factor.
      return continueSignIn(parts, c, account)
    }),

    dashboardRoute('POST /account/email', async (c, { email, password }) => {
      const account = await confirmPassword(parts, c, password)
      if (!parts.mail.isConfigured) {
        throw new ApiError(
          'FORBIDDEN',
          'This service sends no mail, so a new address cannot be proven. Another owner of your organization or the operator can change it.',
        )
      }
      const { token } = await people.createEmailLink(account, email, c.get('facts').now)
      const to = { email, language: mailLanguage(c, account.language) }
      parts.mail.send(emailChangeMail(to, oneTimeLinkUrl(parts.baseUrl(), token)))
    }),

    dashboardRoute('POST /account/email/confirm', async (c, { token }) => {
      const { now } = c.get('facts')
      const link = await requireLink(token, now)
      const keepSessionId = link.accountId === null ? '' : await ownSessionId(c, link.accountId)
      const before = await people.confirmEmail(link, keepSessionId, now)
      if (!before) throw linkUsedError()
      reportAccountChange(parts, c, before, { kind: 'email', email: link.email })
    }),

    dashboardRoute('POST /account/password', async (c, { current, next }) => {
      const account = await confirmPassword(parts, c, current)
      const { email, name } = account
      const { now } = c.get('facts')
      const { name: organization } = c.get('organization')
      await requireStrongPassword(next, { email, name, organization, now, field: 'next' })
      await people.changePassword(account, await hashPassword(next), c.get('sessionId'), now)
      reportAccountChange(parts, c, account, { kind: 'password' })
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
  ]
}

/** The same password opens several accounts of the address: the person chooses the organization. */
async function askForOrganization(
  parts: DashboardDependencies,
  c: SessionContext<'anyone'>,
  accounts: readonly Account[],
) {
  const challenge = { accountId: null, challenge: JSON.stringify(accounts.map(({ id }) => id)) }
  const token = await parts.people.openChallenge('choose_account', challenge, c.get('facts').now)
  const organizations = await Promise.all(
    accounts.map(async ({ organizationId: id }) => ({ id, name: (await parts.auth.organizationName(id)) ?? id })),
  )
  return { data: { choose_organization: { token, organizations } } }
}

const linkUsedError = () => notFound('This link was used already or is too old; it')

/** Null if the issuer has no page for it or does not respond: the person is then signed out here only. */
async function issuerSignOutUrl({ oidc, baseUrl }: DashboardDependencies, idToken: string): Promise<string | null> {
  try {
    return (await oidc?.client.signOutUrl(idToken, `${baseUrl()}/dashboard/sign-in`)) ?? null
  } catch (error) {
    oidc?.onFailure('no sign-out at the issuer', error)
    return null
  }
}

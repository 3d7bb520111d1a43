import { getCookie } from 'hono/cookie'
import { ApiError } from '../../http/api-error.ts'
import { excerpt } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { reportAccountChange } from '../accounts/account-changes.ts'
import { CHALLENGE_LIFETIME_MS } from '../accounts/lifetimes.ts'
import type { AccountDependencies } from '../sign-in/account-dependencies.ts'
import { type AccountRoute, accountRoute } from '../sign-in/account-route.ts'
import { limitAttempts } from '../sign-in/attempt-limit.ts'
import { cookiePrefix, formatCookie } from '../sign-in/session-cookie.ts'
import { startSession } from '../sign-in/session-lifecycle.ts'
import { issuerName, organizationOf, profileOf, roleOf } from './oidc-mapping.ts'
import type { OidcAttempt, OidcClient } from './oidc-service.ts'

const CALLBACK_PATH = '/account/oidc/callback'
const COOKIE_NAME = 'di_oidc'
const ATTEMPTS_PER_MINUTE = 60

/** Why a sign-in failed; the sign-in page has a sentence for each. */
type SignInFailure =
  | 'unavailable'
  | 'cancelled'
  | 'expired'
  | 'rejected'
  | 'no_email'
  | 'unverified_email'
  | 'unknown_domain'

/** Where a sign-in ends that has a window of its own, beside the page whose session ended: that window closes itself. */
const OWN_WINDOW_PATH = '/dashboard/signed-in'

type PendingAttempt = OidcAttempt & { readonly hasOwnWindow?: boolean }

/** Sign-in with an OpenID Connect issuer. Both requests are navigations of the browser, so they end with a redirect. */
export function oidcRoutes(parts: AccountDependencies): AccountRoute[] {
  const { oidc, accounts } = parts

  // The issuer always returns to the address of the service.
  const isSecure = () => parts.baseUrl().startsWith('https:')
  const attemptCookie = (value: string, maxAgeSeconds: number) =>
    formatCookie(COOKIE_NAME, value, { isSecure: isSecure(), maxAgeSeconds })

  function redirect(location: string, cookies: readonly string[] = []): Response {
    const headers = new Headers({ Location: location })
    for (const cookieHeader of cookies) headers.append('Set-Cookie', cookieHeader)
    return new Response(null, { status: 303, headers })
  }

  const failed = (failure: SignInFailure) => redirect(`/dashboard/sign-in?sign_on=${failure}`, [attemptCookie('', 0)])

  function requireOidc() {
    if (!oidc)
      throw new ApiError(
        'NOT_FOUND',
        'Sign-in with an issuer is not set up: OIDC_ISSUER is not set.',
        reason('no_issuer'),
      )
    return oidc
  }

  return [
    accountRoute('GET /account/oidc/start', async ({ c, now }) => {
      limitAttempts(parts, c, 'oidc', ATTEMPTS_PER_MINUTE)
      const { client, onFailure } = requireOidc()
      try {
        const { url, attempt } = await client.begin(`${parts.baseUrl()}${CALLBACK_PATH}`)
        const hasOwnWindow = new URL(c.req.url).searchParams.has('own_window')
        const pending: PendingAttempt = { ...attempt, hasOwnWindow }
        const challenge = { accountId: null, challenge: JSON.stringify(pending) }
        const token = await accounts.openChallenge('oidc', challenge, now)
        return redirect(url, [attemptCookie(token, CHALLENGE_LIFETIME_MS / 1000)])
      } catch (error) {
        onFailure('the issuer does not respond', error)
        return failed('unavailable')
      }
    }),

    accountRoute('GET /account/oidc/callback', async ({ c, now }) => {
      limitAttempts(parts, c, 'oidc', ATTEMPTS_PER_MINUTE)
      const { client, settings, onFailure } = requireOidc()
      const token = getCookie(c, COOKIE_NAME, cookiePrefix(isSecure()))
      const pending = token === undefined ? undefined : await accounts.findChallenge('oidc', token, now)
      // Good once: a code that was caught on its way cannot be used with it again.
      if (token === undefined || !pending || !(await accounts.closeChallenge(token))) return failed('expired')
      const { search, searchParams } = new URL(c.req.url, parts.baseUrl())
      if (searchParams.get('error') === 'access_denied') return failed('cancelled')
      const { hasOwnWindow = false, ...attempt }: PendingAttempt = JSON.parse(pending.challenge)
      let signedIn: Awaited<ReturnType<OidcClient['finish']>>
      try {
        const callback = new URL(`${parts.baseUrl()}${CALLBACK_PATH}${search}`)
        signedIn = await client.finish(callback, attempt)
      } catch (error) {
        onFailure('the issuer rejected a sign-in', error)
        return failed(isUnreachable(error) ? 'unavailable' : 'rejected')
      }
      const { claims, idToken } = signedIn
      const profile = profileOf(claims)
      if (typeof profile === 'string') return failed(profile)
      const organizationId = organizationOf(profile.email, settings)
      if (organizationId === undefined) {
        onFailure('sign-in with an address of another domain', excerpt(profile.email))
        return failed('unknown_domain')
      }
      const signIn = { issuer: settings.issuer, profile, organizationId, role: roleOf(claims, settings) }
      const { account, isNewIdentity } = await accounts.signInWithOidc(signIn, now)
      if (isNewIdentity) {
        reportAccountChange(parts, c, account, { kind: 'identity', issuer: issuerName(settings) })
      }
      const { cookies } = await startSession(parts, c, account, idToken)
      return redirect(hasOwnWindow ? OWN_WINDOW_PATH : '/dashboard', [...cookies, attemptCookie('', 0)])
    }),
  ]
}

/** Errors of the connection, as opposed to those of the protocol. */
function isUnreachable(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string }
  return name === 'TypeError' || name === 'TimeoutError' || code === 'OAUTH_TIMEOUT'
}

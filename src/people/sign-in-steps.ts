import type { SecondFactorChallengeWire } from '../contract/people.ts'
import { ApiError } from '../http/api-error.ts'
import type { Account } from './account-store.ts'
import type { DashboardDependencies } from './dashboard-dependencies.ts'
import { passkeyRequestOptions, type RelyingParty, relyingPartyOf } from './passkey.ts'
import { hasSecondFactor } from './second-factor.ts'
import { startSession } from './session-lifecycle.ts'
import type { SessionContext } from './session-route.ts'

/** After a correct password: a session, or a request for the second factor. */
export async function continueSignIn(parts: DashboardDependencies, c: SessionContext<'anyone'>, account: Account) {
  const factors = await parts.people.factorsOf(account.id)
  if (!hasSecondFactor(factors)) return startSession(parts, c, account)
  const relyingParty = relyingPartyFor(parts, c)
  const options =
    relyingParty && factors.passkeys.length > 0 ? await passkeyRequestOptions(relyingParty, factors.passkeys) : null
  const challenge = { accountId: account.id, challenge: options?.challenge ?? '' }
  const second_factor: SecondFactorChallengeWire = {
    token: await parts.people.openChallenge('second_factor', challenge, c.get('facts').now),
    totp: factors.totp !== null && !factors.totp.isPending,
    passkey: options,
    recovery_codes: factors.recoveryCodeCount > 0,
  }
  return { data: { second_factor } }
}

export const relyingPartyFor = (parts: DashboardDependencies, c: SessionContext<'anyone'>): RelyingParty | null =>
  relyingPartyOf(parts.baseUrl(), c.req.header('host'))

export const signInExpiredError = () => new ApiError('UNAUTHORIZED', 'The sign-in expired. Start again.')

export const passkeysUnavailableError = () =>
  new ApiError('NOT_FOUND', 'Passkeys need a host name: open the dashboard by name instead of by IP address.')

import type { SecondFactorChallengeWire } from '../../contract/account.ts'
import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { reason } from '../../lib/reasons.ts'
import type { Account } from '../accounts/account-store.ts'
import { passkeyRequestOptions, type RelyingParty, relyingPartyOf } from '../second-factor/passkey.ts'
import { hasSecondFactor } from '../second-factor/second-factor.ts'
import type { AccountDependencies } from './account-dependencies.ts'
import { startSession } from './session-lifecycle.ts'

/** After a correct password: a session, or a request for the second factor. */
export async function continueSignIn(parts: AccountDependencies, c: HttpContext, account: Account) {
  const factors = await parts.accounts.factorsOf(account.id)
  if (!hasSecondFactor(factors)) return startSession(parts, c, account)
  const relyingParty = relyingPartyFor(parts, c)
  const options =
    relyingParty && factors.passkeys.length > 0 ? await passkeyRequestOptions(relyingParty, factors.passkeys) : null
  const challenge = { accountId: account.id, challenge: options?.challenge ?? '' }
  const second_factor: SecondFactorChallengeWire = {
    token: await parts.accounts.openChallenge('second_factor', challenge, c.get('facts').now),
    totp: factors.totp !== null && !factors.totp.isPending,
    passkey: options,
    recovery_codes: factors.recoveryCodeCount > 0,
  }
  return { data: { second_factor } }
}

export const relyingPartyFor = (parts: AccountDependencies, c: HttpContext): RelyingParty | null =>
  relyingPartyOf(parts.baseUrl(), c.req.header('host'))

export const signInExpiredError = () =>
  new ApiError('UNAUTHORIZED', 'The sign-in expired. Start again.', reason('sign_in_expired'))

export const passkeysUnavailableError = () =>
  new ApiError(
    'NOT_FOUND',
    'Passkeys need a host name: open the dashboard by name instead of by IP address.',
    reason('passkey_needs_host_name'),
  )

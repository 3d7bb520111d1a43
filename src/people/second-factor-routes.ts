import { ApiError } from '../http/api-error.ts'
import { invalid } from '../lib/errors.ts'
import type { Account } from './account-store.ts'
import { isRightTotpCode } from './authentication-service.ts'
import { type DashboardDependencies, limitAttempts } from './dashboard-dependencies.ts'
import { passkeyRequestOptions, verifyPasskey } from './passkey.ts'
import { startSession } from './session-lifecycle.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from './session-route.ts'
import { passkeysUnavailableError, relyingPartyFor, signInExpiredError } from './sign-in-steps.ts'

/** Passkey attempts per address; they cannot be guessed, but each costs a signature check. */
const PASSKEYS_PER_MINUTE = 30

type Visitor = SessionContext<'anyone'>

/** The second step of signing in, and signing in with a passkey. */
export function secondFactorRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts

  async function isRightPasskey(
    c: Visitor,
    accountId: string,
    response: PasskeyResponse,
    expected: { challenge: string; isOnlyFactor: boolean },
  ) {
    limitAttempts(parts, c, 'passkey', PASSKEYS_PER_MINUTE)
    const relyingParty = relyingPartyFor(parts, c)
    const { passkeys } = await people.factorsOf(accountId)
    const passkey = passkeys.find(({ id }) => id === response.id)
    if (!relyingParty || !passkey || expected.challenge === '') return false
    const counter = await verifyPasskey(relyingParty, passkey, response, expected)
    if (counter === undefined) return false
    await people.passkeyUsed(passkey.id, counter, c.get('facts').now)
    return true
  }

  async function requireAccount(accountId: string | null): Promise<Account> {
    const account = accountId === null ? undefined : await people.accountById(accountId)
    if (!account) throw signInExpiredError()
    return account
  }

  return [
    dashboardRoute('POST /account/sign-in/second', async (c, proof) => {
      const { now } = c.get('facts')
      const pending = await people.findChallenge('second_factor', proof.token, now)
      if (!pending) throw signInExpiredError()
      const account = await requireAccount(pending.accountId)
      const isValid = proof.code
        ? await isRightTotpCode(parts, account, proof.code, now)
        : proof.recovery_code
          ? await people.takeRecoveryCode(account, proof.recovery_code, now)
          : proof.passkey
            ? await isRightPasskey(c, account.id, proof.passkey, { challenge: pending.challenge, isOnlyFactor: false })
            : undefined
      if (isValid === undefined) throw invalid('code', undefined, 'a code, a recovery code or a passkey')
      if (!isValid) throw new ApiError('UNAUTHORIZED', 'The code or passkey is wrong.')
      if (!(await people.closeChallenge(proof.token))) throw signInExpiredError()
      return startSession(parts, c, account)
    }),

    dashboardRoute('POST /account/sign-in/passkey-options', async (c) => {
      const relyingParty = relyingPartyFor(parts, c)
      if (!relyingParty) throw passkeysUnavailableError()
      const options = await passkeyRequestOptions(relyingParty, null)
      const challenge = { accountId: null, challenge: options.challenge }
      const token = await people.openChallenge('passkey_sign_in', challenge, c.get('facts').now)
      return { data: { token, options } }
    }),

    dashboardRoute('POST /account/sign-in/passkey', async (c, { token, response }) => {
      const pending = await people.findChallenge('passkey_sign_in', token, c.get('facts').now)
      if (!pending) throw signInExpiredError()
      const accountId = await people.ownerOfPasskey(response.id)
      const { challenge } = pending
      const isValid =
        accountId !== undefined && (await isRightPasskey(c, accountId, response, { challenge, isOnlyFactor: true }))
      if (!isValid) throw new ApiError('UNAUTHORIZED', 'This passkey is not registered here.')
      if (!(await people.closeChallenge(token))) throw signInExpiredError()
      return startSession(parts, c, await requireAccount(accountId ?? null))
    }),
  ]
}

type PasskeyResponse = { readonly id: string }

import type { SecondFactorsWire } from '../../contract/account.ts'
import type { HttpContext } from '../../http/context.ts'
import { DomainError, invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { isoInstant, isoInstantOrNull } from '../../lib/time.ts'
import { reportAccountChange } from '../accounts/account-changes.ts'
import type { Account } from '../accounts/account-store.ts'
import type { AccountDependencies } from '../sign-in/account-dependencies.ts'
import { type AccountRoute, accountRoute, DONE } from '../sign-in/account-route.ts'
import { confirmPassword, countAttempt } from '../sign-in/authentication-service.ts'
import { passkeysUnavailableError, relyingPartyFor } from '../sign-in/sign-in-steps.ts'
import { passkeyCreationOptions, verifyNewPasskey } from './passkey.ts'
import { findTotpStep, generateTotpSecret, totpUri } from './totp.ts'

/** A person's own second factors. Changes require the password and are mailed. */
export function secondFactorRoutes(parts: AccountDependencies): AccountRoute[] {
  const { accounts, encryption } = parts
  const report = (c: HttpContext, account: Account) => reportAccountChange(parts, c, account, { kind: 'factors' })

  async function beginTotp({ id, email }: Account) {
    const secret = generateTotpSecret()
    await accounts.beginTotp(id, encryption.encrypt(secret, id))
    return { secret, address: totpUri(secret, email) }
  }

  async function beginPasskey(c: HttpContext, account: Account, now: number) {
    const relyingParty = relyingPartyFor(parts, c)
    if (!relyingParty) throw passkeysUnavailableError()
    const { passkeys } = await accounts.factorsOf(account.id)
    const options = await passkeyCreationOptions(relyingParty, account, passkeys)
    const challenge = { accountId: account.id, challenge: options.challenge }
    return { token: await accounts.openChallenge('new_passkey', challenge, now), options }
  }

  async function replaceRecoveryCodes(c: HttpContext, account: Account, now: number) {
    const codes = await accounts.newRecoveryCodes(account, now)
    report(c, account)
    return codes
  }

  async function confirmTotp(account: Account, code: string, now: number) {
    const { totp } = await accounts.factorsOf(account.id)
    if (!totp?.isPending)
      throw new DomainError(
        'not_found',
        'No authenticator app is waiting for its first code. Start again.',
        reason('app_not_waiting'),
      )
    const attemptKey = `new app of ${account.id}`
    await countAttempt(parts, attemptKey, now)
    const step = findTotpStep(encryption.decrypt(totp.encryptedSecret, account.id), code, now)
    if (step === undefined)
      throw invalid('code', undefined, 'the six digits that the app shows now', reason('app_code_wrong'))
    await accounts.clearAttempts(attemptKey)
    return accounts.confirmTotp(account, step, now)
  }

  async function confirmPasskey(
    c: HttpContext,
    account: Account,
    { token, name, passkey: response }: { token: string; name: string; passkey: { id: string } },
    now: number,
  ) {
    const pending = await accounts.findChallenge('new_passkey', token, now)
    const relyingParty = relyingPartyFor(parts, c)
    const isOwnChallenge = pending?.accountId === account.id && (await accounts.closeChallenge(token))
    const passkey =
      isOwnChallenge && relyingParty ? await verifyNewPasskey(relyingParty, response, pending.challenge) : undefined
    if (!passkey) {
      throw invalid(
        'passkey',
        undefined,
        'a passkey created for this request within the last ten minutes',
        reason('passkey_expired'),
      )
    }
    return accounts.addPasskey(account, { ...passkey, name }, now)
  }

  return [
    accountRoute('GET /account/second-factor', async ({ c, session }) => {
      const { totp, passkeys, recoveryCodeCount } = await accounts.factorsOf(session.account.id)
      const data: SecondFactorsWire = {
        totp: totp !== null && !totp.isPending,
        passkeys: passkeys.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          created_at: isoInstant(passkey.createdAt),
          last_used_at: isoInstantOrNull(passkey.lastUsedAt),
        })),
        recovery_codes_left: recoveryCodeCount,
        passkey_host: relyingPartyFor(parts, c)?.hostName ?? null,
      }
      return { data }
    }),

    accountRoute('POST /account/second-factor', async ({ c, session, now, body: { kind, password } }) => {
      const account = await confirmPassword(parts, c, session.account, password)
      return {
        data: {
          totp: kind === 'totp' ? await beginTotp(account) : null,
          passkey: kind === 'passkey' ? await beginPasskey(c, account, now) : null,
          recovery_codes: kind === 'recovery_codes' ? await replaceRecoveryCodes(c, account, now) : null,
        },
      }
    }),

    accountRoute('POST /account/second-factor/confirm', async ({ c, session: { account }, now, body }) => {
      const codes =
        'code' in body ? await confirmTotp(account, body.code, now) : await confirmPasskey(c, account, body, now)
      report(c, account)
      return { data: { recovery_codes: codes } }
    }),

    accountRoute('DELETE /account/second-factor/{id}', async ({ c, session, now, params: { id }, body }) => {
      const account = await confirmPassword(parts, c, session.account, body.password)
      if (id === 'totp') await accounts.removeTotp(account, now)
      else await accounts.removePasskey(account, id, now)
      report(c, account)
      return { data: DONE }
    }),
  ]
}

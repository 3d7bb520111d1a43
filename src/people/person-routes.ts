import type { SecondFactorsWire } from '../contract/people.ts'
import { invalid, notFound } from '../lib/errors.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { reportAccountChange } from './account-changes.ts'
import { confirmPassword, countAttempt } from './authentication-service.ts'
import type { DashboardDependencies } from './dashboard-dependencies.ts'
import { passkeyCreationOptions, verifyNewPasskey } from './passkey.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from './session-route.ts'
import { passkeysUnavailableError, relyingPartyFor } from './sign-in-steps.ts'
import { findTotpStep, generateTotpSecret, totpUri } from './totp.ts'

/** Changes of a person's own account. Changes of credentials require the password and are mailed. */
export function personRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts
  const confirm = (c: SessionContext<'person'>, password: string) => confirmPassword(parts, c, password)
  const reportFactors = (c: SessionContext<'person'>) =>
    reportAccountChange(parts, c, c.get('person'), { kind: 'factors' })

  return [
    dashboardRoute('POST /account/person', async (c, { name }) => {
      await people.rename(c.get('person'), name, c.get('facts').now)
    }),

    dashboardRoute('POST /account/language', async (c, { language }) => {
      await people.changeLanguage(c.get('person').id, language)
    }),

    dashboardRoute('GET /account/second-factor', async (c) => {
      const { totp, passkeys, recoveryCodeCount: recoveryCodes } = await people.factorsOf(c.get('person').id)
      const data: SecondFactorsWire = {
        totp: totp !== null && !totp.isPending,
        passkeys: passkeys.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          created_at: isoInstant(passkey.createdAt),
          last_used_at: isoInstantOrNull(passkey.lastUsedAt),
        })),
        recovery_codes_left: recoveryCodes,
        passkey_host: relyingPartyFor(parts, c)?.hostName ?? null,
      }
      return { data }
    }),

    dashboardRoute('POST /account/totp', async (c, { password }) => {
      const { id, email } = await confirm(c, password)
      const secret = generateTotpSecret()
      await people.beginTotp(id, parts.encryption.encrypt(secret, id))
      return { data: { secret, address: totpUri(secret, email) } }
    }),

    dashboardRoute('POST /account/totp/confirm', async (c, { code }) => {
      const person = c.get('person')
      const { now } = c.get('facts')
      const { totp } = await people.factorsOf(person.id)
      if (!totp?.isPending) throw notFound('An authenticator app that waits for its first code')
      const attemptKey = `new app of ${person.id}`
      await countAttempt(parts, attemptKey, now)
      const step = findTotpStep(parts.encryption.decrypt(totp.encryptedSecret, person.id), code, now)
      if (step === undefined) throw invalid('code', undefined, 'the six digits that the app shows now')
      await people.clearAttempts(attemptKey)
      const codes = await people.confirmTotp(person, step, now)
      reportFactors(c)
      return { data: { recovery_codes: codes } }
    }),

    dashboardRoute('POST /account/totp/remove', async (c, { password }) => {
      await people.removeTotp(await confirm(c, password), c.get('facts').now)
      reportFactors(c)
    }),

    dashboardRoute('POST /account/passkeys/options', async (c, { password }) => {
      const person = await confirm(c, password)
      const relyingParty = relyingPartyFor(parts, c)
      if (!relyingParty) throw passkeysUnavailableError()
      const { passkeys } = await people.factorsOf(person.id)
      const options = await passkeyCreationOptions(relyingParty, person, passkeys)
      const challenge = { accountId: person.id, challenge: options.challenge }
      return {
        data: { token: await people.openChallenge('new_passkey', challenge, c.get('facts').now), options },
      }
    }),

    dashboardRoute('POST /account/passkeys', async (c, { token, name, response }) => {
      const person = c.get('person')
      const { now } = c.get('facts')
      const pending = await people.findChallenge('new_passkey', token, now)
      const relyingParty = relyingPartyFor(parts, c)
      const isOwnChallenge = pending?.accountId === person.id && (await people.closeChallenge(token))
      const passkey =
        isOwnChallenge && relyingParty ? await verifyNewPasskey(relyingParty, response, pending.challenge) : undefined
      if (!passkey)
        throw invalid('response', undefined, 'a passkey created for this request within the last ten minutes')
      const codes = await people.addPasskey(person, { ...passkey, name }, now)
      reportFactors(c)
      return { data: { recovery_codes: codes } }
    }),

    dashboardRoute('POST /account/passkeys/remove', async (c, { id, password }) => {
      await people.removePasskey(await confirm(c, password), id, c.get('facts').now)
      reportFactors(c)
    }),

    dashboardRoute('POST /account/recovery-codes', async (c, { password }) => {
      const codes = await people.newRecoveryCodes(await confirm(c, password), c.get('facts').now)
      reportFactors(c)
      return { data: { recovery_codes: codes } }
    }),
  ]
}

import { asPerson } from '../access/actor.ts'
import { accountBodies, type SecondFactorWire } from '../contract/account.ts'
import { invalid, notFound } from '../errors.ts'
import { isoInstant, isoInstantOrNull } from '../time.ts'
import { authenticate, countAttempt } from './authenticate.ts'
import { mintTotpSecret, stepOfCode, totpAddress } from './one-time-password.ts'
import type { AccountParts } from './parts.ts'
import { type AccountContext, type AccountRoute, changes, DONE, reads } from './route.ts'
import { placeOf } from './second-step.ts'
import { newPasskeyOptions, readNewPasskey } from './webauthn.ts'

/** What people change about themselves. Whatever opens the account is changed with the password alone. */
export function personRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts } = parts
  const confirm = (c: AccountContext<'person'>, password: string) =>
    authenticate(parts, c, c.get('person').email, password)

  return [
    changes('/account/person', 'person', accountBodies.person, async (c, { name, email, password }) => {
      const person = c.get('person')
      const isMoving = email !== person.email
      if (isMoving) await confirm(c, password ?? '')
      await accounts.changePerson(person, { name, email }, c.get('facts').now)
      return DONE
    }),

    reads('/account/second-factor', 'person', async (c) => {
      const { totp, passkeys, recoveryCodes } = await accounts.factorsOf(c.get('person').id)
      const data: SecondFactorWire = {
        totp: totp !== null && !totp.isPending,
        passkeys: passkeys.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          created_at: isoInstant(passkey.createdAt),
          last_used_at: isoInstantOrNull(passkey.lastUsedAt),
        })),
        recovery_codes_left: recoveryCodes,
        passkey_host: placeOf(parts, c)?.hostName ?? null,
      }
      return { data }
    }),

    changes('/account/totp', 'person', accountBodies.confirmed, async (c, { password }) => {
      const { id, email } = await confirm(c, password)
      const secret = mintTotpSecret()
      await accounts.beginTotp(id, parts.seal.close(secret, id))
      return { data: { secret, address: totpAddress(secret, email) } }
    }),

    changes('/account/totp/confirm', 'person', accountBodies.totpCode, async (c, { code }) => {
      const person = c.get('person')
      const { now } = c.get('facts')
      const { totp } = await accounts.factorsOf(person.id)
      if (!totp?.isPending) throw notFound('An authenticator app that waits for its first code')
      const counted = `new app of ${person.id}`
      await countAttempt(parts, counted, now)
      const step = stepOfCode(parts.seal.open(totp.sealed, person.id), code, now)
      if (step === undefined) throw invalid('code', undefined, 'the six digits that the app shows now')
      await accounts.clearAttempts(counted)
      return { data: { recovery_codes: await accounts.confirmTotp(person, step, now) } }
    }),

    changes('/account/totp/remove', 'person', accountBodies.confirmed, async (c, { password }) => {
      await accounts.removeTotp(await confirm(c, password), c.get('facts').now)
      return DONE
    }),

    changes('/account/passkeys/question', 'person', accountBodies.confirmed, async (c, { password }) => {
      const person = await confirm(c, password)
      const place = placeOf(parts, c)
      if (!place) throw notFound('A host name, which passkeys need,')
      const { passkeys } = await accounts.factorsOf(person.id)
      const question = await newPasskeyOptions(place, person, passkeys)
      const asked = { personId: person.id, organizationId: null, challenge: question.challenge }
      return { data: { token: await accounts.openChallenge('new_passkey', asked, c.get('facts').now), question } }
    }),

    changes('/account/passkeys', 'person', accountBodies.newPasskey, async (c, { token, name, response }) => {
      const person = c.get('person')
      const { now } = c.get('facts')
      const asked = await accounts.findChallenge('new_passkey', token, now)
      const place = placeOf(parts, c)
      const isMine = asked?.personId === person.id && (await accounts.closeChallenge(token))
      const made = isMine && place ? await readNewPasskey(place, response, asked.challenge) : undefined
      if (!made) throw invalid('response', undefined, 'a passkey that was made for this page a moment ago')
      return { data: { recovery_codes: await accounts.addPasskey(person, { ...made, name }, now) } }
    }),

    changes('/account/passkeys/remove', 'person', accountBodies.removePasskey, async (c, { id, password }) => {
      await accounts.removePasskey(await confirm(c, password), id, c.get('facts').now)
      return DONE
    }),

    changes('/account/recovery-codes', 'person', accountBodies.confirmed, async (c, { password }) => {
      const codes = await accounts.newRecoveryCodes(await confirm(c, password), c.get('facts').now)
      return { data: { recovery_codes: codes } }
    }),

    changes(
      '/account/organization/second-factor',
      'owner',
      accountBodies.requireSecondFactor,
      async (c, { required }) => {
        const { now } = c.get('facts')
        await accounts.requireSecondFactor(c.get('organization').id, required, asPerson(c.get('person')), now)
        return DONE
      },
    ),
  ]
}

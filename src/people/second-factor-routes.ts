import { ApiError } from '../http/api-error.ts'
import { invalid } from '../lib/errors.ts'
import { isRightTotpCode } from './authentication-service.ts'
import { type DashboardDependencies, limitAttempts } from './dashboard-dependencies.ts'
import { passkeyRequestOptions, verifyPasskey } from './passkey.ts'
import type { Person } from './person-store.ts'
import { startSession } from './session-lifecycle.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from './session-route.ts'
import { passkeysUnavailableError, relyingPartyFor } from './sign-in-steps.ts'

/** Passkey attempts per address; they cannot be guessed, but each costs a signature check. */
const PASSKEYS_PER_MINUTE = 30

type Visitor = SessionContext<'anyone'>

/** The second step of signing in, and signing in with a passkey. */
export function secondFactorRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts

  async function isRightPasskey(
    c: Visitor,
    personId: string,
    response: PasskeyResponse,
    expected: { challenge: string; isOnlyFactor: boolean },
  ) {
    limitAttempts(parts, c, 'passkey', PASSKEYS_PER_MINUTE)
    const relyingParty = relyingPartyFor(parts, c)
    const { passkeys } = await people.factorsOf(personId)
    const passkey = passkeys.find(({ id }) => id === response.id)
    if (!relyingParty || !passkey || expected.challenge === '') return false
    const counter = await verifyPasskey(relyingParty, passkey, response, expected)
    if (counter === undefined) return false
    await people.passkeyUsed(passkey.id, counter, c.get('facts').now)
    return true
  }

  async function requirePerson(personId: string | null): Promise<Person> {
    const person = personId === null ? undefined : await people.personById(personId)
    if (!person) throw challengeExpiredError()
    return person
  }

  return [
    dashboardRoute('POST /account/sign-in/second', async (c, proof) => {
      const { now } = c.get('facts')
      const pending = await people.findChallenge('second_factor', proof.token, now)
      if (!pending) throw challengeExpiredError()
      const person = await requirePerson(pending.personId)
      const isValid = proof.code
        ? await isRightTotpCode(parts, person, proof.code, now)
        : proof.recovery_code
          ? await people.takeRecoveryCode(person, proof.recovery_code, now)
          : proof.passkey
            ? await isRightPasskey(c, person.id, proof.passkey, { challenge: pending.challenge, isOnlyFactor: false })
            : undefined
      if (isValid === undefined) throw invalid('code', undefined, 'a code, a recovery code or a passkey')
      if (!isValid) throw new ApiError('UNAUTHORIZED', 'The code or passkey is wrong.')
      if (!(await people.closeChallenge(proof.token))) throw challengeExpiredError()
      return startSession(parts, c, person, pending.organizationId)
    }),

    dashboardRoute('POST /account/sign-in/passkey-options', async (c) => {
      const relyingParty = relyingPartyFor(parts, c)
      if (!relyingParty) throw passkeysUnavailableError()
      const options = await passkeyRequestOptions(relyingParty, null)
      const challenge = { personId: null, organizationId: null, challenge: options.challenge }
      const token = await people.openChallenge('passkey_sign_in', challenge, c.get('facts').now)
      return { data: { token, options } }
    }),

    dashboardRoute('POST /account/sign-in/passkey', async (c, { token, response }) => {
      const pending = await people.findChallenge('passkey_sign_in', token, c.get('facts').now)
      if (!pending) throw challengeExpiredError()
      const personId = await people.ownerOfPasskey(response.id)
      const { challenge } = pending
      const isValid =
        personId !== undefined && (await isRightPasskey(c, personId, response, { challenge, isOnlyFactor: true }))
      if (!isValid) throw new ApiError('UNAUTHORIZED', 'This passkey is not registered here.')
      if (!(await people.closeChallenge(token))) throw challengeExpiredError()
      return startSession(parts, c, await requirePerson(personId), null)
    }),
  ]
}

type PasskeyResponse = { readonly id: string }

const challengeExpiredError = () => new ApiError('UNAUTHORIZED', 'The sign-in expired. Start again.')

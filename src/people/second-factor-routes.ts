import { ApiError } from '../http/api-error.ts'
import { invalid, notFound } from '../lib/errors.ts'
import { isRightTotpCode } from './authentication-service.ts'
import { type DashboardDependencies, tooManyAttemptsError } from './dashboard-dependencies.ts'
import { passkeyRequestOptions, verifyPasskey } from './passkey.ts'
import type { Person } from './person-store.ts'
import { startSession } from './session-lifecycle.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from './session-route.ts'
import { relyingPartyFor } from './sign-in-steps.ts'

/** Passkey attempts per address; they cannot be guessed, but each costs a signature check. */
const PASSKEYS_PER_MINUTE = 30

type Visitor = SessionContext<'anyone'>

/** The second step of signing in, and signing in with a passkey. */
export function secondFactorRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people: accounts } = parts

  async function isRightPasskey(
    c: Visitor,
    personId: string,
    response: PasskeyResponse,
    asked: { challenge: string; isAlone: boolean },
  ) {
    const { now } = c.get('facts')
    const decision = parts.takeFromAddressLimit(`passkey:${c.get('address')}`, PASSKEYS_PER_MINUTE, now)
    if (!decision.allowed) throw tooManyAttemptsError(decision.retryAfterSeconds)
    const place = relyingPartyFor(parts, c)
    const { passkeys } = await accounts.factorsOf(personId)
    const passkey = passkeys.find(({ id }) => id === response.id)
    if (!place || !passkey || asked.challenge === '') return false
    const counter = await verifyPasskey(place, passkey, response, asked)
    if (counter === undefined) return false
    await accounts.passkeyUsed(passkey.id, counter, now)
    return true
  }

  async function personOrRefusal(personId: string | null): Promise<Person> {
    const person = personId === null ? undefined : await accounts.personById(personId)
    if (!person) throw challengeExpiredError()
    return person
  }

  return [
    dashboardRoute('POST /account/sign-in/second', async (c, shown) => {
      const { now } = c.get('facts')
      const asked = await accounts.findChallenge('second_factor', shown.token, now)
      if (!asked) throw challengeExpiredError()
      const person = await personOrRefusal(asked.personId)
      const isRight = shown.code
        ? await isRightTotpCode(parts, person, shown.code, now)
        : shown.recovery_code
          ? await accounts.takeRecoveryCode(person, shown.recovery_code, now)
          : shown.passkey
            ? await isRightPasskey(c, person.id, shown.passkey, { challenge: asked.challenge, isAlone: false })
            : undefined
      if (isRight === undefined) throw invalid('code', undefined, 'a code, a recovery code or a passkey')
      if (!isRight) throw new ApiError('UNAUTHORIZED', 'That is not right.')
      if (!(await accounts.closeChallenge(shown.token))) throw challengeExpiredError()
      return startSession(parts, c, person, asked.organizationId)
    }),

    dashboardRoute('POST /account/sign-in/passkey-question', async (c) => {
      const place = relyingPartyFor(parts, c)
      if (!place) throw notFound('A host name, which passkeys need,')
      const question = await passkeyRequestOptions(place, null)
      const asked = { personId: null, organizationId: null, challenge: question.challenge }
      const token = await accounts.openChallenge('passkey_sign_in', asked, c.get('facts').now)
      return { data: { token, question } }
    }),

    dashboardRoute('POST /account/sign-in/passkey', async (c, { token, response }) => {
      const asked = await accounts.findChallenge('passkey_sign_in', token, c.get('facts').now)
      if (!asked) throw challengeExpiredError()
      const personId = await accounts.ownerOfPasskey(response.id)
      const { challenge } = asked
      const isRight =
        personId !== undefined && (await isRightPasskey(c, personId, response, { challenge, isAlone: true }))
      if (!isRight) throw new ApiError('UNAUTHORIZED', 'This passkey is not known here.')
      if (!(await accounts.closeChallenge(token))) throw challengeExpiredError()
      return startSession(parts, c, await personOrRefusal(personId), null)
    }),
  ]
}

type PasskeyResponse = { readonly id: string }

const challengeExpiredError = () => new ApiError('UNAUTHORIZED', 'That took too long. Sign in again.')

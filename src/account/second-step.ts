import type { SecondFactorAskedWire } from '../contract/account.ts'
import type { Answer } from '../http/context.ts'
import { hasFactor } from './factor.ts'
import type { AccountParts } from './parts.ts'
import type { Person } from './person-store.ts'
import type { AccountContext } from './route.ts'
import { beginSession } from './session-opening.ts'
import { type PasskeyPlace, passkeyHost, passkeyQuestion } from './webauthn.ts'

/** After a right password: a session or, for somebody with a second factor, the question for it. */
export async function proceed(
  parts: AccountParts,
  c: AccountContext<'anyone'>,
  person: Person,
  organizationId: string | null,
): Promise<Answer> {
  const factors = await parts.accounts.factorsOf(person.id)
  if (!hasFactor(factors)) return beginSession(parts, c, person, organizationId)
  const place = placeOf(parts, c)
  const question = place && factors.passkeys.length > 0 ? await passkeyQuestion(place, factors.passkeys) : null
  const asked = { personId: person.id, organizationId, challenge: question?.challenge ?? '' }
  const second_factor: SecondFactorAskedWire = {
    token: await parts.accounts.openChallenge('second_factor', asked, c.get('facts').now),
    totp: factors.totp !== null && !factors.totp.isPending,
    passkey: question,
    recovery_codes: factors.recoveryCodes > 0,
  }
  return { data: { second_factor } }
}

/** Where passkeys live in this installation; null where browsers allow none. */
export function placeOf(parts: AccountParts, c: AccountContext<'anyone'>): PasskeyPlace | null {
  const hostName = passkeyHost(parts.baseUrl())
  if (hostName === null) return null
  return { hostName, origins: [new URL(parts.baseUrl()).origin, `http://${c.req.header('host')}`] }
}

import { roleIncludes } from '../contract/account-limits.ts'
import { ApiError } from '../http/api-error.ts'
import { invalid } from '../lib/errors.ts'
import { type DashboardDependencies, isHttps, limitAttempts, tooManyAttemptsError } from './dashboard-dependencies.ts'
import { findKnownDevice } from './known-device.ts'
import { pendingPasswordChecks, verifyPassword } from './password-service.ts'
import type { Person } from './person-store.ts'
import { hasSecondFactor } from './second-factor.ts'
import { readDeviceToken } from './session-cookie.ts'
import type { SessionContext } from './session-route.ts'
import { blockedUntil } from './sign-in-back-off.ts'
import { findTotpStep } from './totp.ts'

const MAX_WAITING = 40
/** Passwords that may be tried from one address, for any account. */
const ATTEMPTS_PER_MINUTE = 60
const WRONG_CREDENTIALS = 'The email or the password is wrong.'

/** The person with this address and password; every failure looks and lasts the same. */
export async function authenticateWithPassword(
  parts: DashboardDependencies,
  c: SessionContext<'anyone'>,
  email: string,
  password: string,
): Promise<Person> {
  const { people } = parts
  const { now } = c.get('facts')
  limitAttempts(parts, c, 'password', ATTEMPTS_PER_MINUTE)
  if (pendingPasswordChecks() > MAX_WAITING) throw tooManyAttemptsError(5)
  const person = await people.findPerson(email)
  const deviceId = findKnownDevice(readDeviceToken(c, isHttps(parts)), person)
  const attemptKey = deviceId ? `device ${deviceId}` : email
  await countAttempt(parts, attemptKey, now)
  const isCorrect = await verifyPassword(password, person?.passwordHash ?? null)
  if (!person || !isCorrect) throw new ApiError('UNAUTHORIZED', WRONG_CREDENTIALS)
  await people.clearAttempts(attemptKey)
  return person
}

/** Throws after too many failures. Call it before checking the password or code. */
export async function countAttempt({ people }: DashboardDependencies, subject: string, now: number): Promise<void> {
  const blocked = await people.beginAttempt(subject, (failures) => blockedUntil(failures, now), now)
  if (blocked !== null) throw tooManyAttemptsError(Math.ceil((blocked - now) / 1000))
}

/**
 * Whether an authenticator app shows this code now. Six digits can be guessed, so attempts are counted. Passkeys and recovery
 * codes cannot be guessed: they are not counted, so that an attacker cannot lock out the owner.
 */
export async function isRightTotpCode(
  parts: DashboardDependencies,
  { id }: Pick<Person, 'id'>,
  code: string,
  now: number,
): Promise<boolean> {
  const { people, encryption } = parts
  const attemptKey = `second factor of ${id}`
  await countAttempt(parts, attemptKey, now)
  const { totp } = await people.factorsOf(id)
  if (!totp || totp.isPending) return false
  const step = findTotpStep(encryption.decrypt(totp.encryptedSecret, id), code, now)
  if (step === undefined || !(await people.takeTotpStep(id, step))) return false
  await people.clearAttempts(attemptKey)
  return true
}

/** The person of the session, who enters their password again. */
export const confirmPassword = (parts: DashboardDependencies, c: SessionContext<'person'>, password: string) =>
  authenticateAgain(parts, c, { email: c.get('person').email, password }, 'The current password is wrong.')

/** Wrong credentials are FORBIDDEN, because UNAUTHORIZED would send the person of the valid session to the sign-in page. */
async function authenticateAgain(
  parts: DashboardDependencies,
  c: SessionContext<'anyone'>,
  { email, password }: { readonly email: string; readonly password: string },
  message: string,
): Promise<Person> {
  return authenticateWithPassword(parts, c, email, password).catch((error) => {
    throw error instanceof ApiError && error.code === 'UNAUTHORIZED' ? new ApiError('FORBIDDEN', message) : error
  })
}

/** A manager or owner of the organization who enters their credentials in another person's session. */
export async function authenticateApprover(
  parts: DashboardDependencies,
  c: SessionContext,
  { email, password, code }: { readonly email: string; readonly password: string; readonly code?: string | undefined },
): Promise<Person> {
  const person = await authenticateAgain(parts, c, { email, password }, WRONG_CREDENTIALS)
  const memberships = await parts.people.memberships(person.id)
  const membership = memberships.find(({ organizationId }) => organizationId === c.get('organization').id)
  if (!membership || !roleIncludes(membership.role, 'manager')) {
    throw new ApiError('FORBIDDEN', `${email} is not a manager or an owner of the organization.`)
  }
  const factors = await parts.people.factorsOf(person.id)
  if (!hasSecondFactor(factors)) return person
  if (!factors.totp || factors.totp.isPending) {
    throw new ApiError('FORBIDDEN', `${email} uses passkeys and must sign in to save this appraisal.`)
  }
  if (!code) throw invalid('code', undefined, 'the six digits that the authenticator app shows now')
  if (!(await isRightTotpCode(parts, person, code, c.get('facts').now))) {
    throw new ApiError('FORBIDDEN', 'The code is wrong.')
  }
  return person
}

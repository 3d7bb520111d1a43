import { ApiError } from '../http/api-error.ts'
import { type DashboardDependencies, isHttps, tooManyAttemptsError } from './dashboard-dependencies.ts'
import { findKnownDevice } from './known-device.ts'
import { pendingPasswordChecks, verifyPassword } from './password-service.ts'
import type { Person } from './person-store.ts'
import { readDeviceToken } from './session-cookie.ts'
import type { SessionContext } from './session-route.ts'
import { blockedUntil } from './sign-in-back-off.ts'

const MAX_WAITING = 40
/** Passwords that may be tried from one address, whoever they are for. */
const ATTEMPTS_PER_MINUTE = 60
const WRONG_CREDENTIALS = 'The email or the password is wrong.'

/** The person with this address and password; every failure looks and lasts the same. */
export async function authenticateWithPassword(
  parts: DashboardDependencies,
  c: SessionContext<'anyone'>,
  email: string,
  password: string,
): Promise<Person> {
  const { people: accounts } = parts
  const { now } = c.get('facts')
  const decision = parts.takeFromAddressLimit(`password:${c.get('address')}`, ATTEMPTS_PER_MINUTE, now)
  if (!decision.allowed) throw tooManyAttemptsError(decision.retryAfterSeconds)
  if (pendingPasswordChecks() > MAX_WAITING) throw tooManyAttemptsError(5)
  const person = await accounts.findPerson(email)
  const deviceId = findKnownDevice(readDeviceToken(c, isHttps(parts)), person)
  const counted = deviceId ? `device ${deviceId}` : email
  await countAttempt(parts, counted, now)
  const right = await verifyPassword(password, person?.passwordHash ?? null)
  if (!person || !right) throw new ApiError('UNAUTHORIZED', WRONG_CREDENTIALS)
  await accounts.clearAttempts(counted)
  return person
}

/** Refuses where too many were wrong; to be called before looking whether this one is right. */
export async function countAttempt(
  { people: accounts }: DashboardDependencies,
  subject: string,
  now: number,
): Promise<void> {
  const blocked = await accounts.beginAttempt(subject, (failures) => blockedUntil(failures, now), now)
  if (blocked !== null) throw tooManyAttemptsError(Math.ceil((blocked - now) / 1000))
}

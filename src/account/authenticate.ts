import { ApiError } from '../http/api-error.ts'
import { blockedUntil } from './back-off.ts'
import { type AccountParts, tooMany } from './parts.ts'
import { isRightPassword, waitingPasswords } from './password.ts'
import type { Person } from './person-store.ts'
import type { AccountContext } from './route.ts'

const MOST_WAITING = 40
/** Passwords that may be tried from one address, whoever they are for. */
const ATTEMPTS_PER_MINUTE = 60
const WRONG = 'The email or the password is wrong.'

/** The person with this address and password; every failure looks and lasts the same. */
export async function authenticate(
  parts: AccountParts,
  c: AccountContext<'anyone'>,
  email: string,
  password: string,
): Promise<Person> {
  const { accounts } = parts
  const { now } = c.get('facts')
  const decision = parts.takeRequest(`password:${c.get('address')}`, ATTEMPTS_PER_MINUTE, now)
  if (!decision.allowed) throw tooMany(decision.retryAfterSeconds)
  if (waitingPasswords() > MOST_WAITING) throw tooMany(5)
  await countAttempt(parts, email, now)
  const person = await accounts.findPerson(email)
  const right = await isRightPassword(password, person?.passwordHash ?? null)
  if (!person || !right) throw new ApiError('UNAUTHORIZED', WRONG)
  await accounts.clearAttempts(email)
  return person
}

/** Refuses where too many were wrong; to be called before looking whether this one is right. */
export async function countAttempt({ accounts }: AccountParts, whose: string, now: number): Promise<void> {
  const blocked = await accounts.beginAttempt(whose, (failures) => blockedUntil(failures, now), now)
  if (blocked !== null) throw tooMany(Math.ceil((blocked - now) / 1000))
}

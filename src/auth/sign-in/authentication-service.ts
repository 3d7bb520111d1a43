import { roleIncludes } from '../../contract/account-limits.ts'
import type { ApprovalWire } from '../../contract/approval.ts'
import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { DomainError, invalid } from '../../lib/errors.ts'
import { type Reason, reason } from '../../lib/reasons.ts'
import type { Account } from '../accounts/account-store.ts'
import { hasSecondFactor } from '../second-factor/second-factor.ts'
import { findTotpStep } from '../second-factor/totp.ts'
import { hashSecret } from '../secret-hash.ts'
import { type AccountDependencies, isHttps } from './account-dependencies.ts'
import { limitAttempts, tooManyAttemptsError } from './attempt-limit.ts'
import { findKnownDevice } from './known-device.ts'
import { pendingPasswordChecks, verifyPassword } from './password-service.ts'
import { readDeviceToken } from './session-cookie.ts'
import { blockedUntil } from './sign-in-back-off.ts'

const MAX_WAITING = 40
/** Passwords that may be tried from one address: for one account, and for all of them together. */
const ATTEMPTS_PER_MINUTE = { account: 20, all: 300 } as const
/** Accounts of one address that a sign-in tries; further ones sign in after a password reset or with a passkey. */
const MAX_CHECKED_ACCOUNTS = 5
const WRONG_CREDENTIALS = 'The email or the password is wrong.'

/**
 * The accounts with this address and password, at least one; every failure looks and lasts the same. The number of password
 * checks does not depend on the address: it is the highest number of accounts that any address has, up to
 * `MAX_CHECKED_ACCOUNTS`. Normally that is one.
 */
export async function authenticateWithPassword(
  parts: CredentialDependencies,
  c: HttpContext,
  { email, password }: Credentials,
): Promise<[Account, ...Account[]]> {
  const { accounts } = parts
  const checks = Math.min(MAX_CHECKED_ACCOUNTS, Math.max(1, await accounts.maxAccountsPerEmail()))
  const candidates = await accounts.accountsWithEmail(email, checks)
  return checkPassword(parts, c, { password, candidates, checks, attemptKey: email })
}

export type CredentialDependencies = Pick<
  AccountDependencies,
  'accounts' | 'encryption' | 'takeFromAddressLimit' | 'addressOf' | 'baseUrl'
>

type PasswordCheck = {
  readonly password: string
  readonly candidates: readonly Account[]
  /** How many hashes are tried, whatever the number of candidates. */
  readonly checks: number
  /** Failures are counted under this name. */
  readonly attemptKey: string
}

/** The candidates that have the password. */
async function checkPassword(
  parts: CredentialDependencies,
  c: HttpContext,
  { password, candidates, checks, attemptKey: key }: PasswordCheck,
): Promise<[Account, ...Account[]]> {
  const deviceToken = readDeviceToken(c, isHttps(parts, c))
  const deviceId = candidates.map((account) => findKnownDevice(deviceToken, account)).find((id) => id !== undefined)
  // Somebody who guesses in the same shop blocks neither a colleague nor a browser that has signed in before.
  if (deviceId === undefined) {
    limitAttempts(parts, c, `password ${hashSecret(key)}`, ATTEMPTS_PER_MINUTE.account)
    limitAttempts(parts, c, 'password', ATTEMPTS_PER_MINUTE.all)
  }
  if (pendingPasswordChecks() > MAX_WAITING) throw tooManyAttemptsError(5)
  const attemptKey = deviceId ? `device ${deviceId}` : key
  await countAttempt(parts, attemptKey, c.get('facts').now)
  const matches: Account[] = []
  for (let at = 0; at < checks; at++) {
    const candidate = candidates[at]
    const isCorrect = await verifyPassword(password, candidate?.passwordHash ?? null)
    if (candidate && isCorrect) matches.push(candidate)
  }
  const [first, ...others] = matches
  if (!first) throw new ApiError('UNAUTHORIZED', WRONG_CREDENTIALS, reason('credentials_wrong'))
  await parts.accounts.clearAttempts(attemptKey)
  return [first, ...others]
}

type Credentials = { readonly email: string; readonly password: string }

/** Throws after too many failures. Call it before checking the password or code. */
export async function countAttempt(
  { accounts }: Pick<AccountDependencies, 'accounts'>,
  subject: string,
  now: number,
): Promise<void> {
  const blocked = await accounts.beginAttempt(subject, (failures) => blockedUntil(failures, now), now)
  if (blocked !== null) throw tooManyAttemptsError(Math.ceil((blocked - now) / 1000))
}

/**
 * Whether an authenticator app shows this code now. Six digits can be guessed, so attempts are counted. Passkeys and recovery
 * codes cannot be guessed: they are not counted, so that an attacker cannot lock out the owner.
 */
export async function isRightTotpCode(
  parts: Pick<AccountDependencies, 'accounts' | 'encryption'>,
  { id }: Pick<Account, 'id'>,
  code: string,
  now: number,
): Promise<boolean> {
  const { accounts, encryption } = parts
  const attemptKey = `second factor of ${id}`
  await countAttempt(parts, attemptKey, now)
  const { totp } = await accounts.factorsOf(id)
  if (!totp || totp.isPending) return false
  const step = findTotpStep(encryption.decrypt(totp.encryptedSecret, id), code, now)
  if (step === undefined || !(await accounts.takeTotpStep(id, step))) return false
  await accounts.clearAttempts(attemptKey)
  return true
}

/** The person of a session, who enters their password again. */
export const confirmPassword = (
  parts: CredentialDependencies,
  c: HttpContext,
  { email, organizationId }: Account,
  password: string,
) =>
  authenticateAgain(parts, c, organizationId, {
    email,
    password,
    message: 'The current password is wrong.',
    why: reason('password_wrong'),
  })

/**
 * An account of the organization. Wrong credentials are FORBIDDEN, because UNAUTHORIZED would send the person of the
 * valid session to the sign-in page.
 */
async function authenticateAgain(
  parts: CredentialDependencies,
  c: HttpContext,
  organizationId: string,
  { email, password, message, why }: Credentials & { readonly message: string; readonly why: Reason },
): Promise<Account> {
  const account = await parts.accounts.findAccount(organizationId, email)
  try {
    // Not counted under the address alone: nobody can lock out an account of another organization here.
    const attemptKey = `${email} in ${organizationId}`
    const [match] = await checkPassword(parts, c, {
      password,
      candidates: account ? [account] : [],
      checks: 1,
      attemptKey,
    })
    return match
  } catch (error) {
    throw error instanceof ApiError && error.code === 'UNAUTHORIZED' ? new ApiError('FORBIDDEN', message, why) : error
  }
}

/**
 * A manager or owner of the organization who enters their credentials in another person's session. An address of another
 * organization is answered like a wrong password.
 */
export async function authenticateApprover(
  parts: CredentialDependencies,
  c: HttpContext,
  { email, password, code }: ApprovalWire,
): Promise<Account> {
  const { kind, organizationId } = c.get('principal')
  if (kind !== 'person') {
    const message = 'approval is for clerks with a session; leave it out: only they have a limit.'
    throw new DomainError('invalid', message, reason('approval_not_needed'), [{ field: 'approval', message }])
  }
  const account = await authenticateAgain(parts, c, organizationId, {
    email,
    password,
    message: WRONG_CREDENTIALS,
    why: reason('credentials_wrong'),
  })
  if (!roleIncludes(account.role, 'manager')) {
    throw new ApiError(
      'FORBIDDEN',
      `${email} is not a manager or an owner of the organization.`,
      reason('not_a_manager', { email }),
    )
  }
  const factors = await parts.accounts.factorsOf(account.id)
  if (!hasSecondFactor(factors)) return account
  if (!factors.totp || factors.totp.isPending) {
    throw new ApiError(
      'FORBIDDEN',
      `${email} uses passkeys and must sign in to save this appraisal.`,
      reason('approver_uses_passkeys', { email }),
    )
  }
  if (!code)
    throw invalid(
      'approval.code',
      undefined,
      'the six digits that the authenticator app shows now',
      reason('app_code_wrong'),
    )
  if (!(await isRightTotpCode(parts, account, code, c.get('facts').now))) {
    throw new ApiError('FORBIDDEN', 'The code is wrong.', reason('code_wrong'))
  }
  return account
}

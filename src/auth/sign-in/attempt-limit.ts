import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { reason } from '../../lib/reasons.ts'
import type { AccountDependencies } from './account-dependencies.ts'

/** Throws if the address has made too many attempts of this kind within a minute. */
export function limitAttempts(
  { takeFromAddressLimit, addressOf }: Pick<AccountDependencies, 'takeFromAddressLimit' | 'addressOf'>,
  c: HttpContext,
  kind: string,
  perMinute: number,
): void {
  const decision = takeFromAddressLimit(addressOf(c), kind, perMinute, c.get('facts').now)
  if (!decision.allowed) throw tooManyAttemptsError(decision.retryAfterSeconds)
}

export function tooManyAttemptsError(retryAfterSeconds: number): ApiError {
  const wait = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Too many attempts. Try again in ${wait}.`,
    reason('too_many_attempts', { seconds: retryAfterSeconds }),
    {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    },
  )
}

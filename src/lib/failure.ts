import { DomainError } from './errors.ts'
import { presentReason, type Reason, type ReasonCode, type ReasonParams, reason } from './reasons.ts'

/** Why something failed in the background, as it is stored: an English message, and code and parameters for pages. */
export type Failure = {
  readonly message: string
  readonly reason_code: ReasonCode
  readonly params?: ReasonParams
}

export const failure = (message: string, why: Reason): Failure => ({ message, ...presentReason(why) })

export const failureOf = (error: unknown): Failure =>
  error instanceof DomainError
    ? failure(error.message, error.reason)
    : failure('The program failed.', reason('internal'))

/** What was stored; a plain text has no code. */
export function parseFailure(stored: unknown): Failure | null {
  if (typeof stored !== 'string') return (stored as Failure | null | undefined) ?? null
  return stored.startsWith('{') ? (JSON.parse(stored) as Failure) : failure(stored, reason('technical'))
}

/** The fields of a response. */
export const presentFailure = (failed: Failure | null) => ({
  failure: failed?.message ?? null,
  failure_reason: failed && {
    reason_code: failed.reason_code,
    ...(failed.params ? { params: { ...failed.params } } : {}),
  },
})

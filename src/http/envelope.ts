import type { ApiError } from '../errors.ts'
import { isoInstant } from './ready.ts'

/** The body of a refusal. `details` names each field that was wrong, for programs; `message` says it, for people. */
export function refusalBody(error: ApiError, now: number): string {
  return JSON.stringify({
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details.length > 0 ? { details: error.details } : {}),
    },
    timestamp: isoInstant(now),
  })
}

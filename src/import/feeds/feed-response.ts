/** Interprets HTTP responses of feeds: errors, retries and redirects. */

import { DomainError } from '../../lib/errors.ts'
import { type Reason, reason } from '../../lib/reasons.ts'

/** The list could not be fetched. `retriable`: another attempt may succeed. */
export class FeedFetchError extends DomainError {
  readonly retriable: boolean
  /** Delay that the server requested. */
  readonly pauseMs: number

  constructor(message: string, why: Reason, { retriable = false, pauseMs = 0, cause }: FeedFetchErrorOptions = {}) {
    super('unavailable', message, why, [], { cause })
    this.retriable = retriable
    this.pauseMs = pauseMs
  }
}

type FeedFetchErrorOptions = { readonly retriable?: boolean; readonly pauseMs?: number; readonly cause?: unknown }

/** Longer waits are left to the next scheduled run. */
const MAX_RETRY_DELAY_MS = 300_000

export function httpStatusError(name: string, status: number, retryAfter: string | null): FeedFetchError {
  const retriable = status >= 500 || status === 429 || status === 408
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0
  return new FeedFetchError(
    `The feed ${name} responded with status ${status}.`,
    reason('feed_status', { name, status }),
    { retriable, pauseMs: seconds * 1000 },
  )
}

/** Doubles with each attempt and is never shorter than the server requested. */
export function retryDelayMs(retry: number, firstPauseMs: number, requestedMs: number): number {
  return Math.min(MAX_RETRY_DELAY_MS, Math.max(requestedMs, firstPauseMs * 2 ** (retry - 1)))
}

/**
 * The target of a redirect. Only the same host is allowed, because the headers contain secrets meant for it, and never from
 * https to http.
 */
export function resolveRedirect(name: string, from: string, location: string | null): string {
  if (!location || !URL.canParse(location, from))
    throw new FeedFetchError(`The address of ${name} redirects to nowhere.`, reason('feed_redirects', { name }))
  const [source, target] = [new URL(from), new URL(location, from)]
  if (source.protocol === 'https:' && target.protocol !== 'https:') {
    throw new FeedFetchError(
      `The address of ${name} redirects from https to ${target.protocol.slice(0, -1)}; that is not followed.`,
      reason('feed_redirects', { name }),
    )
  }
  if (target.host !== source.host) {
    throw new FeedFetchError(
      `The address of ${name} redirects to another host, ${target.host}; that is not followed.`,
      reason('feed_redirects', { name }),
    )
  }
  return target.href
}

/** A sign-in page or a notice sent with status 200 in place of the list. */
export function isHtmlPage(contentType: string | null, head: string): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(contentType ?? '') || /^\s*<(!doctype html|html)\b/i.test(head)
}

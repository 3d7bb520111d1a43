import { TIERS, type Tier } from '../contract/endpoints.ts'
import type { Question } from './query.ts'
import type { ReadyAnswer } from './ready.ts'

export { TIERS, type Tier }

/** Tiers are cumulative: each may call what the ones before it may. */
export function covers(held: Tier, needed: Tier): boolean {
  return held === needed || TIERS.indexOf(held) > TIERS.indexOf(needed)
}

/** Who is asking. It comes from the key alone, never from anything else in the request. */
export type Caller = { readonly organizationId: string; readonly keyId: string; readonly tier: Tier }

export type Call = Question & {
  readonly caller: Caller
  readonly header: (name: string) => string | null
  /** The parsed JSON body of a POST, already checked for size, media type and depth; undefined on a GET. */
  readonly body: unknown
  readonly requestId: string
  readonly now: number
}

export type PageMeta = {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly total_pages: number
  readonly has_next: boolean
  readonly has_prev: boolean
}

/** An answer made for this call alone. What many callers will ask again is a `ReadyAnswer`. */
export type FreshAnswer = {
  readonly data: unknown
  readonly meta?: PageMeta
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer = ReadyAnswer | FreshAnswer

export type ApiRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: `/api/${string}`
  readonly tier: Tier
  /** How many requests this one counts for against the limit; 1 when absent. Asked after the body was read. */
  readonly cost?: (body: unknown) => number
  readonly maxBodyBytes?: number
  readonly handle: (call: Call) => Answer | Promise<Answer>
}

import type { z } from 'zod'
import type { Role } from '../contract/account.ts'
import type { Tier } from '../contract/endpoints.ts'
import type { PageMeta } from '../http/route.ts'
import type { Outgoing } from '../wire/outgoing.ts'
import type { Sender } from '../wire/reception.ts'
import type { RequestHead } from '../wire/request-head.ts'
import type { Person } from './person-store.ts'

/** Who must be asking: nobody in particular, somebody signed in, a member of the organization, one of its owners. */
export type Access = 'anyone' | 'person' | 'member' | 'owner'

/** The organization that the session works in. It never comes from anything else in the request. */
export type Workplace = {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly tier: Tier
  /** Requests per minute of a key of each tier. */
  readonly limits: Readonly<Record<Tier, number>>
}

export type Visit = {
  readonly request: RequestHead
  readonly sender: Sender
  readonly path: string
  readonly query: (name: string) => string | undefined
  readonly requestId: string
  readonly now: number
  readonly address: string
}

export type SignedInVisit = Visit & {
  readonly person: Person
  readonly sessionId: string
  readonly workplace: Workplace | null
}

export type MemberVisit = SignedInVisit & { readonly workplace: Workplace }

type VisitOf<A extends Access> = A extends 'anyone' ? Visit : A extends 'person' ? SignedInVisit : MemberVisit

export type AccountAnswer = {
  readonly data: unknown
  readonly meta?: PageMeta
  readonly headers?: Readonly<Record<string, string>>
}

export type AccountRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or everything below it when it ends in "/*". */
  readonly path: `/account/${string}`
  readonly access: Access
  readonly body: z.ZodType | undefined
  readonly handle: (visit: MemberVisit, body: unknown) => Promise<AccountAnswer | Outgoing>
}

/** A reading route. */
export function reads<A extends Access>(
  path: `/account/${string}`,
  access: A,
  handle: (visit: VisitOf<A>) => Promise<AccountAnswer | Outgoing>,
): AccountRoute {
  return { method: 'GET', path, access, body: undefined, handle: (visit) => handle(visit as VisitOf<A>) }
}

/** A changing route; its body is checked against the contract before it is called. */
export function changes<A extends Access, B extends z.ZodType>(
  path: `/account/${string}`,
  access: A,
  body: B,
  handle: (visit: VisitOf<A>, body: z.infer<B>) => Promise<AccountAnswer | Outgoing>,
): AccountRoute {
  return {
    method: 'POST',
    path,
    access,
    body,
    handle: (visit, sent) => handle(visit as VisitOf<A>, sent as z.infer<B>),
  }
}

export const DONE: AccountAnswer = { data: { done: true } }

export const instant = (epochMs: number) => new Date(epochMs).toISOString()
export const instantOrNull = (epochMs: number | null) => (epochMs === null ? null : instant(epochMs))

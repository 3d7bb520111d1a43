import type { z } from 'zod'
import type { MemberRole } from '../contract/dashboard.ts'
import type { Tier } from '../contract/tiers.ts'
import type { ContextWith, HandlerResult } from '../http/context.ts'
import type { Person } from './person-store.ts'

/** Who must be asking: nobody in particular, somebody signed in, a member of the organization, one of its owners. */
export type RequiredRole = 'anyone' | 'person' | 'member' | 'owner'

/** The organization that the session works in. It never comes from anything else in the request. */
export type CurrentOrganization = {
  readonly id: string
  readonly name: string
  readonly role: MemberRole
  readonly tier: Tier
  /** Requests per minute of a key of each tier. */
  readonly limits: Readonly<Record<Tier, number>>
  readonly needsSecondFactor: boolean
}

type AnonymousVariables = { address: string }
type PersonVariables = AnonymousVariables & {
  person: Person
  sessionId: string
  organization: CurrentOrganization | null
}
type MemberVariables = PersonVariables & { organization: CurrentOrganization }

type VariablesFor<A extends RequiredRole> = A extends 'anyone'
  ? AnonymousVariables
  : A extends 'person'
    ? PersonVariables
    : MemberVariables

/** The context of a request to /account: what is known of whoever asks depends on who may. */
export type SessionContext<A extends RequiredRole = 'member'> = ContextWith<VariablesFor<A>>

/** What a handler returns; `cookies` are values of `Set-Cookie`. */
export type DashboardResult = HandlerResult & { readonly cookies?: readonly string[] }

export type DashboardRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or with "/*" at its end the path before that and everything below. */
  readonly path: `/account/${string}`
  readonly requiredRole: RequiredRole
  readonly body: z.ZodType | undefined
  readonly handle: (c: SessionContext, body: unknown) => Promise<DashboardResult | Response>
}

/** A reading route. */
export function getRoute<A extends RequiredRole>(
  path: `/account/${string}`,
  access: A,
  handle: (c: SessionContext<A>) => Promise<DashboardResult | Response>,
): DashboardRoute {
  return { method: 'GET', path, requiredRole: access, body: undefined, handle: handle as DashboardRoute['handle'] }
}

/** A changing route; its body is checked against the contract before it is called. */
export function postRoute<A extends RequiredRole, B extends z.ZodType>(
  path: `/account/${string}`,
  access: A,
  body: B,
  handle: (c: SessionContext<A>, body: z.infer<B>) => Promise<DashboardResult | Response>,
): DashboardRoute {
  return { method: 'POST', path, requiredRole: access, body, handle: handle as DashboardRoute['handle'] }
}

/** A changing route whose body is bytes, which it reads by itself. */
export function uploadRoute<A extends RequiredRole>(
  path: `/account/${string}`,
  access: A,
  handle: (c: SessionContext<A>) => Promise<DashboardResult | Response>,
): DashboardRoute {
  return { ...getRoute(path, access, handle), method: 'POST' }
}

export const DONE = { data: { done: true } } as const satisfies HandlerResult

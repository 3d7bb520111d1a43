import type { z } from 'zod'
import type { MemberRole } from '../contract/dashboard.ts'
import {
  type DashboardEndpoint,
  type DashboardEndpointName,
  dashboardEndpoints,
  type RequiredRole,
} from '../contract/dashboard-endpoints.ts'
import type { PageMeta } from '../contract/paging.ts'
import type { Tier } from '../contract/tiers.ts'
import type { ContextWith, HandlerResult } from '../http/context.ts'
import type { Person } from './person-store.ts'

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

type BodyOf<Name extends DashboardEndpointName> = (typeof dashboardEndpoints)[Name] extends {
  body: infer Body extends z.ZodType
}
  ? z.output<Body>
  : undefined

/** What a handler of this endpoint returns: data of the declared shape, ready JSON, or a file. */
type ResultOf<Name extends DashboardEndpointName> =
  (typeof dashboardEndpoints)[Name]['response'] extends infer Shape extends z.ZodType
    ?
        | { data: z.input<Shape>; meta?: PageMeta; cookies?: readonly string[] }
        | Extract<HandlerResult, { etag: string } | { ready: unknown }>
    : Response

/** A route of the dashboard API. Role, body and response are those of the endpoint in the contract. */
export function dashboardRoute<Name extends DashboardEndpointName>(
  name: Name,
  handle: (c: SessionContext<(typeof dashboardEndpoints)[Name]['role']>, body: BodyOf<Name>) => Promise<ResultOf<Name>>,
): DashboardRoute {
  const [method, path] = name.split(' ') as [DashboardRoute['method'], DashboardRoute['path']]
  const endpoint: DashboardEndpoint = dashboardEndpoints[name]
  return { method, path, requiredRole: endpoint.role, body: endpoint.body, handle: handle as DashboardRoute['handle'] }
}

export const DONE = { data: { done: true } } as const satisfies HandlerResult

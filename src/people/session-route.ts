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

/** The organization of the session; never taken from other parts of the request. */
export type CurrentOrganization = {
  readonly id: string
  readonly name: string
  readonly role: MemberRole
  readonly tier: Tier
  /** Rate limit per tier. */
  readonly limits: Readonly<Record<Tier, number>>
  readonly needsSecondFactor: boolean
  /** Whether plans, costs and expected profit are shown. */
  readonly seesMargins: boolean
  /** Highest offer the person may save, in minor units of the organization's currency; null: no limit. */
  readonly offerLimit: number | null
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

/** The context of a dashboard API request; its variables depend on the required role. */
export type SessionContext<A extends RequiredRole = 'clerk'> = ContextWith<VariablesFor<A>>

/** Result of a handler; `cookies` are `Set-Cookie` values. */
export type DashboardResult = HandlerResult & { readonly cookies?: readonly string[] }

export type DashboardRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or one that ends with "/*" for everything below it. */
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

/** Result of the endpoint's handler: data of the declared type, serialized JSON, or a file. */
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

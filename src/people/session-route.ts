import type { z } from 'zod'
import type { MemberRole } from '../contract/account-limits.ts'
import type { DashboardEndpointName, dashboardEndpoints, RequiredRole } from '../contract/dashboard-endpoints.ts'
import type { CursorMeta, PageMeta } from '../contract/paging.ts'
import type { Tier } from '../contract/tiers.ts'
import type { ContextWith, HandlerResult } from '../http/context.ts'
import type { Principal } from '../http/principal.ts'
import type { Account } from './account-store.ts'

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
  person: Account
  sessionId: string
  organization: CurrentOrganization
}
type MemberVariables = { principal: Principal; organization: CurrentOrganization }

type VariablesFor<A extends RequiredRole> = A extends 'anyone'
  ? AnonymousVariables
  : A extends 'person'
    ? PersonVariables
    : MemberVariables

/** The context of a dashboard API request; its variables depend on the required role. */
export type SessionContext<A extends RequiredRole = 'clerk'> = ContextWith<VariablesFor<A>>

/** Result of a handler; `cookies` are `Set-Cookie` values. */
export type DashboardResult = HandlerResult & { readonly cookies?: readonly string[] }

/** A handler of the dashboard API. Role, input and response are those of the endpoint in the contract. */
export type DashboardRoute = {
  readonly name: DashboardEndpointName
  readonly handle: (c: SessionContext, input: unknown) => Promise<DashboardResult | Response>
}

type InputOf<Name extends DashboardEndpointName> = (typeof dashboardEndpoints)[Name] extends
  | { body: infer Input extends z.ZodType }
  | { query: infer Input extends z.ZodType }
  ? z.output<Input>
  : undefined

/** Result of the endpoint's handler: data of the declared type, serialized JSON, or a file; nothing stands for `done`. */
type ResultOf<Name extends DashboardEndpointName> =
  (typeof dashboardEndpoints)[Name]['response'] extends infer Shape extends z.ZodType
    ?
        | Promise<
            | { data: z.input<Shape>; meta?: PageMeta | CursorMeta; cookies?: readonly string[] }
            | Extract<HandlerResult, { etag: string } | { stored: string }>
          >
        | (typeof DONE.data extends z.input<Shape> ? Promise<void> : never)
    : Promise<Response>

export function dashboardRoute<Name extends DashboardEndpointName>(
  name: Name,
  handle: (c: SessionContext<(typeof dashboardEndpoints)[Name]['role']>, input: InputOf<Name>) => ResultOf<Name>,
): DashboardRoute {
  return { name, handle: async (c, input) => (await (handle as Handler)(c, input)) ?? DONE }
}

type Handler = (c: SessionContext, input: unknown) => Promise<DashboardResult | Response | undefined>

export const DONE = { data: { done: true } } as const satisfies HandlerResult

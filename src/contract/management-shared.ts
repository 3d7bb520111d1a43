import { z } from 'zod'
import type { DashboardEndpointName } from './dashboard-endpoints.ts'
import { defineEndpoint, type Endpoint, type EndpointDefinition, type EndpointRoute } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { idValue } from './values.ts'

/** Enough for every body of the dashboard, too. */
const MAX_BYTES = 48 * 1024

/** An endpoint for keys with the request of the dashboard that does the same: one handler serves both. */
export type SharedEndpoint = {
  readonly endpoint: Endpoint
  readonly dashboard: DashboardEndpointName
  /** Where the form of the request or the response differs. */
  readonly toDashboard?: (request: object) => object
  readonly toPublic?: (data: never) => object
}

const doneSchema = z.strictObject({ done: z.literal(true).describe('Always true.') }).meta({ id: 'Done' })
export const DONE = { done: true } as const
export const EXAMPLE_ORGANIZATION_ID = 'org_0f246810c52148df3'
export const idParameter = (description: string) => z.object({ id: idValue.describe(description) })
export const bodyOf = <Schema extends z.ZodType>(schema: Schema, maxBytes = MAX_BYTES) => ({ schema, maxBytes })

/** Parameters of all management endpoints but those that list or change organizations themselves. */
export const managementQuery = z.object({
  organization_id: idValue
    .optional()
    .describe('Organization to act for; default: that of the key. Another one needs the right to `operate`.'),
})

type ManagementDefinition<Query extends z.ZodType, Body extends z.ZodType, Params extends z.ZodType> = Omit<
  EndpointDefinition<Query, Body, Params>,
  'tier' | 'tag' | 'response'
> & { readonly response?: z.ZodType }

/** An endpoint for keys with the right to manage, unless the definition names another right; responds `done` by default. */
export function defineManagementEndpoint<
  Body extends z.ZodType,
  Params extends z.ZodType,
  Query extends z.ZodType = typeof managementQuery,
>(
  route: EndpointRoute,
  {
    query = managementQuery as unknown as Query,
    response = envelopeSchema(doneSchema),
    errors = [],
    ...definition
  }: ManagementDefinition<Query, Body, Params>,
) {
  return defineEndpoint<Body, Params, Query>(route, {
    tier: 'public',
    tag: 'Management',
    right: 'manage',
    ...definition,
    query,
    response,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...errors],
  })
}

/** A management endpoint with the request of the dashboard that does the same. */
export function defineSharedEndpoint<
  Body extends z.ZodType,
  Params extends z.ZodType,
  Query extends z.ZodType = typeof managementQuery,
>(
  route: EndpointRoute,
  {
    dashboard,
    toDashboard,
    toPublic,
    ...definition
  }: Omit<SharedEndpoint, 'endpoint'> & ManagementDefinition<Query, Body, Params>,
): SharedEndpoint {
  return { endpoint: defineManagementEndpoint(route, definition), dashboard, toDashboard, toPublic }
}

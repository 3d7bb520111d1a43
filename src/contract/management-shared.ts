import { z } from 'zod'
import { defineEndpoint, type EndpointDefinition, type EndpointRoute } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { idValue } from './values.ts'

/** Enough for the logo of a receipt. */
const MAX_BYTES = 48 * 1024

const doneSchema = z.strictObject({ done: z.literal(true).describe('Always true.') }).meta({ id: 'Done' })
export const doneResponse = envelopeSchema(doneSchema)
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

type ManagementDefinition<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Params extends z.ZodType,
  Response extends z.ZodType,
> = Omit<EndpointDefinition<Query, Body, Params, Response>, 'tag' | 'response' | 'actsForOrganization'> & {
  readonly response?: Response
}

/** An endpoint of the management API, which acts for `organization_id` if its query has it; responds `done` by default. */
export function defineManagementEndpoint<
  const Route extends EndpointRoute,
  Body extends z.ZodType,
  Params extends z.ZodType,
  Response extends z.ZodType = typeof doneResponse,
  Query extends z.ZodType = typeof managementQuery,
>(
  route: Route,
  {
    query = managementQuery as unknown as Query,
    response = doneResponse as unknown as Response,
    errors = [],
    ...definition
  }: ManagementDefinition<Query, Body, Params, Response>,
) {
  return defineEndpoint<Route, Body, Params, Response, Query>(route, {
    tag: 'Management',
    actsForOrganization: query instanceof z.ZodObject && 'organization_id' in query.shape,
    ...definition,
    query,
    response,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...errors],
  })
}

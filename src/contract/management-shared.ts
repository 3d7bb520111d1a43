import { z } from 'zod'
import { idValue } from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'

/** Enough for every body of the dashboard, too. */
const MAX_BYTES = 48 * 1024

export const doneSchema = z.strictObject({ done: z.literal(true).describe('Always true.') }).meta({ id: 'Done' })
export const DONE = { done: true } as const
export const idParameter = (description: string) => z.object({ id: idValue.describe(description) })
export const bodyOf = <Schema extends z.ZodType>(schema: Schema, maxBytes = MAX_BYTES) => ({ schema, maxBytes })

/** Fields that all management endpoints share. */
export const managed = {
  tier: 'public',
  right: 'manage',
  tag: 'Management',
  query: z.object({
    organization_id: idValue
      .optional()
      .describe('Organization to act for; default: that of the key. Another one needs the right to `operate`.'),
  }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
} as const satisfies Partial<Endpoint>

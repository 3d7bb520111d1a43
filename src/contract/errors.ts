import { z } from 'zod'
import { ERROR_CODES, ERRORS, type ErrorCode, errorDocsAnchor } from './error-catalogue.ts'
import { component, secondInstant } from './values.ts'

export { ERROR_CODES, ERRORS, type ErrorCode, errorDocsAnchor }

const errorDetailSchema = component('ErrorDetail', 'One invalid parameter or field.', {
  field: z.string().describe('Name of the invalid parameter or body field.'),
  message: z.string().describe('The value that was sent (shortened) and what is accepted.'),
})

/** A reason as a code with parameters, beside its English message. */
export const reasonFields = {
  reason_code: z
    .string()
    .regex(/^[a-z0-9_]{1,60}$/)
    .optional()
    .describe('Stable code of the exact reason, for pages that write the sentence in their own language.'),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('Values of the reason, by name.'),
}

/** The reason of a failure in the background, beside its message. */
export const failureReason = z
  .strictObject(reasonFields)
  .nullable()
  .describe('The reason of the failure as a code with values.')

const errorFields = {
  code: z.enum(ERROR_CODES).describe('Stable machine-readable code. Use this in programs, not the message.'),
  message: z.string().min(1).describe('Human-readable message. Its wording may change.'),
  ...reasonFields,
  details: z
    .array(errorDetailSchema)
    .min(1)
    .optional()
    .describe('On `VALIDATION_ERROR`: each invalid parameter or field.'),
  nearest_ids: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('On `NOT_FOUND` of a device or variant: the most similar existing ids.'),
}

const itemErrorSchema = z.strictObject(errorFields).describe('Why this item was rejected.').meta({ id: 'ItemError' })

/** One item of a batch response: its result, or why it was rejected. */
export const batchItemSchema = <Result extends z.ZodType>(result: Result, id: string) =>
  z
    .discriminatedUnion('success', [
      z.strictObject({
        index: z.int().min(0).describe('Position in the request, from 0.'),
        success: z.literal(true).describe('The item was processed.'),
        result,
      }),
      z.strictObject({
        index: z.int().min(0).describe('Position in the request, from 0.'),
        success: z.literal(false).describe('The item was rejected.'),
        error: itemErrorSchema,
      }),
    ])
    .describe('The result of one item, or why it was rejected.')
    .meta({ id })

const errorSchema = component('Error', 'Why the request failed.', {
  ...errorFields,
  request_id: z.string().min(1).describe('Id of the request, as in `X-Request-Id`. Quote it when reporting a problem.'),
  docs: z.url().describe('URL of the documentation of this code.'),
})

export const errorEnvelopeSchema = component(
  'ErrorEnvelope',
  'Envelope of every error. The HTTP status is that of the code.',
  {
    success: z.literal(false).describe('Always false on an error.'),
    error: errorSchema,
    timestamp: secondInstant.describe('Time of the response, UTC.'),
  },
)

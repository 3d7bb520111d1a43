import { z } from 'zod'
import { ERROR_CODES, ERRORS, type ErrorCode, errorDocsAnchor } from './error-catalogue.ts'
import { instant } from './values.ts'

export { ERROR_CODES, ERRORS, type ErrorCode, errorDocsAnchor }

const errorDetailSchema = z
  .strictObject({
    field: z.string().describe('Name of the parameter or body field that was refused.'),
    message: z.string().describe('What was sent (cut short) and what is accepted.'),
  })
  .describe('One refused parameter or field.')
  .meta({ id: 'ErrorDetail' })

const errorFields = {
  code: z.enum(ERROR_CODES).describe('Stable, machine-readable reason. Decide on this, not on the message.'),
  message: z.string().min(1).describe('One sentence for a person. Its wording may change.'),
  details: z
    .array(errorDetailSchema)
    .min(1)
    .optional()
    .describe('On `VALIDATION_ERROR`: each refused parameter or field.'),
  nearest_ids: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('On `NOT_FOUND` of a device or variant: ids that are there and look most like the one asked for.'),
}

/** Why one item of a batch was refused; the request as a whole was not, and has its id in a header. */
export const itemErrorSchema = z
  .strictObject(errorFields)
  .describe('Why this item was refused.')
  .meta({ id: 'ItemError' })

const errorSchema = z
  .strictObject({
    ...errorFields,
    request_id: z.string().min(1).describe('Identifier of the request, as in `X-Request-Id`. Quote it in a report.'),
    docs: z.url().describe('Address of the passage of the reference that explains the code.'),
  })
  .describe('Why the request was refused.')
  .meta({ id: 'Error' })

export const errorEnvelopeSchema = z
  .strictObject({
    success: z.literal(false).describe('Always false on an error.'),
    error: errorSchema,
    timestamp: instant.describe('When the answer was made, UTC.'),
  })
  .describe('The envelope of every refusal. The HTTP status is that of the code.')
  .meta({ id: 'ErrorEnvelope' })

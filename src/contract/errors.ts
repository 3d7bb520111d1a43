import { z } from 'zod'
import { component } from './component.ts'
import { instant } from './values.ts'

/** Every refusal of the service: its HTTP status, when it happens, and the sentence callers read. */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'A parameter or the body is missing or not of the accepted form. `error.details` names each of them.',
    message: 'variant_id is missing; expected the id of a variant, as /api/variants lists them.',
  },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The API key is missing, malformed, unknown, expired or revoked. The answer never says which.',
    message: 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".',
  },
  FORBIDDEN: {
    status: 403,
    meaning: "The key is good but its tier is below the endpoint's.",
    message: 'This endpoint needs a key of the Enterprise tier and yours is Public. Upgrade to Enterprise to use it.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'The path, or the thing asked for, does not exist.',
    message: 'Variant apple-iphone-13-64gb-midnight was not found.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but not for this method. `Allow` lists the methods it takes.',
    message: 'This path takes GET, HEAD only.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The request body is larger than the endpoint takes.',
    message: 'The body is larger than 65536 bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The request body is not declared as `application/json`.',
    message: 'The body must be JSON with Content-Type: application/json; "text/plain" was sent.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning: "The limit of the key's tier is used up. `Retry-After` says in how many seconds the next request passes.",
    message: 'The limit of 300 requests per minute of a Public key is reached. Try again in 12 seconds.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'A fault of ours. Quote the `X-Request-Id` when you report it.',
    message: 'Something went wrong on our side. Try again; if it stays, quote the X-Request-Id.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'The store cannot be reached just now. Nothing was recorded; retry after `Retry-After` seconds.',
    message: 'The store cannot be reached right now. Try again shortly.',
  },
} as const satisfies Record<string, { status: number; meaning: string; message: string }>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

export const errorDetailSchema = component(
  'ErrorDetail',
  z
    .strictObject({
      field: z.string().describe('Name of the parameter or body field that was refused.'),
      message: z.string().describe('What was sent (cut short) and what is accepted.'),
    })
    .describe('One refused parameter or field.'),
)

export const errorSchema = component(
  'Error',
  z
    .strictObject({
      code: z.enum(ERROR_CODES).describe('Stable, machine-readable reason. Decide on this, not on the message.'),
      message: z.string().min(1).describe('One sentence for a person. Its wording may change.'),
      details: z
        .array(errorDetailSchema)
        .min(1)
        .optional()
        .describe('On `VALIDATION_ERROR`: each refused parameter or field.'),
    })
    .describe('Why the request was refused.'),
)

export const errorEnvelopeSchema = component(
  'ErrorEnvelope',
  z
    .strictObject({
      success: z.literal(false).describe('Always false on an error.'),
      error: errorSchema,
      timestamp: instant.describe('When the answer was made, UTC.'),
    })
    .describe('The envelope of every refusal. The HTTP status is that of the code.'),
)

export type ErrorWire = z.infer<typeof errorSchema>
export type ErrorEnvelopeWire = z.infer<typeof errorEnvelopeSchema>

import type { z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameterObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { appraisalRequestSchema } from './appraisal-request.ts'
import { offersSpreadsheet, XLSX_TYPE } from './csv-format.ts'
import { type Endpoint, type EndpointExample, endpoints } from './endpoints.ts'
import { ERRORS, type ErrorCode, errorDocsAnchor, errorEnvelopeSchema } from './errors.ts'
import { eventSchemas } from './events.ts'
import { EXAMPLE_RESPONSE_TIME } from './examples.ts'
import { lookupRequestSchema } from './lookups.ts'
import { observationRowSchema } from './observations.ts'
import {
  AUTHENTICATED_HEADERS,
  EXAMPLE_REQUEST_ID,
  type Json,
  type JsonObject,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type ResponseHeader,
  refHeaders,
  responseHeadersFor,
} from './openapi-headers.ts'
import { outcomeRowSchema } from './outcome.ts'
import { PAGE_LIMIT, pageMeta } from './paging.ts'
import { KEY_PREFIXES, TIER_NAMES, TIERS } from './tiers.ts'

export type { Json, JsonObject }

export type OpenApiOptions = { readonly baseUrl: string; readonly version: string }

const TAGS: readonly { name: Endpoint['tag']; description: string }[] = [
  { name: 'Registry', description: 'Devices, their variants and condition grades. Tier Public.' },
  { name: 'Pricing', description: 'Buyback and resale prices of a variant. Tier Paid.' },
  { name: 'Repairs', description: 'Common repairs, their cost and return. Tier Paid.' },
  { name: 'Identifier risk', description: 'Risk check of a single device by its identifier. Tier Enterprise.' },
  { name: 'Events', description: 'Watches on identifiers and prices, and the resulting events. Tier Enterprise.' },
  { name: 'Appraisals', description: 'From a device in hand to a decision and the highest offer. Tier Paid.' },
  { name: 'Usage', description: 'Requests of your organization and its quota. Tier Public.' },
  {
    name: 'Management',
    description:
      'Administration by API key instead of in the dashboard. A key with the right to `manage` acts for its own organization, one with the right to `operate` for every organization. Tier Public.',
  },
]

const prefixes = TIERS.map((tier) => `\`${KEY_PREFIXES[tier]}\` ${TIER_NAMES[tier]}`).join(', ')

const DESCRIPTION = `What a used device is, what it is worth, what repairs cost, and whether it is safe to buy.

**Envelope.** Every response except a CSV export is JSON: \`success\`, then \`data\` (and \`meta\` on lists) or \`error\`, and \`timestamp\`. Clients must ignore unknown fields: new fields may be added. What changes or goes is named in the changelog; an operation that goes is \`deprecated\` here before, and its responses have the headers \`Deprecation\` and \`Sunset\` with the days.

**Authentication.** Send \`Authorization: Bearer <API_KEY>\`. The prefix is the tier: ${prefixes}. A higher tier includes every endpoint of the lower ones.

**Errors.** Requests are checked in this order: unknown path 404, wrong method 405, key 401, rate limit 429, tier 403, body 413 or 415, parameters 400, unknown id 404.

**Parameters.** Unknown parameters and fields of a body are ignored and listed in \`meta.ignored_parameters\`. An empty parameter counts as absent; of repeated ones the first counts. HEAD works wherever GET does.

**Provenance.** Unknown is never clean, estimated is never observed, sample is never real: every response states its source, age and confidence.`

/**
 * Our tests check responses strictly, but the document allows additional fields, because later versions may add some.
 * Leaves out patterns that only repeat a format, and types of names, which are always strings.
 */
const overrideSchema: CreateDocumentOptions['override'] = ({ jsonSchema }) => {
  const [first, second, ...more] = jsonSchema.anyOf ?? []
  if (typeof first?.type === 'string' && second?.type === 'null' && more.length === 0) {
    const description = jsonSchema.description ?? first.description
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, first, { type: [first.type, 'null'] })
    if (description) jsonSchema.description = description
    if (Array.isArray(first.enum)) jsonSchema.enum = [...first.enum, null]
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  delete jsonSchema.propertyNames
  // Many validators compile patterns without the `u` flag, which these need.
  if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern
}

/**
 * Repairs what zod-openapi leaves in schemas: keywords beside a `$ref` other than its description would be applied on top of
 * the referenced schema (an `additionalProperties: false` there forbids every field), and a `pattern` on a number means nothing.
 */
function cleanSchemas(node: Json): void {
  if (node === null || typeof node !== 'object') return
  if (Array.isArray(node)) {
    for (const item of node) cleanSchemas(item)
    return
  }
  if (typeof node.$ref === 'string') {
    for (const keyword of Object.keys(node)) if (keyword !== '$ref' && keyword !== 'description') delete node[keyword]
  }
  if (node.type === 'integer' || node.type === 'number') delete node.pattern
  for (const [name, child] of Object.entries(node)) {
    if (name !== 'example' && name !== 'examples') cleanSchemas(child)
  }
}

const pascal = (id: string) => id.charAt(0).toUpperCase() + id.slice(1)

/** Filters whose names only the catalogue knows; the declared parameters come from the query's schema. */
function attributeParameters({ attributeQuery }: Endpoint): JsonObject[] {
  if (!attributeQuery) return []
  return [
    {
      name: attributeQuery.name,
      in: 'query',
      required: false,
      description: attributeQuery.description,
      style: 'form',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
  ]
}

/** The example response: its data in the envelope, with `meta` for a list; of a file, its text. */
export function exampleResponse(endpoint: Endpoint, example: EndpointExample, baseUrl: string): Json {
  if (endpoint.mediaType === 'text/csv') return String(example.data)
  const data = JSON.parse(JSON.stringify(example.data).replaceAll('{base_url}', baseUrl)) as Json
  const limit = Number(example.query?.limit ?? PAGE_LIMIT.default)
  const total = Array.isArray(data) ? data.length : 0
  const response: JsonObject = { success: true, data }
  if (endpoint.paged) response.meta = pageMeta(1, limit, total)
  if (example.meta) response.meta = example.meta
  return { ...response, timestamp: EXAMPLE_RESPONSE_TIME }
}

function examplesOf(endpoint: Endpoint, of: (example: EndpointExample) => Json) {
  return Object.fromEntries(
    endpoint.examples.map((example, i) => [`example${i + 1}`, { summary: example.summary, value: of(example) }]),
  )
}

function okResponse(endpoint: Endpoint, baseUrl: string): ZodOpenApiResponseObject {
  const names: ResponseHeader[] = [...AUTHENTICATED_HEADERS]
  if (endpoint.cacheable) names.push('ETag')
  if (endpoint.requestHeaders.includes('Idempotency-Key')) names.push('Idempotency-Replayed')
  return {
    description: endpoint.paged ? 'One page of records.' : 'Success.',
    headers: refHeaders(names),
    content: {
      [endpoint.mediaType]: {
        schema: endpoint.response.meta({ id: `${pascal(endpoint.id)}Response` }),
        examples: examplesOf(endpoint, (example) => exampleResponse(endpoint, example, baseUrl)),
      },
      ...(endpoint.csvPermission
        ? {
            'text/csv': {
              schema: { type: 'string' as const, description: 'All matching records, with `format=csv`.' },
            },
          }
        : {}),
      ...(offersSpreadsheet(endpoint.query)
        ? {
            [XLSX_TYPE]: {
              schema: {
                type: 'string' as const,
                format: 'binary',
                description: 'All matching records, with `format=xlsx`.',
              },
            },
          }
        : {}),
    },
  }
}

const responseName = (code: ErrorCode) =>
  code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function errorResponse(code: ErrorCode, baseUrl: string): ZodOpenApiResponseObject {
  const { status, meaning, message }: { status: number; meaning: string; message: string } = ERRORS[code]
  const details: JsonObject = code === 'VALIDATION_ERROR' ? { details: [{ field: 'variant_id', message }] } : {}
  return {
    description: meaning,
    headers: refHeaders(responseHeadersFor(status)),
    content: {
      'application/json': {
        schema: errorEnvelopeSchema,
        example: {
          success: false,
          error: {
            code,
            message,
            ...details,
            request_id: EXAMPLE_REQUEST_ID,
            docs: `${baseUrl}/docs#${errorDocsAnchor(code)}`,
          },
          timestamp: EXAMPLE_RESPONSE_TIME,
        },
      },
    },
  }
}

function tierSentence({ body, right }: Endpoint): string {
  const further = body?.tierFor ? `; ${body.tierFor.says}` : ''
  return right ? `${further}, with the right to **${right}**` : further
}

const byStatus = (a: ErrorCode, b: ErrorCode) => ERRORS[a].status - ERRORS[b].status

function operation(endpoint: Endpoint, baseUrl: string): ZodOpenApiOperationObject {
  const responses: ZodOpenApiResponsesObject = { '200': okResponse(endpoint, baseUrl) }
  if (endpoint.cacheable) {
    responses['304'] = {
      description: 'Unchanged since the response with the sent `ETag`. No body.',
      headers: refHeaders([...AUTHENTICATED_HEADERS, 'ETag']),
    }
  }
  for (const code of [...new Set([...endpoint.errors, 'METHOD_NOT_ALLOWED' as const])].sort(byStatus)) {
    responses[`${ERRORS[code].status}`] = { $ref: `#/components/responses/${responseName(code)}` }
  }
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nTier: **${TIER_NAMES[endpoint.tier]}**${tierSentence(endpoint)}.`,
    tags: [endpoint.tag],
    'x-tier': endpoint.tier,
    ...(endpoint.right ? { 'x-right': endpoint.right } : {}),
    ...(endpoint.deprecation ? { deprecated: true } : {}),
    ...(endpoint.isIdempotent ? { 'x-idempotent': true } : {}),
    security: [{ apiKey: [] }],
    requestParams: {
      query: endpoint.query as z.ZodObject,
      ...(endpoint.params ? { path: endpoint.params as z.ZodObject } : {}),
    },
    parameters: [
      ...(attributeParameters(endpoint) as unknown as ZodOpenApiParameterObject[]),
      ...endpoint.requestHeaders.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(endpoint.body
      ? {
          requestBody: {
            description: `JSON of at most ${endpoint.body.maxBytes / 1024} KiB.`,
            required: true,
            content: {
              'application/json': {
                schema: endpoint.body.schema,
                examples: examplesOf(endpoint, (example) => (example.body ?? null) as Json),
              },
            },
          },
        }
      : {}),
    responses,
  }
}

const WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'Event id. The same for every attempt: use it to ignore repeated deliveries.',
  'webhook-timestamp': 'Time of the attempt in epoch seconds. Reject deliveries that are more than five minutes old.',
  'webhook-signature':
    'Signatures by Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, separated by spaces while a secret is being rotated.',
}

/** Requests of the service to webhook endpoints, by Standard Webhooks: one operation per event type. */
function webhookOperations(): Record<string, { post: ZodOpenApiOperationObject }> {
  return Object.fromEntries(
    eventSchemas.map((schema) => {
      const type = schema.shape.type.value
      const id = `receive${String(schema.meta()?.id)}`
      const post: ZodOpenApiOperationObject = {
        operationId: id,
        summary: `Event ${type}`,
        description: `${schema.description} Sent to your webhook endpoints. Anything but a 2xx response within 15 seconds is retried for three days.`,
        tags: ['Events'],
        security: [],
        parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
          name,
          in: 'header' as const,
          required: true,
          description,
          schema: { type: 'string' as const },
        })),
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Delivered.' },
          '4XX': { description: 'Not delivered; the service tries again.' },
        },
      }
      return [type, { post }]
    }),
  )
}

/** Adds the values of the examples to the parameters. */
function attachExamples(document: JsonObject): void {
  for (const endpoint of endpoints) {
    const item = (document.paths as { [path: string]: { [method: string]: JsonObject } })[endpoint.path]
    const parameters = (item?.[endpoint.method.toLowerCase()]?.parameters ?? []) as JsonObject[]
    for (const parameter of parameters) {
      const name = String(parameter.name)
      const sentIn = ({ query, params }: EndpointExample) => (parameter.in === 'path' ? params : query)?.[name]
      const sent = endpoint.examples.map(sentIn).find((value) => value !== undefined)
      if (sent === undefined) continue
      parameter.example = (parameter.schema as JsonObject).type === 'integer' ? Number(sent) : sent
    }
  }
}

/** The OpenAPI 3.1 document of the whole service. The same options always give the same bytes. */
export function openApiDocument({ baseUrl, version }: OpenApiOptions): JsonObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'
    paths[endpoint.path] = { ...paths[endpoint.path], [method]: operation(endpoint, baseUrl) }
  }
  const codes = [...new Set<ErrorCode>(['METHOD_NOT_ALLOWED', ...endpoints.flatMap(({ errors }) => errors)])].sort(
    byStatus,
  )
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Device Intelligence Service API',
        version,
        description: DESCRIPTION,
        contact: { name: 'The operator of this service', url: baseUrl },
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl, description: 'This service.' }],
      security: [{ apiKey: [] }],
      tags: TAGS.map((tag) => ({ ...tag })),
      paths,
      webhooks: webhookOperations(),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: `An API key of your organization. Its prefix is the tier: ${prefixes}.`,
          },
        },
        parameters: REQUEST_HEADERS as unknown as Record<string, ZodOpenApiParameterObject>,
        headers: RESPONSE_HEADERS as unknown as ZodOpenApiComponentsObject['headers'],
        responses: Object.fromEntries(codes.map((code) => [responseName(code), errorResponse(code, baseUrl)])),
        // Referenced only by the items of a batch, which `batchItems` documents by hand.
        schemas: {
          IMEILookupRequest: lookupRequestSchema,
          AppraisalRequest: appraisalRequestSchema,
          ObservationRow: observationRowSchema,
          OutcomeRow: outcomeRowSchema,
        },
      },
    },
    { override: overrideSchema },
  ) as unknown as JsonObject
  cleanSchemas(document)
  attachExamples(document)
  return document
}

export const openApiJson = (options: OpenApiOptions) => JSON.stringify(openApiDocument(options))

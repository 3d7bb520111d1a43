import { expect } from 'bun:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { XLSX_TYPE } from '../../src/contract/csv-format.ts'
import { endpoints, findEndpoint } from '../../src/contract/endpoints.ts'
import { ERRORS, errorEnvelopeSchema } from '../../src/contract/errors.ts'
import { type JsonObject, openApiDocument } from '../../src/contract/openapi.ts'
import { responseHeadersFor } from '../../src/contract/openapi-headers.ts'
import { matchPath } from '../../src/contract/path-template.ts'
import { memoizeWeak } from '../../src/lib/memoize.ts'

const FILE_TYPES: Readonly<Record<string, string>> = { csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE }
const formatOf = (path: string) => new URL(path, 'http://service').searchParams.get('format') ?? ''

/**
 * Checks that the contract allows this response of the endpoint: envelope, every field and no other, the rules between fields,
 * the headers promised with the status, and the schema of the published OpenAPI document. `path` may carry a query. Throws
 * with every deviation.
 */
export function expectConforms(method: string, path: string, status: number, headers: Headers, body: unknown): void {
  const where = `${method} ${path} → ${status}`
  const pathname = path.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '')
  const endpoint = findEndpoint(method, pathname)
  const wrong: string[] = []

  for (const name of responseHeadersFor(status)) {
    if (headers.get(name) === null) wrong.push(`header ${name} is missing`)
  }
  if (status === 304) {
    if (!endpoint?.cacheable) wrong.push('304 is not in the contract of this endpoint')
    if (headers.get('ETag') === null) wrong.push('header ETag is missing')
    if (body !== undefined && body !== null && body !== '') wrong.push('304 has a body')
  } else if (status === 200 && endpoint?.csvPermission && FILE_TYPES[formatOf(path)]) {
    if (headers.get('Content-Type') !== FILE_TYPES[formatOf(path)]) wrong.push('the file has another type')
    if (!headers.get('Content-Disposition')?.startsWith('attachment; filename="')) wrong.push('the file has no name')
  } else {
    const mediaType = status === 200 ? (endpoint?.mediaType ?? 'application/json') : 'application/json'
    const contentType = headers.get('Content-Type') ?? ''
    if (contentType.split(';')[0] !== mediaType) wrong.push(`Content-Type is ${contentType}, not ${mediaType}`)
    if (method !== 'HEAD')
      wrong.push(
        ...(status === 200 ? deviations(endpoint, body) : errorDeviations(endpoint, pathname, status, body)),
        ...publishedDeviations(endpoint, status, body),
      )
    if (status === 200 && endpoint?.cacheable && !/^"[^"]+"$/.test(headers.get('ETag') ?? ''))
      wrong.push('strong ETag is missing')
  }
  expect({ where, wrong }).toEqual({ where, wrong: [] })
}

function deviations(endpoint: ReturnType<typeof findEndpoint>, body: unknown): string[] {
  if (!endpoint) return ['200 of an endpoint that is not in the contract']
  const parsed = endpoint.response.safeParse(body)
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'response'}: ${issue.message}`)
}

function errorDeviations(
  endpoint: ReturnType<typeof findEndpoint>,
  pathname: string,
  status: number,
  body: unknown,
): string[] {
  const parsed = errorEnvelopeSchema.safeParse(body)
  if (!parsed.success)
    return parsed.error.issues.map((issue) => `${issue.path.join('.') || 'response'}: ${issue.message}`)
  const { code } = parsed.data.error
  const wrong: string[] = []
  if (ERRORS[code].status !== status) wrong.push(`code ${code} belongs to status ${ERRORS[code].status}`)
  if ((code === 'VALIDATION_ERROR') !== (parsed.data.error.details !== undefined))
    wrong.push('error.details belongs to VALIDATION_ERROR only')
  const pathExists = () => endpoints.some(({ path }) => matchPath(path, pathname))
  // A request rejected before routing has no endpoint with a list of errors.
  const allowed = endpoint ? endpoint.errors : pathExists() ? ['METHOD_NOT_ALLOWED'] : ['NOT_FOUND']
  const early = ['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']
  if (![...allowed, ...early].includes(code)) wrong.push(`${code} is not in the contract of this endpoint`)
  return wrong
}

const published = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
addFormats(ajv)
ajv.addSchema({ $id: 'openapi', components: published.components })
const validators = new Map<string, ValidateFunction>()

/** Deviations of the response from the published OpenAPI document. */
function publishedDeviations(endpoint: ReturnType<typeof findEndpoint>, status: number, body: unknown): string[] {
  const responses = endpoint ? publishedResponses(endpoint) : {}
  const name =
    responses[status] ??
    // Rejected before an endpoint was found, so no operation lists it.
    'ErrorEnvelope'
  let validate = validators.get(name)
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
    validators.set(name, validate)
  }
  if (validate(body)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `OpenAPI: ${instancePath || 'response'} ${message}`)
}

/** Names of the response schemas of an endpoint, by status. */
const publishedResponses = memoizeWeak(({ method, path }: { method: string; path: string }): Record<string, string> => {
  const paths = published.paths as Record<string, Record<string, { responses: Record<string, JsonObject> }>>
  const { responses: shared } = published.components as { responses: Record<string, JsonObject> }
  const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {}
  const nameOf = (ref: unknown) => String(ref).split('/').at(-1) ?? ''
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      const { content } = (response.$ref ? shared[nameOf(response.$ref)] : response) as { content?: JsonObject }
      const media = Object.values(content ?? {})[0] as { schema: JsonObject } | undefined
      return media ? [[status, nameOf(media.schema.$ref)]] : []
    }),
  )
})

import { expect } from 'bun:test'
import { endpoints, findEndpoint } from '../../src/contract/endpoints.ts'
import { ERRORS, errorEnvelopeSchema } from '../../src/contract/errors.ts'
import { responseHeadersFor } from '../../src/contract/openapi.ts'
import { matchPath } from '../../src/contract/path-template.ts'

/**
 * The answer is one that the contract allows for this endpoint and status: envelope, every field and no other, the
 * rules between fields, and the headers promised with the status. `path` may carry a query. Throws with every
 * deviation; returns nothing worth keeping.
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
  } else {
    if (!/^application\/json(?:;|$)/.test(headers.get('Content-Type') ?? '')) wrong.push('Content-Type is not JSON')
    if (method !== 'HEAD')
      wrong.push(...(status === 200 ? deviations(endpoint, body) : refusal(endpoint, pathname, status, body)))
    if (status === 200 && endpoint?.cacheable && !/^"[^"]+"$/.test(headers.get('ETag') ?? ''))
      wrong.push('strong ETag is missing')
  }
  expect({ where, wrong }).toEqual({ where, wrong: [] })
}

function deviations(endpoint: ReturnType<typeof findEndpoint>, body: unknown): string[] {
  if (!endpoint) return ['200 of an endpoint that the contract does not know']
  const read = endpoint.response.safeParse(body)
  return read.success ? [] : read.error.issues.map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`)
}

function refusal(endpoint: ReturnType<typeof findEndpoint>, pathname: string, status: number, body: unknown): string[] {
  const read = errorEnvelopeSchema.safeParse(body)
  if (!read.success) return read.error.issues.map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`)
  const { code } = read.data.error
  const wrong: string[] = []
  if (ERRORS[code].status !== status) wrong.push(`code ${code} belongs to status ${ERRORS[code].status}`)
  if ((code === 'VALIDATION_ERROR') !== (read.data.error.details !== undefined))
    wrong.push('error.details stands with VALIDATION_ERROR and with nothing else')
  const known = endpoints.some((one) => matchPath(one.path, pathname))
  // What is refused before an endpoint is found has no endpoint whose list could name it.
  const allowed = endpoint ? endpoint.errors : known ? ['METHOD_NOT_ALLOWED'] : ['NOT_FOUND']
  const early = ['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']
  if (![...allowed, ...early].includes(code)) wrong.push(`${code} is not in the contract of this endpoint`)
  return wrong
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpoints, examplePath, findEndpoint } from '../../src/contract/endpoints.ts'
import { TIERS, type Tier } from '../../src/contract/tiers.ts'
import { openConnection, type RawResponse, readResponses } from '../support/raw-http.ts'
import { startOnSqlite, type TestService } from '../support/service.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const CALLERS = [undefined, ...TIERS] as const
const PATHS = [...new Set(endpoints.map(examplePath))]

/** Other spellings of a path. None may reach an endpoint that the path itself would not. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'doubled slash': (path) => `/${path}`,
  'slash doubled inside': (path) => path.replace('/api/', '/api//'),
  'upper case': (path) => path.toUpperCase(),
  'one capital': (path) => path.replace('/api', '/Api'),
  'slash at the end': (path) => `${path}/`,
  'encoded slash': (path) => path.replace('/api/', '/api%2f'),
  'encoded letter': (path) => path.replace('a', '%61'),
  'encoded twice': (path) => path.replace('a', '%2561'),
  'dot segment': (path) => path.replace('/api/', '/api/./'),
  'detour through a public path': (path) => `/healthz/..${path}`,
  'encoded detour': (path) => `/healthz/%2e%2e${path}`,
  'matrix parameter': (path) => `${path};a=b`,
  'NUL at the end': (path) => `${path}%00`,
  backslash: (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  'file ending': (path) => `${path}.json`,
  'absolute form': (path) => `http://other.example${path}`,
}

describe('tier × endpoint × spelling × method', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startOnSqlite()
  })
  afterAll(() => service.stop())

  /** Sent as written: a client library would normalise the path. */
  async function send(
    method: string,
    target: string,
    tier: Tier | undefined,
    more: string[] = [],
  ): Promise<RawResponse> {
    const key = tier ? [`Authorization: Bearer ${service.keys[tier]}`] : []
    const body = method === 'POST' || method === 'PATCH' ? '{}' : ''
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: a', 'Connection: close', ...key, ...more]
    if (body) lines.push('Content-Type: application/json', `Content-Length: ${body.length}`)
    const connection = openConnection(service.url, (socket) => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`))
    if (method === 'HEAD') {
      await connection.closed
      const head = connection.received().split('\r\n\r\n')[0] ?? ''
      return { status: Number(head.slice(9, 12)), head, body: '' }
    }
    await connection.closed
    return readResponses(connection.received())[0] ?? { status: 0, head: '', body: connection.received() }
  }

  /** Expected error status; undefined if the request reaches its endpoint. */
  function expectedError(path: string, method: string, caller: Tier | undefined): number | undefined {
    const endpoint = findEndpoint(method, path)
    if (!endpoint) return 405
    if (!caller) return 401
    // No caller has a right that operators grant separately from the tier.
    return endpoint.right || TIERS.indexOf(caller) < TIERS.indexOf(endpoint.tier) ? 403 : undefined
  }

  for (const path of PATHS) {
    test(`${path}: every method and caller gets the listed status`, async () => {
      for (const method of METHODS) {
        for (const caller of CALLERS) {
          for (const trick of [
            [],
            ['X-HTTP-Method-Override: POST', 'X-Method-Override: GET', 'X-Original-URL: /healthz'],
          ]) {
            const response = await send(method, path, caller, trick)
            const where = `${method} ${path} as ${caller ?? 'nobody'} ${trick.length ? 'with override headers' : ''}`
            const expected = expectedError(path, method, caller)
            if (expected !== undefined) expect({ where, status: response.status }).toEqual({ where, status: expected })
            else expect({ where, passed: [200, 400, 404].includes(response.status) }).toEqual({ where, passed: true })
            if (response.status === 405) expect(response.head).toMatch(/^allow: /im)
          }
        }
      }
    })

    test(`${path}: no other spelling bypasses the checks`, async () => {
      for (const [name, spell] of Object.entries(SPELLINGS)) {
        for (const caller of CALLERS) {
          for (const method of ['GET', 'POST']) {
            const { status } = await send(method, spell(path), caller)
            // If normalised to the path itself, it must be rejected like it; otherwise it is not found.
            const asItself = expectedError(path, method, caller)
            const allowed = [404, 400, ...(asItself === undefined ? [200] : [asItself])]
            const where = `${name} ${method} as ${caller ?? 'nobody'}: ${status}`
            expect({ where, held: allowed.includes(status) }).toEqual({ where, held: true })
          }
        }
      }
    })
  }
})

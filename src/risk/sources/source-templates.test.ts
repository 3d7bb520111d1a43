import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInvalidIdentifier } from '../../identifier/identifier.ts'
import { parseIdentifier } from '../../identifier/identifier-parser.ts'
import { parseFeed } from '../../import/feeds/feed-settings.ts'
import { IMPORTERS } from '../../import/importers.ts'
import type { SourceFacts } from '../source-facts.ts'
import { memorySourceCache } from './memory-source-cache.ts'
import { providerSource } from './provider-service.ts'
import { parseProvider } from './provider-settings.ts'
import carrierRecordings from './recordings/carrier-oauth.json'
import registryRecordings from './recordings/registry-check.json'

/** Tests the templates of docs/risk.md with the responses in `recordings`. */
const template = (name: string) => readFileSync(join(import.meta.dir, '../../../docs/examples/sources', name), 'utf8')
const IMEI = '356938035643809'
const servers: Bun.Server<undefined>[] = []
afterAll(() => {
  for (const server of servers) server.stop(true)
})

type RecordedResponse = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly text?: string
} | null
type Recording = {
  readonly name: string
  /** Null: the source does not respond in time. */
  readonly response: RecordedResponse
  readonly result?: { readonly facts: Partial<SourceFacts> }
  readonly failure?: string
}

function replay(response: RecordedResponse): Response | Promise<Response> {
  if (response === null) return new Promise<Response>(() => {})
  const { status, headers, body, text = JSON.stringify(body) } = response
  return new Response(text, { status, headers })
}
const token = () => Response.json({ access_token: 't1', token_type: 'Bearer', expires_in: 3600 })
const isToken = (path: string) => path === '/oauth2/token'

type Exchange = { readonly path: string; readonly authorization: string | null; readonly body: string }

/** The source of a template, with its addresses replaced by those of the test server. */
function sourceOf(
  name: string,
  respond: (path: string, call: number) => Response | Promise<Response>,
  now: () => number = Date.now,
) {
  const requests: Exchange[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      requests.push({ path, authorization: request.headers.get('authorization'), body: await request.text() })
      return respond(path, requests.length)
    },
  })
  servers.push(server)
  const text = template(name)
    .replaceAll(/https:\/\/[a-z.]+\.example/g, `http://127.0.0.1:${server.port}`)
    .replace(`\${REGISTRY_API_KEY}`, 'k1')
    .replace(`\${CARRIER_CLIENT_SECRET}`, 's&1')
  const { provider: settings, mistakes } = parseProvider(JSON.parse(text).sources[0])
  expect(mistakes).toEqual([])
  if (!settings) throw new Error(`${name} has no source`)
  const failures: string[] = []
  const cache = memorySourceCache({ read: async () => null, write: () => {} })
  const uncached = { ...settings, cache_minutes: 0, stale_minutes: 0, retries: 0, timeout_ms: 1_000 }
  const source = providerSource(uncached, { cache, now, onFailure: ({ reason }) => failures.push(reason) })
  const identifier = parseIdentifier(IMEI)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return { ask: () => source.lookUp(identifier, now()), requests, failures }
}

for (const [name, recordings] of [
  ['registry-check', registryRecordings],
  ['carrier-oauth', carrierRecordings],
] as const) {
  describe(`recorded responses: ${name}`, () => {
    for (const { name: title, response, result, failure } of recordings as readonly Recording[]) {
      test(title, async () => {
        const { ask, failures } = sourceOf(`${name}.json`, (path) => (isToken(path) ? token() : replay(response)))
        const sourceResult = await ask()
        if (result) expect(sourceResult).toMatchObject(result)
        else expect(sourceResult).toEqual({ state: 'unavailable', source: expect.any(String) })
        expect(failures.join()).toStartWith(failure ?? '')
        // Only the registry clears a blacklist, and only with the value that means so.
        expect(sourceResult && 'clearances' in sourceResult).toBe(result?.facts.blacklist === 'clean')
      })
    }
  })
}

test('the registry is queried with the identifier and the key from the environment', async () => {
  const { ask, requests } = sourceOf('registry-check.json', () => replay(registryRecordings[0]?.response as never))
  await ask()
  expect(requests).toMatchObject([{ path: '/v1/checks', body: JSON.stringify({ imei: IMEI }) }])
})

describe('carrier with OAuth client credentials', () => {
  const lock = () => Response.json({ imei: IMEI, simLock: { status: 'LOCKED', carrier: 'Alpha Mobile' } })

  test('one token serves several checks until shortly before it expires', async () => {
    let now = Date.now()
    const carrier = sourceOf(
      'carrier-oauth.json',
      (path) => (isToken(path) ? token() : lock()),
      () => now,
    )
    expect(await carrier.ask()).toMatchObject({ facts: { carrierLock: 'locked', carrierName: 'Alpha Mobile' } })
    await carrier.ask()
    now += 3_580_000
    await carrier.ask()
    const paths = carrier.requests.map(({ path }) => (isToken(path) ? 'token' : 'check'))
    expect(paths).toEqual(['token', 'check', 'check', 'token', 'check'])
    const [first, second] = carrier.requests
    expect(first?.body).toBe('grant_type=client_credentials&scope=device.read')
    expect(first?.authorization).toBe(`Basic ${btoa('device-intelligence:s%261')}`)
    expect(second?.authorization).toBe('Bearer t1')
  })

  test('a token that the carrier rejects is replaced at the next check', async () => {
    const responses = [token(), new Response('', { status: 401 }), token(), lock()]
    const carrier = sourceOf('carrier-oauth.json', (_, call) => responses[call - 1] ?? lock())
    expect(await carrier.ask()).toMatchObject({ state: 'unavailable' })
    expect(await carrier.ask()).toMatchObject({ facts: { carrierLock: 'locked' } })
    expect(carrier.failures).toEqual(['status 401'])
  })

  test('without a token the source is unavailable, and the reason names no secret', async () => {
    const carrier = sourceOf('carrier-oauth.json', () => new Response('{"error":"invalid_client"}', { status: 401 }))
    expect(await carrier.ask()).toMatchObject({ state: 'unavailable' })
    expect(carrier.failures).toEqual(['no token: status 401'])
  })
})

test('the national list is a valid feed', () => {
  const { feeds } = JSON.parse(template('national-list.json').replace(`\${NATIONAL_LIST_TOKEN}`, 't'))
  expect(feeds.map((feed: object) => parseFeed({ ...feed }, { formats: IMPORTERS, now: Date.now() }))).toMatchObject([
    { feed: { format: 'lists', options: { list: 'national', clears: 'yes', area: 'LT' } }, errors: [] },
  ])
})

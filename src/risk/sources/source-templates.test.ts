import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFeedFile } from '../../import/feeds/feed-settings.ts'
import { IMPORTERS } from '../../import/importers.ts'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { memorySourceCache } from './memory-source-cache.ts'
import { providerSource } from './provider-service.ts'
import { parseProviders } from './provider-settings.ts'

/** The templates of docs/identifier-sources.md against responses of the shape they are for. */
const template = (name: string) => readFileSync(join(import.meta.dir, '../../../docs/examples/sources', name), 'utf8')
const IMEI = '356938035643809'
const servers: Bun.Server<undefined>[] = []
afterAll(() => {
  for (const server of servers) server.stop(true)
})

type Exchange = { readonly path: string; readonly authorization: string | null; readonly body: string }

/** The source of a template with its addresses moved to a server of the test. */
function sourceOf(name: string, respond: (path: string, call: number) => Response, now: () => number = Date.now) {
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
  const text = template(name).replaceAll(/https:\/\/[a-z.]+\.example/g, `http://127.0.0.1:${server.port}`)
  const { providers, mistakes } = parseProviders(text, { REGISTRY_API_KEY: 'k1', CARRIER_CLIENT_SECRET: 's&1' })
  expect(mistakes).toEqual([])
  const [settings] = providers
  if (!settings) throw new Error(`${name} has no source`)
  const failures: string[] = []
  const cache = memorySourceCache({ read: async () => null, write: () => {} })
  const uncached = { ...settings, cache_minutes: 0, stale_minutes: 0, retries: 0 }
  const source = providerSource(uncached, { cache, now, onFailure: ({ reason }) => failures.push(reason) })
  const identifier = parseIdentifier(IMEI)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return { ask: () => source.lookUp(identifier, now()), requests, failures }
}

describe('registry check', () => {
  const check = (result: string, more: object = {}) =>
    Response.json({ checkId: 'chk_1', check: { imei: IMEI, result, performedAt: '2026-11-01T10:00:00Z', ...more } })

  test('an identifier that is not listed is cleared by the registry', async () => {
    const { ask, requests } = sourceOf('registry-check.json', () => check('NOT_LISTED'))
    expect(await ask()).toMatchObject({
      facts: { blacklist: 'clean', gsma: 'clean', findings: [] },
      clearances: [{ source: 'device-registry', list: 'Device registry', area: 'worldwide' }],
    })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ imei: IMEI })
  })

  test('a stolen one is blacklisted with the time of the check', async () => {
    const { ask } = sourceOf('registry-check.json', () => check('LISTED', { reasons: ['STOLEN'] }))
    expect(await ask()).toMatchObject({
      facts: {
        blacklist: 'blacklisted',
        findings: [{ code: 'reported_lost_stolen', observedAt: Date.parse('2026-11-01T10:00:00Z') }],
      },
    })
  })

  for (const [problem, response] of [
    ['no data', () => check('NO_DATA')],
    ['an unmapped result', () => check('PROBABLY_FINE')],
    ['another identifier', () => check('NOT_LISTED', { imei: '490154203237518' })],
    ['a failure', () => new Response('', { status: 503 })],
  ] as const) {
    test(`${problem} never clears`, async () => {
      const result = await sourceOf('registry-check.json', response).ask()
      expect(result && 'clearances' in result).toBe(false)
    })
  }
})

describe('carrier with OAuth client credentials', () => {
  const token = (lifetime = 3600) => Response.json({ access_token: 't1', token_type: 'Bearer', expires_in: lifetime })
  const lock = () => Response.json({ imei: IMEI, simLock: { status: 'LOCKED', carrier: 'Alpha Mobile' } })
  const isToken = (path: string) => path === '/oauth2/token'

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

  test('a token that the carrier rejects is replaced by the next check', async () => {
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

  test('a client secret in the file itself is rejected', () => {
    const written = template('carrier-oauth.json').replace(/\$\{CARRIER_CLIENT_SECRET\}/, 'plain')
    expect(parseProviders(written, {}).mistakes.join()).toContain('a variable of the environment')
    expect(parseProviders(template('carrier-oauth.json'), {}).mistakes.join()).toContain('CARRIER_CLIENT_SECRET')
  })
})

test('the national list is a feed that the service accepts', () => {
  const { feeds, errors } = parseFeedFile(template('national-list.json'), {
    ...{ formats: IMPORTERS, environment: { NATIONAL_LIST_TOKEN: 't' }, now: Date.now(), folder: '/' },
  })
  expect(errors).toEqual([])
  expect(feeds).toMatchObject([{ format: 'lists', options: { list: 'national', clears: 'yes', area: 'LT' } }])
})

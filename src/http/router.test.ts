import { afterAll, describe, expect, test } from 'bun:test'
import { openConnection, readResponses } from '../../test/support/raw-http.ts'
import { waitUntil } from '../../test/support/wait.ts'
import { generateKey } from '../auth/api-key.ts'
import { standInKey } from '../auth/cached-key.ts'
import { createGuard } from '../auth/guard.ts'
import { keyCache } from '../auth/key-cache.ts'
import { memoryLimiter } from '../auth/rate-limit/memory-limiter-service.ts'
import { hashSecret } from '../auth/secret-hash.ts'
import { listConditions, listDevices } from '../contract/device-endpoints.ts'
import { assessIdentifier } from '../contract/lookup-endpoints.ts'
import { openLog } from '../lib/log.ts'
import { databaseErrorRethrower } from './api-error.ts'
import { type RequestFacts, route } from './context.ts'
import { loadShedding } from './load-shedding/load-shedding.ts'
import { prepareResponse } from './prepared-response.ts'
import { createRouter, type RouterDependencies } from './router.ts'
import { listen } from './server.ts'
import { sendStaticFile, staticFile } from './static-file.ts'

const KEY = generateKey('enterprise')
const shedding = loadShedding()
afterAll(shedding.close)
const LEAVING = {
  route: 'GET /api/meta/leaving',
  path: '/api/meta/leaving',
  deprecation: { since: '2026-03-02', until: '2026-09-01' },
} as const
const LONG = prepareResponse({ text: 'always the same words, '.repeat(200) })

/** A small site on a real port: three endpoints and a few pages, without a database. */
async function startSite(more: Partial<RouterDependencies> = {}, isDirect = false) {
  const key = standInKey({ id: 'key_1', name: 'Test', organizationId: 'org_1', tier: 'enterprise' })
  const keys = keyCache({
    countKeys: async () => 1,
    cachedKeysSince: async () => [{ ...key, hash: hashSecret(KEY), revision: 1 }],
    findCachedKey: async () => undefined,
  })
  await keys.refresh()
  const finished: RequestFacts[] = []
  let logged = ''
  const log = openLog('info', {
    write: (lines) => {
      logged += lines
    },
  })
  const router = createRouter({
    api: {
      guard: createGuard({
        keyCache: keys,
        limiter: memoryLimiter(),
        addressLimiter: memoryLimiter(),
        limitsPerMinute: { public: 1_000, paid: 1_000, enterprise: 1_000, address: 1_000 },
        addressOf: () => '203.0.113.1',
        onKeyUsed: () => {},
        readSessionToken: () => undefined,
        findSession: async () => undefined,
        ownOrigin: () => 'http://localhost',
        findOrganizationTier: async () => undefined,
      }),
      runOnce: async (_, operate) => ({ data: await operate(), isReplay: false }),
      isQuotaExhausted: () => false,
      checkRevocationsFresh: () => {},
      loadShedding: shedding,
      rethrowDatabaseError: databaseErrorRethrower({
        isDatabaseUnavailable: () => false,
        isDiskFull: () => false,
        isDamaged: () => false,
      }),
    },
    apiRoutes: [
      route(listConditions, () => LONG),
      route(listDevices, (c) => ({ data: { principal: c.get('principal'), query: c.get('query') } })),
      route(assessIdentifier, async (c) => ({ data: c.get('body') })),
      route({ ...listConditions, ...LEAVING }, () => LONG),
    ],
    siteRoutes: [
      { method: 'GET', path: '/dashboard', handle: (c) => sendStaticFile(c, staticFile('text/html', '<p>'), {}) },
      { method: 'GET', path: '/files/*', handle: (c) => c.text(c.get('facts').route) },
      { method: 'GET', path: '/bug', handle: () => Promise.reject(new Error('a secret of ours')) },
      {
        method: 'GET',
        path: '/bug-at-once',
        handle: () => {
          throw new Error('a secret of ours')
        },
      },
    ],
    corsOrigins: [],
    baseUrl: 'http://127.0.0.1:3000',
    isSecure: false,
    log,
    loadShedding: { throttle: (_, response) => response },
    onFinished: (facts) => void finished.push(facts),
    ...more,
  })
  const listening = listen(router.fetch, { host: '127.0.0.1', port: 0, isDirect })
  afterAll(() => listening.stop())
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${listening.url}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${KEY}`, 'Accept-Encoding': 'identity', ...init.headers },
    })
  return {
    url: listening.url,
    get,
    finished,
    logged: () => {
      log.flush()
      return logged
    },
  }
}

const site = await startSite()

describe('unknown paths and methods', () => {
  for (const path of [
    '/nothing',
    '/api/meta',
    '/api/meta/conditions/',
    '/api/meta%2Fconditions',
    '/API/meta/conditions',
  ]) {
    test(`${path} is 404`, async () => {
      const response = await site.get(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
      expect(response.headers.get('X-Request-Id')).toStartWith('req_')
      expect(site.finished.at(-1)).toMatchObject({ route: 'unknown', status: 404 })
    })
  }

  for (const [method, path, allow] of [
    ['POST', '/api/meta/conditions', 'GET, HEAD'],
    ['GET', '/api/imei', 'POST'],
    ['HEAD', '/api/imei', 'POST'],
    ['OPTIONS', '/api/devices', 'GET, HEAD'],
    ['DELETE', '/files/a/b', 'GET, HEAD'],
  ] as const) {
    test(`${method} ${path} is 405 with the allowed methods`, async () => {
      const response = await site.get(path, { method })
      expect([response.status, response.headers.get('Allow')]).toEqual([405, allow])
    })
  }
})

describe('HEAD', () => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    test(`has the headers of GET and its length in ${encoding}, and no body`, async () => {
      const ask = (method: string) => {
        const lines = [`${method} /api/meta/conditions HTTP/1.1`, 'Host: a', `Authorization: Bearer ${KEY}`]
        return `${[...lines, `Accept-Encoding: ${encoding}`, 'X-Request-Id: one', 'Connection: close'].join('\r\n')}\r\n\r\n`
      }
      const of = async (method: string) => {
        const connection = openConnection(site.url, (socket) => socket.write(ask(method)))
        await connection.closed
        const [head = '', ...body] = connection.received().split('\r\n\r\n')
        return { head: head.split('\r\n'), body: body.join('\r\n\r\n') }
      }
      const stable = (lines: string[]) =>
        lines
          .map((line) => line.toLowerCase())
          .filter((line) => !/^(date|(x-)?ratelimit)/.test(line))
          .sort()
      const [whole, headOnly] = [await of('GET'), await of('HEAD')]
      expect(headOnly.body).toBe('')
      expect(stable(headOnly.head)).toEqual(stable(whole.head))
      expect(whole.head.find((line) => /^content-length/i.test(line))).toEndWith(` ${whole.body.length}`)
    })
  }

  test('with a matching ETag is 304, and the connection stays open', async () => {
    const tag = (await site.get('/api/meta/conditions')).headers.get('ETag') ?? ''
    const head = (method: string, path: string, more: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n${more}\r\n`
    const connection = openConnection(site.url, (socket) =>
      socket.write(head('HEAD', '/api/meta/conditions', `If-None-Match: ${tag}\r\n`) + head('GET', '/api/devices', '')),
    )
    await waitUntil(() => readResponses(connection.received()).length >= 2, { describe: 'both responses' })
    connection.socket.destroy()
    const [held, next] = readResponses(connection.received())
    expect([held?.status, next?.status]).toEqual([304, 200])
    expect(held?.head).toContain(tag)
  })

  test('of a page has its length too', async () => {
    const response = await site.get('/dashboard', { method: 'HEAD' })
    expect([response.status, response.headers.get('Content-Length'), await response.text()]).toEqual([200, '3', ''])
  })
})

describe('a handler', () => {
  test('gets the principal and the parsed input of its endpoint', async () => {
    const response = (await (await site.get('/api/devices?limit=500&search=phone&unknown=1')).json()) as {
      data: unknown
    }
    expect(response.data).toMatchObject({
      principal: { kind: 'key', organizationId: 'org_1', id: 'key_1', tier: 'enterprise' },
      query: { page: 1, limit: 100, search: 'phone' },
    })
    expect(site.finished.at(-1)).toMatchObject({ route: '/api/devices', status: 200, principal: { id: 'key_1' } })
  })

  test('of an operation that is going to be removed is announced with the day, also in a 304', async () => {
    const response = await site.get('/api/meta/leaving')
    const again = await site.get('/api/meta/leaving', {
      headers: { 'If-None-Match': String(response.headers.get('ETag')) },
    })
    expect([response.status, again.status]).toEqual([200, 304])
    for (const { headers } of [response, again]) {
      expect(headers.get('Deprecation')).toBe(`@${Date.UTC(2026, 2, 2) / 1000}`)
      expect(headers.get('Sunset')).toBe('Tue, 01 Sep 2026 00:00:00 GMT')
    }
    const other = await site.get('/api/meta/conditions')
    expect([other.headers.get('Deprecation'), other.headers.get('Sunset')]).toEqual([null, null])
  })

  test('of a page gets its route and no principal', async () => {
    expect(await (await site.get('/files/a')).text()).toBe('/files/*')
    expect(site.finished.at(-1)).toMatchObject({ route: '/files/*', principal: null, rateLimit: null })
  })

  for (const path of ['/bug', '/bug-at-once']) {
    test(`that fails is 500, and only the log has the reason: ${path}`, async () => {
      const response = await site.get(path, { headers: { 'X-Request-Id': `id-of${path}` } })
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain('secret')
      expect(site.logged()).toContain(`"message":"request failed","request_id":"id-of${path}"`)
    })
  }
})

describe('a body rejected before its end', () => {
  const head = `POST /api/imei HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`
  for (const [why, text] of [
    ['with a Content-Length over the limit', `${head}Content-Length: 90000\r\n\r\n{"identifier":`],
    [
      'that grows over the limit',
      `${head}Transfer-Encoding: chunked\r\n\r\n${`4000\r\n${' '.repeat(0x4000)}\r\n`.repeat(8)}`,
    ],
  ] as const) {
    test(`${why} is 413, and the connection is closed so that the rest is not parsed as a request`, async () => {
      const connection = openConnection(site.url, (socket) => socket.write(text))
      await connection.closed
      const [response, ...more] = readResponses(connection.received())
      expect(response?.status).toBe(413)
      expect(response?.head).toMatch(/^connection: close\r?$/im)
      expect(more).toEqual([])
    })
  }
})

describe('cross-origin scripts', () => {
  const SHOP = 'https://shop.example'
  const preflight = {
    method: 'OPTIONS',
    headers: { Origin: SHOP, 'Access-Control-Request-Method': 'POST', Authorization: '' },
  }

  test('get no CORS headers unless origins are set', async () => {
    const response = await site.get('/api/devices', { headers: { Origin: SHOP } })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect((await site.get('/api/imei', preflight)).status).toBe(405)
  })

  test('may read responses and errors of the API if their origin is allowed', async () => {
    const open = await startSite({ corsOrigins: [SHOP] })
    const response = await open.get('/api/devices', { headers: { Origin: SHOP } })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
    expect(response.headers.get('Access-Control-Expose-Headers')).toContain('X-RateLimit-Remaining')
    expect(response.headers.get('Vary')).toContain('Origin')
    const rejected = await open.get('/api/devices', { headers: { Origin: SHOP, Authorization: '' } })
    expect([rejected.status, rejected.headers.get('Access-Control-Allow-Origin')]).toEqual([401, SHOP])
    const allowed = await open.get('/api/imei', preflight)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('Access-Control-Allow-Headers')).toContain('Idempotency-Key')
    expect(allowed.headers.get('Access-Control-Allow-Credentials')).toBeNull()

    const other = await open.get('/api/devices', { headers: { Origin: 'https://other.example' } })
    expect(other.headers.get('Access-Control-Allow-Origin')).toBeNull()
    const page = await open.get('/dashboard', { headers: { Origin: SHOP } })
    expect(page.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test('of any origin may do so if all are allowed', async () => {
    const open = await startSite({ corsOrigins: ['*'] })
    const response = await open.get('/api/devices', { headers: { Origin: 'https://any.example' } })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })
})

describe('pages', () => {
  test('may load nothing from other hosts and may not be framed', async () => {
    const { headers } = await site.get('/dashboard')
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  test('send HSTS only over HTTPS', async () => {
    expect((await site.get('/dashboard')).headers.get('Strict-Transport-Security')).toBeNull()
    const secure = await startSite({ isSecure: true })
    expect((await secure.get('/dashboard')).headers.get('Strict-Transport-Security')).toContain('max-age=')
    // The port for phones and tablets of the local network always has TLS.
    const network = await startSite({}, true)
    expect((await network.get('/dashboard')).headers.get('Strict-Transport-Security')).toContain('max-age=')
  })
})

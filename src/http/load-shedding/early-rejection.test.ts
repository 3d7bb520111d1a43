import { afterAll, expect, test } from 'bun:test'
import { waitUntil } from '../../../test/support/wait.ts'
import { generateKey } from '../../auth/api-key.ts'
import { standInKey } from '../../auth/cached-key.ts'
import { keyCache } from '../../auth/key-cache.ts'
import { hashSecret } from '../../auth/secret-hash.ts'
import { openLog } from '../../lib/log.ts'
import { listen } from '../server.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import { earlyRejection, type RejectedRequest } from './early-rejection.ts'

const PATH = '/api/imei'
const [GREEDY, OTHER] = [generateKey('enterprise'), generateKey('enterprise')] as const

/** A server with four slots, at most three per organization, and a handler that returns "served". */
async function startShedding({ hasOrigins = false, isTurnLong = false } = {}) {
  const key = (id: string, secret: string) => ({
    ...standInKey({ id, name: 'Test', organizationId: `org of ${id}`, tier: 'enterprise' }),
    hash: hashSecret(secret),
    revision: 1,
  })
  const keys = keyCache({
    countKeys: async () => 2,
    cachedKeysSince: async () => [key('greedy', GREEDY), key('other', OTHER)],
    findCachedKey: async () => undefined,
  })
  await keys.refresh()
  const admitted = concurrencyLimit({ max: 4, maxPerOrganization: 3 })
  const shed: RejectedRequest[] = []
  let logged = ''
  const log = openLog('info', {
    write: (lines) => {
      logged += lines
    },
  })
  const serve = () => new Response('served')
  const posts = earlyRejection(
    {
      concurrency: admitted,
      loopLag: { onRequest: () => {}, isIterationSlow: () => isTurnLong },
      findCachedKey: keys.findCached,
      paths: [PATH],
      baseUrl: 'http://127.0.0.1:3000',
      allowsCrossOrigin: hasOrigins,
      log,
      onReject: (rejected) => void shed.push(rejected),
    },
    serve,
  )
  const listening = listen(serve, { host: '127.0.0.1', port: 0 }, posts)
  afterAll(() => listening.stop())
  return {
    shed,
    logged: () => {
      log.flush()
      return logged
    },
    /** Occupies that many slots until the returned function is called. */
    take(who: string, places: number): () => Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const taken = Array.from({ length: places }, () => admitted.run(`org of ${who}`, () => promise))
      return async () => {
        resolve()
        await Promise.all(taken)
      }
    },
    post: (secret: string, headers: Record<string, string> = {}, path = PATH) =>
      fetch(listening.url + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', ...headers },
        body: '{"identifier":"490154203237518"}',
      }),
    get: () => fetch(listening.url + PATH),
  }
}

test('when no slot is free, a POST is rejected in the envelope, with its request id', async () => {
  const { take, post, shed } = await startShedding()
  const giveBack = take('greedy', 3)
  const giveBackToo = take('other', 1)
  const rejected = await post(OTHER, { 'X-Request-Id': 'mine-1' })
  expect(rejected.status).toBe(503)
  expect(rejected.headers.get('Retry-After')).toBe('1')
  expect(rejected.headers.get('X-Request-Id')).toBe('mine-1')
  expect(await rejected.json()).toEqual({
    success: false,
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('Try again shortly'),
      reason_code: 'unavailable',
      request_id: 'mine-1',
      docs: expect.stringContaining('/docs#'),
    },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect(shed).toEqual([{ route: PATH, key: null, now: expect.any(Number) }])
  await giveBack()
  await giveBackToo()
  expect(await (await post(OTHER)).text()).toBe('served')
})

test('an organization over its limit is rejected and reported with its key; others, reads and other paths are served', async () => {
  const { take, post, get, shed } = await startShedding()
  const giveBack = take('greedy', 3)
  expect((await post(GREEDY)).status).toBe(503)
  expect(shed.map(({ key }) => key?.id)).toEqual(['greedy'])
  for (const served of [post(OTHER), get(), post(GREEDY, {}, '/somewhere'), post('pk_ent_unknown')]) {
    expect(await (await served).text()).toBe('served')
  }
  await giveBack()
  expect(await (await post(GREEDY)).text()).toBe('served')
})

test('a cross-origin request is left to the router, which adds the CORS headers', async () => {
  const { take, post } = await startShedding({ hasOrigins: true })
  const giveBack = take('greedy', 3)
  expect(await (await post(GREEDY, { Origin: 'https://shop.example' })).text()).toBe('served')
  expect((await post(GREEDY)).status).toBe(503)
  await giveBack()
})

test('a rejection in a slow loop iteration is the same, one iteration later', async () => {
  const { take, post } = await startShedding({ isTurnLong: true })
  const giveBack = take('greedy', 3)
  const rejected = await Promise.all(Array.from({ length: 5 }, () => post(GREEDY, { 'X-Request-Id': 'mine-2' })))
  for (const each of rejected) {
    expect(each.status).toBe(503)
    expect(await each.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', request_id: 'mine-2' } })
  }
  await giveBack()
})

test('many rejections are one log line with their number', async () => {
  const { take, post, logged } = await startShedding()
  const giveBack = take('greedy', 3)
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await post(GREEDY)).status))
  expect(new Set(statuses)).toEqual(new Set([503]))
  await waitUntil(() => logged().includes('\n'), { describe: 'a line in the log' })
  const lines = logged().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', message: 'load shedding: requests rejected', rejected: 50 },
  ])
  await giveBack()
})

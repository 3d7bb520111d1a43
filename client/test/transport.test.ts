import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../../src/contract/endpoints.ts'
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  DeviceIntelligence,
  UnexpectedResponseError,
} from '../src/index.ts'

const servers: Bun.Server<undefined>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

type Handler = (request: Request, attempt: number) => Response | Promise<Response>

/** A server that responds as the test says, and the requests it received. */
function respond(handler: Handler) {
  const requests: { url: string; headers: Headers }[] = []
  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      // Copied because the request is unusable once the response is sent.
      requests.push({ url: request.url, headers: new Headers(request.headers) })
      return handler(request, requests.length)
    },
  })
  servers.push(server)
  const client = (options: Partial<ClientOptions> = {}) =>
    new DeviceIntelligence({ url: server.url.href, key: 'pk_pub_x', ...options })
  return { requests, client, url: server.url.href }
}

const ok = (data: unknown, headers: Record<string, string> = {}) =>
  Response.json({ success: true, data, timestamp: '2026-01-01T00:00:00.000Z' }, { headers })
const unavailable = (headers: Record<string, string> = {}) => new Response(null, { status: 503, headers })
const errorOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  )
/** The next full second or the one after it, as HTTP writes it. */
const soon = () => new Date(Date.now() + 1000).toUTCString()

test('every method sends its body as the body, never in the URL', async () => {
  type Method = (...args: unknown[]) => PromiseLike<unknown>
  const marker = 'private@shop.example'
  for (const { id, params, body, method } of endpoints) {
    if (!body) continue
    const sent: { url: string; text: string }[] = []
    const client = new DeviceIntelligence({
      url: 'https://devices.example',
      key: 'pk_pub_x',
      fetch: async (request) => {
        sent.push({ url: request.url, text: await request.text() })
        return ok({})
      },
    }) as unknown as Record<string, Method>
    const path = Object.keys((params as { shape?: object } | undefined)?.shape ?? {}).map((name) => `a-${name}`)
    await Promise.resolve(client[id]?.(...path, { email: marker })).catch(() => {})
    expect({ id, method, sent }).toEqual({
      id,
      method,
      sent: [{ url: expect.not.stringContaining(encodeURIComponent(marker)), text: JSON.stringify({ email: marker }) }],
    })
  }
})

test('undefined options mean their defaults', async () => {
  const { client, requests } = respond((_, attempt) => (attempt < 2 ? unavailable({ 'Retry-After': '0' }) : ok([])))
  const unset = { maxRetries: undefined, timeoutMs: undefined, maxWaitMs: undefined, fetch: undefined }
  expect(await client(unset as Partial<ClientOptions>).listMakes()).toEqual([])
  expect(requests).toHaveLength(2)
})

test('it stops after maxRetries further attempts', async () => {
  const { client, requests } = respond(() => unavailable({ 'Retry-After': '0' }))
  const unset = { maxRetries: undefined } as Partial<ClientOptions>
  expect(await errorOf(client(unset).listMakes())).toBeInstanceOf(UnexpectedResponseError)
  expect(requests).toHaveLength(4)
})

for (const [what, body] of [
  ['an object', '{"message":"Forbidden"}'],
  ['null', 'null'],
  ['a string', '"denied"'],
  ['an envelope without an error', '{"success":false}'],
] as const) {
  test(`a gateway's JSON is an error with status and body: ${what}`, async () => {
    const { client } = respond(() => new Response(body, { status: 403, headers: { 'X-Request-Id': 'gw-1' } }))
    const error = await errorOf(client().listMakes())
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ status: 403, body, requestId: 'gw-1' })
  })
}

test('Retry-After may be a date', async () => {
  const { client, requests } = respond((_, attempt) => (attempt < 2 ? unavailable({ 'Retry-After': soon() }) : ok([])))
  const delays: number[] = []
  await client({ onRetry: ({ delayMs }) => delays.push(delayMs) }).listMakes()
  expect(requests).toHaveLength(2)
  // The date is at most a second away; the default back-off of half a second does not depend on it.
  expect(delays[0]).toBeLessThan(1300)
  const far = respond(() => unavailable({ 'Retry-After': new Date(Date.now() + 3_600_000).toUTCString() }))
  await errorOf(far.client().listMakes())
  expect(far.requests).toHaveLength(1)
})

test('a missing or invalid url or key throws at once', () => {
  const construct = (options: unknown) => () => new DeviceIntelligence(options as ClientOptions)
  expect(construct({ key: 'k' })).toThrow(/`url`.*https:\/\//)
  expect(construct({ url: 'devices.example', key: 'k' })).toThrow(/`url`.*devices\.example/)
  expect(construct({ url: 'https://devices.example' })).toThrow(/`key`/)
  expect(construct(undefined)).toThrow(/`url`/)
})

test('a lost connection is retried for idempotent calls', async () => {
  const calls: ((client: DeviceIntelligence) => PromiseLike<unknown>)[] = [
    (client) => client.listMakes(),
    (client) => client.priceVariants({ variant_ids: ['a'] }),
    (client) => client.createWatch({ variant_id: 'a' }),
    (client) => client.deleteWatch('wat_1'),
    (client) => client.assessIdentifier({ identifier: '1' }),
  ]
  for (const call of calls) {
    let attempts = 0
    const client = new DeviceIntelligence({
      url: 'http://127.0.0.1:9',
      key: 'k',
      fetch: async () => {
        if (++attempts === 1) throw new TypeError('connection lost')
        return ok([])
      },
    })
    await call(client)
    expect(attempts).toBe(2)
  }
})

test('a lost connection is not retried for a call that is not idempotent', async () => {
  let attempts = 0
  class WithUnsafeCall extends DeviceIntelligence {
    unsafe() {
      const operation = { method: 'POST', path: '/x', takesIdempotencyKey: false, isIdempotent: false } as const
      return this.read(operation, {})
    }
  }
  const client = new WithUnsafeCall({
    url: 'http://127.0.0.1:9',
    key: 'k',
    fetch: async () => {
      attempts++
      throw new TypeError('connection lost')
    },
  })
  expect(await errorOf(client.unsafe())).toBeInstanceOf(ConnectionError)
  expect(attempts).toBe(1)
})

for (const status of [502, 504]) {
  test(`a gateway's ${status} is retried for idempotent calls`, async () => {
    const { client, requests } = respond((_, attempt) =>
      attempt < 2 ? new Response('Bad gateway', { status, headers: { 'Retry-After': '0' } }) : ok([]),
    )
    await client().listMakes()
    expect(requests).toHaveLength(2)
  })
}

test('the raw response has status, headers and request id', async () => {
  const { client } = respond(() => ok(['a'], { 'X-Request-Id': 'req_1', 'X-RateLimit-Remaining': '7' }))
  const { data, requestId, status, headers } = await client().listMakes().withResponse()
  expect({ data, requestId, status, left: headers.get('x-ratelimit-remaining') }).toEqual({
    data: ['a'],
    requestId: 'req_1',
    status: 200,
    left: '7',
  } as never)
  const meta = { page: 1, limit: 1, total: 1, total_pages: 1, has_next: false, has_prev: false }
  const paged = respond(() =>
    Response.json({ success: true, data: [{}], meta }, { headers: { 'X-Request-Id': 'req_2' } }),
  )
  const page = await paged.client().listDevices().withResponse()
  expect([page.requestId, page.data.meta.total]).toEqual(['req_2', 1])
})

test('a history is read to its end by cursor, starting at the requested page', async () => {
  const page = { page: 1, limit: 1, total: 3, total_pages: 3, has_prev: false }
  const { client, requests } = respond((_, attempt) => {
    const next_after = attempt < 3 ? `lkp_${attempt}` : null
    return Response.json({ success: true, data: [{}], meta: { ...page, has_next: next_after !== null, next_after } })
  })
  const records: unknown[] = []
  for await (const record of client().listLookups({ limit: 1, identifier: '490154203237518' })) records.push(record)
  expect(records).toHaveLength(3)
  expect(requests.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, 'lkp_1', 'lkp_2'])
  expect(requests.every(({ url }) => url.includes('identifier=490154203237518'))).toBe(true)
})

test('a failed call whose raw response was requested rejects once', async () => {
  const { client } = respond(() => new Response('x', { status: 400 }))
  const rejections: unknown[] = []
  const record = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', record)
  expect(await errorOf(client().listMakes().withResponse())).toBeInstanceOf(UnexpectedResponseError)
  await Bun.sleep(0)
  process.off('unhandledRejection', record)
  expect(rejections).toEqual([])
})

test('hooks see every attempt, its response and why it is retried', async () => {
  const seen: string[] = []
  const { client } = respond((_, attempt) => (attempt < 2 ? unavailable({ 'Retry-After': '0' }) : ok([])))
  await client({
    onRequest: (request, { attempt }) => {
      request.headers.set('traceparent', '00-1-1-01')
      seen.push(`request ${attempt}`)
    },
    onResponse: (response, { attempt }) => seen.push(`response ${attempt} ${response.status}`),
    onRetry: ({ attempt, status }) => seen.push(`retry ${attempt} ${status}`),
  }).listMakes()
  expect(seen).toEqual(['request 1', 'response 1 503', 'retry 1 503', 'request 2', 'response 2 200'])
})

test('headers that a hook sets are sent', async () => {
  const { client, requests } = respond(() => ok([]))
  await client({ onRequest: (request) => request.headers.set('traceparent', 't') }).listMakes()
  await client().listMakes({ headers: { tracestate: 's' } })
  expect(requests.map(({ headers }) => [headers.get('traceparent'), headers.get('tracestate')])).toEqual([
    ['t', null],
    [null, 's'],
  ])
})

test('requests name the client and its version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, '../package.json'), 'utf8'))
  const { client, requests } = respond(() => ok([]))
  await client().listMakes()
  await client({ userAgent: 'till/7' }).listMakes()
  const name = `device-intelligence-client/${version}`
  expect(requests.map(({ headers }) => headers.get('user-agent'))).toEqual([name, `till/7 ${name}`])
})

test('pauses have jitter, also after Retry-After', async () => {
  const delays: number[] = []
  const { client } = respond((_, attempt) => (attempt < 4 ? unavailable({ 'Retry-After': '0' }) : ok([])))
  await client({ onRetry: ({ delayMs }) => delays.push(delayMs) }).listMakes()
  expect(new Set(delays).size).toBe(3)
  for (const delay of delays) expect(delay).toBeGreaterThanOrEqual(0)
})

test('every list can be iterated with for await', async () => {
  const { client } = respond(() => ok([{ name: 'a' }, { name: 'b' }]))
  const names: string[] = []
  for await (const { name } of client().listMakes()) names.push(name)
  expect(names).toEqual(['a', 'b'])
})

test('one call can have its own timeout and number of retries', async () => {
  const { client, requests } = respond(() => unavailable({ 'Retry-After': '0' }))
  await errorOf(client().listMakes({ maxRetries: 0 }))
  expect(requests).toHaveLength(1)
  const silent = respond(() => new Promise<Response>(() => {}))
  const error = await errorOf(silent.client().listMakes({ timeoutMs: 20, maxRetries: 0 }))
  expect(String((error as Error).cause)).toContain('20 ms')
})

test('an error of the service keeps its request id', async () => {
  const error = { code: 'NOT_FOUND', message: 'No such device.' }
  const { client } = respond(() =>
    Response.json({ success: false, error, timestamp: '' }, { status: 404, headers: { 'X-Request-Id': 'req_9' } }),
  )
  const thrown = await errorOf(client().getDevice('x'))
  expect(thrown).toBeInstanceOf(ApiError)
  expect((thrown as ApiError).requestId).toBe('req_9')
})

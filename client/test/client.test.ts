import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Endpoint, endpoints } from '../../src/contract/endpoints.ts'
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  DeviceIntelligence,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from '../src/index.ts'
import { startService } from './service.ts'

const VARIANT = 'apple-iphone-13-128gb-midnight'
const STOLEN = '100000010000023'

let service: Awaited<ReturnType<typeof startService>>
let key: string

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PUBLIC: '2' })
  key = await service.newKey('enterprise', '--may', 'contribute')
})
afterAll(async () => {
  await service.stop()
})

const clientWith = (more: Partial<ClientOptions> = {}) => new DeviceIntelligence({ url: service.url, key, ...more })

describe('every endpoint of the contract has a method that answers its example', () => {
  const newAppraisal = async () => (await clientWith().appraiseDevice({ variant_id: VARIANT })).appraisal_id
  // Called with the id of an existing record instead of that of the example.
  const ids: Record<string, () => Promise<string>> = {
    getAppraisal: newAppraisal,
    recordOutcome: newAppraisal,
    removeOutcome: async () => {
      const id = await newAppraisal()
      await clientWith().recordOutcome(id, { status: 'declined', declined_by: 'customer' })
      return id
    },
    deleteWatch: async () => (await clientWith().createWatch({ variant_id: VARIANT, reference: 'to end' })).id,
  }
  type Method = (...given: unknown[]) => Promise<unknown>

  /** What an example wants until a day that passes is wanted for longer. */
  const later = (body: object | null) =>
    body && 'until' in body ? { until: `${new Date().getFullYear() + 1}-12-31` } : {}

  function argumentsOf({ params = undefined, query, body, examples: [example] }: Endpoint, id?: string): unknown[] {
    const places = params ? [id ?? Object.values(example.params ?? {})[0]] : []
    const hasQuery = Object.keys((query as { shape?: object }).shape ?? {}).length > 0
    const sent = body && typeof example.body === 'object' ? [{ ...example.body, ...later(example.body) }] : []
    return [...places, ...(hasQuery ? [example.query ?? {}] : []), ...sent]
  }

  // test/process/management.test.ts calls the management endpoints.
  for (const endpoint of endpoints.filter(({ tag }) => tag !== 'Management')) {
    test(`${endpoint.method} ${endpoint.path}`, async () => {
      const client = clientWith()
      const method = (client as unknown as Record<string, Method>)[endpoint.id]
      const answered = await method?.apply(client, argumentsOf(endpoint, await ids[endpoint.id]?.()))
      const { data = answered } = answered as { data?: unknown }
      expect(Array.isArray(data)).toBe(Array.isArray(endpoint.examples[0].data))
    })
  }
})

describe('a list', () => {
  test('is gone through from its first record to its last, each once', async () => {
    let asked = 0
    const client = clientWith({ onResponse: () => asked++ })
    const ids: string[] = []
    for await (const { id } of client.listDevices({ make: 'Google', limit: 9 })) ids.push(id)
    const { meta } = await client.listDevices({ make: 'Google', limit: 1 })
    expect(ids).toHaveLength(meta.total)
    expect(new Set(ids).size).toBe(ids.length)
    expect(asked).toBe(Math.ceil(meta.total / 9) + 1)
  })

  test('asks for no page that nobody wants', async () => {
    let asked = 0
    for await (const _ of clientWith({ onResponse: () => asked++ }).listDevices({ limit: 5 })) break
    expect(asked).toBe(1)
  })

  test('is also given page by page, from the page that was asked for', async () => {
    const numbers: number[] = []
    for await (const { meta } of clientWith().listDevices({ make: 'Google', limit: 20, page: 2 }).pages()) {
      numbers.push(meta.page)
    }
    expect(numbers[0]).toBe(2)
    expect(numbers).toEqual(numbers.map((_, at) => at + 2))
  })

  test('that grows while it is read is read on after its last record', async () => {
    const client = clientWith()
    const made: string[] = []
    for (const reference of ['one', 'two', 'three']) {
      made.push((await client.createWatch({ variant_id: VARIANT, reference })).id)
    }
    const listed: string[] = []
    for await (const { id } of client.listWatches({ limit: 1 })) listed.push(id)
    for (const id of made) expect(listed.filter((each) => each === id)).toEqual([id])
    for (const id of made) await client.deleteWatch(id)
    expect((await client.listEvents({ limit: 1 })).meta.limit).toBe(1)
  })

  test('is filtered by attributes that only the catalogue knows', async () => {
    const { data } = await clientWith().listVariants({ make: 'Apple', attributes: { size: '45mm' }, limit: 3 })
    expect(data.length).toBeGreaterThan(0)
    for (const { attributes } of data)
      expect(attributes).toContainEqual({ attribute_name: 'size', attribute_value: '45mm' })
  })
})

describe('a refusal is an error of its own class', () => {
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => {
        throw new Error('was not refused')
      },
      (error: unknown) => error as ApiError,
    )

  test('what is not there, with what looks like it', async () => {
    const error = await refused(clientWith().getDevice('apple-iphon-13'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'NOT_FOUND', status: 404 })
    expect(error.nearestIds).toContain('apple-iphone-13')
    expect(error.requestId).toMatch(/^req_/)
    expect(error.docs).toStartWith(service.url)
  })

  test('what cannot be used, field by field', async () => {
    const error = await refused(clientWith().getPricing({ variant_id: VARIANT, currency: 'XTS' }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.details[0]?.field).toBe('currency')
  })

  test('a tier that is too low, and a key that is none', async () => {
    const low = new DeviceIntelligence({ url: service.url, key: await service.newKey('public') })
    expect(await refused(low.getPricing({ variant_id: VARIANT }))).toBeInstanceOf(ForbiddenError)
    expect(await refused(clientWith({ key: 'pk_pub_none' }).listDevices())).toBeInstanceOf(UnauthorizedError)
  })

  test('an answer that is not of the service, and no answer at all', async () => {
    const strange = Bun.serve({ port: 0, fetch: () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })
    const error = await refused(clientWith({ url: strange.url.href }).listDevices())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toContain('502')
    await strange.stop(true)
    expect(await refused(clientWith({ url: 'http://127.0.0.1:9', maxRetries: 0 }).listDevices())).toBeInstanceOf(
      ConnectionError,
    )
  })
})

describe('what can be waited for is waited for', () => {
  for (const status of [429, 503]) {
    test(`after ${status} it asks again when the service says`, async () => {
      let asked = 0
      const order: string[] = []
      let pause: Promise<unknown> | undefined
      const busy = Bun.serve({
        port: 0,
        async fetch({ url, headers }) {
          order.push('asked')
          pause ??= Bun.sleep(900).then(() => order.push('most of a second has passed'))
          if (asked++ === 0) return new Response(null, { status, headers: { 'Retry-After': '1' } })
          return new Response(await (await fetch(`${service.url}${new URL(url).pathname}`, { headers })).text())
        },
      })
      expect(await clientWith({ url: busy.url.href }).listConditions()).toHaveLength(4)
      await pause
      expect(order).toEqual(['asked', 'most of a second has passed', 'asked'])
      await busy.stop(true)
    })
  }

  test('a pause that is longer than the caller would wait is an error that says how long', async () => {
    const client = clientWith({ key: await service.newKey('public'), maxWaitMs: 1000 })
    await client.listConditions()
    await client.listConditions()
    const error = await client.listConditions().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RateLimitError)
    expect((error as RateLimitError).retryAfterSeconds).toBeGreaterThan(1)
  })

  test('an answer that is lost on the way leaves one record, by the key of the first attempt', async () => {
    const identifier = '35-209900-176148-1'
    const keys: (string | null)[] = []
    const client = clientWith({
      async fetch(request) {
        keys.push(request.headers.get('idempotency-key'))
        const response = await fetch(request)
        if (keys.length > 1) return response
        await response.arrayBuffer()
        throw new TypeError('the connection was lost')
      },
    })
    const lookup = await client.assessIdentifier({ identifier })
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0] ?? '')
    const { data } = await clientWith().listLookups({ identifier })
    expect(data.map(({ lookup_id }) => lookup_id)).toEqual([lookup.lookup_id])
  })

  test('an idempotency key of one’s own gives the first answer again', async () => {
    const call = () => clientWith().assessIdentifier({ identifier: STOLEN }, { idempotencyKey: 'till-7-0001' })
    expect((await call()).lookup_id).toBe((await call()).lookup_id)
  })
})

describe('a call can be given up', () => {
  test('before it is made, nothing is asked', async () => {
    let asked = 0
    const call = clientWith({ onResponse: () => asked++ }).listDevices({}, { signal: AbortSignal.abort() })
    expect(await call.catch((error: Error) => error.name)).toBe('AbortError')
    expect(asked).toBe(0)
  })

  test('while it waits for the next attempt', async () => {
    const busy = Bun.serve({
      port: 0,
      fetch: () => new Response(null, { status: 503, headers: { 'Retry-After': '50' } }),
    })
    const controller = new AbortController()
    const call = clientWith({
      url: busy.url.href,
      onResponse: () => setTimeout(() => controller.abort(new Error('enough')), 10),
    }).listDevices({}, { signal: controller.signal })
    expect(await call.catch((error: Error) => error.message)).toBe('enough')
    await busy.stop(true)
  })

  test('and gives up by itself on an attempt that takes too long', async () => {
    const silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) })
    const call = clientWith({ url: silent.url.href, timeoutMs: 50, maxRetries: 1 }).listDevices()
    const error = await call.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(String((error as ConnectionError).cause)).toContain('No response within 50 ms')
    await silent.stop(true)
  })
})

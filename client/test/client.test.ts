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
  key = await service.newKey('enterprise', '--may', 'contribute,manage')
})
afterAll(async () => {
  await service.stop()
})

const clientWith = (more: Partial<ClientOptions> = {}) => new DeviceIntelligence({ url: service.url, key, ...more })

describe('every endpoint of the contract has a method whose response has the shape of its example', () => {
  const newAppraisal = async () => (await clientWith().appraiseDevice({ variant_id: VARIANT })).appraisal_id
  async function newPurchase(seller?: { name: string }): Promise<string> {
    const id = await newAppraisal()
    await clientWith().recordOutcome(id, { status: 'bought', price: 12_000, ...(seller ? { seller } : {}) })
    return id
  }
  async function newSeller(): Promise<string> {
    await clientWith().changeSettings({ seller_record: 'name' })
    const id = await newPurchase({ name: 'Ada' })
    return (await clientWith().listSellers({ appraisal_id: id })).data[0]?.person_id ?? ''
  }
  async function newSellerImage(): Promise<[person: string, image: string]> {
    await clientWith().changeSettings({ seller_record: 'full' })
    const signature = 'data:image/png;base64,iVBORw0KGgo='
    const seller = { name: 'Ada', id_kind: 'passport', id_number: 'X1', signature } as const
    await clientWith().recordOutcome(await newAppraisal(), { status: 'bought', price: 12_000, seller })
    const [entry] = (await clientWith().listSellers()).data
    const person = entry?.person_id ?? ''
    const { purchases } = await clientWith().getSeller(person)
    return [person, purchases[0]?.images[0]?.id ?? '']
  }
  const newQuote = async () => {
    const device = { device_id: 'apple-iphone-13', attributes: { storage: '128GB' } }
    return (await clientWith().createQuote({ ...device, condition: 'Good' })).quote.quote_id
  }
  const newList = async () => (await clientWith().addDeviceList({ name: 'Lot', header: ['IMEI', 'Model'] })).id
  // Endpoints that need the id of an existing record instead of the example's.
  const ids: Record<string, () => Promise<string | string[]>> = {
    getAppraisal: newAppraisal,
    recordOutcome: newAppraisal,
    removeOutcome: async () => {
      const id = await newAppraisal()
      await clientWith().recordOutcome(id, { status: 'declined', declined_by: 'customer' })
      return id
    },
    getStockItem: () => newPurchase(),
    changeStockItem: () => newPurchase(),
    getDeviceList: newList,
    changeDeviceList: newList,
    removeDeviceList: newList,
    getPurchase: async () => {
      const items = [{ appraisal_id: await newAppraisal(), price: 12_000 }]
      return (await clientWith().createPurchase({ items })).purchase_id
    },
    getQuote: newQuote,
    changeQuote: newQuote,
    getSeller: newSeller,
    getSellerImage: newSellerImage,
    getSellerOnReceipt: async () => {
      await clientWith().changeSettings({ seller_record: 'name' })
      return newPurchase({ name: 'Ada' })
    },
    eraseSeller: newSeller,
    getLookup: async () => (await clientWith().assessIdentifier({ identifier: '490154203237518' })).lookup_id,
    createShare: newAppraisal,
    listShares: newAppraisal,
    revokeShare: async () => {
      const id = await newAppraisal()
      const { share } = await clientWith().createShare(id, { facts: ['device'] })
      return [id, share.share_id]
    },
    getWatch: async () => (await clientWith().createWatch({ variant_id: VARIANT, reference: 'to read' })).id,
    deleteWatch: async () => (await clientWith().createWatch({ variant_id: VARIANT, reference: 'to end' })).id,
  }
  /** Bodies that name an existing record. */
  const bodies: Record<string, () => Promise<object>> = {
    createPurchase: async () => ({ items: [{ appraisal_id: await newAppraisal(), price: 12_000 }] }),
    changeStock: async () => ({ items: [{ id: await newPurchase(), asking_price: 22_400 }] }),
  }
  type Method = (...args: unknown[]) => Promise<unknown>

  /** An example's `until` lies on a fixed day; this one is always in the future. */
  const withFutureDay = (body: object | null) =>
    body && 'until' in body ? { until: `${new Date().getFullYear() + 1}-12-31` } : {}

  function argumentsOf(
    { params = undefined, query, body, examples: [example] }: Endpoint,
    id?: string | string[],
    ownBody?: object,
  ): unknown[] {
    const pathArguments = params ? [id ?? Object.values(example.params ?? {})].flat() : []
    const hasQuery = Object.keys((query as { shape?: object }).shape ?? {}).length > 0
    const bodyArguments =
      body && typeof example.body === 'object' ? [ownBody ?? { ...example.body, ...withFutureDay(example.body) }] : []
    return [
      ...pathArguments,
      ...bodyArguments,
      ...(hasQuery && bodyArguments.length === 0 ? [example.query ?? {}] : []),
    ]
  }

  // test/process/management.test.ts calls the management endpoints.
  for (const endpoint of endpoints.filter(({ tag }) => tag !== 'Management')) {
    test(`${endpoint.method} ${endpoint.path}`, async () => {
      const client = clientWith()
      const method = (client as unknown as Record<string, Method>)[endpoint.id]
      const result = await method?.apply(
        client,
        argumentsOf(endpoint, await ids[endpoint.id]?.(), await bodies[endpoint.id]?.()),
      )
      const { data = result } = result as { data?: unknown }
      expect(Array.isArray(data)).toBe(Array.isArray(endpoint.examples[0].data))
    })
  }
})

describe('a list', () => {
  test('is iterated from the first record to the last, each once', async () => {
    let requests = 0
    const client = clientWith({ onResponse: () => requests++ })
    const ids: string[] = []
    for await (const { id } of client.listDevices({ make: 'Google', limit: 9 })) ids.push(id)
    const { meta } = await client.listDevices({ make: 'Google', limit: 1 })
    expect(ids).toHaveLength(meta.total)
    expect(new Set(ids).size).toBe(ids.length)
    expect(requests).toBe(Math.ceil(meta.total / 9) + 1)
  })

  test('fetches no page beyond the last one read', async () => {
    let requests = 0
    for await (const _ of clientWith({ onResponse: () => requests++ }).listDevices({ limit: 5 })) break
    expect(requests).toBe(1)
  })

  test('can be read page by page, starting at the requested page', async () => {
    const numbers: number[] = []
    for await (const { meta } of clientWith().listDevices({ make: 'Google', limit: 20, page: 2 }).pages()) {
      numbers.push(meta.page)
    }
    expect(numbers[0]).toBe(2)
    expect(numbers).toEqual(numbers.map((_, at) => at + 2))
  })

  test('read by cursor yields each record once', async () => {
    const client = clientWith()
    const created: string[] = []
    for (const reference of ['one', 'two', 'three']) {
      created.push((await client.createWatch({ variant_id: VARIANT, reference })).id)
    }
    const listed: string[] = []
    for await (const { id } of client.listWatches({ limit: 1 })) listed.push(id)
    for (const id of created) expect(listed.filter((each) => each === id)).toEqual([id])
    for (const id of created) await client.deleteWatch(id)
    expect((await client.listEvents({ limit: 1 })).meta.limit).toBe(1)
  })

  test('can be filtered by attributes that only the catalogue defines', async () => {
    const { data } = await clientWith().listVariants({ make: 'Apple', attributes: { size: '45mm' }, limit: 3 })
    expect(data.length).toBeGreaterThan(0)
    for (const { attributes } of data)
      expect(attributes).toContainEqual({ attribute_name: 'size', attribute_value: '45mm' })
  })
})

describe('each error code has its own error class', () => {
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      () => {
        throw new Error('was not rejected')
      },
      (error: unknown) => error as ApiError,
    )

  test('NOT_FOUND, with the nearest ids', async () => {
    const error = await errorOf(clientWith().getDevice('apple-iphon-13'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'NOT_FOUND', status: 404 })
    expect(error.nearestIds).toContain('apple-iphone-13')
    expect(error.requestId).toMatch(/^req_/)
    expect(error.docs).toStartWith(service.url)
  })

  test('VALIDATION_ERROR, with the field', async () => {
    const error = await errorOf(clientWith().getPricing({ variant_id: VARIANT, currency: 'XTS' }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.details[0]?.field).toBe('currency')
  })

  test('FORBIDDEN for a tier that is too low, UNAUTHORIZED for an unknown key', async () => {
    const low = new DeviceIntelligence({ url: service.url, key: await service.newKey('public') })
    expect(await errorOf(low.getPricing({ variant_id: VARIANT }))).toBeInstanceOf(ForbiddenError)
    expect(await errorOf(clientWith({ key: 'pk_pub_none' }).listDevices())).toBeInstanceOf(UnauthorizedError)
  })

  test('a response that is not from the service, and no response at all', async () => {
    const gateway = Bun.serve({ port: 0, fetch: () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })
    const error = await errorOf(clientWith({ url: gateway.url.href }).listDevices())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toContain('502')
    await gateway.stop(true)
    expect(await errorOf(clientWith({ url: 'http://127.0.0.1:9', maxRetries: 0 }).listDevices())).toBeInstanceOf(
      ConnectionError,
    )
  })
})

describe('retries', () => {
  for (const status of [429, 503]) {
    test(`retries after ${status} when Retry-After says so`, async () => {
      let requests = 0
      const order: string[] = []
      let pause: Promise<unknown> | undefined
      const busy = Bun.serve({
        port: 0,
        async fetch({ url, headers }) {
          order.push('asked')
          pause ??= Bun.sleep(900).then(() => order.push('most of a second has passed'))
          if (requests++ === 0) return new Response(null, { status, headers: { 'Retry-After': '1' } })
          return new Response(await (await fetch(`${service.url}${new URL(url).pathname}`, { headers })).text())
        },
      })
      expect(await clientWith({ url: busy.url.href }).listConditions()).toHaveLength(4)
      await pause
      expect(order).toEqual(['asked', 'most of a second has passed', 'asked'])
      await busy.stop(true)
    })
  }

  test('rejects with the required wait if Retry-After exceeds maxWaitMs', async () => {
    const client = clientWith({ key: await service.newKey('public'), maxWaitMs: 1000 })
    await client.listConditions()
    await client.listConditions()
    const error = await client.listConditions().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RateLimitError)
    expect((error as RateLimitError).retryAfterSeconds).toBeGreaterThan(1)
  })

  test('a lost response leaves one record: the retry repeats the idempotency key', async () => {
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

  test("the caller's own idempotency key returns the first response again", async () => {
    const call = () => clientWith().assessIdentifier({ identifier: STOLEN }, { idempotencyKey: 'till-7-0001' })
    expect((await call()).lookup_id).toBe((await call()).lookup_id)
  })
})

describe('a call can be cancelled', () => {
  test('before it is sent, and sends no request', async () => {
    let requests = 0
    const call = clientWith({ onResponse: () => requests++ }).listDevices({}, { signal: AbortSignal.abort() })
    expect(await call.catch((error: Error) => error.name)).toBe('AbortError')
    expect(requests).toBe(0)
  })

  test('while it waits to retry', async () => {
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

  test('and times out after timeoutMs', async () => {
    const silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) })
    const call = clientWith({ url: silent.url.href, timeoutMs: 50, maxRetries: 1 }).listDevices()
    const error = await call.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(String((error as ConnectionError).cause)).toContain('No response within 50 ms')
    await silent.stop(true)
  })
})

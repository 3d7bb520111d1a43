import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateKey } from '../../src/auth/api-key.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PATH = '/api/meta/conditions'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), {
      RATE_LIMIT_PUBLIC: '60',
      RATE_LIMIT_PAID: '120',
      RATE_LIMIT_ADDRESS: '20',
    })
  })
  afterAll(() => service.stop())

  test('every response to a key states the limit, the remaining requests and the reset time', async () => {
    const { keys } = await service.newOrganization()
    const before = Date.now() / 1000
    const response = await service.ask(PATH, { key: keys.public })
    const after = Date.now() / 1000
    expect(response.headers.get('X-RateLimit-Limit')).toBe('60')
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('59')
    const resetAt = Number(response.headers.get('X-RateLimit-Reset'))
    expect(resetAt).toBeGreaterThan(before + 59)
    expect(resetAt).toBeLessThanOrEqual(after + 61)
    expect(response.headers.get('RateLimit-Policy')).toBe('"per-minute";q=60;w=60')
    expect(response.headers.get('RateLimit')).toMatch(/^"per-minute";r=59;t=(59|60|61)$/)
    const refused = await service.ask('/api/imei', { key: keys.public })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('58')
  })

  test('the limit is per key and tier: exactly that many requests pass, then 429 for that key alone', async () => {
    const { keys } = await service.newOrganization()
    const before = Date.now() / 1000
    const statuses: number[] = []
    for (let i = 0; i < 62; i++) statuses.push((await service.ask(PATH, { key: keys.public })).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429, 429])
    const refused = await service.ask(PATH, { key: keys.public })
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    // The limiter's own test shows, with an injected clock, that a retry succeeds after exactly this time.
    const retryAfter = Number(refused.headers.get('Retry-After'))
    expect(retryAfter).toBeGreaterThanOrEqual(59 - (Date.now() / 1000 - before))
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0')
    expect((await service.ask(PATH, { key: keys.paid })).headers.get('X-RateLimit-Limit')).toBe('120')
  })

  test('an organization can have its own limit', async () => {
    const { organizationId, keys } = await service.newOrganization()
    expect((await service.ask(PATH, { key: keys.public })).headers.get('X-RateLimit-Limit')).toBe('60')
    await service.app.auth.setLimit(organizationId, 7_000, OPERATOR, Date.now())
    const limit = async () => (await service.ask(PATH, { key: keys.public })).headers.get('X-RateLimit-Limit')
    await waitUntil(async () => (await limit()) === '7000', { describe: 'the limit of the organization' })
  })

  test("an organization's limit applies to all its keys together, and a key's limit to that key", async () => {
    const { organizationId } = await service.newOrganization()
    const now = Date.now()
    await service.app.auth.setLimit(organizationId, 20, OPERATOR, now)
    const create = async (limitPerMinute: number | null) =>
      (
        await service.app.auth.createKey(
          organizationId,
          { tier: 'public', name: 'till', expiresAt: null, limitPerMinute },
          OPERATOR,
          now,
        )
      ).secret
    const small = await create(3)
    const smallStatuses: number[] = []
    for (let sent = 0; sent < 5; sent++) smallStatuses.push((await service.ask(PATH, { key: small })).status)
    expect(smallStatuses).toEqual([200, 200, 200, 429, 429])
    const rejected = await service.ask(PATH, { key: small })
    expect(rejected.body.error.message).toStartWith('The limit of 3 requests per minute of this key is reached.')
    const keys = await Promise.all(Array.from({ length: 10 }, () => create(null)))
    const responses = await Promise.all(
      keys.flatMap((key) => Array.from({ length: 20 }, () => service.ask(PATH, { key }))),
    )
    // Requests beyond a key's own limit do not count against the organization.
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(17)
    const last = responses.find(({ status }) => status === 429)
    expect(last?.headers.get('X-RateLimit-Limit')).toBe('20')
    expect(last?.body.error.message).toStartWith('The limit of 20 requests per minute of your organization is reached.')
  })

  test('invalid keys are limited per address while valid keys from the same address keep working', async () => {
    const { keys } = await service.newOrganization()
    // A key that this process has not loaded yet is looked up in the database; the address limit covers that too.
    expect((await service.ask(PATH, { key: keys.public })).status).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < 25; i++) statuses.push((await service.ask(PATH, { key: generateKey('public') })).status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(21)
    expect(statuses.at(-1)).toBe(429)
    let refused = await service.ask(PATH)
    for (let i = 0; i < 20 && refused.status === 401; i++) refused = await service.ask(PATH)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    expect((await service.ask(PATH, { key: keys.public })).status).toBe(200)
  })
})

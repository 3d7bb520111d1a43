import { afterAll, beforeAll, expect, test } from 'bun:test'
import { usageStore } from '../../src/usage/usage-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  type Logged = {
    id: string
    key_id: string
    endpoint: string
    status: number
    ms: number
    request_id: string
    at: string
  }

  test('the log shows time, key, route, status and duration, newest first, of this organization only', async () => {
    const { organizationId, keys } = await service.newOrganization('Logged')
    const owner = await member(service, organizationId, 'owner')
    const other = await member(service, service.organizationId, 'owner')
    const before = Date.now()
    await service.ask('/api/devices?search=iphone&limit=1', {
      key: keys.public,
      headers: { 'X-Request-Id': 'my-own-id' },
    })
    await service.ask('/api/pricing?variant_id=no-such', { key: keys.paid })
    await service.ask('/api/imei', { key: keys.public, json: { identifier: '490154203237518' } })
    await owner.get('/api/devices?limit=1')
    await service.ask('/api/devices', { tier: 'public' })
    const { text, body } = await owner.get('/api/usage/requests')
    const shown: Logged[] = body.data
    expect(shown.map(({ endpoint, status }) => [endpoint, status])).toEqual([
      ['/api/devices', 200],
      ['/api/imei', 403],
      ['/api/pricing', 404],
      ['/api/devices', 200],
    ])
    expect(shown[0]?.key_id).toBe('dashboard')
    expect(shown[3]?.request_id).toBe('my-own-id')
    for (const { ms, at } of shown) {
      expect(ms).toBeGreaterThan(0)
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now())
    }
    // Neither query nor body is stored.
    expect(text).not.toMatch(/iphone|no-such|490154203237518/)
    expect((await other.get('/api/usage/requests')).body.data).toHaveLength(1)

    const filtered = async (query: string): Promise<Logged[]> =>
      (await owner.get(`/api/usage/requests?${query}`)).body.data
    expect((await filtered('status=4')).map(({ status }) => status)).toEqual([403, 404])
    expect(await filtered('endpoint=/api/devices&key=dashboard')).toHaveLength(1)
    expect((await filtered(`before=${shown[1]?.id}`)).map(({ endpoint }) => endpoint)).toEqual([
      '/api/pricing',
      '/api/devices',
    ])
    for (const query of ['status=x', 'key=%00', 'before=%00']) {
      expect((await owner.get(`/api/usage/requests?${query}`)).status).toBe(400)
    }
  })

  test('hours are counted by key, endpoint, status and latency class', async () => {
    const { organizationId, keys } = await service.newOrganization('Hourly')
    const owner = await member(service, organizationId, 'manager')
    for (let sent = 0; sent < 5; sent++) await service.ask('/api/meta/conditions', { key: keys.public })
    await service.ask('/api/pricing', { key: keys.public })
    const { rows, to, latency_classes } = (await owner.get('/api/usage?include=hours')).body.data.hours
    type Row = { hour: number; endpoint: string; status: number; latency: number; requests: number }
    const sum = (route: string, status: number) =>
      rows
        .filter((row: Row) => row.endpoint === route && row.status === status && row.hour >= to - 1)
        .reduce((total: number, row: Row) => total + row.requests, 0)
    expect([sum('/api/meta/conditions', 200), sum('/api/pricing', 403)]).toEqual([5, 1])
    expect(latency_classes[0]).toBe(1)
  })

  test('entries older than three days are deleted, newer ones are kept', async () => {
    const usage = usageStore(service.app.db)
    const now = Date.now()
    const use = {
      organizationId: 'org_old',
      keyId: 'k',
      method: 'GET',
      route: '/api/devices',
      status: 200,
      durationMs: 1,
    }
    await usage.addToLog([{ ...use, at: now, requestId: 'req_1' }])
    const left = async () => (await usage.requestsOf('org_old', {}, 10)).map(({ request_id }) => request_id)
    await usage.deleteOldRequests(now + 2 * 86_400_000)
    expect(await left()).toEqual(['req_1'])
    await usage.deleteOldRequests(now + 4 * 86_400_000)
    expect(await left()).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { exampleLookup } from '../../src/contract/examples.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { browserSession, member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  test('pages load and run nothing from other origins and cannot be framed', async () => {
    for (const path of ['/dashboard', '/dashboard/keys', '/docs']) {
      const { status, headers } = await browserSession(service).get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(status).toBe(200)
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      // The dashboard's barcode reader is WebAssembly; compiling it does not allow text to run as a script.
      const rest = path.startsWith('/dashboard') ? policy.replace("'wasm-unsafe-eval'", '') : policy
      expect(rest).not.toMatch(/unsafe-inline|unsafe-eval|https?:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    const response = await browserSession(service).get('/account/session')
    expect(response.status).toBe(401)
    expect((await browserSession(service).get('/')).headers.get('location')).toBe('/dashboard')
    expect((await browserSession(service).get('/dashboard/app-old.js')).status).toBe(404)
  })

  test('usage lists the requests of a key by endpoint and status', async () => {
    const { organizationId, keys } = await service.newOrganization('Busy')
    const owner = await member(service, organizationId, 'owner')
    for (let i = 0; i < 3; i++) await service.ask('/api/devices', { key: keys.public })
    await service.ask('/api/pricing', { key: keys.public })
    await owner.get('/api/devices?limit=1')
    const data = (await owner.get('/api/usage?include=keys')).body.data.by_key
    const counts = data.rows.map((row: { endpoint: string; status: number; requests: number }) => [
      row.endpoint,
      row.status,
      row.requests,
    ])
    expect(counts.sort()).toEqual([
      ['/api/devices', 200, 1],
      ['/api/devices', 200, 3],
      ['/api/pricing', 403, 1],
    ])
    expect(data.peaks.some((peak: { peak_per_minute: number }) => peak.peak_per_minute >= 1)).toBe(true)
  })

  describe('the page of a lookup', () => {
    test('stays reachable, however many lookups follow', async () => {
      const { organizationId, keys } = await service.newOrganization('Long memory')
      const asking = { key: keys.enterprise, json: { identifier: '100000010000023' } }
      const lookup = (await service.ask('/api/imei', asking)).body.data
      const now = Date.now()
      const records = Array.from({ length: 2_500 }, (_, at) => ({
        id: `lkp_ZZ${String(at).padStart(24, '0')}`,
        organizationId,
        identifierKey: 'later',
        createdAt: now,
        result: exampleLookup,
      }))
      const writes = lookupStore(service.app.db).writes(organizationId, records)
      await recordStore(service.app.db).save([{ organizationId, writes, idempotency: null, now }])
      const owner = await member(service, organizationId, 'owner')
      expect((await owner.get(`/api/imei/${lookup.lookup_id}`)).body.data).toEqual(lookup)
    })

    test('is visible to its own organization only, and only with the Enterprise tier', async () => {
      const mine = await service.newOrganization('Mine')
      const asking = { key: mine.keys.enterprise, json: { identifier: '100000010000023' } }
      const { lookup_id } = (await service.ask('/api/imei', asking)).body.data
      const owner = await member(service, mine.organizationId, 'owner')
      const stranger = await member(service, (await service.newOrganization('Other')).organizationId, 'owner')
      expect((await stranger.get(`/api/imei/${lookup_id}`)).status).toBe(404)
      expect((await browserSession(service).get(`/api/imei/${lookup_id}`)).status).toBe(401)
      for (const id of ['lkp_', 'lkp_nothing', '%00', "lkp_'or'1'='1", 'x'.repeat(3_000)]) {
        expect((await owner.get(`/api/imei/${id}`)).status).toBe(404)
      }
      await service.app.auth.setTier(mine.organizationId, 'paid', OPERATOR, Date.now())
      expect((await owner.get(`/api/imei/${lookup_id}`)).status).toBe(403)
    })
  })

  test('the explore endpoints return what the API returns', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const explored = await owner.get('/api/devices?search=iphone+13&limit=2')
    const response = await service.ask('/api/devices?search=iphone+13&limit=2', { tier: 'public' })
    expect(explored.body.data).toEqual(response.body.data)
    expect(explored.body.meta).toEqual(response.body.meta)
    const misspelled = await owner.get('/api/devices?serach=iphone&limit=1')
    expect(misspelled.body.meta.ignored_parameters).toEqual(['serach'])
    expect((await owner.get('/api/nothing')).status).toBe(404)
  })
})

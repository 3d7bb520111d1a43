import { afterAll, beforeAll, expect, test } from 'bun:test'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const LIMIT = 50

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), { RATE_LIMIT_ENTERPRISE: String(LIMIT) })
  })
  afterAll(() => service.stop())

  test("lookups by people count against the limit of the organization's tier, batches by their items", async () => {
    const { organizationId } = await service.newOrganization('People')
    const [owner, colleague] = [
      await member(service, organizationId, 'owner'),
      await member(service, organizationId, 'manager'),
    ]
    const items = Array.from({ length: LIMIT - 10 }, (_, at) => ({ identifier: String(49015420323000 + at) }))
    const batch = await owner.post('/api/imei/batch', { items })
    expect(batch.status).toBe(200)
    expect(batch.headers.get('X-RateLimit-Remaining')).toBe('10')
    const one = () => colleague.post('/api/imei', { identifier: '490154203237518' })
    for (let at = 0; at < 10; at++) expect((await one()).status).toBe(200)
    const rejected = await one()
    expect(rejected).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } })
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await owner.post('/api/imei/batch', { items })).status).toBe(429)
    expect((await owner.get('/api/devices?limit=1')).status).toBe(200)
    const others = await member(service, (await service.newOrganization('Others')).organizationId, 'owner')
    expect((await others.post('/api/imei', { identifier: '490154203237518' })).status).toBe(200)
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { KeyRight } from '../../src/contract/tiers.ts'
import { quotaStore } from '../../src/usage/quota-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const setQuota = (organizationId: string, monthlyRequests: number, isHard: boolean) =>
    quotaStore(service.app.db).setQuota(organizationId, { monthlyRequests, isHard }, OPERATOR, Date.now())
  /** Writes usage and counts quotas now; the service does both twice a minute. */
  const count = async () => {
    await service.app.flushUsage()
    await service.app.quotas.refresh()
  }
  const usageOf = async (key: string) => {
    await service.app.flushUsage()
    return (await service.ask('/api/usage', { key })).body.data
  }

  test('usage is listed by day, endpoint and status', async () => {
    const { keys } = await service.newOrganization('Counted')
    await service.ask('/api/devices', { key: keys.paid })
    await service.ask('/api/devices', { key: keys.paid })
    await service.ask('/api/imei', { key: keys.paid })
    const usage = await usageOf(keys.public)
    expect(usage).toMatchObject({ total_requests: 3, quota: null })
    expect(usage.rows).toContainEqual(expect.objectContaining({ endpoint: '/api/devices', status: 200, requests: 2 }))
    expect(usage.rows).toContainEqual(expect.objectContaining({ endpoint: '/api/imei', status: 403, requests: 1 }))
    const none = await service.ask('/api/usage?from=2020-01-01&to=2020-01-31', { key: keys.public })
    expect(none.body.data).toMatchObject({ from: '2020-01-01', total_requests: 0, rows: [] })
    expect((await service.ask('/api/usage?from=2026-02-30', { key: keys.public })).status).toBe(400)
  })

  test('a soft quota is reported at 80 and 100 percent, once each, and rejects nothing', async () => {
    const { organizationId, keys } = await service.newOrganization('Soft')
    await setQuota(organizationId, 5, false)
    for (let at = 0; at < 4; at++) await service.ask('/api/devices', { key: keys.enterprise })
    await count()
    for (let at = 0; at < 3; at++) await service.ask('/api/devices', { key: keys.enterprise })
    await count()
    await count()
    const { body } = await service.ask('/api/events?type=usage.threshold_reached', { key: keys.enterprise })
    expect(body.data.map(({ data }: { data: object }) => data)).toMatchObject([
      { threshold_percent: 80, monthly_requests: 5, is_hard: false },
      { threshold_percent: 100, monthly_requests: 5, is_hard: false },
    ])
    expect((await service.ask('/api/devices', { key: keys.public })).status).toBe(200)
    expect((await usageOf(keys.public)).quota).toMatchObject({ monthly_requests: 5, is_hard: false, remaining: 0 })
  })

  test('beyond a hard quota requests are rejected until the next month, except for usage and management', async () => {
    const { organizationId, keys } = await service.newOrganization('Hard')
    const manager = { tier: 'public', name: 'manager', expiresAt: null, rights: ['manage'] } as const
    const manage = await service.app.auth.createKey(organizationId, manager, OPERATOR, Date.now())
    await setQuota(organizationId, 2, true)
    for (let at = 0; at < 2; at++) await service.ask('/api/devices', { key: keys.public })
    await count()
    const rejected = await service.ask('/api/devices', { key: keys.enterprise })
    expect(rejected.status).toBe(429)
    expect(rejected.body.error.message).toContain('monthly quota')
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await usageOf(keys.public)).quota).toMatchObject({ monthly_requests: 2, is_hard: true, remaining: 0 })
    expect((await service.ask('/api/manage/keys', { key: manage.secret })).status).toBe(200)
    expect((await service.ask('/api/devices', { key: manage.secret })).status).toBe(429)
    const contributor = { tier: 'public', name: 'contributor', expiresAt: null, rights: ['contribute'] } as const
    const contribute = await service.app.auth.createKey(organizationId, contributor, OPERATOR, Date.now())
    const contribution = { key: contribute.secret, json: { observations: [] } }
    expect((await service.ask('/api/observations', contribution)).status).toBe(429)
    expect((await service.ask('/api/devices', { tier: 'public' })).status).toBe(200)
    await quotaStore(service.app.db).setQuota(organizationId, null, OPERATOR, Date.now())
    await service.app.quotas.refresh()
    expect((await service.ask('/api/devices', { key: keys.public })).status).toBe(200)
  })

  test('people download the usage as CSV and see the quota', async () => {
    const { organizationId, keys } = await service.newOrganization('Csv')
    await setQuota(organizationId, 100, false)
    await service.ask('/api/devices', { key: keys.public })
    const person = await member(service, organizationId, 'manager')
    const csv = await person.get('/api/usage?format=csv')
    expect(csv.text).toMatch(
      /^day,key_id,endpoint,status,requests\r?\n\d{4}-\d\d-\d\d,key_\w+,\/api\/devices,200,1\r?\n/,
    )
    expect((await person.get('/api/usage?format=csv&language=fr')).text).toStartWith('jour;ID de clé;')
    expect((await person.get('/api/usage')).body.data.quota).toMatchObject({ monthly_requests: 100, used: 1 })
  })

  test('a key with the right to manage gets the same file as people; another organization needs operate', async () => {
    const { organizationId, keys } = await service.newOrganization('Billed')
    const keyWith = async (right: KeyRight, of: string) => {
      const fresh = { tier: 'public', name: right, expiresAt: null, rights: [right] } as const
      return (await service.app.auth.createKey(of, fresh, OPERATOR, Date.now())).secret
    }
    const manage = await keyWith('manage', organizationId)
    const operate = await keyWith('operate', service.organizationId)
    await service.ask('/api/devices', { key: keys.public })
    const person = await member(service, organizationId, 'manager')
    const downloaded = await person.get('/api/usage?format=csv')
    const file = await service.ask('/api/usage?format=csv', { key: manage })
    expect(file.text.split('\n')).toEqual(expect.arrayContaining(downloaded.text.split('\n')))
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="usage.csv"')
    const other = `/api/usage?format=csv&organization_id=${organizationId}`
    expect((await service.ask(other, { key: operate })).text).toContain(',/api/devices,200,1\n')
    const past = await service.ask(`${other}&from=2020-01-01&to=2020-01-31`, { key: operate })
    expect(past.text).toBe('day,key_id,endpoint,status,requests\n')
    expect((await service.ask(other, { key: await keyWith('manage', service.organizationId) })).status).toBe(404)
    expect((await service.ask('/api/usage?format=csv', { key: keys.enterprise })).status).toBe(403)
    expect((await service.ask('/api/usage?format=csv&from=2026-02-30', { key: manage })).status).toBe(400)
  })

  test('the usage page is served while another write holds the database', async () => {
    const { organizationId, keys } = await service.newOrganization('Waiting')
    const person = await member(service, organizationId, 'manager')
    await service.ask('/api/devices?limit=1', { key: keys.paid })
    const served = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const write = service.app.db.transaction(async (tx) => {
      await tx.deleteFrom('usage_count').where('organization_id', '=', 'org_none').execute()
      begun.resolve()
      await served.promise
    })
    await begun.promise
    const { status } = await person.get('/api/usage').finally(served.resolve)
    expect(status).toBe(200)
    await write
  })
})

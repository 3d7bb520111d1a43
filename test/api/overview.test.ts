import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

describe('the overview and the cards of the registry', () => {
  onDatabaseOfSuite((store) => {
    let service: TestService
    beforeAll(async () => {
      service = await startService(await store.open())
    })
    afterAll(() => service.stop())

    test('a key that expires soon is shown to its own organization only', async () => {
      const { id: mine } = await service.app.auth.createOrganization('Mine', OPERATOR, Date.now())
      const { id: theirs } = await service.app.auth.createOrganization('Theirs', OPERATOR, Date.now())
      const expiresAt = Date.now() + 3 * DAY_MS
      await service.app.auth.createKey(mine, { tier: 'public', name: 'Till', expiresAt }, OPERATOR, Date.now())
      const me = await member(service, mine, 'manager')
      const they = await member(service, theirs, 'owner')
      expect((await me.get('/api/manage/attention')).body.data).toEqual([
        { kind: 'key_expiring', subject: 'Till', at: new Date(expiresAt).toISOString() },
      ])
      expect((await they.get('/api/manage/attention')).body.data).toEqual([])
    })

    test('used prices are those of the cheapest configuration in /api/pricing', async () => {
      const { id } = await service.app.auth.createOrganization('Prices', OPERATOR, Date.now())
      const me = await member(service, id, 'manager')
      const pricesPath = '/api/pricing/lowest?device_ids=apple-iphone-13,no-such-device'
      const { body } = await me.get(pricesPath)
      const device = (await me.get('/api/devices/apple-iphone-13')).body.data
      const amounts = await Promise.all(
        device.variants.map(
          async (variant: { id: string }) =>
            (await me.get(`/api/pricing?variant_id=${variant.id}`)).body.data.resale.current.Good,
        ),
      )
      expect(body.data).toEqual([
        { device_id: 'apple-iphone-13', resale: Math.min(...amounts) },
        { device_id: 'no-such-device', resale: null },
      ])
    })

    test('the device list can be sorted, and an unknown order is rejected', async () => {
      const { id } = await service.app.auth.createOrganization('Sorted', OPERATOR, Date.now())
      const clerk = await member(service, id, 'clerk')
      const { body } = await clerk.get('/api/devices?sort=name&search=iphone+13&limit=3')
      const names = body.data.map(({ name }: { name: string }) => name)
      expect(names).toEqual(['iPhone 13', 'iPhone 13 mini', 'iPhone 13 Pro'])
      expect(body.meta).toMatchObject({ page: 1, limit: 3 })
      const appraised = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
      expect((await clerk.post('/api/appraisals', appraised)).status).toBe(200)
      const first = async () => (await clerk.get('/api/devices?sort=frequent&limit=1')).body.data[0].id
      expect(await first()).toBe('apple-iphone-13')
      const { db } = service.app
      await db.transaction((tx) =>
        db.insertMany(tx, 'tac', [
          {
            tac: '35693803',
            device_id: 'apple-iphone-13-mini',
            make: 'Apple',
            model: 'iPhone 13 mini',
            source: 'own',
            confidence: 90,
          },
        ]),
      )
      const check = async () =>
        (await clerk.post('/api/imei', { identifier: '356938035643809' })).body.data.device_match
      expect(await check()).toMatchObject({ matched_device_id: 'apple-iphone-13-mini' })
      await check()
      expect(await first()).toBe('apple-iphone-13-mini')
      expect((await clerk.get('/api/devices?sort=random')).status).toBe(400)
    })

    test('a request for more devices than a page shows is rejected, and callers without a session get nothing', async () => {
      const { id } = await service.app.auth.createOrganization('Many', OPERATOR, Date.now())
      const me = await member(service, id, 'manager')
      const many = Array.from({ length: 51 }, (_, i) => `d${i}`).join(',')
      expect((await me.get(`/api/pricing/lowest?device_ids=${many}`)).status).toBe(400)
      for (const path of ['/api/manage/attention', '/api/pricing/lowest?device_ids=apple-iphone-13']) {
        expect((await fetch(`${service.url}${path}`)).status).toBe(401)
      }
    })
  })
})

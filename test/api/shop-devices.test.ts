import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MemberRole } from '../../src/contract/account-limits.ts'
import { HOUR_MS } from '../../src/lib/time.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  const people = {} as Record<MemberRole, Awaited<ReturnType<typeof member>>>
  const ids = {} as Record<MemberRole, string>
  beforeAll(async () => {
    service = await startService(await store.open())
    for (const role of ['owner', 'manager', 'clerk'] as const) {
      people[role] = await member(service, service.organizationId, role)
      ids[role] = (await people[role].get('/account/session')).body.data.person.id
    }
  })
  afterAll(() => service.stop())

  const linkFor = (maker: MemberRole, account_id: string, shop_device?: string) =>
    people[maker].post('/account/sessions', { account_id, shop_device })
  /** The device that scans the code. */
  const scan = async (token: string) => {
    const device = browserSession(service)
    expect((await device.post('/account/sign-in/continue', { token })).status).toBe(200)
    return device
  }

  describe('a shop device', () => {
    test('is signed in as the person whom its code was made for, never as the one who made it', async () => {
      const { body } = await linkFor('owner', ids.clerk, 'Tablet at the counter')
      const tablet = await scan(body.data.token)
      expect((await tablet.get('/account/session')).body.data).toMatchObject({
        person: { id: ids.clerk },
        role: 'clerk',
        shop_device: 'Tablet at the counter',
      })
      expect((await tablet.post('/account/sign-in/continue', { token: body.data.token })).status).toBe(401)
      expect((await people.owner.get('/account/session')).body.data.shop_device).toBeNull()
      // Who let the clerk in there is on record, and where.
      const entries = (await people.owner.get('/api/manage/audit?limit=10')).body.data
      expect(entries).toContainEqual(
        expect.objectContaining({
          action: 'person.device_code_made',
          who: people.owner.email,
          subject: people.clerk.email,
        }),
      )
      expect(entries).toContainEqual(
        expect.objectContaining({
          action: 'person.signed_in_by_link',
          detail: { device: 'Tablet at the counter' },
        }),
      )
      expect((await people.owner.post('/account/sessions', {})).status).toBe(400)
    })

    test('is never made for a person of the same or a higher role, nor of another organization', async () => {
      const stranger = await member(service, (await service.newOrganization('Elsewhere')).organizationId, 'clerk')
      const strangerId = (await stranger.get('/account/session')).body.data.person.id
      const otherOwner = await member(service, service.organizationId, 'owner')
      const otherOwnerId = (await otherOwner.get('/account/session')).body.data.person.id
      for (const [maker, id, status] of [
        ['clerk', ids.manager, 403],
        ['clerk', ids.owner, 403],
        ['manager', ids.owner, 403],
        ['owner', otherOwnerId, 403],
        ['owner', strangerId, 404],
        ['manager', ids.clerk, 200],
        ['clerk', ids.clerk, 200],
      ] as const)
        expect([maker, (await linkFor(maker, id)).status]).toEqual([maker, status])
    })

    test('stays one when another person signs in on it, and what is recorded there names person and device', async () => {
      const tablet = await scan((await linkFor('owner', ids.clerk, 'Till 2')).body.data.token)
      const request = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
      const first = (await tablet.post('/api/appraisals', request)).body.data
      expect(first.created_by).toMatchObject({ kind: 'person', id: ids.clerk, device: 'Till 2' })
      const names = (await tablet.get('/account/people')).body.data
      const manager = names.find(({ id }: { id: string }) => id === ids.manager)
      expect(manager).toMatchObject({ role: 'manager', email: people.manager.email })
      await tablet.post('/account/sign-in', { email: people.manager.email, password: 'correct horse battery' })
      expect((await tablet.get('/account/session')).body.data).toMatchObject({
        person: { id: ids.manager },
        shop_device: 'Till 2',
      })
      const bought = await tablet.post('/api/appraisals', {
        ...request,
        purchase: { price: 5_000, confirm_amount: true },
      })
      expect(bought.body.data.created_by).toMatchObject({ id: ids.manager, device: 'Till 2' })
      expect(bought.body.data.outcome.recorded_by ?? bought.body.data.created_by).toMatchObject({ device: 'Till 2' })
      const [entry] = (await people.owner.get('/api/manage/audit?limit=1')).body.data
      expect(entry.detail).toMatchObject({ device: 'Till 2' })
      // An appraisal at a desk names none.
      const atDesk = (await people.clerk.post('/api/appraisals', request)).body.data
      expect(atDesk.created_by).not.toHaveProperty('device')
    })

    test('is seen and ended by an owner, and by nobody else', async () => {
      const tablet = await scan((await linkFor('owner', ids.clerk, 'Lost tablet')).body.data.token)
      for (const role of ['manager', 'clerk'] as const)
        expect((await people[role].get('/account/shop-devices')).status).toBe(403)
      const devices = (await people.owner.get('/account/shop-devices')).body.data
      const lost = devices.find(({ name }: { name: string }) => name === 'Lost tablet')
      expect(lost).toMatchObject({ role: 'clerk', current: false })
      expect((await people.clerk.send('DELETE', `/account/shop-devices/${lost.id}`)).status).toBe(403)
      expect((await people.owner.send('DELETE', `/account/shop-devices/${lost.id}`)).status).toBe(200)
      expect((await tablet.get('/account/session')).status).toBe(401)
      expect((await people.owner.send('DELETE', `/account/shop-devices/${lost.id}`)).status).toBe(404)
    })

    test('and sessions end without use, and at the latest, when the owner says', async () => {
      const limits = (sessions: object) => people.owner.send('PATCH', '/api/manage/settings', { sessions })
      const defaults = { idle_days: 30, days: 90, shop_device_hours: 12 }
      expect((await people.owner.get('/api/manage/settings')).body.data.sessions).toEqual(defaults)
      const tablet = await scan((await linkFor('owner', ids.clerk, 'Night tablet')).body.data.token)
      const isOpen = async () => (await tablet.get('/account/session')).status === 200
      /** All sessions were used, and began, that many hours ago. */
      const age = (hours: number, column: 'seen_at' | 'created_at') =>
        service.app.db.transaction((tx) =>
          tx
            .updateTable('session')
            .set({ [column]: Date.now() - hours * HOUR_MS })
            .where('shop_device', '=', 'Night tablet')
            .execute(),
        )
      await age(11, 'seen_at')
      expect(await isOpen()).toBe(true)
      await age(13, 'seen_at')
      expect(await isOpen()).toBe(false)
      expect((await limits({ shop_device_hours: 24 })).body.data.sessions).toEqual({
        ...defaults,
        shop_device_hours: 24,
      })
      expect(await isOpen()).toBe(true)
      await age(25, 'created_at')
      expect((await limits({ days: 1 })).status).toBe(200)
      expect(await isOpen()).toBe(false)
      // The same people, on their own devices, signed in a moment ago.
      expect((await people.clerk.get('/account/session')).status).toBe(200)
      expect((await people.owner.get('/api/manage/audit?kind=organization')).text).toContain(
        'organization.sessions_changed',
      )
      for (const wrong of [{ days: 91 }, { idle_days: 0 }, { shop_device_hours: 1.5 }])
        expect((await limits(wrong)).status).toBe(400)
      await limits(defaults)
    })

    test('is still one when somebody signs in there the next morning', async () => {
      const tablet = await scan((await linkFor('owner', ids.clerk, 'Morning tablet')).body.data.token)
      await service.app.db.transaction((tx) =>
        tx
          .updateTable('session')
          .set({ seen_at: Date.now() - 13 * HOUR_MS })
          .where('shop_device', '=', 'Morning tablet')
          .execute(),
      )
      expect((await tablet.get('/account/session')).status).toBe(401)
      const again = { email: people.clerk.email, password: PASSWORD }
      expect((await tablet.post('/account/sign-in', again)).status).toBe(200)
      const devices = (await people.owner.get('/account/shop-devices')).body.data
      expect(devices.map(({ name }: { name: string }) => name)).toContain('Morning tablet')
    })

    test('asks who is there after the time that the owner sets', async () => {
      expect((await people.owner.send('PATCH', '/api/manage/settings', { till_idle_minutes: 5 })).status).toBe(200)
      const { organization } = (await people.clerk.get('/account/session')).body.data
      expect(organization.till_idle_minutes).toBe(5)
      expect((await people.owner.send('PATCH', '/api/manage/settings', { till_idle_minutes: 0 })).status).toBe(400)
      expect((await people.clerk.send('PATCH', '/api/manage/settings', { till_idle_minutes: 9 })).status).toBe(403)
    })
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FIRST_START_ACTOR } from '../../src/auth/actor.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(() => service.stop())

  test('an organization without settings has the market of the service and US dollars', async () => {
    const { data } = (await owner.get('/api/manage/settings')).body
    expect(data).toMatchObject({ market: null, service_market: 'us', currency: 'USD', converted: [] })
    expect(data.currencies).toContain('EUR')
    expect(data.markets).toContainEqual({ code: 'hr', name: 'Croatia', currency: 'EUR' })
    const session = (await owner.get('/account/session')).body.data
    expect(session.organization).toMatchObject({ currency: 'USD', units_per_usd: 1, market: 'us' })
  })

  test('a new market sets its currency, and the amounts of the policy are converted', async () => {
    await owner.send('PATCH', '/api/manage/settings', { policy: { min_profit: 2_000 } })
    const { status, body } = await owner.send('PATCH', '/api/manage/settings', { name: 'Trgovina', market: 'hr' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: 'Trgovina', market: 'hr', currency: 'EUR' })
    const profit = body.data.converted.find(({ field }: { field: string }) => field === 'min_profit')
    expect(profit.before).toEqual({ amount: 2_000, currency: 'USD' })
    const { organization } = (await owner.get('/account/session')).body.data
    expect(organization).toMatchObject({ name: 'Trgovina', currency: 'EUR', market: 'hr' })
    const euros = Math.round(Number((2_000 * organization.units_per_usd).toPrecision(3)))
    expect(profit.after).toEqual({ amount: euros, currency: 'EUR' })
    const { policy, own } = (await owner.get('/api/manage/settings')).body.data.policy
    expect(policy).toMatchObject({ currency: 'EUR', min_profit: euros })
    expect(own).toEqual(['currency', 'min_profit'])
  })

  test('a chosen currency stays when only the name changes, and may differ from that of the market', async () => {
    const chosen = await owner.send('PATCH', '/api/manage/settings', { market: 'hr', currency: 'usd' })
    expect(chosen.body.data).toMatchObject({ market: 'hr', currency: 'USD' })
    const renamed = await owner.send('PATCH', '/api/manage/settings', { name: 'Dućan' })
    expect(renamed.body.data).toMatchObject({ name: 'Dućan', market: 'hr', currency: 'USD', converted: [] })
  })

  test('invalid settings are rejected with the field and change nothing', async () => {
    const before = (await owner.get('/api/manage/settings')).body.data
    for (const [change, field, hint] of [
      [{ currency: 'EUT' }, 'currency', 'Did you mean EUR?'],
      [{ currency: 'PKR' }, 'currency', 'import rates'],
      [{ market: 'croatai' }, 'market', 'hr (Croatia)'],
      [{ name: '', currency: 'EUR' }, 'name', ''],
    ] as const) {
      const { status, body } = await owner.send('PATCH', '/api/manage/settings', change)
      expect({ status, field: body.error.details[0].field }).toEqual({ status: 400, field })
      expect(body.error.message).toContain(hint)
    }
    expect((await owner.get('/api/manage/settings')).body.data).toEqual(before)
  })

  test('a key requires a second factor, and names the owner who is exempt from single sign-on', async () => {
    const newKey = { tier: 'public', name: 'Back office', expiresAt: null, rights: ['manage'] } as const
    const { secret } = await service.app.auth.createKey(service.organizationId, newKey, OPERATOR, Date.now())
    const change = (json: object) => service.ask('/api/manage/settings', { key: secret, method: 'PATCH', json })
    const before = (await service.ask('/api/manage/settings', { key: secret })).body.data
    expect(before).toMatchObject({
      second_factor_required: false,
      sign_on: { issuer: null, required: false, break_glass_id: null },
    })
    const signOn = await change({ name: 'Not renamed', sign_on: { required: true } })
    expect([signOn.status, signOn.body.error.details[0].field]).toEqual([400, 'sign_on.required'])
    expect((await service.ask('/api/manage/settings', { key: secret })).body.data).toEqual(before)
    expect((await change({ second_factor_required: true })).body.data).toMatchObject({ second_factor_required: true })
    expect((await change({ second_factor_required: false })).body.data).toMatchObject({ second_factor_required: false })
    expect((await change({ second_factor: true })).status).toBe(400)
  })

  test('the menu has the developer pages from the first key that someone creates, or as an owner chooses', async () => {
    const { id } = await service.app.auth.createOrganization('Without keys', OPERATOR, Date.now())
    const boss = await member(service, id, 'owner')
    const isShown = async () => {
      const { developer_pages: setting } = (await boss.get('/api/manage/settings')).body.data
      const { organization } = (await boss.get('/account/session')).body.data
      expect(organization.developer_pages).toBe(setting)
      return setting
    }
    const newKey = { tier: 'public', name: 'First public key', expiresAt: null } as const
    await service.app.auth.createKey(id, newKey, FIRST_START_ACTOR, Date.now())
    expect(await isShown()).toBe(false)
    await boss.send('PATCH', '/api/manage/settings', { developer_pages: true })
    expect(await isShown()).toBe(true)
    await boss.send('PATCH', '/api/manage/settings', { developer_pages: false })
    expect(await isShown()).toBe(false)
    const [entry] = (await boss.get('/api/manage/audit')).body.data
    expect(entry).toMatchObject({ action: 'organization.developer_pages_changed', detail: { shown: 'no' } })
    await boss.post('/api/manage/keys', { name: 'Till', tier: 'public' })
    expect(await isShown()).toBe(true)
  })

  test('members see the settings but cannot change them', async () => {
    const clerk = await member(service, service.organizationId, 'manager')
    expect((await clerk.get('/api/manage/settings')).status).toBe(200)
    expect((await clerk.send('PATCH', '/api/manage/settings', { name: 'Mine' })).status).toBe(403)
  })
})

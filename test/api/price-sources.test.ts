import { afterAll, beforeAll, expect, test } from 'bun:test'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { CLIENT, listingsOf, startMarketplace } from '../support/marketplace.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const ITEMS = [
  ...listingsOf('Apple iPhone 13 128GB Midnight Unlocked', 8, 29_000),
  { itemId: 'v1|case|0', title: 'Apple iPhone 13 case', price: '9.00' },
]

onDatabaseOfSuite((store) => {
  const market = startMarketplace(ITEMS)
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let stopLeading: () => Promise<void>
  beforeAll(async () => {
    service = await startService(await store.open())
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    owner = await member(service, service.organizationId, 'owner')
    stopLeading = service.app.startLeading()
  })
  afterAll(async () => {
    await stopLeading()
    await service.stop()
    market.stop()
  })

  const template = { name: 'ebay', market: 'US', client_id: CLIENT.id, base_url: market.url }
  const marketplace = { template, client_secret: CLIENT.secret }
  const put = (body: object) => owner.send('PUT', '/api/manage/service/feeds/ebay-us', body)
  const ask = (body: object) => owner.post('/api/manage/service/sources/test', body)
  const feed = async () => (await owner.get('/api/manage/feeds')).body.data[0]

  test('a marketplace is tested with one device before it is stored; the test shows what is read and why the rest is not', async () => {
    const { status, body } = await ask({ feed: marketplace, query: 'iPhone 13' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ outcome: 'answered', reason: null, results: 9 })
    expect(body.data.listings).toHaveLength(9)
    expect(body.data.listings[0]).toEqual({
      ...{ listing_id: 'v1|100000|0', title: 'Apple iPhone 13 128GB Midnight Unlocked', price: '275.50' },
      ...{ currency: 'USD', condition: 'Used', device: 'Apple iPhone 13 128GB', grade: 'Ungraded', reason: null },
    })
    expect(body.data.listings[8]).toMatchObject({ device: null, grade: null, reason: 'accessory' })
    expect((await owner.get('/api/manage/imports')).body.data).toEqual([])

    const refused = await ask({ feed: { ...marketplace, client_secret: 'wrong' }, query: 'iPhone 13' })
    expect(refused.body.data).toMatchObject({ outcome: 'failed', listings: [] })
    expect(refused.body.data.reason).toContain('rejected the client id or the client secret')
    expect((await ask({ feed: { format: 'observations', url: market.url }, query: 'iPhone' })).status).toBe(400)
    expect((await ask({ name: 'nobody', query: 'iPhone 13' })).status).toBe(404)
    expect((await ask({ name: 'nobody' })).status).toBe(400)
  })

  test('its secret is stored encrypted, never shown, kept when it is not sent, and not sent to another host', async () => {
    const { status, text, body } = await put(marketplace)
    expect(status, text).toBe(200)
    expect(text).not.toContain(CLIENT.secret)
    expect(body.data.feeds).toMatchObject([
      { name: 'ebay-us', format: 'observations', template, api: null, has_client_secret: true, schedule: null },
    ])
    const rows = await service.app.db.query.selectFrom('setting').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(CLIENT.secret)
    expect((await put({ template: { ...template, requests_per_day: 50 }, schedule: '17 * * * *' })).status).toBe(200)
    expect(await feed()).toMatchObject({ prices: { requests_per_day: 50, requests_today: 0, devices: 0 } })
    const moved = await put({ template: { ...template, base_url: 'https://elsewhere.example' } })
    expect([moved.status, moved.text]).toEqual([400, expect.stringContaining('Enter the secret again')])
    expect((await ask({ name: 'ebay-us', query: 'iPhone 13' })).body.data.outcome).toBe('answered')
    expect(await feed()).toMatchObject({ prices: { requests_today: 1 } })
  })

  test('what is wrong with a definition is said field by field', async () => {
    for (const [body, message] of [
      [{ template: { ...template, market: 'PL' }, client_secret: 's' }, 'template.market'],
      [{ template, api: { requests_per_second: 0 }, client_secret: 's' }, 'api.requests_per_second'],
      [{ url: 'https://prices.example', format: 'lists', api: { fields: {} } }, 'api: the format must be observations'],
      [{ url: 'https://prices.example', format: 'observations', api: { fields: { id: 'a' } } }, 'api.fields.title'],
      [{ template }, null],
      [{ schedule: null }, 'format'],
    ] as const) {
      const response = await owner.send('PUT', '/api/manage/service/feeds/other', body)
      expect(response.status).toBe(400)
      if (message) expect(response.text).toContain(message)
    }
  })

  test('its prices replace the sample prices of a device, and budget and freshness are shown', async () => {
    const source = async () =>
      (await service.ask(`/api/pricing?variant_id=${PHONE}`, { tier: 'paid' })).body.data.resale.source
    expect(await source()).toBe('sample')
    await owner.post('/api/appraisals', { variant_id: PHONE, condition: 'Good' })
    const api = { requests_per_second: 50, requests_per_run: 3 }
    expect((await put({ template: { ...template, requests_per_day: 50 }, api })).status).toBe(200)
    expect((await owner.send('POST', '/api/manage/service/feeds/ebay-us/run')).status).toBe(200)
    await waitUntil(async () => (await feed()).outcome === 'imported', { describe: 'the run' })
    expect(await feed()).toMatchObject({
      prices: { requests_today: 4, requests_per_day: 50, devices: 3, fresh_devices: 3, listings: 9, waits_until: null },
    })
    await waitUntil(async () => (await source()) === 'market', { describe: 'the prices of the marketplace' })
    const runs = (await owner.get('/api/manage/imports')).body.data
    expect(runs[0]).toMatchObject({ file: 'feed ebay-us', counts: { observations: 8, rejected: 1 } })
    expect(runs[0].rejected_by).toEqual({ accessory: 1 })
  })

  test('clerks and other organizations neither change nor test it', async () => {
    const clerk = await member(service, service.organizationId, 'clerk')
    expect((await clerk.send('PUT', '/api/manage/service/feeds/ebay-us', marketplace)).status).toBe(403)
    expect((await clerk.post('/api/manage/service/sources/test', { name: 'ebay-us', query: 'x' })).status).toBe(403)
  })
})

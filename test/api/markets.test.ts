import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const MIDNIGHT = 'apple-iphone-13-128gb-midnight'
const MODELS = ['13', '13 Pro', '14', '14 Pro', '12'] as const
const yesterday = dayOf(Date.now() - DAY_MS)

/** A price list in the common market: five models, each with its price in US dollars. */
const listOf = (country: string, cents: (model: number) => number) =>
  [
    'title,condition,price,currency,date,country,side,listing_id',
    ...MODELS.flatMap((model, at) =>
      Array.from(
        { length: 12 },
        (_, row) =>
          `iPhone ${model} 128GB,Good,${cents(at) + row},USD,${yesterday},${country},sold,${country}-${at}-${row}`,
      ),
    ),
  ].join('\n')

onDatabaseOfSuite((database) => {
  let service: TestService
  let options: Awaited<ReturnType<typeof database.open>>
  beforeAll(async () => {
    options = await database.open()
    service = await startService(options, { SAMPLE_DATA: 'off' })
    for (const [country, cents] of [
      ['us', (model: number) => 300 + model * 90],
      ['hr', (model: number) => 420 + model * 126],
    ] as const) {
      const imported = await importText(options, 'observations', `${country}.csv`, listOf(country, cents))
      expect(imported.counts).toMatchObject({ written: 60, rejected: 0 })
    }
    await waitUntil(async () => (await priceIn('us')).data_points === 12 || undefined, {
      describe: 'the imported prices',
    })
  })
  afterAll(() => service.stop())

  const ask = (query: string, key?: string) =>
    service.ask(`/api/pricing?variant_id=${MIDNIGHT}${query}`, key ? { key } : { tier: 'paid' })
  const priceIn = async (market: string, key?: string) => (await ask(`&market=${market}`, key)).body.data

  test('a price is that of the requested market and names it', async () => {
    const [us, hr] = [await priceIn('us'), await priceIn('hr')]
    expect(us.market).toMatchObject({ code: 'us', tax_included: false })
    expect(hr.market).toMatchObject({ code: 'hr', tax_included: true })
    expect(us.resale.current.Good).toBeGreaterThan(27_000)
    expect(us.resale.current.Good).toBeLessThan(33_000)
    expect(hr.resale.current.Good).toBeGreaterThan(us.resale.current.Good * 1.15)
    expect(us.currency).toBe('USD')
    expect(hr.currency).toBe('USD')
    expect([us.data_points, hr.data_points]).toEqual([12, 12])
  })

  test('a market without its own data borrows from others, with less confidence, and says so', async () => {
    const [us, fr] = [await priceIn('us'), await priceIn('fr')]
    expect(fr.market).toMatchObject({ code: 'fr', tax_included: true, observations: 0 })
    expect(['borrowed', 'estimated']).toContain(fr.market.basis)
    expect(fr.market_confidence).toBeLessThan(us.market_confidence)
    expect(fr.resale.source).toBe('estimate')
    const width = (block: typeof us) => block.resale.interval.Good.high / block.resale.interval.Good.low
    expect(width(fr)).toBeGreaterThan(width(us))
  })

  test('market=eu uses the prices of member countries and says that they are observed', async () => {
    const [eu, hr] = [await priceIn('eu'), await priceIn('hr')]
    expect(eu.market).toMatchObject({ code: 'eu', basis: 'observed' })
    expect(eu.market.observations).toBeGreaterThanOrEqual(12)
    expect(eu.data_points).toBe(12)
    expect(Math.abs(eu.resale.current.Good / hr.resale.current.Good - 1)).toBeLessThan(0.05)
  })

  test("without market= the organization's market applies, then the service's", async () => {
    const shop = await service.newOrganization('Zagreb')
    const plain = () => ask('', shop.keys.paid)
    expect((await plain()).body.data.market.code).toBe('us')
    await service.app.auth.setMarket(shop.organizationId, 'HR', OPERATOR, Date.now())
    const { body } = await waitUntil(
      async () => {
        const response = await plain()
        return response.body.data.market.code === 'hr' ? response : undefined
      },
      { describe: 'the new market' },
    )
    expect(body.data.resale.current.Good).toBe((await priceIn('hr', shop.keys.paid)).resale.current.Good)
    const batch = await service.ask('/api/pricing/batch', { key: shop.keys.paid, json: { variant_ids: [MIDNIGHT] } })
    expect(batch.body.data[0].result).toEqual(body.data)
  })

  test('an unknown market is a 400 that names the nearest ones', async () => {
    const { status, body } = await ask('&market=croatja')
    expect(status).toBe(400)
    expect(body.error.message).toContain('did you mean hr (Croatia)')
    const batch = await service.ask('/api/pricing/batch', {
      tier: 'paid',
      json: { variant_ids: [MIDNIGHT], market: 'hrr' },
    })
    expect([batch.status, batch.body.error.message]).toEqual([400, expect.stringContaining('hr (Croatia)')])
  })

  test('an appraisal values the device in the requested market', async () => {
    const offerIn = async (market: string) => {
      const json = { variant_id: MIDNIGHT, condition: 'Good', market }
      return (await service.ask('/api/appraisals', { tier: 'paid', json })).body.data.offer.max_offer
    }
    expect(await offerIn('hr')).toBeGreaterThan((await offerIn('us')) * 1.1)
    const wrong = await service.ask('/api/appraisals', {
      tier: 'paid',
      json: { variant_id: MIDNIGHT, condition: 'Good', market: 'hrr' },
    })
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining('hr (Croatia)')])
  })

  test('a carrier-locked device is worth less than an unlocked one, with a wider range, and the response says which it is', async () => {
    const unlocked = (await ask('')).body.data
    const locked = (await ask('&lock=locked')).body.data
    expect([unlocked.lock, locked.lock]).toEqual(['unlocked', 'locked'])
    for (const side of ['resale', 'buyback'] as const) {
      for (const grade of ['Excellent', 'Good', 'Fair', 'Poor'] as const) {
        expect(locked[side].current[grade]).toBeLessThan(unlocked[side].current[grade])
      }
    }
    const width = (pricing: typeof locked) => pricing.resale.interval.Good.high / pricing.resale.interval.Good.low
    expect(width(locked)).toBeGreaterThan(width(unlocked))
    expect(locked.market_confidence).toBeLessThanOrEqual(unlocked.market_confidence)
    expect((await ask('&lock=carrier_locked')).body.data).toEqual(locked)
    const batch = await service.ask('/api/pricing/batch', {
      tier: 'paid',
      json: { variant_ids: [MIDNIGHT], lock: 'locked' },
    })
    expect(batch.body.data[0].result).toEqual(locked)
    const wrong = await ask('&lock=verizon')
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining('unlocked or locked')])
  })

  test('an appraisal states the market and the lock of its prices; the lock is sent or follows from the defect', async () => {
    const appraise = async (more: object) => {
      const json = { variant_id: MIDNIGHT, condition: 'Good', ...more }
      return (await service.ask('/api/appraisals', { tier: 'paid', json })).body
    }
    const unlocked = (await appraise({})).data
    expect(unlocked.market).toMatchObject({ code: 'us', basis: 'observed', tax_included: false })
    expect(unlocked.lock).toBe('unlocked')
    const locked = (await appraise({ lock: 'locked', market: 'hr' })).data
    expect([locked.market.code, locked.lock]).toEqual(['hr', 'locked'])
    const sent = (await appraise({ lock: 'locked' })).data
    const listed = (await appraise({ defects: ['carrier_locked'] })).data
    expect(listed.lock).toBe('locked')
    expect(listed.value).toEqual(sent.value)
    expect(sent.value[0].resale.amount).toBeLessThan(unlocked.value[0].resale.amount)
    expect(sent.offer.max_offer).toBeLessThan(unlocked.offer.max_offer)
    expect((await appraise({ lock: 'unlocked', defects: ['carrier_locked'] })).error.message).toContain('lock')
  })

  test("the preview of an organization's list compares with its own prices in its market", async () => {
    const shop = await service.newOrganization('Split')
    const owner = ['--organization', shop.organizationId]
    const list = listOf('hr', (model) => 480 + model * 144)
    const preview = async () =>
      (await importText(options, 'observations', 'own.csv', list, [...owner, '--dry-run'])).counts.preview.effect
    const first = await preview()
    expect(first.largest.length).toBe(5)
    // Half of the distance between the list and the Croatian market; the US prices lie 40 % lower still.
    expect(first.average_percent).toBeGreaterThan(3)
    expect(first.average_percent).toBeLessThan(20)
    await importText(options, 'observations', 'own.csv', list, owner)
    expect((await preview()).average_percent).toBe(0)
  })

  test("an import of an organization's list is shown to that organization alone, with its event", async () => {
    const shop = await service.newOrganization('Zadar')
    const importEvents = async (key: string) =>
      (await service.ask('/api/events?type=import.finished&limit=100', { key })).body.data.length
    const [own, others] = [await importEvents(shop.keys.enterprise), await importEvents(service.keys.enterprise)]
    const list = listOf('hr', (model) => 480 + model * 144)
    await importText(options, 'observations', 'own.csv', list, ['--organization', shop.organizationId])
    expect(await importEvents(shop.keys.enterprise)).toBe(own + 1)
    expect(await importEvents(service.keys.enterprise)).toBe(others)
    const { id } = (await (await member(service, shop.organizationId, 'owner')).get('/api/manage/imports')).body.data[0]
    const neighbour = await member(service, service.organizationId, 'owner')
    expect((await neighbour.get('/api/manage/imports')).text).not.toContain(id)
    expect((await neighbour.get(`/api/manage/imports/${id}`)).status).toBe(404)
  })

  test("an organization's own deals move its prices, and those of others only if the operator allows it", async () => {
    const [shop, other] = [await service.newOrganization('Shop'), await service.newOrganization('Other')]
    const fresh = { tier: 'public', name: 'till', expiresAt: null, rights: ['contribute'] } as const
    const { secret } = await service.app.auth.createKey(shop.organizationId, fresh, OPERATOR, Date.now())
    // The imports of the other tests ended with a fit, which the service reads soon after.
    const before = await waitUntil(
      async () => {
        const { body } = await ask('', other.keys.paid)
        return body.data.fit.as_of && body.data.fit.observations_since === 0 ? body.data : undefined
      },
      { describe: 'the fit of the imports' },
    )
    const observations = Array.from({ length: 40 }, (_, at) => ({
      listing_id: `deal-${at}`,
      variant_id: MIDNIGHT,
      condition: 'Good',
      amount: 36_000 + at,
      observed_at: yesterday,
    }))
    const sent = await service.ask('/api/observations', { key: secret, json: { observations } })
    expect(sent.body.data).toMatchObject({ written: 40 })
    const own = await waitUntil(
      async () => {
        const { body } = await ask('', shop.keys.paid)
        return body.data.data_points === 52 ? body.data : undefined
      },
      { describe: "the shop's own price" },
    )
    expect(own.resale.current.Good).toBeGreaterThan(before.resale.current.Good * 1.08)
    // The price of one model says next to nothing about another.
    const sibling = 'apple-iphone-14-128gb-blue'
    const of = async (key: string) =>
      (await service.ask(`/api/pricing?variant_id=${sibling}`, { key })).body.data.resale.current.Good
    expect(Math.abs((await of(shop.keys.paid)) / (await of(other.keys.paid)) - 1)).toBeLessThan(0.005)
    expect((await ask('', other.keys.paid)).body.data).toEqual(before)

    await service.app.auth.setCommonSource(shop.organizationId, true, OPERATOR, Date.now())
    const common = await waitUntil(
      async () => {
        const { body } = await ask('', other.keys.paid)
        return body.data.data_points > 12 ? body.data : undefined
      },
      { describe: 'the common price' },
    )
    expect(common.resale.current.Good).toBeGreaterThan(before.resale.current.Good)
    expect(common.resale.current.Good).toBeLessThan(own.resale.current.Good)
  })
})

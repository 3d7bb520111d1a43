import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import type { DealReportWire } from '../../src/contract/deal-report.ts'
import type { StockItemWire } from '../../src/contract/stock.ts'
import { addDays, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const TODAY = dayOf(Date.now())

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let buyer: string
  let clerk: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    buyer = await service.newBuyer(service.organizationId)
    owner = await member(service, service.organizationId, 'owner')
    clerk = await member(service, service.organizationId, 'clerk')
  })
  afterAll(() => service.stop())

  const appraise = async (more: object = {}, key = buyer): Promise<AppraisalWire> =>
    (await service.ask('/api/appraisals', { key, json: { variant_id: PHONE, condition: 'Good', ...more } })).body.data
  const record = (id: string, json: object, key = buyer) =>
    service.ask(`/api/appraisals/${id}/outcome`, { key, json: { confirm_amount: true, ...json } })
  const buy = async (more: object = {}, price = 12_000, key = buyer): Promise<string> => {
    const { appraisal_id: id } = await appraise(more, key)
    expect((await record(id, { status: 'bought', price }, key)).status).toBe(200)
    return id
  }
  const item = async (id: string): Promise<StockItemWire> =>
    (await service.ask(`/api/stock/${id}`, { key: buyer })).body.data
  const list = async (query: string): Promise<StockItemWire[]> =>
    (await service.ask(`/api/stock?${query}`, { key: buyer })).body.data
  const patch = (id: string, json: object) => service.ask(`/api/stock/${id}`, { key: buyer, method: 'PATCH', json })

  describe('a device in stock', () => {
    test('has the market price of today, its chance to be sold at its price, and a better price with the reason', async () => {
      const id = await buy()
      const unpriced = await item(id)
      const market = unpriced.market_price?.amount ?? 0
      expect(market).toBeGreaterThan(0)
      expect(unpriced.reprice).toEqual({ to: Math.round(market / 100) * 100, reason: 'not_priced' })
      await patch(id, { asking_price: Math.round(1.2 * market) })
      const dear = await item(id)
      expect(dear.reprice).toMatchObject({ reason: 'above_market' })
      expect(dear.chance_to_sell).toBeLessThan(unpriced.chance_to_sell ?? 0)
      expect((await list('reprice=true')).map((each) => each.id)).toContain(id)
      const { to = 0 } = dear.reprice ?? {}
      const changed = await service.ask('/api/stock', {
        key: buyer,
        method: 'PATCH',
        json: {
          items: [
            { id, asking_price: to },
            { id: 'apr_unknown', location: 'Shelf' },
          ],
        },
      })
      expect(changed.status).toBe(200)
      expect(changed.body.data).toMatchObject([
        { index: 0, success: true, result: { asking_price: to, reprice: null } },
        { index: 1, success: false, error: { code: 'NOT_FOUND' } },
      ])
      expect((await list('reprice=true')).map((each) => each.id)).not.toContain(id)
    })

    test('teaches what parts cost the shop: repairs of its family and its offers use the costs that it booked', async () => {
      const { organizationId } = await service.newOrganization()
      const key = await service.newBuyer(organizationId)
      const screenOf = async (device: string, asked = key) => {
        const { body } = await service.ask(`/api/repairs?device_id=${device}`, { key: asked })
        const [part] = body.data.common_repairs.find(
          ({ name }: { name: string }) => name === 'Display replacement',
        ).parts
        return { ...part, middle: Math.sqrt(part.cost_min * part.cost_max) }
      }
      const cracked = { condition: 'Fair', defects: ['cracked_screen'] }
      const before = await screenOf('apple-iphone-13')
      expect(before.own_share).toBeUndefined()
      const booked = Math.round(0.6 * before.middle)
      for (let at = 0; at < 3; at += 1) {
        const id = await buy(cracked, 9_000, key)
        const response = await service.ask(`/api/stock/${id}`, {
          key,
          method: 'PATCH',
          json: { costs: [{ kind: 'part', note: 'Display', amount: booked }], confirm_amount: true },
        })
        expect(response.status).toBe(200)
      }
      const own = await waitUntil(
        async () => {
          const part = await screenOf('apple-iphone-13')
          return part.own_share > 50 && part
        },
        { describe: 'costs of parts learned from the stock' },
      )
      expect(own).toMatchObject({ source: 'own costs', basis: 'estimated' })
      expect(own.middle).toBeWithin(booked * 0.9, booked * 1.25)
      const sibling = await screenOf('apple-iphone-14')
      const usual = await screenOf('apple-iphone-14', buyer)
      expect(sibling.middle).toBeLessThan(usual.middle)
      expect(usual.own_share).toBeUndefined()
      const offers = await Promise.all([key, buyer].map((each) => appraise(cracked, each)))
      const costs = offers.map(
        ({ repairs }) => repairs.find(({ name }) => name === 'Display replacement')?.parts_max ?? 0,
      )
      expect(costs[0]).toBeLessThan(costs[1] ?? 0)
    })

    test('is reserved for somebody, not repriced meanwhile, and no longer when it is sold', async () => {
      const id = await buy()
      expect((await patch(id, { reserved_for: 'Order 17' })).body.data).toMatchObject({
        status: 'in_stock',
        reserved_for: 'Order 17',
        reprice: null,
      })
      expect((await list('status=reserved')).map((each) => each.id)).toEqual([id])
      expect((await list('status=reserved&q=iphone')).map((each) => each.id)).toEqual([id])
      await record(id, { status: 'sold', price: 20_000 })
      expect(await item(id)).toMatchObject({ status: 'sold', reserved_for: null, reprice: null, chance_to_sell: null })
      expect(await list('status=reserved')).toEqual([])
    })

    test('is exported in the columns of marketplaces and shop systems, without what is reserved or sold', async () => {
      const id = await buy()
      const kept = await buy()
      await patch(id, { asking_price: 19_900 })
      await patch(kept, { reserved_for: 'Ada' })
      const [mine, other] = [await item(id), await item(kept)]
      const file = async (layout: string) => {
        const { text } = await service.ask(`/api/stock?format=csv&layout=${layout}`, { key: buyer })
        const lines = text.trimEnd().split('\n')
        expect(lines.some((line) => line.includes(`DI-${other.number}`))).toBe(false)
        return { header: lines[0], line: lines.find((each) => each.includes(`DI-${mine.number}`)) }
      }
      const ebay = await file('ebay')
      expect(ebay.header).toStartWith('*Action(SiteID=US|Country=US|Currency=USD|Version=1193|CC=UTF-8),CustomLabel,')
      expect(ebay.line).toContain(`Add,DI-${mine.number},,iPhone 13 128GB Midnight – Good,3000,Good,`)
      expect(ebay.line).toContain('FixedPrice,GTC,199.00,1,')
      expect(await file('back_market')).toEqual({
        header: 'sku;backmarket_id;quantity;warranty_delay;price;state',
        line: `DI-${mine.number};;1;12;199.00;2`,
      })
      const shopify = await file('shopify')
      expect(shopify.header).toStartWith('Title,URL handle,')
      expect(shopify.line).toContain(',199.00,120.00,shopify,1,DENY,TRUE')
    })
  })

  describe('a purchase', () => {
    test('of a faulty device has its defects instead of a grade', async () => {
      const faulty = await item(await buy({ defects: ['cracked_screen', 'weak_battery'] }))
      expect(faulty).toMatchObject({ grade: null, defects: ['cracked_screen', 'weak_battery'] })
      expect((await item(await buy())).defects).toEqual([])
    })

    test('puts the device in stock with the next number, its author and a suggested price', async () => {
      const first = await item(await buy({ identifier: '356938035643809', reference: 'BOX 7' }))
      const second = await item(await buy())
      expect(second.number).toBe(first.number + 1)
      expect(first).toMatchObject({
        status: 'in_stock',
        device_id: 'apple-iphone-13',
        identifier: '356938035643809',
        reference: 'BOX 7',
        grade: 'Good',
        bought: { price: 12_000, currency: 'USD', date: TODAY },
        bought_by: { kind: 'key' },
        sold: null,
        days_in_stock: 0,
        costs: [],
        total_cost: 12_000,
        profit: null,
        asking_price: null,
        suggestion_basis: 'current_price',
      })
      expect(first.suggested_price).toBeGreaterThan(0)
    })

    test('of several devices at once gives each its own number', async () => {
      const ids = await Promise.all(Array.from({ length: 12 }, () => buy()))
      const numbers = await Promise.all(ids.map(async (id) => (await item(id)).number))
      expect(new Set(numbers).size).toBe(12)
      const more = await Promise.all([appraise(), appraise()])
      const items = more.map(({ appraisal_id }) => ({ appraisal_id, status: 'bought', price: 12_000 }))
      await service.ask('/api/appraisals/outcomes/batch', { key: buyer, json: { items } })
      const batch = await Promise.all(items.map(async ({ appraisal_id }) => (await item(appraisal_id)).number))
      expect(batch[1]).toBe((batch[0] ?? 0) + 1)
    })

    test('that is corrected, sold, returned, removed and recorded again keeps its number', async () => {
      const id = await buy()
      const { number, bought_at: boughtAt } = await item(id)
      await record(id, { status: 'bought', price: 13_000 })
      expect(await item(id)).toMatchObject({ number, bought: { price: 13_000 }, bought_at: boughtAt })
      await clerk.post(`/api/appraisals/${id}/outcome`, { status: 'sold', price: 20_000, channel: 'eBay' })
      expect(await item(id)).toMatchObject({
        status: 'sold',
        sold: { price: 20_000, currency: 'USD', date: TODAY, channel: 'eBay' },
        sold_by: { kind: 'person' },
        profit: 7_000,
      })
      await record(id, { status: 'sold', price: 21_000 })
      expect(await item(id)).toMatchObject({ sold: { price: 21_000, channel: 'eBay' }, sold_by: { kind: 'person' } })
      await record(id, { status: 'bought', price: 13_000 })
      expect(await item(id)).toMatchObject({ status: 'in_stock', sold: null, sold_by: null })
      await service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, method: 'DELETE' })
      expect((await service.ask(`/api/stock/${id}`, { key: buyer })).status).toBe(404)
      expect((await list('limit=100')).map((each) => each.id)).not.toContain(id)
      await record(id, { status: 'bought', price: 13_500 })
      expect(await item(id)).toMatchObject({ number, status: 'in_stock', bought: { price: 13_500 } })
      await record(id, { status: 'declined', declined_by: 'shop' })
      expect((await service.ask(`/api/stock/${id}`, { key: buyer })).status).toBe(404)
    })

    test('of another organization is numbered by itself and not found here', async () => {
      const { buyer } = await service.newShop('Other shop')
      const id = await buy({}, 12_000, buyer)
      expect((await service.ask(`/api/stock/${id}`, { key: buyer })).body.data.number).toBe(1)
      for (const method of ['GET', 'PATCH']) {
        const json = method === 'PATCH' ? { json: { location: 'x' } } : {}
        expect((await service.ask(`/api/stock/${id}`, { tier: 'paid', method, ...json })).status).toBe(404)
      }
    })
  })

  describe('an item', () => {
    test('that changes is an event for webhooks', async () => {
      const id = await buy()
      await patch(id, { asking_price: 22_900, location: 'Shelf 7', confirm_amount: true })
      const events = (await service.ask('/api/events?type=stock.changed&limit=100', { tier: 'enterprise' })).body.data
      expect(events.at(-1).data).toEqual({
        appraisal_id: id,
        stock_number: expect.any(Number),
        asking_price: 22_900,
        location: 'Shelf 7',
        is_reserved: false,
        costs: 0,
        currency: 'USD',
      })
    })

    test('takes photos of the device, up to eight, which only the item itself returns', async () => {
      const photo = (seed: string) => `data:image/jpeg;base64,${seed.repeat(200)}`
      const id = await buy()
      expect((await patch(id, { add_photos: [photo('AAAA'), photo('BBBB')] })).body.data).toMatchObject({
        photo_count: 2,
        photos: [{ image: expect.any(String) }, { image: expect.any(String) }],
      })
      const { photos = [], number } = await item(id)
      expect(photos.map(({ image }) => image).sort()).toEqual([photo('AAAA'), photo('BBBB')])
      const [listed] = await list(`q=%23${number}&limit=1`)
      expect([listed?.photo_count, listed?.photos]).toEqual([2, undefined])
      const removed = photos.find(({ image }) => image === photo('AAAA'))?.id
      expect((await patch(id, { remove_photos: [removed] })).body.data.photos).toMatchObject([{ image: photo('BBBB') }])
      for (let more = 0; more < 2; more++)
        await patch(id, { add_photos: Array.from({ length: 3 }, (_, each) => photo(`CC${more}${each}`)) })
      const tooMany = await patch(id, { add_photos: [photo('DDDD'), photo('EEEE')] })
      expect([tooMany.status, tooMany.body.error.details[0].field]).toEqual([400, 'add_photos'])
      expect((await item(id)).photo_count).toBe(7)
      const noImage = await patch(id, { add_photos: ['data:text/html;base64,AAAA'] })
      expect([noImage.status, noImage.body.error.details[0].field]).toEqual([400, 'add_photos.0'])
      const { buyer } = await service.newShop('Photo shop')
      const json = { remove_photos: photos.map(({ id: each }) => each) }
      const other = await service.ask(`/api/stock/${id}`, { key: buyer, method: 'PATCH', json })
      expect([other.status, (await item(id)).photo_count]).toEqual([404, 7])
    })

    test('takes costs, an asking price and a location, with their author in the audit trail', async () => {
      const id = await buy()
      const policy = (await owner.get('/api/manage/settings')).body.data.policy.policy
      const { status, body } = await patch(id, {
        asking_price: 22_900,
        location: ' Shelf 3 ',
        costs: [
          { kind: 'part', note: 'Screen', amount: 4_000 },
          { kind: 'labour', minutes: 30 },
        ],
      })
      expect(status).toBe(200)
      const labour = Math.round(policy.labour_per_hour / 2)
      expect(body.data).toMatchObject({
        asking_price: 22_900,
        location: 'Shelf 3',
        costs: [
          { kind: 'part', note: 'Screen', amount: 4_000, minutes: null, date: TODAY, created_by: { kind: 'key' } },
          { kind: 'labour', note: '', amount: labour, minutes: 30 },
        ],
        total_cost: 16_000 + labour,
      })
      const [part] = body.data.costs
      const kept = { id: part.id, kind: 'part', note: 'Screen, original', amount: 4_500 }
      const changed = await owner.send('PATCH', `/api/stock/${id}`, { costs: [kept, { kind: 'other', amount: 100 }] })
      expect(changed.body.data.costs).toMatchObject([
        { id: part.id, note: 'Screen, original', created_by: { kind: 'key' } },
        { kind: 'other', created_by: { kind: 'person' } },
      ])
      expect(changed.body.data).toMatchObject({ asking_price: 22_900, location: 'Shelf 3' })
      expect((await patch(id, { asking_price: null, location: null })).body.data).toMatchObject({
        asking_price: null,
        location: null,
        total_cost: 16_600,
      })
      const trail = await owner.get('/api/manage/audit?kind=appraisal')
      expect(trail.text).toContain('"appraisal.stock_changed"')
    })

    test('rejects values that are none, with advice', async () => {
      const id = await buy()
      for (const [json, field] of [
        [{ asking_price: -1 }, 'asking_price'],
        [{ asking_price: 1.5 }, 'asking_price'],
        [{ location: 'x'.repeat(101) }, 'location'],
        [{ costs: [{ kind: 'part' }] }, 'costs.0.amount'],
        [{ costs: [{ kind: 'gift', amount: 1 }] }, 'costs.0.kind'],
      ] as const) {
        const { status, body } = await patch(id, json)
        expect([status, body.error.details[0].field]).toEqual([400, field])
      }
    })

    test('shows clerks no total cost and no profit unless the organization shows margins', async () => {
      const id = await buy()
      const seen = (await clerk.get(`/api/stock/${id}`)).body.data
      expect(seen).toMatchObject({ id, bought: { price: 12_000 } })
      expect(seen).not.toHaveProperty('total_cost')
      expect(seen).not.toHaveProperty('profit')
      expect((await clerk.get('/api/stock?format=csv')).status).toBe(403)
    })
  })

  describe('the list', () => {
    test('is found by number, IMEI, reference and model, filtered by status, and paged', async () => {
      const id = await buy({ identifier: '490154203237518', reference: 'CRATE-Ä 9' })
      const { number } = await item(id)
      for (const q of ['490154203237518', '4901542', 'crate-a', '13 crate', `%23${number}`])
        expect((await list(`q=${q}`)).map((each) => each.id)).toContain(id)
      expect(await list('q=crate nothing')).toEqual([])
      expect(await list('q=%25')).toEqual([])
      await record(id, { status: 'sold', price: 20_000 })
      expect((await list('status=sold&q=crate')).map((each) => each.id)).toEqual([id])
      expect(await list('status=in_stock&q=crate')).toEqual([])

      const seen: number[] = []
      for (let after = ''; ; ) {
        const { body } = await service.ask(`/api/stock?limit=5${after}`, { key: buyer })
        seen.push(...body.data.map((each: StockItemWire) => each.number))
        if (!body.meta.has_next) break
        after = `&after=${body.meta.next_after}`
      }
      expect(seen).toEqual([...new Set(seen)].sort((left, right) => right - left))
      expect(seen).toContain(number)
      expect((await service.ask('/api/stock?status=lost', { key: buyer })).status).toBe(400)
      expect((await service.ask('/api/stock', { tier: 'public' })).status).toBe(403)
    })

    test('is a CSV file in the language of the caller', async () => {
      const id = await buy({ reference: 'CSV-1' })
      await patch(id, { location: 'Vitrine', asking_price: 19_900 })
      const csv = (await owner.get('/api/stock?format=csv&q=csv-1&language=de')).text
      const [header, row] = csv.split('\n')
      expect(header).toContain('Bestandsnummer;')
      expect(row).toContain(';Vitrine;')
      expect(row).toContain(';199;')
    })
  })

  test('the report has the deals by employee, device and channel, with costs, ages and the year before', async () => {
    const { buyer, organizationId } = await service.newShop('Reporting shop')
    const boss = await member(service, organizationId, 'owner')
    const lastYear = `${Number(TODAY.slice(0, 4)) - 1}${TODAY.slice(4) === '-02-29' ? '-02-28' : TODAY.slice(4)}`
    const [early, sold, stocked] = await Promise.all([1, 2, 3].map(() => appraise({}, buyer)))
    const as = (appraisal: AppraisalWire | undefined, json: object) =>
      record(appraisal?.appraisal_id ?? '', json, buyer)
    await as(early, { status: 'bought', price: 10_000, date: lastYear })
    await as(early, { status: 'sold', price: 12_000, date: lastYear })
    await boss.post(`/api/appraisals/${sold?.appraisal_id}/outcome`, { status: 'bought', price: 14_000 })
    await boss.send('PATCH', `/api/stock/${sold?.appraisal_id}`, { costs: [{ kind: 'repair', amount: 1_000 }] })
    await as(sold, { status: 'sold', price: 20_000, channel: 'eBay' })
    await as(stocked, { status: 'bought', price: 13_000, date: addDays(TODAY, -45) })

    const report = async (query: string): Promise<DealReportWire> =>
      (await service.ask(`/api/reports/deals?from=${addDays(TODAY, -60)}&to=${TODAY}&${query}`, { key: buyer })).body
        .data
    const whole = await report('compare=previous_year')
    expect(whole.groups).toEqual([])
    expect(whole.totals.sold).toMatchObject({ count: 1, amount: 20_000, cost: 15_000, profit: 5_000 })
    expect(whole.previous_year).toMatchObject({ to: lastYear, sold: { count: 1, profit: 2_000 } })
    expect(whole.ageing.map(({ count }) => count)).toEqual([0, 1, 0, 0])

    const [ebay] = (await report('by=channel')).groups
    expect(ebay).toMatchObject({ key: 'eBay', name: 'eBay', sold: { count: 1, profit: 5_000 } })
    const [device] = (await report('by=device')).groups
    expect(device).toMatchObject({ key: 'apple-iphone-13', bought: { count: 2 }, sold: { count: 1 } })
    const employees = (await report('by=employee')).groups
    expect(employees).toHaveLength(2)
    expect(employees.find(({ name }) => name?.startsWith('Person '))).toMatchObject({ bought: { count: 1 } })
    const person = employees.find(({ name }) => name?.startsWith('Person '))?.key
    const own = await report(`employee=${person}&by=employee`)
    expect(own.totals).toMatchObject({ bought: { count: 1, amount: 14_000 }, sold: { count: 0 } })
    expect(own.groups.map(({ key }) => key)).toEqual([person ?? ''])
    const lines = (
      await service.ask(`/api/reports/deals?from=${addDays(TODAY, -60)}&format=csv&employee=${person}`, {
        key: buyer,
      })
    ).text
    expect(lines.trim().split('\n')).toHaveLength(2)
    const forecast = stocked?.plans?.find(({ plan }) => plan === stocked.offer.plan)?.expected_proceeds ?? 0
    expect(whole.ageing[1]?.expected_profit).toBe(forecast - 13_000)
    expect((await service.ask('/api/reports/deals?by=colour', { key: buyer })).status).toBe(400)
  })
})

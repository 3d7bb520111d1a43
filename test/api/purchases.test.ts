import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import type { PurchaseWire } from '../../src/contract/purchases.ts'
import { luhnDigit } from '../../src/identifier/check-digit.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
/** IMEIs that no list has. */
const validImei = (unit: number): string => {
  const body = `35540062${String(unit).padStart(6, '0')}`
  return body + luhnDigit(body)
}

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let clerk: Awaited<ReturnType<typeof member>>
  let manager: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
    clerk = await member(service, service.organizationId, 'clerk')
    manager = await member(service, service.organizationId, 'manager')
    await owner.send('PATCH', '/api/manage/settings', { seller_record: 'full' })
  })
  afterAll(() => service.stop())

  const appraise = async (more: object = {}): Promise<AppraisalWire> => {
    const { body } = await manager.post('/api/appraisals', { variant_id: PHONE, condition: 'Good', ...more })
    return body.data
  }
  const appraiseMany = (count: number) => Promise.all(Array.from({ length: count }, () => appraise()))
  const buy = (json: object, person = clerk) => person.post('/api/purchases', json)
  const read = async (id: string): Promise<PurchaseWire> => (await manager.get(`/api/purchases/${id}`)).body.data
  const outcomeOf = async (id: string) => (await manager.get(`/api/appraisals/${id}`)).body.data.outcome

  describe('a purchase of several devices', () => {
    test('is one purchase with a line, an outcome and a stock number for each, and one entry in the register', async () => {
      const devices = await appraiseMany(3)
      const items = devices.map(({ appraisal_id }, at) => ({ appraisal_id, price: 1_000 * (at + 1) }))
      const seller = { name: 'Grace Hopper', address: 'Navy Yard 1', payout: { method: 'cash' } }
      const { status, body } = await buy({ items, seller, confirm_amount: true })
      expect(status).toBe(200)
      const purchase: PurchaseWire = body.data
      expect(purchase).toMatchObject({
        total: 6_000,
        currency: 'USD',
        created_by: { kind: 'person' },
      })
      expect(purchase.purchase_id).toMatch(/^P-\d{6}-[0-9A-Z]{6}$/)
      // Clerks enter sellers and do not see them again.
      expect(purchase).not.toHaveProperty('seller')
      expect(purchase.lines.map(({ price }) => price).sort()).toEqual([1_000, 2_000, 3_000])
      expect(new Set(purchase.lines.map(({ stock_number }) => stock_number)).size).toBe(3)
      for (const { appraisal_id: id } of devices)
        expect(await outcomeOf(id)).toMatchObject({ status: 'bought', purchase_id: purchase.purchase_id })
      expect(await read(purchase.purchase_id)).toMatchObject({
        seller: { kind: 'person', name: 'Grace Hopper', vat_number: null },
      })
      const register = (await manager.get('/api/sellers')).body.data
      const entries = register.filter((entry: { name: string }) => entry.name === 'Grace Hopper')
      expect(entries).toHaveLength(3)
      for (const entry of entries) expect(entry.purchase_id).toBe(purchase.purchase_id)
      // A search for the seller finds every device.
      const found = (await manager.get('/api/stock?q=hopper')).body.data
      expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(devices.map((each) => each.appraisal_id).sort())
      const listed = (await manager.get(`/api/purchases?limit=1&from=${purchase.date}`)).body.data
      expect(listed[0].purchase_id).toBe(purchase.purchase_id)
      const events = (await manager.get('/api/events?type=purchase.created')).body.data
      expect(events.at(-1).data).toMatchObject({ purchase_id: purchase.purchase_id, total: 6_000 })
      const csv = (await manager.get('/api/sellers?format=csv')).text
      expect(csv.match(new RegExp(purchase.purchase_id, 'g'))).toHaveLength(3)
    })

    test('spreads a price for all over the devices in proportion to their offers, to the cent', async () => {
      const devices = [await appraise(), await appraise({ condition: 'Fair' }), await appraise({ condition: 'Poor' })]
      const items = devices.map(({ appraisal_id }) => ({ appraisal_id }))
      const total = 20_001
      const { body } = await buy({ items, total, confirm_amount: true }, manager)
      const { lines, ...purchase }: PurchaseWire = body.data
      expect(purchase.total).toBe(total)
      const offers = devices.map(({ offer }) => offer.recommended_offer ?? 0)
      const sum = offers.reduce((all, offer) => all + offer, 0)
      for (const [at, { appraisal_id: id }] of devices.entries()) {
        const line = lines.find((each) => each.appraisal_id === id)
        expect(Math.abs((line?.price ?? 0) - (total * (offers[at] ?? 0)) / sum)).toBeLessThan(1)
      }
      const [fixed, open] = await appraiseMany(2)
      const mixed = [{ appraisal_id: fixed?.appraisal_id, price: 5_000 }, { appraisal_id: open?.appraisal_id }]
      const second = (await buy({ items: mixed, total: 12_000, confirm_amount: true }, manager)).body.data
      expect(second.lines.map(({ price }: { price: number }) => price).sort()).toEqual([5_000, 7_000])
    })

    test('is recorded whole or not at all, and an error names the item', async () => {
      const [first, second] = await appraiseMany(2)
      const ids = [first?.appraisal_id ?? '', second?.appraisal_id ?? '']
      const before = (await manager.get('/api/purchases')).body.data.length
      for (const [items, status, field] of [
        [
          [
            { appraisal_id: ids[0], price: 1_000 },
            { appraisal_id: 'apr_0', price: 1 },
          ],
          404,
          undefined,
        ],
        [
          [
            { appraisal_id: ids[0], price: 1_000 },
            { appraisal_id: ids[1], price: 90_000 },
          ],
          403,
          undefined,
        ],
        [
          [
            { appraisal_id: ids[0], price: 1_000 },
            { appraisal_id: ids[0], price: 1_000 },
          ],
          400,
          'items',
        ],
        [[{ appraisal_id: ids[0], price: 1_000 }, { appraisal_id: ids[1] }], 400, 'total'],
        [[], 400, 'items'],
      ] as const) {
        const response = await buy({ items, confirm_amount: true })
        expect([response.status, response.body.error.details?.[0]?.field]).toEqual([status, field])
      }
      for (const id of ids) expect(await outcomeOf(id)).toBeNull()
      expect((await manager.get('/api/purchases')).body.data.length).toBe(before)
      const items = [{ appraisal_id: ids[0], price: 1_000 }]
      expect((await buy({ items, confirm_amount: true })).status).toBe(200)
      const again = await buy({ items, confirm_amount: true })
      expect([again.status, again.body.error.reason_code]).toEqual([400, 'already_bought'])
    })

    test('is recorded once, however often it is sent with the same key', async () => {
      const [device] = await appraiseMany(1)
      const json = { items: [{ appraisal_id: device?.appraisal_id, price: 1_000 }], confirm_amount: true }
      const send = () => clerk.post('/api/purchases', json, { 'Idempotency-Key': `purchase-${device?.appraisal_id}` })
      const first = await send()
      const second = await send()
      expect([first.status, second.status, second.headers.get('Idempotency-Replayed')]).toEqual([200, 200, 'true'])
      expect(second.body.data).toEqual(first.body.data)
    })

    test('of one seller holds the same device only once', async () => {
      const identifier = validImei(900)
      const devices = [await appraise({ identifier }), await appraise({ identifier })]
      const items = devices.map(({ appraisal_id }) => ({ appraisal_id, price: 1_000 }))
      const { status, body } = await buy({ items, confirm_amount: true })
      expect([status, body.error.reason_code]).toEqual([400, 'bought_in_same_request'])
    })

    test('of several equal devices gives each its own appraisal and stock number, and its share of the price', async () => {
      const [row, single] = await appraiseMany(2)
      const items = [{ appraisal_id: row?.appraisal_id, quantity: 3 }, { appraisal_id: single?.appraisal_id }]
      const { status, body } = await buy({ items, total: 40_000, confirm_amount: true }, manager)
      expect(status).toBe(200)
      const { lines, total }: PurchaseWire = body.data
      expect([lines.length, total]).toEqual([4, 40_000])
      expect(lines.map(({ price }) => price)).toEqual([10_000, 10_000, 10_000, 10_000])
      expect(new Set(lines.map(({ appraisal_id }) => appraisal_id)).size).toBe(4)
      expect(new Set(lines.map(({ stock_number }) => stock_number)).size).toBe(4)
      for (const { appraisal_id: id } of lines) {
        const { identity, outcome } = (await manager.get(`/api/appraisals/${id}`)).body.data
        expect([identity.device_id, outcome.status]).toEqual(['apple-iphone-13', 'bought'])
      }
      const withImei = await appraise({ identifier: validImei(901) })
      const twice = {
        items: [{ appraisal_id: withImei.appraisal_id, quantity: 2, price: 1_000 }],
        confirm_amount: true,
      }
      const rejected = await buy(twice, manager)
      expect([rejected.status, rejected.body.error.details[0].field]).toEqual([400, 'items[0].quantity'])
    })

    test("of another organization's appraisals or purchases is not found", async () => {
      const { organizationId } = await service.newOrganization('Curious')
      const stranger = await member(service, organizationId, 'owner')
      const [device] = await appraiseMany(1)
      const items = [{ appraisal_id: device?.appraisal_id, price: 1_000 }]
      expect((await buy({ items }, stranger)).status).toBe(404)
      const own = (await buy({ items, confirm_amount: true })).body.data
      expect((await stranger.get(`/api/purchases/${own.purchase_id}`)).status).toBe(404)
      const theirs = (await stranger.post('/api/appraisals', { variant_id: PHONE, condition: 'Good' })).body.data
      const join = { status: 'bought', price: 1_000, confirm_amount: true, purchase_id: own.purchase_id }
      const joined = await stranger.post(`/api/appraisals/${theirs.appraisal_id}/outcome`, join)
      expect(joined.status).toBe(404)
    })
  })

  describe('an outcome', () => {
    test('begins a purchase of its own, which the outcome of another device can join', async () => {
      const [first, second] = await appraiseMany(2)
      const record = (id: string | undefined, more: object) =>
        clerk.post(`/api/appraisals/${id}/outcome`, { status: 'bought', confirm_amount: true, ...more })
      const seller = { name: 'Katherine Johnson' }
      const started = (await record(first?.appraisal_id, { price: 4_000, seller })).body.data.outcome
      const { purchase_id } = started
      const joined = await record(second?.appraisal_id, { price: 5_000, purchase_id })
      expect(joined.body.data.outcome.purchase_id).toBe(purchase_id)
      expect(await read(purchase_id)).toMatchObject({ total: 9_000, seller: { name: 'Katherine Johnson' } })
      const found = (await manager.get('/api/stock?q=johnson')).body.data
      expect(found).toHaveLength(2)
      // What the first device was bought for may be corrected, and the seller stays while one device is left.
      await record(first?.appraisal_id, { price: 3_500 })
      expect((await read(purchase_id)).total).toBe(8_500)
      await manager.send('DELETE', `/api/appraisals/${first?.appraisal_id}/outcome`)
      expect(await read(purchase_id)).toMatchObject({
        total: 5_000,
        lines: [{ appraisal_id: second?.appraisal_id }],
        seller: { name: 'Katherine Johnson' },
      })
    })

    test('joins neither a purchase in another currency nor one of an earlier day', async () => {
      const [first, second] = await appraiseMany(2)
      const bought = { status: 'bought', price: 4_000, confirm_amount: true }
      const started = await clerk.post(`/api/appraisals/${first?.appraisal_id}/outcome`, bought)
      const { purchase_id } = started.body.data.outcome
      const path = `/api/appraisals/${second?.appraisal_id}/outcome`
      const inEuros = await clerk.post(path, { ...bought, purchase_id, currency: 'EUR' })
      expect([inEuros.status, inEuros.body.error.details[0].field]).toEqual([400, 'currency'])
      await service.app.db.transaction((tx) =>
        tx
          .updateTable('purchase')
          .set({ created_at: Date.now() - 2 * DAY_MS })
          .where('id', '=', purchase_id)
          .execute(),
      )
      const late = await clerk.post(path, { ...bought, purchase_id })
      expect([late.status, late.body.error.reason_code]).toEqual([400, 'purchase_closed'])
    })

    test('of a device of a supplier names the company whatever is recorded about people', async () => {
      await owner.send('PATCH', '/api/manage/settings', { seller_record: 'off' })
      const [device] = await appraiseMany(1)
      const seller = { kind: 'company', name: 'Wholesale Ltd', vat_number: 'GB123456789' }
      const { body } = await buy(
        { items: [{ appraisal_id: device?.appraisal_id, price: 1_000 }], confirm_amount: true, seller },
        manager,
      )
      expect(body.data.seller).toEqual(seller)
      await owner.send('PATCH', '/api/manage/settings', { seller_record: 'full' })
    })
  })
})

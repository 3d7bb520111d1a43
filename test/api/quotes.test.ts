import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import type { CreatedQuoteWire, QuoteWire } from '../../src/contract/quotes.ts'
import type { TradeInWire } from '../../src/contract/trade-in.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { quoteStore } from '../../src/quotes/quote-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const ADA = { name: 'Ada', email: 'ada@example.com', consent: true }

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(() => service.stop())

  const send = (json: object, key = service.keys.paid, headers: Record<string, string> = {}) =>
    service.ask('/api/quotes', { key, json: { variant_id: PHONE, condition: 'Good', ...json }, headers })
  const create = async (json: object = {}, key = service.keys.paid): Promise<CreatedQuoteWire> => {
    const { status, body } = await send(json, key)
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    return body.data
  }
  const get = (id: string, key = service.keys.paid) => service.ask(`/api/quotes/${id}`, { key })
  const read = async (id: string): Promise<QuoteWire> => (await get(id)).body.data
  const patch = (id: string, json: object, key = service.keys.paid) =>
    service.ask(`/api/quotes/${id}`, { key, method: 'PATCH', json })
  const settings = async (change: object): Promise<TradeInWire> => {
    const { status, body } = await owner.send('PATCH', '/api/manage/settings', { trade_in: change })
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    return body.data.trade_in
  }
  const counterOffer = async (json: object = {}): Promise<AppraisalWire['offer']> => {
    const request = { variant_id: PHONE, condition: 'Good', ...json }
    return (await owner.post('/api/appraisals/preview', request)).body.data.offer
  }
  const eventsOf = async (id: string): Promise<string[]> => {
    const { data } = (await service.ask('/api/events?limit=100', { tier: 'enterprise' })).body
    return data
      .filter((event: { data: { quote_id?: string } }) => event.data.quote_id === id)
      .map(({ type }: { type: string }) => type)
  }

  describe('a price', () => {
    test("is the owner's share of the counter's offer, rounded down", async () => {
      const { recommended_offer: offer } = await counterOffer()
      await settings({ share_percent: 90, rounding: 500, max_price: 10_000_000 })
      const { quote } = await create()
      expect(quote.offer).toMatchObject({ kind: 'price', price: Math.floor(((offer ?? 0) * 0.9) / 500) * 500 })
      expect(quote.share_percent).toBe(90)
      await settings({ share_percent: 95, rounding: 100 })
    })

    test('above the limit of the owner is none: the device is looked at', async () => {
      await settings({ max_price: 100 })
      const { quote } = await create()
      expect(quote.offer).toEqual({ kind: 'in_person', price: null, low: null, high: null, reason: 'above_limit' })
      await settings({ max_price: 10_000_000 })
    })

    test('is not made for a locked device, nor for a category that is not bought', async () => {
      const locked = await create({ defects: ['activation_locked'] })
      expect(locked.quote.offer).toMatchObject({ kind: 'not_bought', reason: 'account_locked' })
      await settings({ categories: ['Laptop'] })
      expect((await create()).quote.offer).toMatchObject({ kind: 'not_bought', reason: 'device_not_bought' })
      await settings({ categories: [] })
    })

    test('never shows plans, margins or the resale price', async () => {
      const text = JSON.stringify(await create())
      for (const secret of ['plan', 'resale', 'max_offer', 'profit', 'margin']) expect(text).not.toContain(secret)
    })

    test('of an unknown device or an impossible defect is an error', async () => {
      expect((await send({ variant_id: 'no-such' })).status).toBe(404)
      expect((await send({ defects: ['gimbal'] })).status).toBe(400)
      expect((await send({ variant_id: undefined })).status).toBe(400)
    })
  })

  describe('a quote', () => {
    test('is found by its number in any spelling, and by its organization alone', async () => {
      const { quote } = await create({ contact: ADA })
      const { quote_id: id } = quote
      expect(id).toMatch(/^Q-[0-9A-Z]{4}-[0-9A-Z]{2}$/)
      expect(await read(id.toLowerCase().replaceAll('-', ''))).toEqual(quote)
      expect(quote.contact).toEqual({ name: 'Ada', email: 'ada@example.com', phone: null })
      const stranger = await service.newOrganization('Stranger')
      expect((await get(id, stranger.keys.paid)).status).toBe(404)
      expect((await patch(id, { state: 'cancelled' }, stranger.keys.paid)).status).toBe(404)
      expect((await read(id)).state).toBe('open')
    })

    test('is listed newest first without its customer', async () => {
      const first = await create({ contact: { ...ADA, email: 'list@example.com' } })
      const second = await create()
      const { data, meta } = (await service.ask('/api/quotes?state=open&limit=1', { tier: 'paid' })).body
      expect(data[0].quote_id).toBe(second.quote.quote_id)
      const next = await service.ask(`/api/quotes?state=open&limit=100&after=${meta.next_after}`, { tier: 'paid' })
      expect(next.body.data.map(({ quote_id }: QuoteWire) => quote_id)).toContain(first.quote.quote_id)
      expect(next.text).not.toContain('list@example.com')
    })

    test('of one contact is open three times at most', async () => {
      const contact = { name: 'Bea', phone: '+49 30 123456', consent: true }
      const [first] = [await create({ contact }), await create({ contact }), await create({ contact })]
      const again = await send({ contact: { ...contact, phone: '+4930123456' } })
      expect({ status: again.status, reason: again.body.error.reason_code }).toEqual({
        status: 409,
        reason: 'limit_open_quotes',
      })
      await patch(first.quote.quote_id, { state: 'cancelled' })
      await create({ contact })
    })

    test('needs the consent of the customer and one way to reach them', async () => {
      for (const contact of [
        { ...ADA, consent: false },
        { name: 'Ada', consent: true },
        { ...ADA, phone: '123456' },
      ])
        expect((await send({ contact })).status).toBe(400)
    })

    test('repeated with an idempotency key is created once, without the address of its page', async () => {
      await settings({ enabled: true, slug: 'corner-shop' })
      const headers = { 'Idempotency-Key': 'quote once' }
      const first = (await send({}, service.keys.paid, headers)).body.data
      const second = await send({}, service.keys.paid, headers)
      expect(second.headers.get('Idempotency-Replayed')).toBe('true')
      expect(second.body.data).toEqual({ quote: first.quote })
      expect(first.url).toContain('/sell/corner-shop/q/')
    })

    test('arrives once, whoever scans it again, and ends once', async () => {
      const { quote } = await create()
      const { quote_id: id } = quote
      const first = (await patch(id, { state: 'arrived' })).body.data as QuoteWire
      expect(first).toMatchObject({ state: 'arrived', arrived_by: { kind: 'key' } })
      const second = (await patch(id, { state: 'arrived' }, service.keys.enterprise)).body.data as QuoteWire
      expect(second).toEqual(first)
      expect((await patch(id, { state: 'declined', note: 'Changed their mind' })).body.data).toMatchObject({
        state: 'declined',
        note: 'Changed their mind',
      })
      const again = await patch(id, { state: 'arrived' })
      expect({ status: again.status, reason: again.body.error.reason_code }).toEqual({
        status: 400,
        reason: 'quote_over',
      })
      expect(await eventsOf(id)).toEqual(['quote.created', 'quote.arrived', 'quote.declined'])
    })

    test('of which two tills try to end it differently has one end', async () => {
      const { quote } = await create()
      const answers = await Promise.all([
        patch(quote.quote_id, { state: 'declined' }),
        patch(quote.quote_id, { state: 'cancelled' }, service.keys.enterprise),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await eventsOf(quote.quote_id)).toHaveLength(2)
    })

    test('whose customer is deleted keeps its facts', async () => {
      const { quote } = await create({ contact: { ...ADA, email: 'erased@example.com' } })
      expect((await patch(quote.quote_id, { contact: null })).body.data).toEqual({ ...quote, contact: null })
      const entries = (await owner.get('/api/manage/audit?kind=quote')).text
      expect(entries).toContain('quote.erased')
      expect(entries).not.toContain('erased@example.com')
    })
  })

  describe('after its last day', () => {
    const records = () =>
      quoteStore(service.app.db, openEncryption({ secretKey: 'any', dataDir: '' }), () => 'Q-0000-00')

    test('a quote is expired, with one event, and its customer is deleted when the retention ends', async () => {
      const { quote } = await create({ contact: { ...ADA, email: 'late@example.com' } })
      const end = Date.parse(quote.valid_until)
      await records().expire(end - 1)
      expect((await read(quote.quote_id)).state).toBe('open')
      expect(await records().expire(end + DAY_MS)).toBeGreaterThan(0)
      expect(await records().expire(end + DAY_MS)).toBe(0)
      expect(await read(quote.quote_id)).toMatchObject({ state: 'expired', ended_at: quote.valid_until })
      expect(await eventsOf(quote.quote_id)).toEqual(['quote.created', 'quote.expired'])
      await records().enforceRetention(async () => 90, end + 90 * DAY_MS)
      expect((await read(quote.quote_id)).contact).not.toBeNull()
      await records().enforceRetention(async () => 90, end + 91 * DAY_MS)
      expect((await read(quote.quote_id)).contact).toBeNull()
    })
  })

  describe('the settings', () => {
    test('have defaults in the currency of the policy, and an address of one organization alone', async () => {
      const { organizationId } = await service.newOrganization('Fresh Shop')
      const fresh = await member(service, organizationId, 'owner')
      const { trade_in: defaults } = (await fresh.get('/api/manage/settings')).body.data
      expect(defaults).toMatchObject({
        enabled: false,
        slug: 'fresh-shop',
        share_percent: 95,
        valid_days: 14,
        currency: 'USD',
      })
      await settings({ slug: 'taken-shop' })
      const response = await fresh.send('PATCH', '/api/manage/settings', { trade_in: { slug: 'taken-shop' } })
      expect({ status: response.status, reason: response.body.error.reason_code }).toEqual({
        status: 400,
        reason: 'slug_taken',
      })
      const clerk = await member(service, organizationId, 'clerk')
      expect((await clerk.get('/api/manage/settings')).body.data.trade_in).toBeUndefined()
    })

    test('reject what the page cannot use', async () => {
      for (const change of [
        { slug: 'No Slug' },
        { domains: ['https://a.example/path'] },
        { colour: 'red' },
        { share_percent: 0 },
      ])
        expect((await owner.send('PATCH', '/api/manage/settings', { trade_in: change })).status).toBe(400)
    })
  })
})

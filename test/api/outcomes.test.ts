import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { auditStore } from '../../src/auth/audit-store.ts'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import type { DealReportWire } from '../../src/contract/deal-report.ts'
import { exchangeRateStore } from '../../src/currency/exchange-rate-store.ts'
import { addDays, dayIn, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestRequest, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const TODAY = dayOf(Date.now())
const YESTERDAY = addDays(TODAY, -1)

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let buyer: string
  beforeAll(async () => {
    service = await startService(await store.open(), { SAMPLE_DATA: 'off' })
    buyer = await service.newBuyer(service.organizationId)
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(() => service.stop())

  const appraise = async (more: object = {}, key = buyer): Promise<AppraisalWire> =>
    (await service.ask('/api/appraisals', { key, json: { variant_id: PHONE, condition: 'Good', ...more } })).body.data
  const record = (id: string, json: unknown, more: TestRequest = {}) =>
    service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, json, ...more })
  const remove = (id: string, more: TestRequest = {}) =>
    service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, method: 'DELETE', ...more })
  const outcomeOf = async (id: string) => (await service.ask(`/api/appraisals/${id}`, { key: buyer })).body.data.outcome
  const listed = async (outcome: string, key = buyer): Promise<string[]> =>
    (await service.ask(`/api/appraisals?limit=100&outcome=${outcome}`, { key })).body.data.map(
      (each: AppraisalWire) => each.appraisal_id,
    )
  /** Changes of the outcome of an appraisal, newest first. */
  const trail = async (id: string) =>
    (await auditStore(service.app.db).auditTrail(service.organizationId, { limit: 200 })).rows.filter(
      ({ subject, action }) => subject === id && action.startsWith('appraisal.outcome_'),
    )

  describe('an outcome', () => {
    test('is null while an appraisal is open, then part of the record, the list and the exports', async () => {
      const appraisal = await appraise({ reference: 'O-1' })
      expect(appraisal.outcome).toBeNull()
      const { body } = await record(appraisal.appraisal_id, {
        status: 'bought',
        price: 12_345,
        note: ' box, no cable ',
      })
      expect(body.data).toEqual({
        appraisal_id: appraisal.appraisal_id,
        outcome: {
          status: 'bought',
          bought: { price: 12_345, currency: 'USD', date: TODAY },
          sold: null,
          declined: null,
          note: 'box, no cable',
          purchase_id: expect.stringMatching(/^P-\d{6}-[0-9A-Z]{6}$/),
          created_by: appraisal.created_by,
          updated_at: expect.any(String),
        },
      })
      expect(await outcomeOf(appraisal.appraisal_id)).toEqual(body.data.outcome)
      expect(await listed('bought')).toContain(appraisal.appraisal_id)
      expect(await listed('open')).not.toContain(appraisal.appraisal_id)
      const inList = await service.ask('/api/appraisals?reference=O-1', { key: buyer })
      expect(inList.body.data[0].outcome).toEqual(body.data.outcome)
      const csv = (await owner.get('/api/appraisals?format=csv&outcome=bought')).text
      expect(csv).toContain('Bought for')
      expect(csv).toContain('123.45')
      const german = (await owner.get('/api/appraisals?format=csv&outcome=bought&language=de')).text
      expect(german.split('\n')[0]).toContain('Angekauft für;Angekauft am')
      expect(german).toContain(';Angekauft;123,45;')
      expect((await service.ask('/api/appraisals?outcome=lost', { key: buyer })).body.error.details[0].message).toBe(
        'outcome was "lost"; expected one of open, bought, declined, sold.',
      )
    })

    test('goes from bought to sold and keeps the price and the day of the purchase', async () => {
      const { appraisal_id: id } = await appraise()
      await record(id, { status: 'bought', price: 20_000, date: YESTERDAY })
      const sold = (await record(id, { status: 'sold', price: 29_900 })).body.data.outcome
      expect(sold).toMatchObject({
        status: 'sold',
        bought: { price: 20_000, currency: 'USD', date: YESTERDAY },
        sold: { price: 29_900, currency: 'USD', date: TODAY },
      })
      const corrected = (await record(id, { status: 'sold', price: 28_900 })).body.data.outcome
      expect(corrected).toMatchObject({ bought: { price: 20_000 }, sold: { price: 28_900, date: TODAY } })
      const returned = (await record(id, { status: 'bought', price: 20_000 })).body.data.outcome
      expect(returned).toMatchObject({ status: 'bought', bought: { date: YESTERDAY }, sold: null })
    })

    test('that is invalid is rejected with advice and changes nothing', async () => {
      const { appraisal_id: id } = await appraise()
      for (const [json, field, message] of [
        [{}, 'status', 'status is missing; expected one of bought, declined, sold.'],
        [{ status: 'bought' }, 'price', 'price is missing; expected a whole number of minor units'],
        [{ status: 'bought', price: 1.5 }, 'price', 'price was 1.5'],
        [{ status: 'bought', price: -1 }, 'price', 'price was -1'],
        [{ status: 'declined', price: 5 }, 'price', 'no price with the status declined'],
        [{ status: 'bought', price: 5, declined_by: 'shop' }, 'declined_by', 'absent unless'],
        [{ status: 'bought', price: 5, currency: 'XQX' }, 'currency', 'which has no exchange rate'],
        [{ status: 'bought', price: 5, date: '2026-02-30' }, 'date', 'a day such as'],
        [{ status: 'bought', price: 5, date: addDays(TODAY, 3) }, 'date', 'a day that is not in the future'],
        [{ status: 'sold', price: 5 }, 'status', `Appraisal ${id} cannot be sold because it is not bought. Record`],
        [{ status: 'bought', price: 5, note: 'x'.repeat(301) }, 'note', 'at most 300 characters'],
      ] as const) {
        const { status, body } = await record(id, json)
        expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field])
        expect(body.error.message).toContain(message)
      }
      expect(await outcomeOf(id)).toBeNull()
      await record(id, { status: 'bought', price: 5_000 })
      const early = await record(id, { status: 'sold', price: 9_000, date: '2020-01-01' })
      expect(early.body.error.message).toContain(`a day on or after the purchase on ${TODAY}`)
    })

    test('is not removed by a request with an Idempotency-Key, which only a POST takes', async () => {
      const { appraisal_id: id } = await appraise()
      expect((await remove(id, { headers: { 'Idempotency-Key': 'k' } })).status).toBe(400)
    })

    test('can be removed; removing a missing one is no error', async () => {
      const { appraisal_id: id } = await appraise()
      await record(id, { status: 'declined', declined_by: 'customer' })
      expect(await outcomeOf(id)).toMatchObject({ status: 'declined', declined: { by: 'customer', date: TODAY } })
      expect((await remove(id)).body.data).toEqual({ appraisal_id: id, outcome: null })
      expect((await remove(id)).status).toBe(200)
      expect(await outcomeOf(id)).toBeNull()
      expect((await trail(id)).map(({ action }) => action)).toEqual([
        'appraisal.outcome_removed',
        'appraisal.outcome_recorded',
      ])
    })

    test("of another organization's appraisal is not found, whatever is sent", async () => {
      const { appraisal_id: id } = await appraise()
      const { buyer } = await service.newShop('Curious')
      for (const request of [
        await record(id, { status: 'bought', price: 1 }, { key: buyer }),
        await remove(id, { key: buyer }),
        await record('apr_0', { status: 'bought', price: 1 }),
      ]) {
        expect([request.status, request.body.error.code]).toEqual([404, 'NOT_FOUND'])
      }
      expect(await outcomeOf(id)).toBeNull()
      expect((await record(id, { status: 'bought', price: 1 }, { key: service.keys.public })).status).toBe(403)
    })

    test('is recorded once per idempotency key, and once if its content is the same', async () => {
      const { appraisal_id: id } = await appraise()
      const headers = { 'Idempotency-Key': `outcome of ${id}` }
      const first = await record(id, { status: 'bought', price: 7_000 }, { headers })
      const again = await record(id, { status: 'bought', price: 7_000 }, { headers })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.body.data).toEqual(first.body.data)
      expect((await record(id, { status: 'bought', price: 8_000 }, { headers })).status).toBe(400)
      expect((await record(id, { status: 'bought', price: 7_000 })).body.data).toEqual(first.body.data)
      expect(await trail(id)).toHaveLength(1)
    })

    test('is audited with the actor and the change, by key or by person', async () => {
      const { appraisal_id: id } = await appraise()
      await record(id, { status: 'bought', price: 7_000 })
      const { status } = await owner.post(`/api/appraisals/${id}/outcome`, { status: 'bought', price: 7_500 })
      expect(status).toBe(200)
      const [corrected, recorded] = await trail(id)
      expect(recorded).toMatchObject({ who: expect.stringMatching(/^API key /) })
      expect(corrected).toMatchObject({ who: expect.stringContaining('@') })
      expect(JSON.parse(corrected?.detail ?? '')).toEqual({
        status: 'bought',
        price: '7500',
        currency: 'USD',
        date: TODAY,
        before: `bought 7000 USD ${TODAY}`,
      })
    })

    test('creates an event for each change', async () => {
      const { appraisal_id: id } = await appraise({ reference: 'E-1' })
      await record(id, { status: 'bought', price: 7_000, date: YESTERDAY })
      await record(id, { status: 'sold', price: 9_000 })
      await record(id, { status: 'sold', price: 9_500 })
      await remove(id)
      await record(id, { status: 'declined' })
      const { body } = await service.ask('/api/events?limit=100', { key: buyer })
      const mine = body.data.filter(
        ({ type, data }: { type: string; data: { appraisal_id: string } }) =>
          type !== 'appraisal.created' && data.appraisal_id === id,
      )
      const device = { appraisal_id: id, reference: 'E-1', device_id: 'apple-iphone-13' }
      const bought = { bought_price: 7_000, bought_currency: 'USD', bought_date: YESTERDAY }
      expect(mine.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
        ['appraisal.bought', { ...device, price: 7_000, currency: 'USD', date: YESTERDAY, correction: false }],
        ['appraisal.sold', { ...device, price: 9_000, currency: 'USD', date: TODAY, ...bought, correction: false }],
        ['appraisal.sold', { ...device, price: 9_500, currency: 'USD', date: TODAY, ...bought, correction: true }],
        ['appraisal.reopened', device],
        ['appraisal.declined', { ...device, declined_by: null, date: TODAY, correction: false }],
      ])
    })
  })

  describe('a batch of outcomes', () => {
    test('reports each row as applied or rejected, and may buy and sell the same device', async () => {
      const [{ appraisal_id: one }, { appraisal_id: other }] = [await appraise(), await appraise()]
      const items = [
        { appraisal_id: one, status: 'bought', price: 10_000, date: YESTERDAY },
        { appraisal_id: other, status: 'sold', price: 10_000 },
        { appraisal_id: 'apr_0', status: 'declined' },
        { appraisal_id: one, status: 'sold', price: 15_000 },
        null,
      ]
      const { status, body } = await service.ask('/api/appraisals/outcomes/batch', { key: buyer, json: { items } })
      expect(status).toBe(200)
      expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, false, false, true, false])
      expect(body.data[1].error.message).toContain(`Appraisal ${other} cannot be sold because it is not bought.`)
      expect(body.data[2].error).toEqual({
        code: 'NOT_FOUND',
        message: 'Appraisal apr_0 was not found.',
        reason_code: 'not_found',
      })
      expect(await outcomeOf(one)).toMatchObject({ bought: { price: 10_000 }, sold: { price: 15_000 } })
      expect(await outcomeOf(other)).toBeNull()
      expect(await trail(one)).toHaveLength(2)
      const fromPage = await owner.post('/api/appraisals/outcomes/batch', { items: items.slice(1, 2) })
      expect(fromPage.body.data[0].success).toBe(false)
    })
  })

  describe('the report on deals', () => {
    const report = async (query: string, key: string) =>
      (await service.ask(`/api/reports/deals?${query}`, { key })).body.data as DealReportWire

    test('adds up to the cent, by month and in one currency', async () => {
      const { buyer } = await service.newShop('Reporting')
      const deals = [
        { bought: 10_001, on: '2026-01-31', sold: 19_998, soldOn: '2026-02-01' },
        { bought: 9_999, on: '2026-02-01' },
        { bought: 3, on: '2026-02-28', sold: 1, soldOn: '2026-02-28' },
        { bought: 123_456_789, on: '2026-03-01', sold: 987_654_321, soldOn: '2026-03-31' },
        { bought: 777, on: '2025-12-31', sold: 888, soldOn: '2026-01-01' },
      ]
      for (const { bought, on, sold, soldOn } of deals) {
        const { appraisal_id: id } = await appraise({}, buyer)
        const confirmed = { confirm_amount: true }
        await record(id, { status: 'bought', price: bought, date: on, ...confirmed }, { key: buyer })
        if (sold !== undefined)
          await record(id, { status: 'sold', price: sold, date: soldOn, ...confirmed }, { key: buyer })
      }
      const declined = await appraise({}, buyer)
      const no = { status: 'declined', declined_by: 'customer', date: '2026-02-14' }
      await record(declined.appraisal_id, no, { key: buyer })
      const { totals, months, in_stock, currency } = await report('from=2026-01-01&to=2026-03-31', buyer)
      expect(currency).toBe('USD')
      expect(months.map(({ month, bought, sold }) => [month, bought.amount, sold.amount, sold.cost])).toEqual([
        ['2026-01', 10_001, 888, 777],
        ['2026-02', 10_002, 19_999, 10_004],
        ['2026-03', 123_456_789, 987_654_321, 123_456_789],
      ])
      expect(totals.bought).toEqual({ count: 4, amount: 123_476_792 })
      expect(totals.sold).toMatchObject({ count: 4, amount: 987_675_208, cost: 123_467_570, profit: 864_207_638 })
      expect(totals.sold.median_days_held).toBe(1)
      expect(totals.declined).toEqual({ count: 1, by_shop: 0, by_customer: 1 })
      expect(in_stock).toEqual({ count: 1, amount: 9_999 })
      const inEuros = await report('from=2026-01-01&to=2026-03-31&currency=EUR', buyer)
      expect(inEuros.exchange_rates.map((rate) => rate.currency)).toEqual(['USD'])
      expect(inEuros.totals.sold.amount - inEuros.totals.sold.cost).toBe(inEuros.totals.sold.profit)
      const other = await service.newShop('Elsewhere')
      expect((await report('from=2026-01-01', other.buyer)).totals.bought.count).toBe(0)
    })

    test('converts each deal by the exchange rate of its day, the newest until then', async () => {
      const { db } = service.app
      const rates = [
        { currency: 'CHF', day: '2026-01-10', usd: 1.1 },
        { currency: 'CHF', day: '2026-02-10', usd: 1.25 },
        { currency: 'CHF', day: '2026-03-10', usd: 2 },
      ]
      await db.transaction((tx) => exchangeRateStore(db).write(tx, rates))
      const { buyer } = await service.newShop('Abroad')
      for (const isSold of [true, false]) {
        const { appraisal_id: id } = await appraise({}, buyer)
        const francs = { price: 10_000, currency: 'CHF' }
        await record(id, { status: 'bought', date: '2026-01-15', ...francs }, { key: buyer })
        if (isSold) await record(id, { status: 'sold', date: '2026-02-10', ...francs }, { key: buyer })
      }
      const { totals, in_stock, exchange_rates } = await report('from=2026-02-01&to=2026-02-28', buyer)
      expect(totals.sold).toMatchObject({ cost: 11_000, amount: 12_500, profit: 1_500 })
      expect(in_stock).toEqual({ count: 1, amount: 11_000 })
      expect(exchange_rates).toMatchObject([{ currency: 'CHF', exchange_rate: { date: '2026-02-10', rate: 0.8 } }])
    })

    test('ends today, and a deal without a day is of today, in the time zone of the caller', async () => {
      const { buyer } = await service.newShop('Early')
      // At any moment, one of them has another day than UTC.
      for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        const { appraisal_id: id } = await appraise({}, buyer)
        const bought = await record(id, { status: 'bought', price: 10_000, time_zone }, { key: buyer })
        const today = dayIn(Date.now(), time_zone)
        expect(bought.body.data.outcome.bought.date).toBe(today)
        expect((await report(`time_zone=${time_zone}`, buyer)).to).toBe(today)
      }
      const unknown = await service.ask('/api/reports/deals?time_zone=Mars/Base', { key: buyer })
      expect([unknown.status, unknown.body.error.details[0].field]).toEqual([400, 'time_zone'])
    })

    test('compares forecasts with outcomes and judges only enough sales', async () => {
      const { buyer } = await service.newShop('Judging')
      const { appraisal_id: id, plans, offer, value } = await appraise({}, buyer)
      await record(id, { status: 'bought', price: 10_000 }, { key: buyer })
      await record(id, { status: 'sold', price: (value[0]?.resale?.high ?? 0) + 1 }, { key: buyer })
      const { forecast } = await report('', buyer)
      expect(forecast.offers).toMatchObject({ deals: 1, recommended: offer.recommended_offer, paid: 10_000 })
      expect(forecast.sales).toMatchObject({
        sales: 1,
        forecast: plans?.find(({ plan }) => plan === offer.plan)?.expected_proceeds,
      })
      expect(forecast.range).toMatchObject({ sales: 1, inside: 0, above: 1, verdict: 'too_few' })
      expect(forecast.losses).toMatchObject({ sales: 1, lost: 0, verdict: 'too_few' })
      expect(forecast.points[0]).toMatchObject({ appraisal_id: id, bought: 10_000 })
    })

    test('of an invalid period is rejected', async () => {
      for (const [query, message] of [
        ['from=2026-02-01&to=2026-01-01', 'a day on or before 2026-01-01'],
        ['from=2010-01-01&to=2026-01-01', 'at most 36 months'],
        ['from=yesterday', 'a day such as 2026-03-02'],
      ]) {
        const { status, body } = await service.ask(`/api/reports/deals?${query}`, { key: buyer })
        expect(status).toBe(400)
        expect(body.error.message).toContain(message as string)
      }
    })

    test('is visible only to members who may see margins', async () => {
      const clerk = await member(service, service.organizationId, 'clerk')
      expect((await clerk.get('/api/reports/deals')).status).toBe(403)
      expect((await clerk.get('/api/reports/deals?format=csv')).status).toBe(403)
      expect((await owner.get('/api/reports/deals')).status).toBe(200)
      const csv = (await owner.get('/api/reports/deals?format=csv')).text
      expect(csv.split('\n')[0]).toContain('Recommended offer')
      const spanish = (await owner.get('/api/reports/deals?format=csv&language=es')).text
      expect(spanish.split('\n')[0]).toContain('Oferta recomendada')
    })
  })

  describe('the prices of an organization', () => {
    const resale = async (key: string) =>
      (await service.ask(`/api/pricing?variant_id=${PHONE}`, { key })).body.data.resale.current.Good as number

    test('follow its deals within seconds; prices of other organizations do not', async () => {
      const [shop, other] = [await service.newShop('Dealing'), await service.newShop('Watching')]
      const before = await resale(shop.buyer)
      expect(await resale(other.buyer)).toBe(before)
      const ids: string[] = []
      for (let deal = 0; deal < 6; deal++) {
        const { appraisal_id: id } = await appraise({}, shop.buyer)
        ids.push(id)
        await record(id, { status: 'bought', price: Math.round(before * 0.9) }, { key: shop.buyer })
        await record(id, { status: 'sold', price: Math.round(before * 1.3) }, { key: shop.buyer })
      }
      const raised = await waitUntil(
        async () => {
          const price = await resale(shop.buyer)
          return price > before ? price : undefined
        },
        { describe: 'a higher price after six sales' },
      )
      expect(await resale(other.buyer)).toBe(before)
      const shopOwner = await member(service, shop.organizationId, 'owner')
      const summary = async () => (await shopOwner.get('/api/manage/settings')).body.data.policy
      expect(await summary()).toMatchObject({
        uses_deals: true,
        deals: { prices: 12, excluded: 0, newest_on: TODAY },
      })
      expect((await shopOwner.send('PATCH', '/api/manage/settings', { policy: { uses_deals: false } })).status).toBe(
        200,
      )
      await waitUntil(async () => (await resale(shop.buyer)) === before, {
        describe: 'the price without its deals',
      })
      await shopOwner.send('PATCH', '/api/manage/settings', { policy: { uses_deals: true } })
      await waitUntil(async () => (await resale(shop.buyer)) >= raised, { describe: 'the price with its deals' })
      for (const id of ids) await remove(id, { key: shop.buyer })
      await waitUntil(async () => (await resale(shop.buyer)) < raised, { describe: 'the price without the deals' })
    })

    test('are counted over thousands of deals', async () => {
      const { organizationId } = await service.newShop('Large shop')
      const { db } = service.app
      const rows = Array.from({ length: 4_001 }, (_, at) => ({
        organization_id: organizationId,
        appraisal_id: `apr_${String(at).padStart(6, '0')}`,
        status: 'bought',
        bought_price: 30_000,
        bought_cents: 30_000,
        bought_currency: 'USD',
        bought_on: YESTERDAY,
        device_id: 'apple-iphone-13',
        configuration: at % 2 === 0 ? 'apple-iphone-13-128gb' : null,
        currency: 'USD',
        is_sample: 0,
        created_by: '{"kind":"command","id":"command line","name":"command line"}',
        updated_at: 1,
      }))
      await db.transaction((tx) => db.insertMany(tx, 'appraisal_outcome', rows as never))
      const shopOwner = await member(service, organizationId, 'owner')
      expect((await shopOwner.get('/api/manage/settings')).body.data.policy).toMatchObject({
        uses_deals: true,
        deals: { prices: 2_001, excluded: 2_000, newest_on: YESTERDAY },
      })
    })

    test('use the exchange rate of the day of a deal', async () => {
      const { db } = service.app
      const rates = [
        { currency: 'NOK', day: addDays(TODAY, -40), usd: 0.1 },
        { currency: 'NOK', day: TODAY, usd: 0.3 },
      ]
      await db.transaction((tx) => exchangeRateStore(db).write(tx, rates))
      const shops = [await service.newShop('In crowns'), await service.newShop('In dollars')] as const
      const before = await resale(shops[0].buyer)
      const price = Math.round(before * 1.3)
      const deals = [
        { key: shops[0].buyer, price: price * 10, currency: 'NOK' },
        { key: shops[1].buyer, price, currency: 'USD' },
      ]
      const date = addDays(TODAY, -30)
      for (const { key, ...amount } of deals) {
        const { appraisal_id: id } = await appraise({}, key)
        await record(id, { status: 'bought', date, ...amount }, { key })
        const sale = { appraisal_id: id, status: 'sold', date, ...amount }
        await service.ask('/api/appraisals/outcomes/batch', { key, json: { items: [sale] } })
      }
      const [crowns, dollars] = await waitUntil(
        async () => {
          const prices = [await resale(shops[0].buyer), await resale(shops[1].buyer)] as const
          return prices.every((each) => each > before) ? prices : undefined
        },
        { describe: 'both prices after the sales' },
      )
      expect(crowns).toBe(dollars)
    })

    test('do not follow deals of devices with defects', async () => {
      const { buyer } = await service.newShop('Repairing')
      const before = await resale(buyer)
      for (let deal = 0; deal < 4; deal++) {
        const { appraisal_id: id } = await appraise({ defects: ['cracked_back'] }, buyer)
        await record(id, { status: 'bought', price: 1_000 }, { key: buyer })
        await record(id, { status: 'sold', price: 2_000 }, { key: buyer })
      }
      const rows = await service.app.db.query
        .selectFrom('appraisal_outcome')
        .select(['configuration', 'grade'])
        .where('sold_price', '=', 2_000)
        .execute()
      expect(rows).toEqual(Array.from({ length: 4 }, () => ({ configuration: null, grade: null })))
      expect(await resale(buyer)).toBe(before)
    })
  })
})

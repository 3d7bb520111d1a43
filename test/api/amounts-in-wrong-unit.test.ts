import { afterAll, beforeAll, expect, test } from 'bun:test'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13'
const VARIANT = 'apple-iphone-13-128gb-midnight'

/** Every amount that does not become an observed price; `plausible-amounts.test.ts` tests those that do. */
onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.openFull(), { SAMPLE_DATA: 'off' })
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(() => service.stop())

  const send = (method: string, path: string, json: object) => owner.send(method, path, json)

  async function buy(price: number): Promise<string> {
    const { body } = await send('POST', '/api/appraisals', { variant_id: VARIANT, condition: 'Good' })
    const id: string = body.data.appraisal_id
    expect((await send('POST', `/api/appraisals/${id}/outcome`, { status: 'bought', price })).status).toBe(200)
    return id
  }

  /** The amount, ten times and a tenth of it: only the first is accepted without a confirmation. */
  async function expectChecked(
    change: (amount: number, confirmation?: object) => ReturnType<typeof send>,
    amount: number,
    field: string,
    factors = [100, 0.01],
  ) {
    expect((await change(amount)).status).toBe(200)
    for (const factor of factors) {
      const { status, body } = await change(Math.round(amount * factor))
      expect([factor, status, body.error?.details?.[0].field]).toEqual([factor, 400, field])
      expect(body.error.message).toMatch(/expected \$[\d,.]+ to \$[\d,.]+/)
      expect(body.error.message).toMatch(/minor units: \d+ is \$/)
      expect(body.error.message).toContain('"confirm_amount": true')
    }
    expect((await change(Math.round(amount * 100), { confirm_amount: true })).status).toBe(200)
  }

  test('the asking price of a device in stock is checked', async () => {
    const id = await buy(19_000)
    const change = (asking_price: number, confirmation = {}) =>
      send('PATCH', `/api/stock/${id}`, { asking_price, ...confirmation })
    await expectChecked(change, 26_900, 'asking_price', [100, 10, 0.1, 0.01, 0])
    // A confirmed price is not asked about again when something else is saved.
    expect((await send('PATCH', `/api/stock/${id}`, { asking_price: 2_690_000, location: 'Shelf 3' })).status).toBe(200)
  })

  test('a tenth of the price of a device is no asking price, however cheaply it was bought', async () => {
    const console = { variant_id: 'sony-playstation-5-pro-2tb-white', condition: 'Good' }
    const { body } = await send('POST', '/api/appraisals', console)
    const id: string = body.data.appraisal_id
    const [value] = body.data.value
    const [paid, worth] = [value.buyback.low, value.resale.amount]
    expect((await send('POST', `/api/appraisals/${id}/outcome`, { status: 'bought', price: paid })).status).toBe(200)
    const change = (asking_price: number) => send('PATCH', `/api/stock/${id}`, { asking_price })
    expect((await change(worth)).status).toBe(200)
    expect((await change(Math.round(worth / 10))).status).toBe(400)
  })

  test('the cost of a device in stock is not many times what the device is worth', async () => {
    const id = await buy(19_000)
    const change = (amount: number, confirmation = {}) =>
      send('PATCH', `/api/stock/${id}`, { costs: [{ kind: 'part', amount }], ...confirmation })
    await expectChecked(change, 6_000, 'costs.0.amount', [100, 10])
    expect((await change(0)).status).toBe(200)
  })

  test('the agreed offer of an appraisal is checked, also with a purchase that confirms it', async () => {
    const ask = (agreed_offer: number, more = {}) =>
      send('POST', '/api/appraisals', { variant_id: VARIANT, condition: 'Good', agreed_offer, ...more })
    await expectChecked(ask, 15_000, 'agreed_offer', [100, 10, 0.01])
    const purchase = { price: 1_500_000, confirm_amount: true }
    const bought = await ask(1_500_000, { variant_id: 'google-pixel-7-128gb-obsidian', purchase })
    expect(bought.status).toBe(200)
    expect((await ask(500, { defects: ['no_power'] })).status).toBe(200)
    const batch = { items: [{ variant_id: VARIANT, agreed_offer: 1_500_000 }] }
    const { body } = await send('POST', '/api/appraisals/batch', batch)
    expect(body.data[0].error.details[0].field).toBe('items[0].agreed_offer')
  })

  test('the policy of one appraisal is checked', async () => {
    const ask = (min_profit: number, confirmation = {}) =>
      send('POST', '/api/appraisals', { variant_id: VARIANT, policy: { min_profit }, ...confirmation })
    await expectChecked(ask, 1_500, 'policy.min_profit')
  })

  test('a price rule is checked against the prices of its devices', async () => {
    const change = (max_offer: number, confirmation = {}) =>
      send('PUT', '/api/manage/price-rules', {
        rules: [{ device_ids: [PHONE], max_offer, ...confirmation }],
      })
    await expectChecked(change, 15_000, 'rules.0.max_offer')
    // Never to buy is a rule, and a stored rule is not asked about again.
    expect((await change(0)).status).toBe(200)
    const { body } = await change(1_500_000, { confirm_amount: true })
    const rules = body.data.rules.map(({ id, device_ids, max_offer }: Record<string, unknown>) => ({
      id,
      device_ids,
      max_offer,
    }))
    expect((await send('PUT', '/api/manage/price-rules', { rules })).status).toBe(200)
    const ofAll = (max_offer: number) => send('PUT', '/api/manage/price-rules', { rules: [{ max_offer }] })
    expect([(await ofAll(50_000)).status, (await ofAll(5_000_000)).status]).toEqual([200, 400])
  })

  test('a price rule of a device whose launch price is unknown is checked too', async () => {
    const { body } = await owner.get('/api/pricing?variant_id=xiaomi-redmi-a3-pro')
    const worth: number = body.data.buyback.current.Good
    for (const [factor, expected] of [
      [1, 200],
      [100, 400],
      [10, 400],
      [0.01, 400],
    ] as const) {
      const rule = { device_ids: ['xiaomi-redmi-a3-pro'], max_offer: Math.round(worth * factor) }
      const { status } = await send('PUT', '/api/manage/price-rules', { rules: [rule] })
      expect([factor, status]).toEqual([factor, expected])
    }
  })

  test('the amounts of the buying policy are checked', async () => {
    const terms = { min_profit: 2_000, labour_per_hour: 4_500, holding_cost_per_day: 20, clerk_offer_limit: 40_000 }
    for (const [term, amount] of Object.entries(terms)) {
      const change = (sent: number, confirmation = {}) =>
        send('PATCH', '/api/manage/settings', { policy: { [term]: sent, ...confirmation } })
      // A hundredth of some cents rounds to nothing.
      await expectChecked(change, amount, `policy.${term}`, amount < 100 ? [100] : [100, 0.01])
      expect((await change(0)).status).toBe(200)
    }
    const rounding = (offer_rounding: number) => send('PATCH', '/api/manage/settings', { policy: { offer_rounding } })
    expect((await rounding(1)).status).toBe(200)
    expect((await rounding(500)).status).toBe(200)
    expect((await rounding(50_000)).status).toBe(400)
    const { body } = await send('PATCH', '/api/manage/settings', { policy: { min_profit: 1_800 } })
    expect(body.data.policy.policy).not.toHaveProperty('confirm_amount')
  })

  test('an asking price of a list in the wrong unit is a question, not a bargain', async () => {
    const header = ['model', 'condition', 'price', 'currency']
    const rows = ['200', '2', '20000'].map((price, at) => ({
      line: at + 2,
      cells: ['Apple iPhone 13 128GB', 'Good', price, 'USD'],
    }))
    const { body } = await send('POST', '/api/lists', { name: 'Offer', header })
    const answer = await send('PATCH', `/api/lists/${body.data.id}`, { rows })
    const outcomes = answer.body.data.rows.map((row: { outcome: string; questions: { code: string }[] }) => [
      row.outcome === 'question',
      row.questions.map(({ code }) => code),
    ])
    expect(outcomes).toEqual([
      [false, []],
      [true, ['implausible_price']],
      [true, ['implausible_price']],
    ])
    expect(answer.body.data.rows[1].questions[0].words).toMatch(/^\$[\d,.]+ – \$[\d,.]+$/)
  })
})

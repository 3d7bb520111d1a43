import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalPreviewWire } from '../../src/contract/appraisal.ts'
import type { QuoteAtCounterWire, QuoteWire } from '../../src/contract/quotes.ts'
import { member } from '../support/browser-session.ts'
import { startOnSqlite, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = { device_id: 'apple-iphone-13', attributes: { storage: '128GB' } }

let service: TestService
let owner: Awaited<ReturnType<typeof member>>
let clerk: Awaited<ReturnType<typeof member>>
beforeAll(async () => {
  service = await startOnSqlite()
  owner = await member(service, service.organizationId, 'owner')
  clerk = await member(service, service.organizationId, 'clerk')
  await owner.send('PATCH', '/api/manage/settings', { trade_in: { max_price: 10_000_000 } })
})
afterAll(() => service.stop())

const quote = async (answers: object = {}, key = service.keys.paid): Promise<QuoteWire> =>
  (await service.ask('/api/quotes', { key, json: { ...PHONE, condition: 'Good', ...answers } })).body.data.quote
const read = async ({ quote_id: id }: QuoteWire): Promise<QuoteWire> =>
  (await service.ask(`/api/quotes/${id}`, { tier: 'paid' })).body.data
const atCounter = async ({ quote_id: id }: QuoteWire, found: object = {}): Promise<QuoteAtCounterWire> => {
  const { status, body } = await clerk.post('/api/appraisals/preview', {
    ...PHONE,
    condition: 'Good',
    quote_id: id,
    ...found,
  })
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return (body.data as AppraisalPreviewWire).quote as QuoteAtCounterWire
}
const save = (body: object, person = clerk) => person.post('/api/appraisals', { ...PHONE, condition: 'Good', ...body })

describe('the quoted price', () => {
  test('holds for a device as described', async () => {
    const offered = await quote()
    expect(await atCounter(offered)).toMatchObject({
      price_held: true,
      price: offered.offer.price,
      quoted_price: offered.offer.price,
      differences: [],
    })
  })

  test('holds if the market fell, also for a clerk and above the maximum, and the cost is recorded', async () => {
    const offered = await quote()
    const { price } = offered.offer
    // The shop pays less from now on, and clerks may offer less.
    expect((await owner.send('PUT', '/api/manage/price-rules', { rules: [{ percent: -40 }] })).status).toBe(200)
    const limited = await owner.send('PATCH', '/api/manage/settings', { policy: { clerk_offer_limit: 1_000 } })
    expect(limited.status).toBe(200)
    await waitUntil(async () => ((await atCounter(offered)).current_price ?? 0) < (price ?? 0), {
      describe: 'the price rule',
      everyMs: 500,
    })
    const held = await atCounter(offered)
    expect(held).toMatchObject({ price_held: true, price })
    const purchase = { price, date: new Date().toISOString().slice(0, 10) }
    expect((await save({ agreed_offer: price, purchase })).status).toBe(403)
    const bought = await save({ agreed_offer: price, purchase, quote_id: offered.quote_id })
    expect({ status: bought.status, error: bought.body.error }).toEqual({ status: 200, error: undefined })
    expect(await read(offered)).toMatchObject({
      state: 'bought',
      settlement: { price_held: true, paid: price, held_cost: (price ?? 0) - (held.current_price ?? 0) },
    })
    await owner.send('PUT', '/api/manage/price-rules', { rules: [] })
    await owner.send('PATCH', '/api/manage/settings', { policy: { clerk_offer_limit: null } })
    await waitUntil(async () => ((await quote()).offer.price ?? 0) > (held.current_price ?? 0), {
      describe: 'no price rule',
      everyMs: 500,
    })
  })

  test('becomes another one by each difference, which is named with its money', async () => {
    const offered = await quote()
    const {
      differences,
      price,
      price_held: isHeld,
    } = await atCounter(offered, {
      condition: 'Fair',
      defects: ['cracked_back'],
    })
    expect(isHeld).toBe(false)
    expect(differences.map(({ kind, said, is }) => ({ kind, said, is }))).toEqual([
      { kind: 'grade', said: 'Good', is: 'Fair' },
      { kind: 'fault', said: null, is: 'cracked_back' },
    ])
    const [first, second] = differences
    expect(first?.before).toBe(offered.offer.price)
    expect(first?.after).toBeLessThan(first?.before ?? 0)
    expect(second?.before).toBe(first?.after ?? null)
    expect(second?.after).toBe(price)
  })

  test('allows no more than was promised for a device that differs', async () => {
    const offered = await quote()
    const body = { defects: ['cracked_screen'], agreed_offer: offered.offer.price, quote_id: offered.quote_id }
    expect((await save(body)).status).toBe(403)
    expect((await read(offered)).state).toBe('open')
  })

  test('rises if a stated fault is not there', async () => {
    const offered = await quote({ defects: ['cracked_back'] })
    const { differences, price } = await atCounter(offered)
    expect(differences).toMatchObject([{ kind: 'fault_absent', said: 'cracked_back' }])
    expect(price).toBeGreaterThan(offered.offer.price ?? 0)
  })
})

describe('a quote at the counter', () => {
  test('that is cancelled has no price, and its purchase is refused', async () => {
    const offered = await quote()
    await service.ask(`/api/quotes/${offered.quote_id}`, {
      tier: 'paid',
      method: 'PATCH',
      json: { state: 'cancelled' },
    })
    expect(await atCounter(offered)).toMatchObject({ state: 'cancelled', price: null, price_held: false })
    const refused = await save({ quote_id: offered.quote_id })
    expect({ status: refused.status, reason: refused.body.error.reason_code }).toEqual({
      status: 400,
      reason: 'quote_over',
    })
  })

  test('of another organization is not found', async () => {
    const { keys } = await service.newOrganization('Rival')
    const foreign = await quote({}, keys.paid)
    const response = await clerk.post('/api/appraisals/preview', {
      ...PHONE,
      condition: 'Good',
      quote_id: foreign.quote_id,
    })
    expect(response.status).toBe(404)
  })

  test('is bought once, also if two tills buy at the same moment', async () => {
    const offered = await quote()
    const { price } = offered.offer
    const purchase = { price, date: new Date().toISOString().slice(0, 10) }
    const body = { agreed_offer: price, purchase, quote_id: offered.quote_id }
    const both = await Promise.all([save(body, owner), save(body, clerk)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await read(offered)).state).toBe('bought')
  })

  test('is declined with its appraisal', async () => {
    const offered = await quote()
    expect((await save({ declined: true, quote_id: offered.quote_id })).status).toBe(200)
    expect((await read(offered)).state).toBe('declined')
  })
})

describe('the report on quotes', () => {
  test('says how many arrived and were bought, which prices changed and why, and what holding prices cost', async () => {
    const { organizationId } = await service.newOrganization('Report shop')
    const boss = await member(service, organizationId, 'owner')
    await boss.send('PATCH', '/api/manage/settings', { trade_in: { max_price: 10_000_000 } })
    const make = async (): Promise<QuoteWire> =>
      (await boss.post('/api/quotes', { ...PHONE, condition: 'Good' })).body.data.quote
    const sell = (quote_id: string, found: object = {}, price?: number | null) =>
      boss.post('/api/appraisals', {
        ...PHONE,
        condition: 'Good',
        quote_id,
        ...found,
        ...(price ? { purchase: { price, confirm_amount: true } } : { declined: true }),
      })
    const [held, cracked, refused, cancelled] = [await make(), await make(), await make(), await make()]
    expect((await sell(held.quote_id, {}, held.offer.price)).status).toBe(200)
    expect((await sell(cracked.quote_id, { defects: ['cracked_back'] }, 5_000)).status).toBe(200)
    expect((await sell(refused.quote_id, { defects: ['cracked_back'] })).status).toBe(200)
    await boss.send('PATCH', `/api/quotes/${cancelled.quote_id}`, { state: 'cancelled' })
    await make()
    const { status, body } = await boss.get('/api/reports/quotes')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      kept: 5,
      arrived: 3,
      price_held: 1,
      requoted: 2,
      requotes_bought: 1,
      states: { open: 1, arrived: 0, bought: 2, declined: 1, expired: 0, cancelled: 1 },
      reasons: [{ kind: 'fault', is: 'cracked_back', count: 2, bought: 1 }],
      money: [{ bought: 2, paid: (held.offer.price ?? 0) + 5_000, held_cost: 0 }],
    })
    expect((await boss.get('/api/reports/quotes?from=2020-01-01&to=2020-02-01')).body.data.kept).toBe(0)
    const junior = await member(service, organizationId, 'clerk')
    expect((await junior.get('/api/reports/quotes')).status).toBe(403)
  })
})

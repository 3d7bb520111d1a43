import { afterAll, beforeAll, expect, test } from 'bun:test'
import { KEY_RIGHTS } from '../../src/contract/tiers.ts'
import { onBothDatabases } from '../support/databases.ts'
import { OPERATOR, startService, type TestResponse, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const DEVICE = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
const BOUGHT = { status: 'bought', price: 20_000, confirm_amount: true }
const SOLD = { status: 'sold', price: 30_000, confirm_amount: true }
/** Enough that the two processes meet. */
const ROUNDS = 8

/** Two services on one database know nothing of each other's requests. */
onBothDatabases((store) => {
  let services: readonly [TestService, TestService]
  let key: string
  beforeAll(async () => {
    const opening = await store.open()
    services = [await startService(opening), await startService(opening)]
    const [first, second] = services
    const newKey = { tier: 'enterprise', name: 'Two tills', expiresAt: null, rights: KEY_RIGHTS } as const
    key = (await first.app.auth.createKey(first.organizationId, newKey, OPERATOR, Date.now())).secret
    await waitUntil(async () => (await second.ask('/api/appraisals', { key })).status === 200, {
      describe: 'the key is known to the second process',
    })
  })
  afterAll(() => Promise.all(services.map((service) => service.stop())))

  const send = (at: 0 | 1, method: string, path: string, json?: unknown) =>
    services[at].ask(path, { key, method, json })
  const record = (at: 0 | 1, id: string, json: unknown) => send(at, 'POST', `/api/appraisals/${id}/outcome`, json)

  async function buy(): Promise<string> {
    const { appraisal_id: id } = (await send(0, 'POST', '/api/appraisals', DEVICE)).body.data
    expect((await record(0, id, BOUGHT)).status).toBe(200)
    return id
  }
  const outcomeOf = async (id: string) => (await send(0, 'GET', `/api/appraisals/${id}`)).body.data.outcome
  const statuses = (responses: readonly TestResponse[]) => responses.map(({ status }) => status)

  test('fields of one outcome that two processes record at the same moment are all stored', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await buy()
      const answers = await Promise.all([
        record(0, id, { ...SOLD, channel: 'Counter' }),
        record(1, id, { ...SOLD, note: 'With box' }),
      ])
      expect(statuses(answers)).toEqual([200, 200])
      expect(await outcomeOf(id)).toMatchObject({ status: 'sold', sold: { channel: 'Counter' }, note: 'With box' })
    }
  })

  test('a sale and a withdrawal of the purchase at the same moment leave one of both', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await buy()
      const [sale, declined] = await Promise.all([record(0, id, SOLD), record(1, id, { status: 'declined' })])
      // Either the sale came first, and the device was declined afterwards, or there was nothing left to sell.
      expect([200, 400]).toContain(sale.status)
      expect(declined.status).toBe(200)
      expect(await outcomeOf(id)).toMatchObject({ status: 'declined', bought: null, sold: null })
      expect((await send(0, 'GET', `/api/stock/${id}`)).status).toBe(404)
    }
  })

  test('a sale and a removal of the outcome at the same moment leave no sale without a purchase', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await buy()
      const [sale, removed] = await Promise.all([
        record(0, id, SOLD),
        send(1, 'DELETE', `/api/appraisals/${id}/outcome`),
      ])
      expect([200, 400]).toContain(sale.status)
      expect(removed.status).toBe(200)
      expect(await outcomeOf(id)).toBeNull()
      expect((await send(0, 'GET', `/api/stock/${id}`)).status).toBe(404)
    }
  })

  test('batches of two processes in opposite order are all recorded', async () => {
    for (let round = 0; round < 4; round++) {
      const ids = await Promise.all(Array.from({ length: 12 }, buy))
      const batch = (at: 0 | 1, order: readonly string[], more: object) =>
        send(at, 'POST', '/api/appraisals/outcomes/batch', {
          items: order.map((appraisal_id) => ({ appraisal_id, ...SOLD, ...more })),
        })
      const answers = await Promise.all([
        batch(0, ids, { channel: 'Counter' }),
        batch(1, ids.toReversed(), { note: 'With box' }),
      ])
      expect(statuses(answers)).toEqual([200, 200])
      for (const id of ids)
        expect(await outcomeOf(id)).toMatchObject({ sold: { channel: 'Counter' }, note: 'With box' })
    }
  })

  test('of two lists of price rules that replace the same one, one is rejected and nothing is lost', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { rules, revision } = (await send(0, 'GET', '/api/manage/price-rules')).body.data
      const kept = rules.map(({ id, percent }: { id: string; percent: number }) => ({ id, percent }))
      const add = (at: 0 | 1) =>
        send(at, 'PUT', '/api/manage/price-rules', { rules: [...kept, { percent: 5 + at }], revision })
      const answers = await Promise.all([add(0), add(1)])
      expect(statuses(answers).sort()).toEqual([200, 400])
      const rejected = answers.find(({ status }) => status === 400)
      expect(rejected?.body.error).toMatchObject({ reason_code: 'changed_meanwhile' })
      const after = (await send(0, 'GET', '/api/manage/price-rules')).body.data
      expect([after.rules.length, after.revision]).toEqual([rules.length + 1, revision + 1])
    }
  })

  test('changes of one device in stock by two processes at the same moment are all stored', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await buy()
      const answers = await Promise.all([
        send(0, 'PATCH', `/api/stock/${id}`, { location: 'Shelf 7' }),
        send(1, 'PATCH', `/api/stock/${id}`, { asking_price: 34_900, confirm_amount: true }),
        record(0, id, { ...BOUGHT, price: 21_000 }),
      ])
      expect(statuses(answers)).toEqual([200, 200, 200])
      const { body } = await send(0, 'GET', `/api/stock/${id}`)
      expect(body.data).toMatchObject({ location: 'Shelf 7', asking_price: 34_900, bought: { price: 21_000 } })
    }
  })
})

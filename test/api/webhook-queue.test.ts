import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/database.ts'
import { eventStore } from '../../src/events/event-store.ts'
import { dueQuery, webhookDeliveryStore } from '../../src/events/webhook-delivery-store.ts'
import { webhookEndpointStore } from '../../src/events/webhook-endpoint-store.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { onBothDatabases } from '../support/databases.ts'

const NOW = Date.UTC(2026, 0, 1)
const ACTOR = { personId: null, who: 'test' }
const encryption = openEncryption({ secretKey: 'one', dataDir: '' })
const ACCEPTED = { status: 200, responseText: 'ok', isAccepted: true }

onBothDatabases((store) => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase(await store.open())
    await db.transaction((tx) =>
      tx.insertInto('organization').values({ id: 'org_1', name: 'Shop', created_at: NOW }).execute(),
    )
  })
  afterAll(() => db.close())

  const endpoints = () => webhookEndpointStore(db, encryption)
  const deliveries = () => webhookDeliveryStore(db, encryption)
  const newEndpoint = async () =>
    (await endpoints().createEndpoint('org_1', { url: 'https://hooks.example/', types: [] }, ACTOR, NOW)).endpoint.id
  const writeEvents = (subjects: readonly string[]) =>
    eventStore(db).write(
      subjects.map((subject) => ({
        type: 'webhook.disabled',
        organizationId: 'org_1',
        subject,
        createdAt: NOW,
        data: { webhook_id: 'whk_0', url: 'https://hooks.example/', reason: 'test' },
      })),
    )
  const subjectsDue = async (id: string, limit = 10) =>
    (await deliveries().due(id, NOW, limit)).map(({ subject }) => subject)
  const settleFirst = async (id: string) => {
    const [delivery] = await deliveries().due(id, NOW, 1)
    if (!delivery) throw new Error('nothing is due')
    await deliveries().settle(
      [{ delivery, outcome: ACCEPTED, attempts: 1, nextAttemptAt: null, disableReason: null }],
      NOW,
    )
  }

  test('only the first event of a subject is due; the next follows when it was delivered', async () => {
    const id = await newEndpoint()
    await writeEvents(['a', 'a', 'b'])
    await writeEvents(['a'])
    await deliveries().fanOut()
    expect(await subjectsDue(id)).toEqual(['a', 'b'])
    const order: string[] = []
    for (let left = 4; left > 0; left--) {
      order.push((await subjectsDue(id))[0] ?? '')
      await settleFirst(id)
    }
    expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b'])
    expect(await subjectsDue(id)).toEqual([])
    expect((await deliveries().deliveries('org_1', id, 10)).map(({ state }) => state)).toEqual(
      Array.from({ length: 4 }, () => 'delivered'),
    )
    await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  test('an endpoint that is enabled again gets every undelivered event, in order', async () => {
    const id = await newEndpoint()
    await writeEvents(['a', 'a', 'b'])
    await deliveries().fanOut()
    const [first] = await deliveries().due(id, NOW, 1)
    if (!first) throw new Error('nothing is due')
    const failed = { status: 410, responseText: 'gone', isAccepted: false }
    expect(await deliveries().disableEndpoint(id, 'gone', NOW)).toBe(true)
    await deliveries().settle(
      [{ delivery: first, outcome: failed, attempts: 1, nextAttemptAt: null, disableReason: 'gone' }],
      NOW,
    )
    expect((await deliveries().endpointsDue(NOW)).map((endpoint) => endpoint.id)).not.toContain(id)
    await endpoints().enableEndpoint('org_1', id, ACTOR, NOW)
    expect((await deliveries().endpointsDue(NOW)).map((endpoint) => endpoint.id)).toContain(id)
    const again = await deliveries().due(id, NOW, 1)
    expect(again).toMatchObject([{ revision: first.revision, ordinal: first.ordinal, attempts: 0 }])
    await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  test('secrets are encrypted in the database, those of an older version at the next start', async () => {
    const { endpoint, secret } = await endpoints().createEndpoint(
      'org_1',
      { url: 'https://hooks.example/', types: [] },
      ACTOR,
      NOW,
    )
    const stored = async () =>
      (await db.query.selectFrom('webhook_endpoint').selectAll().where('id', '=', endpoint.id).execute())[0]
    expect(JSON.stringify(await stored())).not.toContain(secret.slice(6))
    await db.transaction((tx) =>
      tx.updateTable('webhook_endpoint').set({ secret }).where('id', '=', endpoint.id).execute(),
    )
    await endpoints().encryptPlainSecrets()
    const row = await stored()
    expect(JSON.stringify(row)).not.toContain(secret.slice(6))
    expect(encryption.decrypt(row?.secret ?? '', endpoint.id)).toBe(secret)
    await endpoints().removeEndpoint('org_1', endpoint.id, ACTOR, NOW)
  })

  describe('with 20,000 due deliveries', () => {
    const COUNT = 20_000
    let id: string
    beforeAll(async () => {
      id = await newEndpoint()
      for (let from = 0; from < COUNT; from += 2_000) {
        await writeEvents(Array.from({ length: 2_000 }, (_, at) => `subject ${from + at}`))
      }
      await deliveries().fanOut()
    })

    test('a take reads the head of the index and sorts nothing', async () => {
      if (db.admin.dialect === 'postgres') await db.bulk.analyzeTable('webhook_delivery')
      const explain = db.admin.dialect === 'sqlite' ? 'explain query plan' : 'explain'
      const compiled = dueQuery(db.query, id, NOW, 100).compile()
      const { rows } = await db.query.executeQuery<Record<string, string>>({
        ...compiled,
        sql: `${explain} ${compiled.sql}`,
      })
      const plan = rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n')
      expect(plan).toContain('webhook_delivery_queue')
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN webhook_delivery|\bSort\b|Seq Scan/)
      expect(await deliveries().due(id, NOW, 100)).toHaveLength(100)
    })

    test('removing the endpoint deletes them in short steps', async () => {
      let transactions = 0
      const counting: Database = {
        ...db,
        transaction(work) {
          transactions++
          return db.transaction(work)
        },
      }
      await webhookEndpointStore(counting, encryption).removeEndpoint('org_1', id, ACTOR, NOW)
      expect(transactions).toBeGreaterThan(COUNT / 1_000)
      // On the writing connection: an EXPLAIN leaves the reading one with an old snapshot.
      const left = await db.transaction((tx) =>
        tx.selectFrom('webhook_delivery').select('revision').where('endpoint_id', '=', id).limit(1).execute(),
      )
      expect(left).toEqual([])
    })
  })
})

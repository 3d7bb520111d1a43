import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type CompiledQuery, sql } from 'kysely'
import { organizationStore } from '../../src/auth/organization-store.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/database.ts'
import { dueDeliveries, promoteWaiting } from '../../src/events/delivery-queue-store.ts'
import { eventStore, visibleEventsQuery } from '../../src/events/event-store.ts'
import { startWebhookDeliveries } from '../../src/events/webhook-delivery-service.ts'
import {
  pendingEndpointsQuery,
  type WebhookDeliveryStore,
  webhookDeliveryStore,
} from '../../src/events/webhook-delivery-store.ts'
import { webhookEndpointStore } from '../../src/events/webhook-endpoint-store.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { onBothDatabases } from '../support/databases.ts'
import { waitUntil } from '../support/wait.ts'

const NOW = Date.UTC(2026, 0, 1)
const ACTOR = { personId: null, who: 'test' }
const encryption = openEncryption({ secretKey: 'one', dataDir: '' })
const ACCEPTED = { status: 200, responseText: 'ok', isAccepted: true }

onBothDatabases((store) => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase(await store.open())
    // Otherwise the plans below depend on the moment at which PostgreSQL updates its statistics.
    if (db.admin.dialect === 'postgres')
      for (const table of ['webhook_delivery', 'event'])
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(db.query)
    await db.transaction((tx) =>
      tx.insertInto('organization').values({ id: 'org_1', name: 'Shop', created_at: NOW }).execute(),
    )
  })
  afterAll(() => db.close())

  const endpoints = () => webhookEndpointStore(db, encryption)
  /** One process. */
  let deliveries: WebhookDeliveryStore
  beforeAll(() => {
    deliveries = webhookDeliveryStore(db, encryption)
  })
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
  const subjectsDue = async (endpointId: string, limit = 10) =>
    (await deliveries.due([{ endpointId, limit }], NOW)).map(({ subject }) => subject)
  const settleFirst = async (endpointId: string) => {
    const [delivery] = await deliveries.due([{ endpointId, limit: 1 }], NOW)
    if (!delivery) throw new Error('nothing is due')
    await deliveries.settle(
      [{ delivery, outcome: ACCEPTED, attempts: 1, nextAttemptAt: null, disableReason: null }],
      NOW,
    )
  }

  test('only the first event of a subject is due; the next follows after its delivery', async () => {
    const id = await newEndpoint()
    await writeEvents(['a', 'a', 'b'])
    await writeEvents(['a'])
    await deliveries.fanOut(NOW)
    expect(await subjectsDue(id)).toEqual(['a', 'b'])
    const order: string[] = []
    for (let left = 4; left > 0; left--) {
      order.push((await subjectsDue(id))[0] ?? '')
      await settleFirst(id)
    }
    expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b'])
    expect(await subjectsDue(id)).toEqual([])
    expect((await deliveries.deliveries('org_1', id, 10)).map(({ state }) => state)).toEqual(
      Array.from({ length: 4 }, () => 'delivered'),
    )
    await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  test('a due delivery has the tier of that moment, not the one at which its endpoint was found', async () => {
    const id = await newEndpoint()
    await writeEvents(['tier'])
    await deliveries.fanOut(NOW)
    const tiers = async () => (await deliveries.due([{ endpointId: id, limit: 10 }], NOW)).map(({ tier }) => tier)
    expect(await tiers()).toEqual(['enterprise'])
    await organizationStore(db).setTier('org_1', 'paid', ACTOR, NOW)
    expect(await tiers()).toEqual(['paid'])
    await organizationStore(db).setTier('org_1', 'enterprise', ACTOR, NOW)
    expect(await tiers()).toEqual(['enterprise'])
    await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  test('an endpoint that is enabled again gets every undelivered event, in order', async () => {
    const id = await newEndpoint()
    await writeEvents(['a', 'a', 'b'])
    await deliveries.fanOut(NOW)
    const [first] = await deliveries.due([{ endpointId: id, limit: 1 }], NOW)
    if (!first) throw new Error('nothing is due')
    const failed = { status: 410, responseText: 'gone', isAccepted: false }
    expect(await deliveries.disableEndpoint(id, 'gone', NOW)).toBe(true)
    await deliveries.settle(
      [{ delivery: first, outcome: failed, attempts: 1, nextAttemptAt: null, disableReason: 'gone' }],
      NOW,
    )
    expect((await deliveries.endpointsDue(NOW)).due.map((endpoint) => endpoint.id)).not.toContain(id)
    await endpoints().changeEndpoint('org_1', id, { enabled: true }, ACTOR, NOW)
    expect((await deliveries.endpointsDue(NOW)).due.map((endpoint) => endpoint.id)).toContain(id)
    const again = await deliveries.due([{ endpointId: id, limit: 1 }], NOW)
    expect(again).toMatchObject([{ revision: first.revision, ordinal: first.ordinal, attempts: 0 }])
    await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  test('secrets are encrypted in the database', async () => {
    const { endpoint, secret } = await endpoints().createEndpoint(
      'org_1',
      { url: 'https://hooks.example/', types: [] },
      ACTOR,
      NOW,
    )
    const stored = async () =>
      (await db.query.selectFrom('webhook_endpoint').selectAll().where('id', '=', endpoint.id).execute())[0]
    expect(JSON.stringify(await stored())).not.toContain(secret.slice(6))
    const row = await stored()
    expect(JSON.stringify(row)).not.toContain(secret.slice(6))
    expect(encryption.decrypt(row?.secret ?? '', endpoint.id)).toBe(secret)
    await endpoints().removeEndpoint('org_1', endpoint.id, ACTOR, NOW)
  })

  test('a late result of a process that lost the leader lock does not replace a later one', async () => {
    const id = await newEndpoint()
    await writeEvents(['a', 'b'])
    await deliveries.fanOut(NOW)
    const [a, b] = await deliveries.due([{ endpointId: id, limit: 2 }], NOW)
    if (!a || !b) throw new Error('nothing is due')
    const failed = { status: 500, responseText: 'late', isAccepted: false }
    const late = { outcome: failed, attempts: 1, nextAttemptAt: NOW, disableReason: null }
    await deliveries.settle([{ ...late, delivery: a, outcome: ACCEPTED, nextAttemptAt: null }], NOW + 1)
    await deliveries.settle([{ ...late, delivery: b, attempts: 2 }], NOW + 1)
    await deliveries.settle(
      [a, b].map((delivery) => ({ ...late, delivery })),
      NOW + 2,
    )
    const stored = await deliveries.deliveries('org_1', id, 10)
    expect(stored.find(({ subject }) => subject === 'a')).toMatchObject({ state: 'delivered', response: 'ok' })
    expect(stored.find(({ subject }) => subject === 'b')).toMatchObject({ state: 'pending', attempts: 2 })
    await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  test('500 deliveries are sent once each, in order per subject', async () => {
    const received: { id: string; subject: string; ordinal: number }[] = []
    const receiver = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { id, data } = (await request.json()) as { id: string; data: { webhook_id: string; reason: string } }
        const endpoint = new URL(request.url).pathname
        received.push({ id, subject: `${endpoint} ${data.webhook_id}`, ordinal: Number(data.reason) })
        // Longer than one process takes to look for more.
        await Bun.sleep(10)
        return new Response('ok')
      },
    })
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      const url = `http://127.0.0.1:${receiver.port}/${count}`
      ids.push((await endpoints().createEndpoint('org_1', { url, types: [] }, ACTOR, NOW)).endpoint.id)
    }
    const subjects = Array.from({ length: 100 }, (_, at) => `subject ${at % 60}`)
    await eventStore(db).write(
      subjects.map((subject, at) => ({
        type: 'webhook.disabled',
        organizationId: 'org_1',
        subject,
        createdAt: NOW,
        data: { webhook_id: subject, url: 'https://hooks.example/', reason: String(at) },
      })),
    )
    await deliveries.fanOut(NOW)
    const errors: unknown[] = []
    const { stop } = startWebhookDeliveries({
      store: deliveries,
      onChange: () => () => {},
      allowPrivateAddresses: true,
      userAgent: 'test',
      now: Date.now,
      onError: (error) => errors.push(error),
      onEndpointDisabled() {},
    })
    const undelivered = () =>
      db.query.selectFrom('webhook_delivery').select('revision').where('state', '!=', 'delivered').limit(1).execute()
    await waitUntil(async () => (await undelivered()).length === 0, { describe: '500 deliveries' })
    await stop()
    receiver.stop(true)
    expect(errors).toEqual([])
    expect(received).toHaveLength(500)
    const counts = new Map<string, number>()
    for (const { id } of received) counts.set(id, (counts.get(id) ?? 0) + 1)
    expect(counts.size).toBe(100)
    expect(new Set(counts.values())).toEqual(new Set([5]))
    for (const ofSubject of Map.groupBy(received, ({ subject }) => subject).values()) {
      const ordinals = ofSubject.map(({ ordinal }) => ordinal)
      expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b))
    }
    for (const id of ids) await endpoints().removeEndpoint('org_1', id, ACTOR, NOW)
  })

  describe('with 20,000 due deliveries', () => {
    const COUNT = 20_000
    let id: string
    beforeAll(async () => {
      id = await newEndpoint()
      for (let from = 0; from < COUNT; from += 2_000) {
        await writeEvents(Array.from({ length: 2_000 }, (_, at) => `subject ${from + at}`))
      }
      await deliveries.fanOut(NOW)
    })

    /** Before the statistics are updated, and after. */
    async function plansOf(
      compiled: CompiledQuery,
      table: 'webhook_delivery' | 'event' = 'webhook_delivery',
    ): Promise<string[]> {
      const explain = db.admin.dialect === 'sqlite' ? 'explain query plan' : 'explain'
      const plan = async () => {
        const { rows } = await db.query.executeQuery<Record<string, string>>({
          ...compiled,
          sql: `${explain} ${compiled.sql}`,
        })
        return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n')
      }
      const before = await plan()
      await db.bulk.analyzeTable(table)
      return [before, await plan()]
    }
    const READS_ALL = /TEMP B-TREE|SCAN webhook_delivery|\bSort\b|Seq Scan on webhook_delivery|Merge/

    test('a read of due deliveries takes the head of the index and sorts nothing', async () => {
      for (const plan of await plansOf(dueDeliveries(db, { endpointId: id, limit: 100 }, NOW).compile())) {
        expect(plan).toContain('webhook_delivery_queue')
        expect(plan).not.toMatch(READS_ALL)
      }
      expect(await subjectsDue(id, 100)).toHaveLength(100)
    })

    test('looking for due endpoints and settling read the index only', async () => {
      for (const plan of await plansOf(pendingEndpointsQuery().compile(db.query))) {
        expect(plan).toContain('webhook_delivery_queue')
        expect(plan).not.toMatch(READS_ALL)
      }
      const subjects = Array.from({ length: 100 }, (_, at) => ({ endpointId: id, subject: `subject ${at}` }))
      for (const plan of await plansOf(promoteWaiting(subjects).compile(db.query))) {
        expect(plan).toContain('webhook_delivery_by_subject')
        expect(plan).not.toMatch(READS_ALL)
      }
    })

    test('a page of events reads that page from the index, of both organizations', async () => {
      const query = visibleEventsQuery('org_1', { revision: 3, ordinal: 7 }, { limit: 200 })
      for (const plan of await plansOf(query.compile(db.query), 'event')) {
        expect(plan.match(/event_of_organization/g)).toHaveLength(2)
        expect(plan).not.toMatch(/SCAN event|Seq Scan|Bitmap|event_key/)
      }
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

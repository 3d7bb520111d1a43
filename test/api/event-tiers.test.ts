import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { EventType } from '../../src/contract/events.ts'
import type { Tier } from '../../src/contract/tiers.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { eventStore } from '../../src/events/event-store.ts'
import { watchStore } from '../../src/events/watch-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const WATCHED = '356938035643809'
const VARIANT = 'apple-iphone-13-128gb-midnight'

const received: { path: string; type: EventType; subject: string }[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { type, data } = (await request.json()) as { type: EventType; data: { reference?: string } }
    received.push({ path: new URL(request.url).pathname, type, subject: data.reference ?? '' })
    return new Response('ok')
  },
})
afterAll(() => void receiver.stop(true))

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  let stopEvents: () => Promise<void>
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, { SAMPLE_DATA: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' })
    stopEvents = service.app.startLeading()
  })
  afterAll(async () => {
    await stopEvents()
    await service.stop()
  })

  const setTier = (id: string, tier: Tier) => service.app.auth.setTier(id, tier, OPERATOR, Date.now())
  const addressOf = (id: string) => `http://127.0.0.1:${receiver.port}/${id}`
  const receivedBy = (id: string) => received.filter(({ path }) => path === `/${id}`)
  const list = (status: string) =>
    importText(opening, 'lists', 'stolen.csv', `imei,reporting_date,status\n${WATCHED},20260301,${status}\n`)
  const eventsOf = async (id: string) =>
    (await eventStore(service.app.db).after(id, { revision: 0, ordinal: 0 }, { limit: 100 })).map(({ type }) => type)

  test('an organization below Enterprise cannot create a webhook for Enterprise events', async () => {
    const { organizationId } = await service.newOrganization('Below')
    const owner = await member(service, organizationId, 'owner')
    await setTier(organizationId, 'paid')
    const create = (types: EventType[]) => owner.post('/api/manage/webhooks', { url: addressOf(organizationId), types })
    for (const types of [['price.changed'], ['appraisal.created', 'identifier.status_changed']] as EventType[][]) {
      const { status, body } = await create(types)
      expect(status).toBe(403)
      expect(body.error.code).toBe('FORBIDDEN')
      expect(body.error.message).toContain(types.at(-1))
      expect(body.error.message).toContain('Enterprise')
    }
    expect((await create(['appraisal.created', 'key.expiring'])).status).toBe(200)
    expect((await create([])).status).toBe(200)
    await setTier(organizationId, 'public')
    expect((await create(['appraisal.created'])).status).toBe(403)
  })

  test('watches of an organization below Enterprise pause and resume when the tier is raised', async () => {
    const watcher = await service.newOrganization('Watcher')
    const other = await service.newOrganization('Other watcher')
    for (const { keys } of [watcher, other]) {
      const watch = await service.ask('/api/watches', { key: keys.enterprise, json: { identifier: WATCHED } })
      expect(watch.status).toBe(200)
      await service.ask('/api/watches', { key: keys.enterprise, json: { variant_id: VARIANT } })
    }
    const watchedVariants = async () => {
      const ids: string[] = []
      for await (const watches of watchStore(service.app.db).variantWatches(Date.now())) {
        ids.push(...watches.map(({ organizationId }) => organizationId))
      }
      return ids
    }
    const changes = async (id: string) => (await eventsOf(id)).filter((type) => type === 'identifier.status_changed')
    await setTier(watcher.organizationId, 'paid')
    expect((await list('pending')).code).toBe(0)
    expect(await changes(watcher.organizationId)).toHaveLength(0)
    expect(await changes(other.organizationId)).toHaveLength(1)
    expect(await watchedVariants()).toEqual([other.organizationId])
    await setTier(watcher.organizationId, 'enterprise')
    expect((await list('blacklist')).code).toBe(0)
    expect(await changes(watcher.organizationId)).toHaveLength(1)
    expect(await changes(other.organizationId)).toHaveLength(2)
    expect(await watchedVariants()).toContain(watcher.organizationId)
  })

  test('a webhook of an organization below Enterprise gets no Enterprise events, including those already queued', async () => {
    const { organizationId } = await service.newOrganization('Lowered')
    const owner = await member(service, organizationId, 'owner')
    const created = await owner.post('/api/manage/webhooks', { url: addressOf(organizationId), types: [] })
    const { id } = created.body.data.webhook
    const write = (type: 'price.changed' | 'appraisal.created', reference: string) =>
      eventStore(service.app.db).write([
        type === 'price.changed'
          ? {
              type,
              organizationId,
              subject: `variant ${reference}`,
              createdAt: Date.now(),
              data: {
                watch_id: 'wat_1',
                reference,
                variant_id: VARIANT,
                condition: 'Good',
                previous_price: 1,
                current_price: 2,
                change_percent: 100,
                currency: 'USD',
              },
            }
          : {
              type,
              organizationId,
              subject: `appraisal ${reference}`,
              createdAt: Date.now(),
              data: { appraisal_id: 'apr_1', reference, decision: 'buy', device_id: null },
            },
      ])
    const subjects = () => receivedBy(organizationId).map(({ subject }) => subject)
    await setTier(organizationId, 'paid')
    await write('price.changed', 'below')
    await write('appraisal.created', 'paid event')
    await waitUntil(() => subjects().includes('paid event'), { describe: 'the event of the paid tier' })
    // Resent by an owner: queued although the tier no longer covers it.
    await setTier(organizationId, 'enterprise')
    await write('price.changed', 'enterprise event')
    await waitUntil(() => subjects().includes('enterprise event'), { describe: 'the event of the enterprise tier' })
    await setTier(organizationId, 'paid')
    const deliveries = async () => (await owner.get(`/api/manage/webhooks/${id}/deliveries`)).body.data
    const [{ event_id }] = await deliveries()
    expect((await owner.post(`/api/manage/webhooks/${id}/resend`, { event_id })).status).toBe(200)
    await waitUntil(async () => (await deliveries())[0].response.startsWith('Paused'), { describe: 'the pause' })
    expect((await deliveries())[0]).toMatchObject({ state: 'pending', attempts: 0 })
    expect(subjects()).toEqual(['paid event', 'enterprise event'])
    await setTier(organizationId, 'enterprise')
    expect((await owner.post(`/api/manage/webhooks/${id}/resend`, { event_id })).status).toBe(200)
    await waitUntil(() => subjects().length === 3, { describe: 'the paused delivery' })
    expect(subjects().at(-1)).toBe('enterprise event')
  })
})

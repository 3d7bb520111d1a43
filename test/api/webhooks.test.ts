import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const receivedDeliveries: { headers: Record<string, string>; body: string }[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    receivedDeliveries.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return new Response('thank you')
  },
})
afterAll(() => void receiver.stop(true))
const address = `http://127.0.0.1:${receiver.port}/hook`

onDatabaseOfSuite((store) => {
  let service: TestService
  let stopKeeping: () => Promise<void>
  beforeAll(async () => {
    service = await startService(await store.open(), { SAMPLE_DATA: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' })
    stopKeeping = service.app.startLeading()
  })
  afterAll(async () => {
    await stopKeeping()
    await service.stop()
  })

  const appraise = () =>
    service.ask('/api/appraisals', {
      tier: 'paid',
      json: { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' },
    })

  test('an owner adds an endpoint, sees its deliveries, resends one and removes the endpoint', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const created = await owner.post('/api/manage/webhooks', { url: address, types: ['appraisal.created'] })
    expect(created.status).toBe(200)
    const { secret, webhook } = created.body.data
    expect((await owner.get('/api/manage/webhooks')).body.data).toEqual([webhook])
    expect((await owner.get('/api/manage/webhooks')).text).not.toContain(secret)
    const before = receivedDeliveries.length
    const { body } = await appraise()
    const deliveries = async () => (await owner.get(`/api/manage/webhooks/${webhook.id}/deliveries`)).body.data
    await waitUntil(async () => (await deliveries())[0]?.state === 'delivered', { describe: 'the delivery' })
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, status: 200, response: 'thank you' })
    expect(delivery.payload.data.appraisal_id).toBe(body.data.appraisal_id)
    expect(
      new Webhook(secret).verify(receivedDeliveries[before]?.body ?? '', receivedDeliveries[before]?.headers ?? {}),
    ).toEqual(delivery.payload)
    expect(
      (await owner.post(`/api/manage/webhooks/${webhook.id}/resend`, { event_id: delivery.event_id })).status,
    ).toBe(200)
    await waitUntil(() => receivedDeliveries.length >= before + 2, { describe: 'the second delivery' })
    expect(receivedDeliveries[before + 1]?.headers['webhook-id']).toBe(delivery.event_id)
    expect((await owner.send('DELETE', `/api/manage/webhooks/${webhook.id}`)).status).toBe(200)
    expect((await owner.get('/api/manage/webhooks')).body.data).toEqual([])
    const trail = (await owner.get('/api/manage/audit')).body.data.map(({ action }: { action: string }) => action)
    expect(trail).toEqual(expect.arrayContaining(['webhook.created', 'webhook.replayed', 'webhook.removed']))
  })

  test('a test event is sent to one endpoint, whatever its event types, and to no other', async () => {
    const other = await service.newOrganization('Testing')
    const owner = await member(service, other.organizationId, 'owner')
    const add = async (types: string[]) => (await owner.post('/api/manage/webhooks', { url: address, types })).body.data
    const [tested, untested] = [await add(['price.changed']), await add([])]
    const before = receivedDeliveries.length
    const sent = await owner.send('POST', `/api/manage/webhooks/${tested.webhook.id}/test`)
    expect(sent.status).toBe(200)
    const { event_id: id } = sent.body.data
    await waitUntil(() => receivedDeliveries.some(({ headers }) => headers['webhook-id'] === id), {
      describe: 'the test event',
    })
    const [delivery] = receivedDeliveries.slice(before).filter(({ headers }) => headers['webhook-id'] === id)
    const event = new Webhook(tested.secret).verify(delivery?.body ?? '', delivery?.headers ?? {})
    expect(event).toMatchObject({ id, type: 'webhook.test', data: { webhook_id: tested.webhook.id } })
    expect((await owner.get(`/api/manage/webhooks/${untested.webhook.id}/deliveries`)).body.data).toEqual([])
  })

  test('events of a time range are replayed, and the log is filtered by state and type', async () => {
    const { organizationId } = await service.newOrganization('Ranges')
    const owner = await member(service, organizationId, 'owner')
    const { webhook } = (await owner.post('/api/manage/webhooks', { url: address, types: [] })).body.data
    const ids: string[] = []
    for (let at = 0; at < 3; at++) {
      ids.push((await owner.send('POST', `/api/manage/webhooks/${webhook.id}/test`)).body.data.event_id)
    }
    const received = (id: string) => receivedDeliveries.filter(({ headers }) => headers['webhook-id'] === id).length
    await waitUntil(() => ids.every((id) => received(id) === 1), { describe: 'three test events' })
    const log = async (filter: string) =>
      (await owner.get(`/api/manage/webhooks/${webhook.id}/deliveries?${filter}`)).body.data
    await waitUntil(async () => (await log('state=delivered&type=webhook.test')).length === 3, { describe: 'the log' })
    expect(await log('state=failed')).toEqual([])
    expect(await log('type=price.changed')).toEqual([])
    expect((await owner.get(`/api/manage/webhooks/${webhook.id}/deliveries?state=lost`)).status).toBe(400)
    const range = { from: new Date(0).toISOString(), to: new Date(Date.now() + 60_000).toISOString() }
    const replay = async (only_failed: boolean) =>
      (await owner.post(`/api/manage/webhooks/${webhook.id}/resend`, { ...range, only_failed })).body.data
    expect(await replay(true)).toEqual({ sent: 0 })
    expect(await replay(false)).toEqual({ sent: 3 })
    await waitUntil(() => ids.every((id) => received(id) === 2), { describe: 'the events again' })
    // Events of a subject arrive in order, also when replayed.
    const order = receivedDeliveries.map(({ headers }) => headers['webhook-id'] ?? '').filter((id) => ids.includes(id))
    expect(order.slice(-3)).toEqual(ids)
  })

  test('an owner changes address, types and state of an endpoint, each with an entry in the audit trail', async () => {
    const { organizationId } = await service.newOrganization('Changing')
    const owner = await member(service, organizationId, 'owner')
    const { webhook } = (await owner.post('/api/manage/webhooks', { url: address, types: [] })).body.data
    const path = `/api/manage/webhooks/${webhook.id}`
    const moved = await owner.send('PATCH', path, { url: `${address}moved`, types: ['price.changed'] })
    expect(moved.body.data).toEqual({ ...webhook, url: `${address}moved`, types: ['price.changed'] })
    expect((await owner.get(path)).body.data).toEqual(moved.body.data)
    const off = await owner.send('PATCH', path, { enabled: false })
    expect(off.body.data).toMatchObject({ disabled_at: expect.any(String), disabled_reason: null })
    expect((await owner.send('POST', `${path}/test`)).body.error.reason_code).toBe('webhook_disabled')
    expect((await owner.send('PATCH', path, { enabled: true })).body.data).toEqual(moved.body.data)
    for (const change of [{}, { enabled: 'yes' }, { url: 'ftp://shop.example/' }, { types: ['everything'] }])
      expect((await owner.send('PATCH', path, change)).status, JSON.stringify(change)).toBe(400)
    const trail = (await owner.get('/api/manage/audit')).body.data.map(({ action }: { action: string }) => action)
    expect(trail.slice(0, 4)).toEqual(['webhook.enabled', 'webhook.switched_off', 'webhook.changed', 'webhook.created'])
  })

  test("another organization's endpoint is not found, and a member can view but not change endpoints", async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { webhook } = (await owner.post('/api/manage/webhooks', { url: address, types: [] })).body.data
    const other = await service.newOrganization('Other')
    const stranger = await member(service, other.organizationId, 'owner')
    const person = await member(service, service.organizationId, 'manager')
    expect((await stranger.get('/api/manage/webhooks')).body.data).toEqual([])
    expect((await stranger.get(`/api/manage/webhooks/${webhook.id}/deliveries`)).status).toBe(404)
    expect((await person.get('/api/manage/webhooks')).body.data).toEqual([webhook])
    const path = `/api/manage/webhooks/${webhook.id}`
    for (const [method, verb, sent] of [
      ['DELETE', '', undefined],
      ['PATCH', '', { enabled: true }],
      ['PATCH', '', { url: 'https://shop.example/' }],
      ['POST', '/rotate', { overlap_hours: 1 }],
      ['POST', '/test', undefined],
      ['POST', '/resend', { event_id: 'evt_0000000010001' }],
    ] as const) {
      expect((await stranger.send(method, path + verb, sent)).status, method + verb).toBe(404)
      expect((await person.send(method, path + verb, sent)).status, method + verb).toBe(403)
    }
    await owner.send('DELETE', `/api/manage/webhooks/${webhook.id}`)
  })

  describe('an invalid endpoint is 400 with the field', () => {
    for (const [sent, field] of [
      [{ url: 'nothing', types: [] }, 'url'],
      [{ url: 'ftp://shop.example/', types: [] }, 'url'],
      [{ url: 'https://user:secret@shop.example/', types: [] }, 'url'],
      [{ url: 'https://shop.example/', types: ['everything'] }, 'types'],
    ] as const) {
      test(JSON.stringify(sent), async () => {
        const owner = await member(service, service.organizationId, 'owner')
        const { status, body } = await owner.post('/api/manage/webhooks', sent)
        expect(status).toBe(400)
        expect(body.error.details[0].field.split('.')[0]).toBe(field)
      })
    }
  })
})

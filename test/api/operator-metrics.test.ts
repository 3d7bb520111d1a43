import { afterAll, beforeAll, expect, test } from 'bun:test'
import { webhookBacklog } from '../../src/app/operator-metrics.ts'
import { eventStore } from '../../src/events/event-store.ts'
import { webhookDeliveryStore } from '../../src/events/webhook-delivery-store.ts'
import { webhookEndpointStore } from '../../src/events/webhook-endpoint-store.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { VERSION } from '../../src/lib/version.ts'
import { pricingStore } from '../../src/pricing/markets/pricing-store.ts'
import { reprice } from '../../src/pricing/markets/repricing-service.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const SECRET_KEY = 'the key of this test'
const encryption = openEncryption({ secretKey: SECRET_KEY, dataDir: '' })

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), { SECRET_KEY })
  })
  afterAll(() => service.stop())

  const sample = (name: string) =>
    service.app.metrics
      .metricsText()
      .split('\n')
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  const readValue = (name: string) => Number(sample(name)[0]?.split(' ').at(-1))

  test('the version is a label of build_info', () => {
    expect(sample('build_info')[0]).toStartWith(`build_info{version="${VERSION}",`)
  })

  test('the webhook backlog has the number of deliveries, the age of the oldest due one and the lag of new events', async () => {
    const now = Date.now()
    const { db } = service.app
    const webhooks = webhookEndpointStore(db, encryption)
    const address = { url: 'https://hooks.example/', types: [] }
    const write = (age: number, subject: string) =>
      eventStore(db).write([
        {
          type: 'webhook.disabled',
          organizationId: service.organizationId,
          subject,
          createdAt: now - age,
          data: { webhook_id: 'whk_0', url: 'https://hooks.example/', reason: 'test' },
        },
      ])
    expect(await webhookBacklog(db, now)).toEqual({ deliveries: 0, oldestDueMs: 0, eventLagMs: 0 })
    await webhooks.createEndpoint(service.organizationId, address, OPERATOR, now)
    await write(60_000, 'a')
    await write(50_000, 'a')
    await write(40_000, 'b')
    expect(await webhookBacklog(db, now)).toEqual({ deliveries: 0, oldestDueMs: 0, eventLagMs: 60_000 })
    await webhookDeliveryStore(db, encryption).fanOut(Date.now())
    expect(await webhookBacklog(db, now)).toEqual({ deliveries: 3, oldestDueMs: 60_000, eventLagMs: 0 })
    await service.app.refreshMetrics()
    expect(readValue('webhook_backlog_deliveries')).toBe(3)
    expect(readValue('webhook_oldest_due_seconds')).toBeGreaterThanOrEqual(60)
    expect(readValue('event_lag_seconds')).toBe(0)
  })

  test('connections of the database are reported if it has a pool', () => {
    const isPool = service.app.db.admin.dialect === 'postgres'
    expect(sample('database_connections_in_use')).toHaveLength(isPool ? 1 : 0)
    expect(sample('database_connections_waiting')).toHaveLength(isPool ? 1 : 0)
    if (isPool) expect(readValue('database_connections_max')).toBe(10)
  })

  test('market_fit_age_seconds is the time since the last pass over all prices', async () => {
    await reprice(pricingStore(service.app.db, 'us'), service.app.catalogue.registry(), Date.now())
    await waitUntil(() => sample('market_fit_age_seconds').length === 1, { describe: 'the age of the fit' })
    expect(readValue('market_fit_age_seconds')).toBeLessThan(600)
  })

  test('metrics contain the age of the last backup and the last success of jobs', async () => {
    expect(sample('backup_age_seconds')).toEqual([])
    const row = { name: 'last_backup', value: String(Date.now() - 5_000) }
    await service.app.db.transaction((tx) => tx.insertInto('setting').values(row).execute())
    await service.app.refreshMetrics()
    expect(readValue('backup_age_seconds')).toBeGreaterThanOrEqual(5)
    const stop = service.app.startLeading()
    const jobs = () => sample('job_success_age_seconds').join('\n')
    await waitUntil(() => jobs().includes('job="event_maintenance"'), { describe: 'the job' })
    await stop()
    for (const job of ['operator_metrics', 'business_metrics', 'quotas', 'event_maintenance']) {
      expect(sample('job_runs_total').join('\n')).toContain(`{job="${job}",result="ok"}`)
      expect(sample('job_duration_seconds_count').join('\n')).toContain(`{job="${job}"}`)
    }
  })
})

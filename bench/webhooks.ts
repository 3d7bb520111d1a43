/**
 * Webhooks of one organization beside the lookups of another: 1,000 idle endpoints, then a backlog of due deliveries to a
 * receiver that responds at once. ROWS changes the backlog, SECONDS how long lookups are measured, IDLE_SECONDS how long idle
 * endpoints are; `sqlite` or `postgres` measures that database only.
 */
import { type Database, openDatabase } from '../src/db/database.ts'
import type { WebhookEndpointTable } from '../src/db/schema.ts'
import { eventStore } from '../src/events/event-store.ts'
import { webhookDeliveryStore } from '../src/events/webhook-delivery-store.ts'
import { webhookEndpointStore } from '../src/events/webhook-endpoint-store.ts'
import { openEncryption } from '../src/lib/encryption.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { newDataDir, runProgram } from '../test/support/program.ts'
import { waitUntil } from '../test/support/wait.ts'
import { cpuSeconds } from './support/load.ts'
import { runOpenLoopLoad } from './support/open-loop-load.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { atLeast, type BenchTarget, below, reportTargets } from './support/targets.ts'

const ROWS = Number(process.env.ROWS ?? 200_000)
const SECONDS = Number(process.env.SECONDS ?? 10)
const IDLE_ENDPOINTS = 1_000
const IDLE_SECONDS = Number(process.env.IDLE_SECONDS ?? 15)
const LOOKUPS_PER_SECOND = 50
const BATCH = 2_000
const ACTOR = { personId: null, who: 'bench' }
const encryption = openEncryption({ secretKey: 'bench', dataDir: '' })

let received = 0
const receivedOfOther: number[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    await request.arrayBuffer()
    if (request.url.endsWith('/other')) receivedOfOther.push(performance.now())
    else received++
    return new Response('ok')
  },
})

async function writeEvents(db: Database, organizationId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await eventStore(db).write(
      Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => ({
        type: 'webhook.disabled',
        organizationId,
        subject: `subject ${from + at}`,
        createdAt: Date.now(),
        data: { webhook_id: 'whk_0', url: 'https://hooks.example/', reason: 'bench' },
      })),
    )
  }
}

/** Endpoints without events, or each with one delivery that is due in a year. */
async function addIdleEndpoints(db: Database, organizationId: string): Promise<void> {
  const rows = Array.from({ length: IDLE_ENDPOINTS }, (_, at): WebhookEndpointTable => {
    const id = `whk_idle${String(at).padStart(6, '0')}`
    const secret = encryption.encrypt('whsec_bench', id)
    return {
      id,
      organization_id: organizationId,
      url: 'http://127.0.0.1:9/',
      types: 'key.expiring',
      secret,
      previous_secret: null,
      previous_until: null,
      cursor_revision: 1_000_000_000,
      cursor_ordinal: 0,
      created_at: 0,
      disabled_at: null,
      disabled_reason: null,
    }
  })
  await db.transaction((tx) => db.insertMany(tx, 'webhook_endpoint', rows))
}

async function addFutureDeliveries(db: Database): Promise<void> {
  const nextAt = Date.now() + 365 * 86_400_000
  const rows = Array.from({ length: IDLE_ENDPOINTS }, (_, at) => ({
    endpoint_id: `whk_idle${String(at).padStart(6, '0')}`,
    revision: 1,
    ordinal: 1,
    subject: 'a',
    state: 'pending' as const,
    attempts: 3,
    next_at: nextAt,
    status: 500,
    response: '',
    created_at: 0,
    settled_at: null,
  }))
  await db.transaction((tx) => db.insertMany(tx, 'webhook_delivery', rows))
}

async function measure(name: string, environment: Record<string, string>): Promise<BenchTarget[]> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(args, environment)
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const large = await run('org', 'create', 'Large')
  const shop = await run('org', 'create', 'Shop')
  const key = await run('key', 'create', '--org', shop, '--tier', 'enterprise')
  const db = await openDatabase({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' })
  const endpoints = webhookEndpointStore(db, encryption)
  const create = async (organizationId: string, path: string) => {
    const url = `http://127.0.0.1:${receiver.port}${path}`
    return (await endpoints.createEndpoint(organizationId, { url, types: [] }, ACTOR, Date.now())).endpoint.id
  }
  const endpointId = await create(large, '/')
  await create(shop, '/other')
  const setDisabled = (disabledAt: number | null) =>
    db.transaction(async (tx) => {
      await tx.updateTable('webhook_endpoint').set({ disabled_at: disabledAt }).where('id', '=', endpointId).execute()
      await db.announceChange(tx, 'events')
    })
  await setDisabled(Date.now())
  await writeEvents(db, large, ROWS)
  const fanOutStarted = performance.now()
  await webhookDeliveryStore(db, encryption).fanOut(Date.now())
  const fanOutSeconds = (performance.now() - fanOutStarted) / 1_000

  const program = await startBenchProgram(environment)
  const load = { url: program.url, key, connections: 50, perSecond: LOOKUPS_PER_SECOND }
  const lookups = async () => {
    const { latenciesByStatus } = await runOpenLoopLoad({ ...load, seconds: SECONDS })
    const { 200: accepted, ...others } = latenciesByStatus
    if (Object.keys(others).length > 0) throw new Error(`statuses ${Object.keys(others)}`)
    return (accepted?.sinceDue ?? []).sort((a, b) => a - b)
  }
  const cpuShare = async () => {
    const before = cpuSeconds(program.pid)
    await Bun.sleep(IDLE_SECONDS * 1_000)
    return ((cpuSeconds(program.pid) - before) / IDLE_SECONDS) * 100
  }
  await lookups()
  const idleCpu = await cpuShare()
  await addIdleEndpoints(db, large)
  const idleEndpointsCpu = await cpuShare()
  await addFutureDeliveries(db)
  const futureDeliveriesCpu = await cpuShare()

  const alone = await lookups()
  received = 0
  const startedAt = performance.now()
  await setDisabled(null)
  let deliveredAt = 0
  const drained = waitUntil(() => received >= ROWS, { describe: 'all deliveries', limitMs: 900_000 }).then(() => {
    deliveredAt = performance.now()
  })
  receivedOfOther.length = 0
  await Bun.sleep(1_000)
  const otherAt = performance.now()
  await writeEvents(db, shop, 1)
  const beside = await lookups()
  if (receivedOfOther.length === 0) throw new Error("another organization's event was not delivered")
  const otherSeconds = ((receivedOfOther[0] ?? 0) - otherAt) / 1_000
  await drained
  const perSecond = ROWS / ((deliveredAt - startedAt) / 1_000)
  await program.stop()
  await db.close()
  const at = (values: readonly number[], share: number) => values[Math.floor(values.length * share)] ?? Number.NaN
  showTable({
    title: `${name}: ${ROWS.toLocaleString('en')} due deliveries of one organization, ${LOOKUPS_PER_SECOND} lookups per second of another`,
    head: ['lookups', 'p50 ms', 'p99 ms'],
    rows: [
      ['without backlog', at(alone, 0.5).toFixed(1), at(alone, 0.99).toFixed(1)],
      ['beside the backlog', at(beside, 0.5).toFixed(1), at(beside, 0.99).toFixed(1)],
    ],
  })
  console.log(`queued in ${fanOutSeconds.toFixed(1)} s; idle CPU without endpoints ${idleCpu.toFixed(2)} %`)
  return [
    below(`${name}: lookup p99 beside the backlog`, at(beside, 0.99), 30, 'ms'),
    atLeast(`${name}: deliveries per second`, perSecond, 1_000, 0),
    below(`${name}: delivery of another organization`, otherSeconds, 5, 's'),
    below(`${name}: CPU of ${IDLE_ENDPOINTS} idle endpoints`, idleEndpointsCpu - idleCpu, 1, '%', 2),
    below(`${name}: the same, with retries due later`, futureDeliveriesCpu - idleCpu, 1, '%', 2),
  ]
}

const SHARED = { SECRET_KEY: 'bench', WEBHOOK_ALLOW_PRIVATE: 'on', SAMPLE_DATA: 'off' }
const targets: BenchTarget[] = []
if (!process.argv.includes('postgres'))
  targets.push(...(await measure('SQLite', { ...SHARED, DATA_DIR: newDataDir() })))
const postgres = process.argv.includes('sqlite') ? undefined : await startPostgres()
if (postgres) {
  const database = { DATA_DIR: newDataDir(), DATABASE_URL: await postgres.createDatabase() }
  targets.push(...(await measure('PostgreSQL', { ...SHARED, ...database })))
  await postgres.stop()
}
receiver.stop(true)
reportTargets(targets)

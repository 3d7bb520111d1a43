/**
 * Longest time that a request of each kind blocks the event loop, on its first and on later calls. The service runs in this
 * process on SQLite, where queries run in the event loop, with 100,000 lookups and 100,000 appraisals of one organization;
 * requests come from another process. Targets: 50 ms for any request, 20 ms for pages, exports, reports and batches, in
 * processor time of the thread, which other load on the machine does not change. ROWS sets the length of the history, ONLY
 * selects requests whose name contains it.
 */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApp } from '../src/app.ts'
import { appraisalIdGenerator } from '../src/appraisal/appraisal-id.ts'
import { appraisalStore } from '../src/appraisal/appraisal-store.ts'
import { accountsStore } from '../src/auth/accounts/accounts-store.ts'
import { commandLineActor } from '../src/auth/actor.ts'
import { commandPrincipal } from '../src/auth/principals.ts'
import { readConfig } from '../src/config.ts'
import { MAX_NUMBERED_ROWS } from '../src/contract/account-limits.ts'
import { listen } from '../src/http/server.ts'
import { openLog } from '../src/lib/log.ts'
import { recordStore } from '../src/records/record-store.ts'
import { lookupIdGenerator } from '../src/risk/lookup-id.ts'
import { lookupStore } from '../src/risk/lookup-store.ts'
import { freePort } from '../test/support/postgres.ts'
import { newDataDir } from '../test/support/program.ts'
import { measureLongestIteration } from './support/loop-lag.ts'
import type { RequestMessage, ResponseMessage } from './support/request-process.ts'
import { showTable } from './support/results.ts'
import { writeSyntheticMarket } from './support/synthetic-market.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'
import { timedImport } from './support/timed-import.ts'

const ROWS = Number(process.env.ROWS ?? 100_000)
const STEP = 5_000
const ONLY = process.env.ONLY ?? ''
const ROUNDS = 4
const IMPORTED = 50_000
const MAX_LAG_MS = 50
const MAX_LAG_LONG_BODY_MS = 20
const DAY_MS = 86_400_000

const dataDir = newDataDir()
const port = String(await freePort())
const limits = { RATE_LIMIT_PUBLIC: '10000000', RATE_LIMIT_PAID: '10000000', RATE_LIMIT_ENTERPRISE: '10000000' }
const config = readConfig({ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error', ...limits })
const app = await openApp(config, openLog(config.logLevel))
const server = listen(app.router.fetch, { host: config.host, port: config.port }, app.postHandlers)
// The program does the same after it started to listen.
await app.warmUp()

const operator = commandLineActor('bench')
const now = Date.now()
const { id: organizationId } = await app.auth.createOrganization('Loop lag', operator, now)
const terms = { tier: 'enterprise', name: 'loop lag', expiresAt: null } as const
const { secret } = await app.auth.createKey(organizationId, { ...terms, rights: ['contribute'] }, operator, now)

const requestProcess = Bun.spawn([process.execPath, `${import.meta.dir}/support/request-process.ts`], {
  stdin: 'pipe',
  stdout: 'pipe',
})
const responses = requestProcess.stdout.pipeThrough(new TextDecoderStream()).getReader()
function requestLine(path: string, headers: Record<string, string>, json?: unknown): string {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const message: RequestMessage = {
    url: server.url + path,
    method: json === undefined ? 'GET' : 'POST',
    headers,
    ...body,
  }
  return `${JSON.stringify(message)}\n`
}
async function send(line: string): Promise<ResponseMessage> {
  requestProcess.stdin.write(line)
  requestProcess.stdin.flush()
  let response = ''
  while (!response.endsWith('\n')) response += (await responses.read()).value ?? ''
  return JSON.parse(response)
}
const request = (...args: Parameters<typeof requestLine>) => send(requestLine(...args))

const jsonHeaders = { 'Content-Type': 'application/json' }
const keyHeaders = { Authorization: `Bearer ${secret}`, ...jsonHeaders }
const email = 'loop-lag@example.test'
const invited = { email, role: 'owner' } as const
const { token } = await accountsStore(app.db).invite(
  commandPrincipal(operator, organizationId),
  organizationId,
  invited,
  now,
)
const password = 'correct horse battery'
const joined = await request(
  '/account/link/use',
  { ...jsonHeaders, Origin: server.url },
  { token, name: 'Loop lag', password },
)
const sessionHeaders = {
  ...jsonHeaders,
  Origin: server.url,
  'X-Requested-With': 'dashboard',
  Cookie: joined.cookie,
}

let counter = 0
const imei = () => String(35_000_000_000_000 + counter++ * 7_919)
const variantId = 'apple-iphone-13-128gb-midnight'
const repeatTimes = <T>(count: number, create: () => T) => Array.from({ length: count }, create)
const variantIds = [...app.catalogue.registry().listDevices()].flatMap(({ variants }) => variants.map(({ id }) => id))
const lastPage = Math.min(ROWS, MAX_NUMBERED_ROWS) / 100
const isLong = true

type RequestKind = {
  readonly name: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly json?: () => unknown
  /** Pages, exports, reports and batches. */
  readonly isLong?: boolean
}
const dashboardPage = (path: string): RequestKind => ({ name: path, path, headers: sessionHeaders, isLong })
const WORST_WORDS = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9'
const LONG_TITLE =
  'apple iphone 13 pro max 256gb sierra blue unlocked a2484 samsung galaxy s21 ultra 5g lot case box for '

const KINDS: readonly RequestKind[] = [
  {
    name: 'title of the maximum length',
    path: `/api/match?text=${encodeURIComponent(LONG_TITLE.repeat(4).slice(0, 300))}`,
  },
  { name: 'page of 100 devices', path: '/api/devices?limit=100', isLong },
  { name: 'page of 100 variants', path: '/api/variants?limit=100', isLong },
  { name: 'search, one letter', path: '/api/devices?search=s' },
  { name: 'search, every letter', path: `/api/devices?search=${encodeURIComponent(WORST_WORDS)}` },
  {
    name: 'search, five words mistyped',
    path: '/api/variants?search=smartphon%20tablett%20laptopp%20headphnes%20consol',
  },
  { name: 'price', path: `/api/pricing?variant_id=${variantId}` },
  {
    name: '200 prices',
    path: '/api/pricing/batch',
    json: () => ({ variant_ids: variantIds.slice(0, 200) }),
    isLong,
  },
  { name: 'repairs', path: `/api/repairs?variant_id=${variantId}` },
  { name: 'lookup', path: '/api/imei', json: () => ({ identifier: imei() }) },
  {
    name: 'batch of 1,000 lookups',
    path: '/api/imei/batch',
    json: () => ({ items: repeatTimes(1_000, () => ({ identifier: imei() })) }),
    isLong,
  },
  { name: 'appraisal', path: '/api/appraisals', json: () => ({ variant_id: variantId, identifier: imei() }) },
  {
    name: 'batch of 500 appraisals',
    path: '/api/appraisals/batch',
    json: () => ({
      items: repeatTimes(500, () => ({
        variant_id: variantIds[counter % variantIds.length],
        condition: 'Good',
        identifier: imei(),
      })),
    }),
    isLong,
  },
  {
    name: 'batch of 500 appraisals, by title',
    path: '/api/appraisals/batch',
    json: () => ({ items: repeatTimes(500, () => ({ text: `Apple iPhone 13 128GB midnight unlocked ${counter++}` })) }),
    isLong,
  },
  {
    name: '1,000 prices uploaded',
    path: '/api/observations',
    json: () => ({
      observations: repeatTimes(1_000, () => ({
        listing_id: `loop-lag-${counter++}`,
        variant_id: variantIds[counter % variantIds.length],
        condition: 'Good',
        amount: 20_000 + (counter % 10_000),
        observed_at: new Date(now - DAY_MS).toISOString(),
      })),
    }),
    isLong,
  },
  { name: 'last numbered page of lookups', path: `/api/imei?limit=100&page=${lastPage}`, isLong },
  { name: 'last numbered page of appraisals', path: `/api/appraisals?limit=100&page=${lastPage}`, isLong },
  {
    name: `CSV of ${ROWS.toLocaleString('en')} lookups`,
    path: '/api/imei?format=csv',
    headers: sessionHeaders,
    isLong,
  },
  {
    name: `CSV of ${ROWS.toLocaleString('en')} appraisals`,
    path: '/api/appraisals?format=csv',
    headers: sessionHeaders,
    isLong,
  },
  dashboardPage('/account/usage'),
  dashboardPage('/account/usage/hours'),
  dashboardPage('/account/requests'),
  dashboardPage('/account/attention'),
  dashboardPage('/api/pricing/lowest?device_ids=apple-iphone-13'),
  dashboardPage('/api/meta/makes'),
  dashboardPage('/api/appraisals'),
  dashboardPage('/api/appraisals/devices'),
  dashboardPage('/account/activity'),
  dashboardPage('/account/keys'),
  {
    name: 'sign-in',
    path: '/account/sign-in',
    headers: { ...jsonHeaders, Origin: server.url },
    json: () => ({ email, password }),
  },
  { name: 'OpenAPI document', path: '/openapi.json' },
  { name: 'reference', path: '/docs' },
]

await fillHistory()
const targets: BenchTarget[] = []
const rows: string[][] = []
for (const { name, path, headers = keyHeaders, json, isLong } of KINDS.filter(({ name }) => name.includes(ONLY))) {
  const rounds = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const line = requestLine(path, headers, json?.())
    let response: ResponseMessage | undefined
    const iteration = await measureLongestIteration(async () => {
      response = await send(line)
    })
    if (response?.status !== 200) throw new Error(`${name}: ${response?.status}`)
    bytes = response.bytes
    rounds.push(iteration)
  }
  const [first, ...later] = rounds.map(({ processorMs }) => processorMs)
  const ms = (value = Number.NaN) => value.toFixed(1)
  const minWallMs = Math.min(...rounds.map(({ wallMs }) => wallMs))
  rows.push([name, ms(first), ms(Math.max(...later)), ms(minWallMs), (bytes / 1000).toFixed(0)])
  targets.push(
    below(
      name,
      Math.max(...rounds.map(({ processorMs }) => processorMs)),
      isLong ? MAX_LAG_LONG_BODY_MS : MAX_LAG_MS,
      'ms',
    ),
  )
}

// Imports of another process, which the service reloads while it serves requests.
const scratch = newDataDir()
const market = join(scratch, 'market.csv')
const variants = [...app.catalogue.registry().listDevices()].flatMap(({ variants }) => variants)
await writeSyntheticMarket(market, variants, IMPORTED)
const list = join(scratch, 'list.csv')
const deviceRows = Array.from({ length: IMPORTED / 10 }, (_, at) => `Make ${at % 90},Phone ${at},code_${at},M-${at}`)
writeFileSync(list, ['Retail Branding,Marketing Name,Device,Model', ...deviceRows].join('\n'))
for (const [format, file, lines] of [
  ['observations', market, IMPORTED],
  ['catalogue', list, deviceRows.length],
] as const) {
  const name = `import of ${lines.toLocaleString('en')} rows, ${format}`
  if (!name.includes(ONLY)) continue
  const { wallMs, processorMs } = await measureLongestIteration(async () => {
    await timedImport(format, file, { DATA_DIR: dataDir })
    // The service reloads the last rows shortly after the import ended.
    await Bun.sleep(3_000)
  })
  rows.push([name, processorMs.toFixed(1), '', wallMs.toFixed(1), ''])
  targets.push(below(name, processorMs, MAX_LAG_MS, 'ms'))
}
showTable({
  title: 'Longest iteration of the event loop',
  head: ['request', 'first call, CPU ms', 'later calls, max CPU ms', 'shortest, wall-clock ms', 'response, kB'],
  rows,
})

requestProcess.stdin.end()
await requestProcess.exited
await server.stop()
await app.close()
for (const folder of [dataDir, scratch]) rmSync(folder, { recursive: true, force: true })
reportTargets(targets)

/** Fills the history of the organization with copies of one real lookup and one real appraisal. */
async function fillHistory(): Promise<void> {
  const lookups = lookupStore(app.db)
  const appraisals = appraisalStore(app.db)
  await request('/api/imei', keyHeaders, { identifier: '490154203237518' })
  await request('/api/appraisals', keyHeaders, {
    variant_id: 'apple-iphone-13-128gb-midnight',
    identifier: '490154203237518',
  })
  const firstRecord = { page: 1, limit: 1 }
  const lookup = JSON.parse((await lookups.history(organizationId, firstRecord)).records[0] ?? '')
  const appraisal = JSON.parse((await appraisals.history(organizationId, firstRecord)).records[0] ?? '')
  const random = (limit: number) => Math.floor(Math.random() * limit)
  const [nextLookup, nextAppraisal] = [lookupIdGenerator(random), appraisalIdGenerator(random)]
  for (let from = 0; from < ROWS; from += STEP) {
    const creationTimes = Array.from(
      { length: STEP },
      (_, at) => now - DAY_MS + Math.floor(((from + at) / ROWS) * (DAY_MS / 2)),
    )
    const writes = [
      lookups.writes(
        organizationId,
        creationTimes.map((createdAt) => {
          const id = nextLookup(createdAt)
          const json = JSON.stringify({ ...lookup, lookup_id: id })
          return { id, organizationId, identifierKey: '49015420323751', createdAt, json }
        }),
      ),
      appraisals.writes(
        organizationId,
        creationTimes.map((createdAt) => {
          const id = nextAppraisal(createdAt)
          const responseJson = JSON.stringify({ ...appraisal, appraisal_id: id })
          return {
            id,
            reference: null,
            decision: 'buy' as const,
            deviceId: 'apple-iphone-13',
            createdAt,
            responseJson,
          }
        }),
      ),
    ]
    for (const each of writes)
      await recordStore(app.db).save([{ organizationId, writes: each, idempotency: null, now }])
  }
}

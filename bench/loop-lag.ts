/**
 * How long any one request holds the event loop, the first time and after it: meanwhile no other request is served. The
 * service runs in this process on SQLite, where queries run in the loop, with 100,000 lookups and as many appraisals of
 * one organization; requests come from another process. Targets: 50 ms for any request, 20 ms for pages, exports, reports and
 * batches, by the processor time of the thread, since a busy machine makes every turn longer. ROWS changes the history, ONLY
 * selects requests whose name contains it.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApp } from '../src/app.ts'
import { appraisalIdGenerator } from '../src/appraisal/appraisal-id.ts'
import { appraisalStore } from '../src/appraisal/appraisal-store.ts'
import { commandLineActor } from '../src/auth/actor.ts'
import { readConfig } from '../src/config.ts'
import { listen } from '../src/http/server.ts'
import { openLog } from '../src/lib/log.ts'
import { peopleStore } from '../src/people/people-store.ts'
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
const app = await openApp(config, openLog(config.logLevel, process.stderr.write.bind(process.stderr)))
const server = listen(app.router.fetch, { host: config.host, port: config.port }, app.postHandlers)
// As the program does it as soon as it listens.
await app.warmUp()

const operator = commandLineActor('bench')
const now = Date.now()
const { id: organizationId } = await app.auth.createOrganization('Turns', operator, now)
const terms = { tier: 'enterprise', name: 'turns', expiresAt: null } as const
const { secret } = await app.auth.createKey(organizationId, { ...terms, rights: ['contribute'] }, operator, now)

const asker = Bun.spawn([process.execPath, `${import.meta.dir}/support/request-process.ts`], {
  stdin: 'pipe',
  stdout: 'pipe',
})
const answers = asker.stdout.pipeThrough(new TextDecoderStream()).getReader()
function question(path: string, headers: Record<string, string>, json?: unknown): string {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const asked: RequestMessage = {
    url: server.url + path,
    method: json === undefined ? 'GET' : 'POST',
    headers,
    ...body,
  }
  return `${JSON.stringify(asked)}\n`
}
async function send(line: string): Promise<ResponseMessage> {
  asker.stdin.write(line)
  asker.stdin.flush()
  let said = ''
  while (!said.endsWith('\n')) said += (await answers.read()).value ?? ''
  return JSON.parse(said)
}
const ask = (...asked: Parameters<typeof question>) => send(question(...asked))

const typed = { 'Content-Type': 'application/json' }
const keyed = { Authorization: `Bearer ${secret}`, ...typed }
const email = 'turns@example.test'
const token = await peopleStore(app.db).createSignInLink(organizationId, { email, role: 'owner' }, operator, now)
const password = 'correct horse battery'
const joined = await ask('/account/join', { ...typed, Origin: server.url }, { token, name: 'Turns', password })
const person = { ...typed, Origin: server.url, Cookie: joined.cookie }

let asked = 0
const imei = () => String(35_000_000_000_000 + asked++ * 7_919)
const variantId = 'apple-iphone-13-128gb-midnight'
const repeatTimes = <T>(many: number, one: () => T) => Array.from({ length: many }, one)
const variantIds = app.catalogue
  .snapshot()
  .listDevices()
  .flatMap(({ variants }) => variants.map(({ id }) => id))
const deepest = Math.floor(ROWS / 100)
const long = true

type Kind = {
  readonly name: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly json?: () => unknown
  readonly long?: boolean
}
/** What a person sees in the dashboard. */
const page = (path: string): Kind => ({ name: path, path, headers: person, long })
const WORST_WORDS = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9'
const LONG_TITLE =
  'apple iphone 13 pro max 256gb sierra blue unlocked a2484 samsung galaxy s21 ultra 5g lot case box for '

const KINDS: readonly Kind[] = [
  {
    name: 'a title, as long as one may be',
    path: `/api/match?text=${encodeURIComponent(LONG_TITLE.repeat(4).slice(0, 300))}`,
  },
  { name: 'page of 100 devices', path: '/api/devices?limit=100', long },
  { name: 'page of 100 variants', path: '/api/variants?limit=100', long },
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
    long,
  },
  { name: 'repairs', path: `/api/repairs?variant_id=${variantId}` },
  { name: 'lookup', path: '/api/imei', json: () => ({ identifier: imei() }) },
  {
    name: 'batch of 1,000 lookups',
    path: '/api/imei/batch',
    json: () => ({ items: repeatTimes(1_000, () => ({ identifier: imei() })) }),
    long,
  },
  { name: 'appraisal', path: '/api/appraisals', json: () => ({ variant_id: variantId, identifier: imei() }) },
  {
    name: 'batch of 500 appraisals',
    path: '/api/appraisals/batch',
    json: () => ({
      items: repeatTimes(500, () => ({
        variant_id: variantIds[asked % variantIds.length],
        condition: 'Good',
        identifier: imei(),
      })),
    }),
    long,
  },
  {
    name: 'batch of 500 appraisals, by title',
    path: '/api/appraisals/batch',
    json: () => ({ items: repeatTimes(500, () => ({ text: `Apple iPhone 13 128GB midnight unlocked ${asked++}` })) }),
    long,
  },
  {
    name: '1,000 prices sent in',
    path: '/api/observations',
    json: () => ({
      observations: repeatTimes(1_000, () => ({
        listing_id: `turns-${asked++}`,
        variant_id: variantIds[asked % variantIds.length],
        condition: 'Good',
        amount: 20_000 + (asked % 10_000),
        observed_at: new Date(now - DAY_MS).toISOString(),
      })),
    }),
    long,
  },
  { name: 'deepest page of lookups', path: `/api/imei?limit=100&page=${deepest}`, long },
  { name: 'deepest page of appraisals', path: `/api/appraisals?limit=100&page=${deepest}`, long },
  { name: `CSV of ${ROWS.toLocaleString('en')} lookups`, path: '/account/lookups.csv', headers: person, long },
  { name: `CSV of ${ROWS.toLocaleString('en')} appraisals`, path: '/account/appraisals.csv', headers: person, long },
  page('/account/usage'),
  page('/account/usage/hours'),
  page('/account/requests'),
  page('/account/attention'),
  page('/account/used-prices'),
  page('/account/names'),
  page('/account/appraisals'),
  page('/account/appraisals/devices'),
  page('/account/activity'),
  page('/account/keys'),
  {
    name: 'sign-in',
    path: '/account/sign-in',
    headers: { ...typed, Origin: server.url },
    json: () => ({ email, password }),
  },
  { name: 'OpenAPI document', path: '/openapi.json' },
  { name: 'reference', path: '/docs' },
]

await fill()
const targets: BenchTarget[] = []
const rows: string[][] = []
for (const { name, path, headers = keyed, json, long } of KINDS.filter(({ name }) => name.includes(ONLY))) {
  const rounds = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const line = question(path, headers, json?.())
    let answer: ResponseMessage | undefined
    const turn = await measureLongestIteration(async () => {
      answer = await send(line)
    })
    if (answer?.status !== 200) throw new Error(`${name}: ${answer?.status}`)
    bytes = answer.bytes
    rounds.push(turn)
  }
  const [first, ...later] = rounds.map(({ processorMs }) => processorMs)
  const ms = (value = Number.NaN) => value.toFixed(1)
  const byClock = Math.min(...rounds.map(({ wallMs }) => wallMs))
  rows.push([name, ms(first), ms(Math.max(...later)), ms(byClock), (bytes / 1000).toFixed(0)])
  targets.push(
    below(
      name,
      Math.max(...rounds.map(({ processorMs }) => processorMs)),
      long ? MAX_LAG_LONG_BODY_MS : MAX_LAG_MS,
      'ms',
    ),
  )
}

/** What another process imports is taken up between requests. */
const scratch = newDataDir()
const market = join(scratch, 'market.csv')
const priced = app.catalogue
  .snapshot()
  .listDevices()
  .flatMap(({ variants }) => variants)
await writeSyntheticMarket(market, priced, IMPORTED)
const list = join(scratch, 'list.csv')
const listed = Array.from({ length: IMPORTED / 10 }, (_, at) => `Make ${at % 90},Phone ${at},code_${at},M-${at}`)
writeFileSync(list, ['Retail Branding,Marketing Name,Device,Model', ...listed].join('\n'))
for (const [format, file, lines] of [
  ['observations', market, IMPORTED],
  ['catalogue', list, listed.length],
] as const) {
  const name = `import of ${lines.toLocaleString('en')} rows, ${format}`
  if (!name.includes(ONLY)) continue
  const { wallMs, processorMs } = await measureLongestIteration(async () => {
    await timedImport(format, file, { DATA_DIR: dataDir })
    // The last of it is taken up a moment after the import has ended.
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

asker.stdin.end()
await asker.exited
await server.stop()
await app.close()
for (const folder of [dataDir, scratch]) rmSync(folder, { recursive: true, force: true })
reportTargets(targets)

/** The history of the organization: answers as they are, with ids and times of their own. */
async function fill(): Promise<void> {
  const lookups = lookupStore(app.db)
  const appraisals = appraisalStore(app.db)
  await ask('/api/imei', keyed, { identifier: '490154203237518' })
  await ask('/api/appraisals', keyed, { variant_id: 'apple-iphone-13-128gb-midnight', identifier: '490154203237518' })
  const one = { page: 1, limit: 1 }
  const lookup = JSON.parse((await lookups.history(organizationId, one)).records[0] ?? '')
  const appraisal = JSON.parse((await appraisals.history(organizationId, one)).records[0] ?? '')
  const random = (limit: number) => Math.floor(Math.random() * limit)
  const [nextLookup, nextAppraisal] = [lookupIdGenerator(random), appraisalIdGenerator(random)]
  for (let from = 0; from < ROWS; from += STEP) {
    const created = Array.from(
      { length: STEP },
      (_, at) => now - DAY_MS + Math.floor(((from + at) / ROWS) * (DAY_MS / 2)),
    )
    const writes = [
      lookups.writes(
        organizationId,
        created.map((createdAt) => {
          const id = nextLookup(createdAt)
          const answer = JSON.stringify({ ...lookup, lookup_id: id })
          return { id, organizationId, identifierKey: '49015420323751', createdAt, json: answer }
        }),
      ),
      appraisals.writes(
        organizationId,
        created.map((createdAt) => {
          const id = nextAppraisal(createdAt)
          const answer = JSON.stringify({ ...appraisal, appraisal_id: id })
          return {
            id,
            reference: null,
            decision: 'buy' as const,
            deviceId: 'apple-iphone-13',
            createdAt,
            responseJson: answer,
          }
        }),
      ),
    ]
    for (const each of writes)
      await recordStore(app.db).save([{ organizationId, writes: each, idempotency: null, now }])
  }
}

/**
 * The registry: start time and memory with the bundled catalogue, then with 500,000 synthetic devices (1.3 variants each;
 * DEVICES changes how many): time to ready with and without an index, memory, search latency, time until a change is served,
 * latency during changes, and list throughput compared with the bundled catalogue. STARTS, ROUNDS and SECONDS set the number
 * of starts and the number and length of rounds; `bundled` measures the bundled catalogue only.
 */

import { type Database, openDatabase } from '../src/db/database.ts'
import { seedCatalogue } from '../src/import/catalogue/seed-catalogue-service.ts'
import { newDataDir, PROGRAM, startProgram } from '../test/support/program.ts'
import { load, loadGenerator, median, residentMemoryMb } from './support/load.ts'
import { startBenchProgram } from './support/program.ts'
import { seededRandom, syntheticDevices } from './support/synthetic-registry.ts'
import { atLeast, type BenchTarget, below, reportTargets } from './support/targets.ts'

const DEVICES = Number(process.env.DEVICES ?? 500_000)
const STARTS = Number(process.env.STARTS ?? 5)
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const PATH = '/api/devices?limit=20'
const WORST_TERMS = [
  'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9',
  's',
  'smartphone tablet laptop',
  'smartphon tablett laptopp headphnes consol',
  'a'.repeat(100),
  `${'ab '.repeat(33)}c`,
  'ﷺ'.repeat(100),
  '中文 手机 平板',
  'xx-'.repeat(33),
]

const targets = await measureBundled()
if (process.argv[2] === 'bundled') reportTargets(targets)

const devices = syntheticDevices(DEVICES)
const dataDir = newDataDir()
const db = await openDatabase({ url: '', dataDir })
await fillCatalogue(db)
const firstStart = await timeStart({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' })
const laterStarts = await timeStarts({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' })
console.log(
  `${DEVICES} devices; first start ${Math.round(firstStart.ms)} ms, ${Math.round(firstStart.memoryMb)} MB; later ${laterStarts.text}`,
)

const large = await startBenchProgram({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' })
const key = await large.newKey('public')
const timeRequest = async (path: string): Promise<number> => {
  const from = performance.now()
  const response = await fetch(large.url + path, { headers: { Authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}`)
  return performance.now() - from
}

const random = seededRandom(11)
await timeSearches(randomTerms((term) => term).slice(0, 100)) // warm-up
const nameMs = await timeSearches(randomTerms((term) => term))
const typoMs = await timeSearches(randomTerms(withTypo))
const worstMs = await timeSearches(WORST_TERMS.flatMap((term) => Array.from({ length: 20 }, () => term)))

const oneMs = await servedAfterChanging(db, 1, 'Xyzzy')
const duringChanges = await latencyWhileChanging(db)
await db.close()

const small = await startBenchProgram({ SAMPLE_DATA: 'off' })
const smallKey = await small.newKey('public')
const wrk = await loadGenerator()
const ratios: number[] = []
const servers = [
  { url: large.url + PATH, pid: large.pid, key },
  { url: small.url + PATH, pid: small.pid, key: smallKey },
] as const
for (const server of servers) await load(wrk, { ...server, seconds: 1 })
for (let round = 0; round < ROUNDS; round++) {
  const [largeRound, smallRound] = [
    await load(wrk, { ...servers[0], seconds: SECONDS }),
    await load(wrk, { ...servers[1], seconds: SECONDS }),
  ]
  // The pages differ in size, so processor time counts as well as requests per second.
  ratios.push(Math.max(largeRound.perSecond / smallRound.perSecond, smallRound.cpuMicros / largeRound.cpuMicros))
}
await Promise.all([large.stop(), small.stop()])

targets.push(
  below('start to ready, without an index', firstStart.ms, 30_000, 'ms', 0),
  below('start to ready, with an index', laterStarts.ms, 3_000, 'ms', 0),
  below('memory after start', laterStarts.memoryMb, 400, 'MB', 0),
  below('search over HTTP, p99', quantile(nameMs, 0.99), 15, 'ms'),
  below('search with a typing error, p99', quantile(typoMs, 0.99), 20, 'ms'),
  below('slowest of the hardest searches', quantile(worstMs, 1), 50, 'ms'),
  below('one changed device is served after', oneMs, 1_000, 'ms', 0),
  below('3,000 changed devices are served after', duringChanges.servedMs, 5_000, 'ms', 0),
  below('memory after the changes', duringChanges.memoryMb, 400, 'MB', 0),
  below('slowest request while 3,000 devices change', duringChanges.slowestMs, 50, 'ms'),
  atLeast(`${PATH} relative to the bundled catalogue`, median(ratios), 0.9),
)
reportTargets(targets)

async function timeStart(environment: Record<string, string>): Promise<{ ms: number; memoryMb: number }> {
  const from = performance.now()
  const program = await startProgram(environment, [PROGRAM])
  const ms = performance.now() - from
  await Bun.sleep(500)
  const memoryMb = residentMemoryMb(program.pid).now
  await program.stop()
  return { ms, memoryMb }
}

async function timeStarts(environment: Record<string, string>) {
  const starts = []
  for (let start = 0; start < STARTS; start++) starts.push(await timeStart(environment))
  const [ms, memoryMb] = [starts.map((start) => start.ms), starts.map((start) => start.memoryMb)]
  const text = `starts ms: ${ms.map(Math.round).join(' ')}; MB: ${memoryMb.map(Math.round).join(' ')}`
  return { ms: median(ms), memoryMb: median(memoryMb), text }
}

async function measureBundled(): Promise<BenchTarget[]> {
  const environment = { DATA_DIR: newDataDir() }
  const first = await timeStart(environment)
  const later = await timeStarts(environment)
  console.log(`bundled catalogue; first start ${Math.round(first.ms)} ms; later ${later.text}`)
  return [
    below('bundled catalogue: first start to ready', first.ms, 900, 'ms', 0),
    below('bundled catalogue: later start to ready', later.ms, 500, 'ms', 0),
    below('bundled catalogue: memory when ready', later.memoryMb, 150, 'MB', 0),
  ]
}

/** Names of random devices, half of them with the make. */
function randomTerms(change: (term: string) => string): string[] {
  return Array.from({ length: 500 }, () => {
    const { make, name } = devices[Math.floor(random() * devices.length)] ?? { make: '', name: '' }
    return change(random() < 0.5 ? name : `${make} ${name}`)
  })
}

/** Leaves out one letter. */
function withTypo(term: string): string {
  const index = 1 + Math.floor(random() * (term.length - 2))
  return term.slice(0, index) + term.slice(index + 1)
}

async function timeSearches(terms: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const term of terms) times.push(await timeRequest(`/api/devices?search=${encodeURIComponent(term)}`))
  return times
}

/** Stored as imported devices, so that the service does not replace them with the bundled catalogue. */
async function fillCatalogue(store: Database): Promise<void> {
  await seedCatalogue(store, { version: 'bench', devices: () => devices })
  await store.transaction(async (tx) => {
    await tx.updateTable('device').set({ source: 'own' }).execute()
    await tx.updateTable('variant').set({ source: 'own' }).execute()
  })
}

/** Time until this many devices are found by a word. */
async function servedAfter(word: string, count: number): Promise<number> {
  const from = performance.now()
  const headers = { Authorization: `Bearer ${key}` }
  for (;;) {
    const response = await fetch(`${large.url}/api/devices?search=${word}&limit=1`, { headers })
    const { meta } = (await response.json()) as { meta: { total: number } }
    if (meta.total === count) return performance.now() - from
    if (performance.now() - from > 60_000) throw new Error('the changes were never served')
    await Bun.sleep(10)
  }
}

async function servedAfterChanging(store: Database, count: number, word: string): Promise<number> {
  const rows = await store.query.selectFrom('device').selectAll().orderBy('id', 'desc').limit(count).execute()
  await store.transaction(async (tx) => {
    const revision = await store.announceChange(tx, 'catalogue')
    const renamed = rows.map((row) => ({ ...row, name: `${row.name} ${word}`, revision }))
    await store.insertMany(tx, 'device', renamed, { conflictColumns: ['id'] })
  })
  return servedAfter(word.toLowerCase(), count)
}

/** Renames devices in short transactions while one caller sends requests without a pause. */
async function latencyWhileChanging(store: Database) {
  const rows = await store.query.selectFrom('device').selectAll().orderBy('id').limit(3_000).execute()
  let isChanging = true
  const latencies: number[] = []
  const caller = (async () => {
    while (isChanging) latencies.push(await timeRequest(`/api/devices?page=${1 + Math.floor(random() * 50)}`))
  })()
  for (let from = 0; from < rows.length; from += 100) {
    await store.transaction(async (tx) => {
      const revision = await store.announceChange(tx, 'catalogue')
      const step = rows.slice(from, from + 100).map((row) => ({ ...row, name: `${row.name} Zyzzyva`, revision }))
      await store.insertMany(tx, 'device', step, { conflictColumns: ['id'] })
    })
    await Bun.sleep(30)
  }
  const servedMs = await servedAfter('zyzzyva', rows.length)
  isChanging = false
  await caller
  console.log(
    `${latencies.length} requests while devices changed: p50 ${quantile(latencies, 0.5).toFixed(2)} ms, p99 ${quantile(latencies, 0.99).toFixed(2)} ms`,
  )
  return { servedMs, slowestMs: quantile(latencies, 1), memoryMb: residentMemoryMb(large.pid).now }
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * Durable identifier lookups against the real program: `bin/bun bench/risk.ts [--seconds 10] [--listed 1000000] [--postgres URL]`.
 * Targets: 5,000 a second with 64 connections on SQLite (p99 under 25 ms), 1,500 on PostgreSQL. Needs `wrk`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/db/open.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { runProgram, startProgram } from '../test/support/program.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    listed: { type: 'string', default: '1000000' },
    connections: { type: 'string', default: '64' },
    database: { type: 'string', default: 'sqlite' },
  },
})
const seconds = Number(values.seconds)
const listed = Number(values.listed)
const dataDir = mkdtempSync(join(tmpdir(), 'di-bench-'))
const postgres = values.database === 'postgres' ? await startPostgres() : undefined
const url = (await postgres?.createDatabase()) ?? ''
const environment = {
  DATA_DIR: dataDir,
  DATABASE_URL: url,
  RATE_LIMIT_ENTERPRISE: '10000000',
  LOG_LEVEL: 'warn',
  SAMPLE_DATA: 'off',
}

/** Spread over a hundred TACs, as a real list is. */
const key14 = (at: number) => `${35_000_000 + (at % 100) * 7}${String(Math.floor(at / 100) * 13).padStart(6, '0')}`

async function seed(): Promise<void> {
  const db = await openDatabase({ url, dataDir })
  const startedAt = performance.now()
  for (let from = 0; from < listed; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, listed - from) }, (_, at) => ({
      list: 'bench',
      kind: 'stolen' as const,
      key14: key14(from + at),
      status: 'blacklist',
      reported_on: '2026-01-02',
      listed_at: 1,
      cleared_at: null,
      run_id: 'bench',
    }))
    await db.transaction((tx) => db.insertMany(tx, 'listed_identifier', rows))
  }
  await db.transaction(async (tx) => {
    await db.insertMany(tx, 'identifier_list', [{ name: 'bench', kind: 'stolen', entries: listed, imported_at: 1 }])
    await db.announce(tx, 'lists')
  })
  await db.close()
  console.log(`${listed.toLocaleString('en')} identifiers listed in ${Math.round(performance.now() - startedAt)} ms`)
}

await seed()
const organization = (await runProgram(['org', 'create', 'Bench'], environment)).stdout.trim()
const key = (
  await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], environment)
).stdout.trim()
const program = await startProgram(
  environment,
  process.env.PROFILE
    ? [
        join(import.meta.dir, '../bin/bun'),
        '--cpu-prof',
        `--cpu-prof-dir=${process.env.PROFILE}`,
        join(import.meta.dir, '../src/main.ts'),
      ]
    : undefined,
)

const script = join(dataDir, 'lookups.lua')
// Half of the identifiers are listed, half are not; none repeats soon.
writeFileSync(
  script,
  `math.randomseed(os.time())
wrk.method = 'POST'
wrk.headers['Content-Type'] = 'application/json'
wrk.headers['Authorization'] = 'Bearer ${key}'
local bad = 0
function request()
  local tac = 35000000 + math.random(0, 99) * 7
  local serial = math.random(0, ${Math.max(1, Math.floor(listed / 100))}) * 13 + math.random(0, 1)
  return wrk.format(nil, '/api/imei', nil, string.format('{"identifier":"%d%06d"}', tac, serial % 1000000))
end
function done(summary, latency)
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), summary.errors.status + summary.errors.read + summary.errors.timeout))
end
`,
)

/** What the program itself has used, which a busy machine changes less than the rate. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${program.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function load(durationSeconds: number) {
  const cpuBefore = cpuMs()
  const wrk = Bun.spawn(['wrk', '-t1', `-c${values.connections}`, `-d${durationSeconds}s`, '-s', script, program.url], {
    stdout: 'pipe',
  })
  const text = await new Response(wrk.stdout).text()
  const figures = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(text)?.slice(1).map(Number)
  if (!figures) throw new Error(text)
  const [requests = 0, durationUs = 1, p50 = 0, p99 = 0, errors = 0] = figures
  return {
    perSecond: Math.round(requests / (durationUs / 1e6)),
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    errors,
    requests,
    cpuUsEach: Math.round(((cpuMs() - cpuBefore) * 1000) / requests),
  }
}

await load(2)
for (let round = 0; round < 3; round++) console.log(JSON.stringify(await load(seconds)))
const rssMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1]) / 1024)
const history = await fetch(`${program.url}/api/imei?limit=1`, { headers: { Authorization: `Bearer ${key}` } })
const { meta } = (await history.json()) as { meta: { total: number } }
console.log(`${values.database}: ${meta.total.toLocaleString('en')} lookups recorded, RSS ${rssMb} MB`)
await program.stop()
await postgres?.stop()
rmSync(dataDir, { recursive: true, force: true })

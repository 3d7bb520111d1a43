/**
 * `move` from SQLite to PostgreSQL while the service is read and written: how long writes are rejected, and whether
 * reads continue. LOOKUPS and OBSERVATIONS change the number of rows, TMPDIR where 5 GB of data are stored.
 */
import { Database as BunDatabase } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { openDatabase, sqlitePath } from '../src/db/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { newDataDir, runProgram } from '../test/support/program.ts'
import { madeId } from '../test/support/synthetic-identifiers.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { below, reportTargets } from './support/targets.ts'

const LOOKUPS = Number(process.env.LOOKUPS ?? 1_000_000)
const OBSERVATIONS = Number(process.env.OBSERVATIONS ?? 5_000_000)
const OTHER_ORGANIZATIONS = 100
const REQUEST_INTERVAL_MS = 50

const postgres = await startPostgres()
if (!postgres) throw new Error('This needs PostgreSQL.')
const url = await postgres.createDatabase()
const dataDir = newDataDir()
await (await openDatabase({ url: '', dataDir })).close()
const command = async (...args: string[]) => {
  const { code, stdout, stderr } = await runProgram(args, { DATA_DIR: dataDir })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}
const organization = await command('org', 'create', 'Shop')
const key = await command('key', 'create', '--org', organization, '--tier', 'enterprise')
fillDatabase()
const program = await startBenchProgram({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' }, 'any core')

/** Sends a request every 50 ms until stopped. */
function repeat(path: string, toBody?: (n: number) => object) {
  const statuses = new Map<number, number>()
  const latencies: number[] = []
  let lastAcceptedAt = performance.now()
  let isRunning = true
  const running = (async () => {
    for (let n = 0; isRunning; n++) {
      const startedAt = performance.now()
      const response = await fetch(program.url + path, {
        method: toBody ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(toBody ? { body: JSON.stringify(toBody(n)) } : {}),
      })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      latencies.push(performance.now() - startedAt)
      if (response.ok) lastAcceptedAt = performance.now()
      await Bun.sleep(REQUEST_INTERVAL_MS)
    }
  })()
  return {
    statuses,
    latencies,
    lastAcceptedAt: () => lastAcceptedAt,
    async stop() {
      isRunning = false
      await running
    },
  }
}

const writes = repeat('/api/imei', (n) => ({ identifier: String(35_000_000_000_000 + n * 7_919) }))
const reads = repeat('/api/imei?limit=20')
const startedAt = performance.now()
await command('move', '--to', url, '--json')
const endedAt = performance.now()
const rejectedSeconds = (endedAt - writes.lastAcceptedAt()) / 1_000
await Promise.all([writes.stop(), reads.stop()])
await program.stop()
rmSync(dataDir, { recursive: true, force: true })
await postgres.stop()
const sorted = reads.latencies.toSorted((a, b) => a - b)
const failedReads = [...reads.statuses].reduce((sum, [status, count]) => sum + (status === 200 ? 0 : count), 0)
const format = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
showTable({
  title: `move of ${LOOKUPS.toLocaleString('en')} lookups and ${OBSERVATIONS.toLocaleString('en')} observations, SQLite to PostgreSQL`,
  head: ['', 'seconds', 'responses'],
  rows: [
    ['whole move', ((endedAt - startedAt) / 1_000).toFixed(0), ''],
    ['writes rejected', rejectedSeconds.toFixed(1), format(writes.statuses)],
    ['longest read', ((sorted.at(-1) ?? 0) / 1_000).toFixed(2), format(reads.statuses)],
  ],
})
reportTargets([
  below('writes rejected for', rejectedSeconds, 30, 's'),
  { what: 'failed reads', measured: String(failedReads), target: '0', met: failedReads === 0 },
])

function fillDatabase(): void {
  const db = new BunDatabase(sqlitePath(dataDir), { strict: true })
  for (const pragma of ['synchronous = off', 'cache_size = -256000']) db.run(`pragma ${pragma}`)
  const series = (count: number) =>
    `with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count})`
  const oldest = Date.now() - 300 * 86_400_000
  const createdAt = `${oldest} + n * ${Math.floor((299 * 86_400_000) / LOOKUPS)}`
  const response = JSON.stringify({ text: 'x'.repeat(1_050) })
  db.run('begin')
  db.run(`${series(LOOKUPS)} insert into lookup (organization_id, id, identifier_key, created_at, response)
    select case when n % 2 = 0 then '${organization}' else 'org_' || n % ${OTHER_ORGANIZATIONS} end, ${madeId('lkp', createdAt, 'n')},
      cast(35000000000000 + n % 3000000 as text), ${createdAt}, '${response}' from series`)
  db.run('insert into lookup_total select organization_id, count(*) from lookup group by 1')
  db.run(`insert into observation_source (name) values ('a'), ('b'), ('c'), ('d')`)
  db.run(`insert into observation_terms (side, grade, label, lock, paid_in, state, market)
    values ('resale', 'Good', 'Good', '', 'USD', '', 'US')`)
  db.run(`${series(1_000)} insert into observation_subject (device_id, configuration, variant_id)
    select 'device-' || n, '', '' from series`)
  db.run(`${series(OBSERVATIONS)} insert into observation (source_id, listing_id, subject_id, terms_id, cents, observed_at)
    select 1 + n % 4, 'l' || n, (select min(id) from observation_subject) + n % 1000,
      (select min(id) from observation_terms), 20000 + (n * 7919) % 20000, ${oldest} + n from series`)
  db.run('commit')
  db.run('pragma wal_checkpoint(truncate)')
  db.close()
}

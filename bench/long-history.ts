/**
 * Pages of a long history over HTTP, on both databases: half of the ROWS lookups belong to the calling organization, the rest
 * to a thousand others. ROWS=10000000 fills some 12 GB in each database, which takes much longer than the measurement: with
 * DATA_DIR and DATABASE_URL the databases are kept and reused by the next run.
 */
import { Database as BunDatabase } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { openDatabase, sqlitePath } from '../src/db/database.ts'
import { DAY_MS } from '../src/lib/time.ts'
import { minLookupIdAt } from '../src/risk/lookup-id.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { newDataDir, runProgram } from '../test/support/program.ts'
import { madeId } from '../test/support/synthetic-identifiers.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const MONTHS = 10
const OTHER_ORGANIZATIONS = 997
const SAMPLES = 500
const PAGE_LIMIT = 100
const ORGANIZATION = `Long ${ROWS}`

const now = Date.now()
const monthStart = (months: number) => Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + months, 1)
const oldest = monthStart(-MONTHS)
/** The newest lookup is a day old: pages of the last minutes work differently. */
const stepMs = Math.floor((now - DAY_MS - oldest) / ROWS)

/** SQL values of lookup `n`; the stored response has the usual length. */
const lookupValues = (organization: string, createdAt: string) =>
  `${organization}, ${madeId('lkp', createdAt, 'n')}, cast(35000000000000 + n % 3000000 as text), ${createdAt}, '${JSON.stringify({ text: 'x'.repeat(1_050) })}'`
const COLUMNS = 'organization_id, id, identifier_key, created_at, response'

async function fillPostgres(url: string, organization: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const organizationSql = `case when n % 2 = 0 then '${organization}' else 'org_' || n % ${OTHER_ORGANIZATIONS} end`
  await client.query(`set synchronous_commit = off`)
  await client.query(
    `insert into lookup (${COLUMNS}) select ${lookupValues(organizationSql, `${oldest} + n::bigint * ${stepMs}`)} from generate_series(1, ${ROWS}) n`,
  )
  await client.query('insert into lookup_total select organization_id, count(*) from lookup group by 1')
  await client.query('vacuum analyze')
  await client.end()
}

function fillSqlite(dataDir: string, organization: string): void {
  const db = new BunDatabase(sqlitePath(dataDir), { strict: true })
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -256000']) db.run(`pragma ${pragma}`)
  db.run('drop index lookup_by_identifier')
  const insert = (organizationSql: string, first: number, step: number) =>
    db.run(`with recursive series(n) as (select ${first} union all select n + ${step} from series where n + ${step} <= ${ROWS})
      insert into lookup (${COLUMNS}) select ${lookupValues(organizationSql, `${oldest} + n * ${stepMs}`)} from series`)
  db.run('begin')
  insert(`'${organization}'`, 2, 2)
  // Organization by organization, in the order of the primary key.
  for (let other = 0; other < OTHER_ORGANIZATIONS; other++)
    insert(`'org_${other}'`, 1 + 2 * other, 2 * OTHER_ORGANIZATIONS)
  db.run('insert into lookup_total select organization_id, count(*) from lookup group by 1')
  db.run('commit')
  db.run('create index lookup_by_identifier on lookup (organization_id, identifier_key, id)')
  db.run('pragma journal_mode = wal')
  db.close()
}

const targets: BenchTarget[] = []
const rows: string[][] = []

async function measure(database: string, environment: Record<string, string>): Promise<void> {
  const options = { url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' }
  await (await openDatabase(options)).close()
  const listed = await runProgram(['org', 'list', '--json'], environment)
  const organizations: { id: string; name: string }[] = JSON.parse(listed.stdout)
  let organization = organizations.find(({ name }) => name === ORGANIZATION)?.id
  if (organization === undefined) {
    organization = (await runProgram(['org', 'create', ORGANIZATION], environment)).stdout.trim()
    const startedAt = performance.now()
    if (options.url) await fillPostgres(options.url, organization)
    else fillSqlite(options.dataDir, organization)
    console.log(`${database}: ${ROWS} lookups filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  }
  const key = await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], environment)

  const program = await startBenchProgram({ ...environment, SAMPLE_DATA: 'off' })
  const headers = { Authorization: `Bearer ${key.stdout.trim()}` }
  async function timeRequest(query: string): Promise<number> {
    const sentAt = performance.now()
    const response = await fetch(`${program.url}/api/imei?${query}`, { headers })
    const { data } = (await response.json()) as { data: unknown[] }
    if (!response.ok || data.length === 0) throw new Error(`${query}: ${response.status}, ${data.length} lookups`)
    return performance.now() - sentAt
  }
  const randomCursor = () => minLookupIdAt(oldest + stepMs * Math.ceil(ROWS * (0.1 + 0.9 * Math.random())))
  const kinds: [string, () => string][] = [
    ['newest 50', () => 'limit=50'],
    ['one identifier', () => `identifier=${35_000_000_000_002 + 2 * Math.floor(Math.random() * 1_000)}`],
    [`page of ${PAGE_LIMIT} by cursor`, () => `after=${randomCursor()}&limit=${PAGE_LIMIT}`],
  ]
  for (const [name, query] of kinds) {
    for (let warmUp = 0; warmUp < 50; warmUp++) await timeRequest(query())
    const times: number[] = []
    for (let sample = 0; sample < SAMPLES; sample++) times.push(await timeRequest(query()))
    times.sort((a, b) => a - b)
    const [p50 = 0, p99 = 0] = [times[SAMPLES / 2], times[Math.floor(SAMPLES * 0.99)]]
    rows.push([`${database}, ${name}`, p50.toFixed(1), p99.toFixed(1), (times.at(-1) ?? 0).toFixed(1)])
    targets.push(below(`${database}: ${name}, p99`, p99, 10, 'ms'))
  }
  await program.stop()
}

const { DATA_DIR, DATABASE_URL } = process.env
const dataDir = DATA_DIR ?? newDataDir()
const postgres = DATABASE_URL ? undefined : await startPostgres()
const url = DATABASE_URL ?? (await postgres?.createDatabase())
if (url) await measure('PostgreSQL', { DATA_DIR: dataDir, DATABASE_URL: url })
else console.log('Skipping PostgreSQL: not installed.')
await postgres?.stop()
await measure('SQLite', { DATA_DIR: dataDir })
if (!DATA_DIR) rmSync(dataDir, { recursive: true, force: true })
showTable({
  title: `Pages of a history of ${Math.floor(ROWS / 2).toLocaleString('en')} lookups among ${ROWS.toLocaleString('en')}`,
  head: ['page', 'p50 ms', 'p99 ms', 'longest ms'],
  rows,
})
reportTargets(targets)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { appraisalStore } from '../../src/appraisal/appraisal-store.ts'
import { type Database, openDatabase } from '../../src/db/open.ts'
import { recordStore } from '../../src/durable/record-store.ts'
import { knowledgeStore } from '../../src/risk/knowledge-store.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { DAY_MS } from '../../src/time.ts'
import { usageStore } from '../../src/usage/store.ts'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'

/**
 * A filled PostgreSQL counts itself how often each table was read from end to end; no query of the service may do that to a
 * big one. ROWS=10000000 fills it as a large installation would be; the default is enough for the planner to tell them apart.
 */
const ROWS = Number(process.env.ROWS ?? 60_000)
const STATISTICS_MS = 1_500
const LONG_AGO = Date.UTC(2024, 0, 1)

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()

if (postgres) {
  const folder = newDataDir()
  let program: RunningProgram
  let client: pg.Client
  let db: Database
  let organization = ''
  let settings: Record<string, string>
  let headers: Record<string, string>

  beforeAll(async () => {
    const url = await postgres.createDatabase()
    settings = { DATABASE_URL: url, DATA_DIR: folder, RATE_LIMIT_ENTERPRISE: '1000000', RATE_LIMIT_PAID: '1000000' }
    const first = await startProgram(settings)
    headers = { Authorization: `Bearer ${shownKeys(first.stderr()).enterprise}`, 'Content-Type': 'application/json' }
    await first.stop()
    organization = JSON.parse((await runProgram(['org', 'list', '--json'], settings)).stdout)[0].id
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await fill(client, organization)
    db = await openDatabase({ url, dataDir: folder })
    program = await startProgram(settings)
  }, 600_000)
  afterAll(async () => {
    await program?.stop()
    await db?.close()
    await client?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  async function wholeReads(): Promise<Map<string, number>> {
    await Bun.sleep(STATISTICS_MS)
    const { rows } = await client.query<{ name: string; reads: string }>(
      'select relname as name, seq_scan as reads from pg_stat_user_tables where n_live_tup >= $1',
      [ROWS / 4],
    )
    return new Map(rows.map(({ name, reads }) => [name, Number(reads)]))
  }

  /** The big tables that were read from end to end meanwhile. */
  async function readWholeBy(work: () => Promise<unknown>): Promise<string[]> {
    const before = await wholeReads()
    expect([...before.keys()]).toContain('lookup')
    await work()
    const after = await wholeReads()
    return [...after].flatMap(([name, reads]) => (reads > (before.get(name) ?? 0) ? [name] : []))
  }

  async function ask(path: string, body?: object, more: Record<string, string> = {}): Promise<void> {
    const response = await fetch(program.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  }

  test('lookups, their history and repeated questions read no big table from end to end', async () => {
    const read = await readWholeBy(async () => {
      for (const identifier of ['490154203237518', '356938035643809', '35000000000001'])
        await ask('/api/imei', { identifier })
      await ask('/api/imei/batch', { items: [{ identifier: '490154203237518' }, { identifier: '356938035643809' }] })
      for (const _ of [1, 2]) await ask('/api/imei', { identifier: '490154203237518' }, { 'Idempotency-Key': 'again' })
      for (const query of ['', '?page=2&limit=100', '?identifier=490154203237518']) await ask(`/api/imei${query}`)
    })
    expect(read).toEqual([])
  }, 60_000)

  test('appraisals, prices, repairs and the registry read no big table from end to end', async () => {
    const variant = 'apple-iphone-13-128gb-midnight'
    const read = await readWholeBy(async () => {
      await ask('/api/appraisals', {
        variant_id: variant,
        condition: 'Good',
        reference: 'R-1',
        identifier: '490154203237518',
      })
      for (const query of ['', '?reference=R-1', '?decision=buy', '?page=2&limit=50'])
        await ask(`/api/appraisals${query}`)
      await ask(`/api/pricing?variant_id=${variant}`)
      await ask(`/api/pricing?variant_id=${variant}&history_days=700`)
      await ask(`/api/repairs?variant_id=${variant}`)
      await ask('/api/devices?search=iphone')
    })
    expect(read).toEqual([])
  }, 60_000)

  test('exports, imports and keys read no big table from end to end', async () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const stolen = file('stolen.csv', 'imei,status\n490154203237518,blacklist\n')
    const prices = file(
      'prices.csv',
      'title,price,currency,date,condition\niPhone 13 128GB Midnight,399,USD,2026-10-01,Good\n',
    )
    const read = await readWholeBy(async () => {
      for (const args of [
        ['lookups', 'export', '--org', organization, '--from', '2026-01-01'],
        ['appraisals', 'export', '--org', organization, '--from', '2026-01-01'],
        ['import', 'lists', stolen, '--list', 'short'],
        ['import', 'observations', prices],
        ['key', 'list', '--org', organization],
        ['key', 'create', '--org', organization, '--tier', 'paid'],
      ]) {
        const { code, stderr } = await runProgram(args, settings)
        if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      }
      // Long enough for the service to have followed.
      await Bun.sleep(1_500)
    })
    expect(read).toEqual([])
  }, 120_000)

  test('what deletes old rows reads no big table from end to end', async () => {
    const read = await readWholeBy(async () => {
      const before = LONG_AGO + DAY_MS
      await lookupStore(db).deleteLookupsBefore(before)
      await appraisalStore(db).deleteAppraisalsBefore(before)
      await recordStore(db).forgetClaims(before)
      await knowledgeStore(db).forgetFacts(before)
      await usageStore(db).forgetOld(Date.now())
    })
    expect(read).toEqual([])
  }, 60_000)
}

/** Rows as they would be, of many organizations and devices; some belong to the one that asks. */
async function fill(client: pg.Client, organization: string): Promise<void> {
  const whose = `case when n % 50 = 0 then '${organization}' else 'org_' || (n % 997) end`
  const at = `${LONG_AGO}::bigint + n * 1000`
  // Ids of ours begin with their time in base 32; what counts here is that they sort as the rows do.
  const id = (prefix: string) => `'${prefix}_0' || lpad(n::text, 25, '0')`
  const series = `from generate_series(1, ${ROWS}) n`
  for (const statement of [
    `insert into lookup (organization_id, id, identifier_key, created_at, answer)
     select ${whose}, ${id('lkp')}, lpad((n * 7919 % 100000007)::text, 14, '0'), ${at}, '{"lookup_id":"' || n || '","risk_level":"low"}' ${series}`,
    'insert into lookup_total select organization_id, count(*) from lookup group by 1',
    `insert into appraisal (organization_id, id, reference, decision, device_id, created_at, answer)
     select ${whose}, ${id('apr')}, 'R' || n, (array['buy','inspect','reject'])[1 + n % 3], 'device-' || n % 5000, ${at}, '{"appraisal_id":"' || n || '"}' ${series}`,
    'insert into appraisal_total select organization_id, decision, count(*) from appraisal group by 1, 2',
    `insert into idempotency (organization_id, key, body_hash, created_at, answer)
     select ${whose}, 'k' || n, md5(n::text), ${at}, '{}' ${series}`,
    `insert into source_cache (source, key, facts, fetched_at) select 'gsma', lpad(n::text, 14, '0'), '{}', ${at} ${series}`,
    `insert into identifier_list (name, kind, entries, imported_at) values ('filled', 'stolen', ${ROWS}, ${Date.now()})`,
    `insert into listed_identifier (list, kind, key14, status, listed_at, run_id)
     select 'filled', 'stolen', lpad((n * 7919::bigint % 100000007)::text, 14, '3'), 'blacklist', ${at}, 'run' ${series}
     on conflict do nothing`,
    `insert into observation_source (name) values ('filled')`,
    `insert into observation_subject (device_id, configuration, variant_id)
     select 'filled-' || n, '', '' from generate_series(1, 5000) n`,
    `insert into observation_terms (side, rung, label, lock, paid_in, state) values ('resale', 'good', 'filled', '', 'USD', '')`,
    `insert into observation (source_id, listing_id, subject_id, terms_id, cents, observed_at)
     select (select id from observation_source where name = 'filled'), 'l' || n,
       (select min(id) from observation_subject where device_id like 'filled-%') + n % 5000,
       (select id from observation_terms where label = 'filled'), 10000 + n % 5000, ${at} ${series}`,
    `insert into tac (tac, make, model, source, confidence)
     select lpad(n::text, 8, '9'), 'Make', 'Model ' || n, 'filled', 50 from generate_series(1, ${Math.min(ROWS, 200_000)}) n on conflict do nothing`,
    `insert into usage_count (organization_id, day, key_id, route, status, count)
     select ${whose}, '2026-01-01', 'key_' || n, '/api/devices', 200, 1 ${series}`,
    'analyze',
  ])
    await client.query(statement)
}

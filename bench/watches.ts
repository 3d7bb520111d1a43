/**
 * Cost of watches during an import: imports the same list into two equal databases, one of them with as many watched
 * identifiers as the list has rows; every hundredth is on the list. ROWS sets the number of rows; with
 * `bench/watches.ts all` every watched identifier is on the list.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/db/database.ts'
import type { WatchTable } from '../src/db/schema.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'
import { formatTimes, timedImport } from './support/timed-import.ts'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const LISTED_EVERY = process.argv.includes('all') ? 1 : 100
const BATCH = 2_000
const scratch = mkdtempSync(join(tmpdir(), 'di-bench-'))

/** Keys in no particular order, like real IMEIs, so that neither list nor watches follow the order of an index. */
const keyOf = (at: number) => String(35_000_000_000_000 + ((at * 7_919) % 1_000_003) * 999_983).slice(0, 14)
const list = join(scratch, 'stolen.csv')
writeFileSync(
  list,
  `imei,reporting_date,status\n${Array.from({ length: ROWS }, (_, at) => `${keyOf(at)},20260301,`).join('\n')}\n`,
)

async function addWatches(environment: Readonly<Record<string, string>>): Promise<void> {
  const db = await openDatabase({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' })
  for (let from = 0; from < ROWS; from += BATCH) {
    const rows: WatchTable[] = []
    for (let at = from; at < Math.min(ROWS, from + BATCH); at++) {
      const subject = at % LISTED_EVERY === 0 ? keyOf(at) : `86${keyOf(at).slice(2)}`
      rows.push({
        id: `wat_${String(at).padStart(12, '0')}`,
        organization_id: 'org_bench',
        kind: 'identifier',
        subject,
        tac: subject.slice(0, 8),
        identifier: subject,
        identifier_type: 'imei',
        reference: '',
        threshold_percent: null,
        last_cents: null,
        until: null,
        created_at: 0,
      })
    }
    await db.transaction((tx) => db.insertMany(tx, 'watch', rows))
  }
  await db.bulk.analyzeTable('watch')
  await db.close()
}

async function measureCost(
  database: string,
  plain: Record<string, string>,
  watched: Record<string, string>,
): Promise<BenchTarget> {
  await addWatches(watched)
  const unwatched = await timedImport('lists', list, plain)
  const withWatches = await timedImport('lists', list, watched)
  console.log(`${database}, no watches: ${formatTimes(unwatched)}`)
  console.log(`${database}, ${ROWS.toLocaleString('en')} watches: ${formatTimes(withWatches)}`)
  return below(
    `${database}: import time added by watches`,
    (withWatches.seconds / unwatched.seconds - 1) * 100,
    30,
    '%',
    0,
  )
}

const targets: BenchTarget[] = []
if (!process.argv.includes('postgres')) {
  targets.push(
    await measureCost('SQLite', { DATA_DIR: join(scratch, 'plain') }, { DATA_DIR: join(scratch, 'watched') }),
  )
}
const postgres = process.argv.includes('sqlite') ? undefined : await startPostgres()
if (postgres) {
  const shared = async () => ({ DATA_DIR: join(scratch, 'pg'), DATABASE_URL: await postgres.createDatabase() })
  targets.push(await measureCost('PostgreSQL', await shared(), await shared()))
  await postgres.stop()
}
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

import { sql } from 'kysely'
import { openCatalogue } from '../../src/catalog/catalogue-service.ts'
import { catalogueStore } from '../../src/catalog/catalogue-store.ts'
import { registryIndexFile } from '../../src/catalog/index/index-file-store.ts'
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { neverReload } from '../../src/db/reload-on-change.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { pricingStore } from '../../src/pricing/markets/pricing-store.ts'
import { reprice } from '../../src/pricing/markets/repricing-service.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { newDataDir } from '../../test/support/program.ts'
import { syntheticDevice } from './synthetic-market.ts'
import { type BenchTarget, below } from './targets.ts'

const ROWS = Number(process.env.ROWS ?? 10_000_000)
const DEVICES = 1_000
const DAY_MS = 86_400_000
const WINDOW_MS = 400 * DAY_MS
const STEP = 250_000

async function measure(name: string, options: DatabaseOptions): Promise<BenchTarget[]> {
  let longest = { ms: 0, text: '' }
  const db = await openDatabase({
    ...options,
    onStatement(text, ms) {
      if (ms > longest.ms) longest = { ms, text }
    },
  })
  const devices = Array.from({ length: DEVICES }, (_, number) => syntheticDevice(number))
  await seedCatalogue(db, { version: 'bench', devices: () => devices })
  const now = Date.now()
  const grades = ['New', 'Like New', 'Good', 'Fair', 'Poor']
  await db.transaction(async (tx) => {
    for (const source of ['a', 'b', 'c', 'd'])
      await sql`insert into observation_source (name) values (${source})`.execute(tx)
    for (const grade of grades) {
      await sql`insert into observation_terms (side, grade, label, lock, paid_in, state, market)
        values ('resale', ${grade}, ${grade}, '', 'USD', '', 'US')`.execute(tx)
    }
    await sql`insert into observation_subject (device_id, configuration, variant_id) select id, '', '' from device`.execute(
      tx,
    )
    await sql`insert into observed_device (device_id, revision) select id, 1 from device`.execute(tx)
  })
  const isSqlite = db.admin.dialect === 'sqlite'
  for (let from = 0; from < ROWS; from += STEP) {
    const rows = isSqlite
      ? sql`with recursive numbers (n) as (select ${sql.lit(from)} union all
          select n + 1 from numbers where n + 1 < ${sql.lit(Math.min(ROWS, from + STEP))})`
      : sql`with numbers (n) as (select generate_series(${sql.lit(from)}::bigint, ${sql.lit(Math.min(ROWS, from + STEP) - 1)}))`
    await db.transaction((tx) =>
      sql`${rows} insert into observation (source_id, listing_id, subject_id, terms_id, cents, observed_at)
        select 1 + n % 4, 'l' || n,
          (select min(id) from observation_subject) + case when n % 10 = 0 then 0 else n % ${sql.lit(DEVICES)} end,
          (select min(id) from observation_terms) + (n / 10) % 5, 20000 + (n * 7919) % 20000,
          ${now - WINDOW_MS / 2} + (n * 6271) % ${sql.lit(WINDOW_MS / 2)} from numbers`.execute(tx),
    )
  }
  await db.bulk.analyzeTable('observation')
  const catalogue = await openCatalogue({
    source: catalogueStore(db),
    file: registryIndexFile(newDataDir(), options.url, ''),
    reloadOnChange: neverReload,
  })
  const store = pricingStore(db)
  longest = { ms: 0, text: '' }
  const result = await reprice(store, catalogue.registry(), now)
  const longestOfPass = longest
  const ids = await store.observedDevices()
  const firstReads: number[] = []
  for (const id of ids.slice(0, 200)) {
    const startedAt = performance.now()
    await store.pricesOf(id, now - WINDOW_MS)
    firstReads.push(performance.now() - startedAt)
  }
  firstReads.sort((a, b) => a - b)
  catalogue.close()
  await db.close()
  console.log(
    `${name}: ${ROWS.toLocaleString('en')} observations, pass ${(result.milliseconds / 1000).toFixed(1)} s with ${result.observations} sampled; longest statement ${longestOfPass.ms.toFixed(0)} ms: ${longestOfPass.text.replace(/\s+/g, ' ').slice(0, 120)}`,
  )
  return [
    below(`${name}: observations of a device read, p50`, firstReads[100] ?? Number.NaN, 300, 'ms'),
    below(`${name}: observations of a device read, longest`, firstReads.at(-1) ?? Number.NaN, 300, 'ms'),
  ]
}

/** The nightly price pass and the first price of a device over ten million observations, a tenth of them of one device. */
export async function measurePricePass(): Promise<BenchTarget[]> {
  const targets = await measure('SQLite', { url: '', dataDir: newDataDir() })
  const postgres = await startPostgres()
  if (!postgres) return targets
  targets.push(...(await measure('PostgreSQL', { url: await postgres.createDatabase(), dataDir: newDataDir() })))
  await postgres.stop()
  return targets
}

/**
 * Prices with the real program: import of a million observations into both databases, keyed reads compared with servers that
 * send the same body, and memory use after requests for all 20,000 priced variants.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/db/database.ts'
import { seedCatalogue } from '../src/import/catalogue/seed-catalogue-service.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { residentMemoryMb } from './support/load.ts'
import { compareWithPeers } from './support/peer-comparison.ts'
import { startBenchProgram } from './support/program.ts'
import { syntheticDevice, writeSyntheticMarket } from './support/synthetic-market.ts'
import { atLeast, type BenchTarget, below, reportTargets } from './support/targets.ts'
import { formatTimes, timedImport } from './support/timed-import.ts'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const DEVICES = 5_000
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)
const scratch = mkdtempSync(join(tmpdir(), 'di-bench-'))

const devices = Array.from({ length: DEVICES }, (_, number) => syntheticDevice(number))
const variants = devices.flatMap((device) => device.variants)

async function fillCatalogue(environment: { url: string; dataDir: string }): Promise<void> {
  const db = await openDatabase(environment)
  await seedCatalogue(db, { version: `bench ${DEVICES}`, devices: () => devices })
  // Stored as imported devices: bundled ones would be restored at the next start.
  await db.transaction(async (tx) => {
    await tx.updateTable('device').set({ source: 'own' }).execute()
    await tx.updateTable('variant').set({ source: 'own' }).execute()
  })
  await db.close()
}

async function measureImport(
  database: string,
  minPerSecond: number,
  environment: Record<string, string>,
): Promise<BenchTarget[]> {
  await fillCatalogue({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' })
  const first = await timedImport('observations', file, environment)
  const repeated = await timedImport('observations', file, environment)
  console.log(`${database}: ${formatTimes(first)}; ${first.counts.written} written, ${first.counts.rejected} rejected`)
  console.log(`${database}, repeated: ${formatTimes(repeated)}; ${repeated.counts.written} written`)
  return [
    atLeast(`${database}: observations imported per second`, ROWS / first.seconds, minPerSecond, 0),
    below(`${database}: peak memory`, Math.max(first.peakMb, repeated.peakMb), 400, 'MB', 0),
  ]
}

const file = join(scratch, 'market.csv')
await writeSyntheticMarket(file, variants, ROWS)
const folder = join(scratch, 'store')
const targets = await measureImport('SQLite', 100_000, { DATA_DIR: folder })
const postgres = await startPostgres()
if (postgres) {
  const shared = { DATA_DIR: join(scratch, 'pg'), DATABASE_URL: await postgres.createDatabase() }
  targets.push(...(await measureImport('PostgreSQL', 50_000, shared)))
  await postgres.stop()
} else console.log('Skipping PostgreSQL: not installed.')
targets.push(...(await measureReads()))
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

async function measureReads(): Promise<BenchTarget[]> {
  const program = await startBenchProgram({ DATA_DIR: folder, SAMPLE_DATA: 'off' })
  const key = await program.newKey('paid')
  const path = `/api/pricing?variant_id=${variants[1]?.id}`
  const reads = await compareWithPeers(program, key, path, {
    rounds: ROUNDS,
    seconds: SECONDS,
  })
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
  const ids = variants.map((variant) => variant.id)
  const startedAt = performance.now()
  for (let from = 0; from < ids.length; from += 32) {
    await Promise.all(
      ids.slice(from, from + 32).map(async (id) => {
        const response = await fetch(`${program.url}/api/pricing?variant_id=${id}`, { headers })
        await response.arrayBuffer()
      }),
    )
  }
  const msPerResponse = (performance.now() - startedAt) / ids.length
  const memory = residentMemoryMb(program.pid)
  console.log(
    `${ids.length} variants requested once: ${msPerResponse.toFixed(2)} ms each; memory ${memory.now.toFixed(0)} MB`,
  )
  await program.stop()
  return [...reads, below('memory with 20,000 priced variants', memory.now, 400, 'MB', 0)]
}

/**
 * Prices with the real program: a million observations imported into both databases, keyed reads against servers that
 * send the same bytes, and the memory of a service whose 20,000 priced variants were all asked for.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/db/database.ts'
import { seedCatalogue } from '../src/import/catalogue/seed-catalogue-service.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { residentMemoryMb } from './support/load.ts'
import { compareWithPeers, PEER_TARGETS } from './support/peer-comparison.ts'
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

async function fill(environment: { url: string; dataDir: string }): Promise<void> {
  const db = await openDatabase(environment)
  await seedCatalogue(db, { version: `bench ${DEVICES}`, devices: () => devices })
  // Stored as imported devices: bundled ones would be restored at the next start.
  await db.transaction(async (tx) => {
    await tx.updateTable('device').set({ source: 'google-play' }).execute()
    await tx.updateTable('variant').set({ source: 'google-play' }).execute()
  })
  await db.close()
}

async function measureImport(
  store: string,
  least: number,
  environment: Record<string, string>,
): Promise<BenchTarget[]> {
  await fill({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' })
  const first = await timedImport('observations', file, environment)
  const again = await timedImport('observations', file, environment)
  console.log(`${store}: ${formatTimes(first)}; ${first.counts.written} written, ${first.counts.rejected} rejected`)
  console.log(`${store}, the same again: ${formatTimes(again)}; ${again.counts.written} written`)
  return [
    atLeast(`${store}: observations imported per second`, ROWS / first.seconds, least, 0),
    below(`${store}: memory meanwhile`, Math.max(first.peakMb, again.peakMb), 400, 'MB', 0),
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
} else console.log('No PostgreSQL here.')
targets.push(...(await served()))
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

async function served(): Promise<BenchTarget[]> {
  const program = await startBenchProgram({ DATA_DIR: folder, SAMPLE_DATA: 'off' })
  const key = await program.newKey('paid')
  const path = `/api/pricing?variant_id=${variants[1]?.id}`
  const reads = await compareWithPeers(program, key, path, { owed: PEER_TARGETS, rounds: ROUNDS, seconds: SECONDS })
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
  const ids = variants.map((variant) => variant.id)
  const asking = performance.now()
  for (let at = 0; at < ids.length; at += 32) {
    await Promise.all(
      ids.slice(at, at + 32).map(async (id) => {
        const priced = await fetch(`${program.url}/api/pricing?variant_id=${id}`, { headers })
        await priced.arrayBuffer()
      }),
    )
  }
  const perAnswer = (performance.now() - asking) / ids.length
  const memory = residentMemoryMb(program.pid)
  console.log(`${ids.length} variants asked for once: ${perAnswer.toFixed(2)} ms each; now ${memory.now.toFixed(0)} MB`)
  await program.stop()
  return [...reads, below('memory with 20,000 priced variants', memory.now, 400, 'MB', 0)]
}

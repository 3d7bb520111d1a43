/**
 * How fast and how small an import is: the Google Play device list into an empty store, the same again, on both
 * databases, and what callers of the running service feel meanwhile, and while a market is imported. Reads `../shared/data` where it is there; otherwise
 * it makes a list of the same size.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startBenchProgram } from './support/program.ts'
import { writeSyntheticMarket } from './support/synthetic-market.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'
import { formatTimes, type TimedImport, timedImport } from './support/timed-import.ts'

const ROWS = 53_454
const MARKET_ROWS = 500_000
const scratch = mkdtempSync(join(tmpdir(), 'di-bench-'))

function listFile(): string {
  for (const up of ['../..', '../../..']) {
    const real = join(import.meta.dir, up, 'shared/data/google-play-certified-2026/certified_devices.csv')
    if (existsSync(real)) return real
  }
  console.log('No ../shared/data here: a made-up list of the same size instead.')
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const device = Math.floor(at / 1.33)
    return `Make ${device % 3800},Phone ${device} ${device % 3 ? 'Pro' : '5G'},code_${device},M-${at}`
  })
  const made = join(scratch, 'list.csv')
  writeFileSync(made, ['Retail Branding,Marketing Name,Device,Model', ...rows].join('\n'))
  return made
}

async function measure(what: string, environment: Record<string, string>): Promise<TimedImport> {
  const timed = await timedImport('catalogue', list, environment)
  const { rows, devices_new, devices_changed, variants_new, rejected } = timed.counts
  console.log(
    `${what}: ${formatTimes(timed)}; ${rows} rows, ${devices_new} devices new, ${devices_changed} changed, ${variants_new} variants new, ${rejected} rejected`,
  )
  return timed
}

const writtenBy = ({ counts }: TimedImport): number => counts.devices_new + counts.devices_changed + counts.variants_new

async function twice(store: string, environment: Record<string, string>, firstSeconds: number): Promise<BenchTarget[]> {
  const first = await measure(`${store}, empty store`, environment)
  const again = await measure(`${store}, same again`, environment)
  return [
    below(`${store}: 53,454 rows into an empty store`, first.seconds, firstSeconds, 's'),
    below(`${store}: memory meanwhile`, Math.max(first.peakMb, again.peakMb), 400, 'MB', 0),
    below(`${store}: the same again`, again.seconds, 3, 's'),
    below(`${store}: rows written by the same again`, writtenBy(again), 1, 'rows', 0),
  ]
}

const list = listFile()
const targets: BenchTarget[] = []
// `bench/import.ts live` asks only what callers feel.
if (process.argv[2] !== 'live') {
  targets.push(...(await twice('SQLite', { DATA_DIR: join(scratch, 'store') }, 6)))
  const postgres = await startPostgres()
  if (postgres) {
    const shared = { DATA_DIR: join(scratch, 'pg'), DATABASE_URL: await postgres.createDatabase() }
    targets.push(...(await twice('PostgreSQL', shared, 15)))
    await postgres.stop()
  } else console.log('No PostgreSQL here.')
}
targets.push(...(await live()))
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

/** Callers ask all the while: reads from the registry, and lookups, which write. */
async function live(): Promise<BenchTarget[]> {
  const program = await startBenchProgram({ SAMPLE_DATA: 'off' })
  const headers = { Authorization: `Bearer ${await program.newKey('enterprise')}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ identifier: '490154203237518', identifier_type: 'imei' })
  const waitsMs: Record<'read' | 'lookup', number[]> = { read: [], lookup: [] }
  let failures = 0
  let importing = true
  const ask = async (kind: 'read' | 'lookup') => {
    while (importing) {
      const askedAt = performance.now()
      const answer =
        kind === 'read'
          ? await fetch(`${program.url}/api/devices?limit=20`, { headers })
          : await fetch(`${program.url}/api/imei`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      if (!answer.ok) failures++
      waitsMs[kind].push(performance.now() - askedAt)
      await Bun.sleep(5)
    }
  }
  const asking = Promise.all([ask('read'), ask('lookup')])
  await Bun.sleep(3000)
  const quiet = { read: waitsMs.read.splice(0), lookup: waitsMs.lookup.splice(0) }
  await measure('SQLite, while the service runs', program.environment)
  const importedAt = performance.now()
  const total = async () => {
    const answer = await fetch(`${program.url}/api/devices?limit=1`, { headers })
    return ((await answer.json()) as { meta: { total: number } }).meta.total
  }
  while ((await total()) < 39_000 && performance.now() - importedAt < 20_000) await Bun.sleep(20)
  const servedMs = performance.now() - importedAt
  const catalogue = { read: waitsMs.read.splice(0), lookup: waitsMs.lookup.splice(0) }
  const market = join(scratch, 'market.csv')
  const priced = bundledDevices().flatMap((device) => device.variants.filter((variant) => variant.listCents > 0))
  await writeSyntheticMarket(market, priced, MARKET_ROWS)
  waitsMs.read.length = 0
  waitsMs.lookup.length = 0
  const observations = await timedImport('observations', market, program.environment)
  console.log(`SQLite, ${MARKET_ROWS} observations while the service runs: ${formatTimes(observations)}`)
  importing = false
  await asking
  await program.stop()
  for (const kind of ['read', 'lookup'] as const) {
    console.log(
      `${kind} before: ${spread(quiet[kind])}; importing the catalogue: ${spread(catalogue[kind])}; a market: ${spread(waitsMs[kind])}`,
    )
  }
  return [
    below('served after the import ended', servedMs, 2000, 'ms', 0),
    below('99th of 100 reads while importing the catalogue', share(catalogue.read, 0.99), 50, 'ms'),
    below('99th of 100 lookups while importing the catalogue', share(catalogue.lookup, 0.99), 50, 'ms'),
    below('99th of 100 reads while importing a market', share(waitsMs.read, 0.99), 50, 'ms'),
    below('99th of 100 lookups while importing a market', share(waitsMs.lookup, 0.99), 50, 'ms'),
    below('requests that failed meanwhile', failures, 1, '', 0),
  ]
}

function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function spread(values: readonly number[]): string {
  const at = (part: number) => share(values, part).toFixed(1)
  return `${values.length} calls, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms`
}

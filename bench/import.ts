/**
 * Speed and memory of imports on both databases: the Google Play device list into an empty database, then the same list
 * again. Also measures latency of a running service during an import of the catalogue and of prices. Reads `../shared/data`
 * if it exists, otherwise generates a list of the same size. `bench/import.ts live` measures only the latency.
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
  console.log('No ../shared/data: using a generated list of the same size.')
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const device = Math.floor(at / 1.33)
    return `Make ${device % 3800},Phone ${device} ${device % 3 ? 'Pro' : '5G'},code_${device},M-${at}`
  })
  const generated = join(scratch, 'list.csv')
  writeFileSync(generated, ['Retail Branding,Marketing Name,Device,Model', ...rows].join('\n'))
  return generated
}

async function measure(name: string, environment: Record<string, string>): Promise<TimedImport> {
  const timed = await timedImport('catalogue', list, environment)
  const { rows, devices_new, devices_changed, variants_new, rejected } = timed.counts
  console.log(
    `${name}: ${formatTimes(timed)}; ${rows} rows, ${devices_new} devices new, ${devices_changed} changed, ${variants_new} variants new, ${rejected} rejected`,
  )
  return timed
}

const writtenRows = ({ counts }: TimedImport): number =>
  counts.devices_new + counts.devices_changed + counts.variants_new

async function importTwice(
  database: string,
  environment: Record<string, string>,
  firstSeconds: number,
): Promise<BenchTarget[]> {
  const first = await measure(`${database}, empty database`, environment)
  const repeated = await measure(`${database}, repeated`, environment)
  return [
    below(`${database}: 53,454 rows into an empty database`, first.seconds, firstSeconds, 's'),
    below(`${database}: peak memory`, Math.max(first.peakMb, repeated.peakMb), 400, 'MB', 0),
    below(`${database}: repeated import`, repeated.seconds, 3, 's'),
    below(`${database}: rows written by the repeated import`, writtenRows(repeated), 1, 'rows', 0),
  ]
}

const list = listFile()
const targets: BenchTarget[] = []
if (process.argv[2] !== 'live') {
  targets.push(...(await importTwice('SQLite', { DATA_DIR: join(scratch, 'store') }, 6)))
  const postgres = await startPostgres()
  if (postgres) {
    const shared = { DATA_DIR: join(scratch, 'pg'), DATABASE_URL: await postgres.createDatabase() }
    targets.push(...(await importTwice('PostgreSQL', shared, 15)))
    await postgres.stop()
  } else console.log('Skipping PostgreSQL: not installed.')
}
targets.push(...(await measureLatency()))
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

/** Latency of reads, and of lookups, which write, while another process imports. */
async function measureLatency(): Promise<BenchTarget[]> {
  const program = await startBenchProgram({ SAMPLE_DATA: 'off' })
  const headers = { Authorization: `Bearer ${await program.newKey('enterprise')}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ identifier: '490154203237518', identifier_type: 'imei' })
  const latenciesMs: Record<'read' | 'lookup', number[]> = { read: [], lookup: [] }
  let failures = 0
  let isImporting = true
  const sendRequests = async (kind: 'read' | 'lookup') => {
    while (isImporting) {
      const sentAt = performance.now()
      const response =
        kind === 'read'
          ? await fetch(`${program.url}/api/devices?limit=20`, { headers })
          : await fetch(`${program.url}/api/imei`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      if (!response.ok) failures++
      latenciesMs[kind].push(performance.now() - sentAt)
      await Bun.sleep(5)
    }
  }
  const load = Promise.all([sendRequests('read'), sendRequests('lookup')])
  await Bun.sleep(3000)
  const idle = { read: latenciesMs.read.splice(0), lookup: latenciesMs.lookup.splice(0) }
  await measure('SQLite, with the service running', program.environment)
  const importedAt = performance.now()
  const deviceTotal = async () => {
    const response = await fetch(`${program.url}/api/devices?limit=1`, { headers })
    return ((await response.json()) as { meta: { total: number } }).meta.total
  }
  while ((await deviceTotal()) < 39_000 && performance.now() - importedAt < 20_000) await Bun.sleep(20)
  const servedMs = performance.now() - importedAt
  const catalogue = { read: latenciesMs.read.splice(0), lookup: latenciesMs.lookup.splice(0) }
  const market = join(scratch, 'market.csv')
  const pricedVariants = bundledDevices().flatMap((device) =>
    device.variants.filter((variant) => variant.listCents > 0),
  )
  await writeSyntheticMarket(market, pricedVariants, MARKET_ROWS)
  latenciesMs.read.length = 0
  latenciesMs.lookup.length = 0
  const observations = await timedImport('observations', market, program.environment)
  console.log(`SQLite, ${MARKET_ROWS} observations with the service running: ${formatTimes(observations)}`)
  isImporting = false
  await load
  await program.stop()
  for (const kind of ['read', 'lookup'] as const) {
    console.log(
      `${kind} before the import: ${spread(idle[kind])}; importing the catalogue: ${spread(catalogue[kind])}; importing prices: ${spread(latenciesMs[kind])}`,
    )
  }
  return [
    below('imported devices served after', servedMs, 2000, 'ms', 0),
    below('read p99 while importing the catalogue', percentile(catalogue.read, 0.99), 50, 'ms'),
    below('lookup p99 while importing the catalogue', percentile(catalogue.lookup, 0.99), 50, 'ms'),
    below('read p99 while importing prices', percentile(latenciesMs.read, 0.99), 50, 'ms'),
    below('lookup p99 while importing prices', percentile(latenciesMs.lookup, 0.99), 50, 'ms'),
    below('failed requests', failures, 1, '', 0),
  ]
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function spread(values: readonly number[]): string {
  const format = (share: number) => percentile(values, share).toFixed(1)
  return `${values.length} calls, p50 ${format(0.5)}, p99 ${format(0.99)}, max ${format(1)} ms`
}

/**
 * Imports with the real program: 53,454 catalogue rows into an empty database and again, a million observations, 200,000 raw
 * listing titles, and the latency of a running service meanwhile; before them the title matcher alone, on one core. Both
 * databases where PostgreSQL is installed. ROWS changes the observations; `live`, `match` or `titles` measures that part only.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import { DAY_MS, dayOf } from '../src/lib/time.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { fillCatalogue, MARKET_VARIANTS } from './support/market-catalogue.ts'
import { startBenchProgram } from './support/program.ts'
import { writeSyntheticMarket } from './support/synthetic-market.ts'
import { syntheticTitles } from './support/synthetic-titles.ts'
import { atLeast, type BenchTarget, below, reportTargets } from './support/targets.ts'
import { formatTimes, type TimedImport, timedImport } from './support/timed-import.ts'
import { measureMatching } from './support/title-matching.ts'

const CATALOGUE_ROWS = 53_454
const OBSERVATIONS = Number(process.env.ROWS ?? 1_000_000)
const TITLES = 200_000
const LIVE_OBSERVATIONS = 500_000
const scratch = mkdtempSync(join(tmpdir(), 'di-bench-'))
const part = process.argv[2]

const targets: BenchTarget[] = []
if (!part || part === 'titles') targets.push(await measureTitles())
if (!part || part === 'live') targets.push(...(await measureLatency(writeCatalogue())))
if (!part) {
  const catalogue = writeCatalogue()
  const market = join(scratch, 'market.csv')
  await writeSyntheticMarket(market, MARKET_VARIANTS, OBSERVATIONS)
  targets.push(...(await importTwice('SQLite', catalogue, { DATA_DIR: join(scratch, 'store') }, 6)))
  targets.push(...(await importObservations('SQLite', market, { DATA_DIR: join(scratch, 'market') }, 100_000)))
  const postgres = await startPostgres()
  if (postgres) {
    const database = async (name: string) => ({
      DATA_DIR: join(scratch, name),
      DATABASE_URL: await postgres.createDatabase(),
    })
    targets.push(...(await importTwice('PostgreSQL', catalogue, await database('pg'), 15)))
    targets.push(...(await importObservations('PostgreSQL', market, await database('pg-market'), 50_000)))
    await postgres.stop()
  } else console.log('Skipping PostgreSQL: not installed.')
}
// Last: the memory of a program that this one starts counts what this one has used.
if (!part || part === 'match') targets.push(...measureMatching())
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

/** Some devices have two rows. */
function deviceOfRow(row: number): number {
  return Math.floor(row / 1.33)
}

function deviceName(device: number): string {
  return `Phone ${device} ${device % 3 ? 'Pro' : '5G'}`
}

function lastDeviceName(): string {
  return deviceName(deviceOfRow(CATALOGUE_ROWS - 1))
}

function writeCatalogue(): string {
  const rows = Array.from({ length: CATALOGUE_ROWS }, (_, at) => {
    const device = deviceOfRow(at)
    return `Make ${device % 3800},${deviceName(device)},code_${device},M-${at}`
  })
  const file = join(scratch, 'list.csv')
  writeFileSync(file, ['make,device,model_identifiers,device_model_numbers', ...rows].join('\n'))
  return file
}

async function importCatalogue(name: string, list: string, environment: Record<string, string>): Promise<TimedImport> {
  const timed = await timedImport('catalogue', list, environment)
  const { rows, devices_new, devices_changed, variants_new, rejected } = timed.counts
  console.log(
    `${name}: ${formatTimes(timed)}; ${rows} rows, ${devices_new} devices new, ${devices_changed} changed, ${variants_new} variants new, ${rejected} rejected`,
  )
  return timed
}

function writtenRows({ counts }: TimedImport): number {
  return counts.devices_new + counts.devices_changed + counts.variants_new
}

async function importTwice(
  database: string,
  list: string,
  environment: Record<string, string>,
  firstSeconds: number,
): Promise<BenchTarget[]> {
  const first = await importCatalogue(`${database}, empty database`, list, environment)
  const repeated = await importCatalogue(`${database}, repeated`, list, environment)
  return [
    below(`${database}: 53,454 rows into an empty database`, first.seconds, firstSeconds, 's'),
    below(`${database}: peak memory`, Math.max(first.peakMb, repeated.peakMb), 400, 'MB', 0),
    below(`${database}: repeated import`, repeated.seconds, 3, 's'),
    below(`${database}: rows written by the repeated import`, writtenRows(repeated), 1, 'rows', 0),
  ]
}

async function importObservations(
  database: string,
  file: string,
  environment: Record<string, string>,
  minPerSecond: number,
): Promise<BenchTarget[]> {
  await fillCatalogue({ url: environment.DATABASE_URL ?? '', dataDir: environment.DATA_DIR ?? '' })
  const timed = await timedImport('observations', file, environment)
  console.log(`${database}: ${formatTimes(timed)}; ${timed.counts.written} written, ${timed.counts.rejected} rejected`)
  return [
    atLeast(`${database}: observations imported per second`, OBSERVATIONS / timed.seconds, minPerSecond, 0),
    below(`${database}: peak memory of that import`, timed.peakMb, 400, 'MB', 0),
  ]
}

/** Raw listing titles on SQLite, including program start. No two rows are equal, so that every title is parsed and matched. */
async function measureTitles(): Promise<BenchTarget> {
  const file = join(scratch, 'listings.csv')
  const days = Array.from({ length: 180 }, (_, ago) => dayOf(Date.now() - ago * DAY_MS))
  const writer = Bun.file(file).writer()
  writer.write('listing_id,title,price,condition,date\n')
  syntheticTitles(bundledDevices(), TITLES).forEach((title, at) => {
    const condition = ['Good', 'Very Good', 'Used', 'Excellent'][at % 4]
    const quoted = title.replaceAll('"', '""')
    writer.write(`${at},"${quoted} #${at}",$${150 + (at % 90)}.00,${condition},${days[at % 180]}\n`)
  })
  await writer.end()
  const environment = { DATA_DIR: join(scratch, 'titles') }
  // Creates the database before the measured import.
  const rates = join(scratch, 'rates.csv')
  writeFileSync(rates, 'currency,day,usd\nEUR,2024-01-01,1.1\n')
  await timedImport('rates', rates, environment)
  const timed = await timedImport('observations', file, environment, ['--side', 'ask', '--currency', 'USD'])
  const { rows, observations, rejected } = timed.counts
  console.log(`titles: ${formatTimes(timed)}; ${rows} rows, ${observations} accepted, ${rejected} rejected`)
  return atLeast('raw titles imported per second', rows / timed.seconds, 30_000, 0)
}

/** Latency of reads, and of lookups, which write, while another process imports. */
async function measureLatency(list: string): Promise<BenchTarget[]> {
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
  await importCatalogue('SQLite, with the service running', list, program.environment)
  const importedAt = performance.now()
  const isLastServed = async () => {
    const name = encodeURIComponent(lastDeviceName())
    const response = await fetch(`${program.url}/api/devices?search=${name}&limit=1`, { headers })
    return ((await response.json()) as { data: { name: string }[] }).data[0]?.name === lastDeviceName()
  }
  while (!(await isLastServed()) && performance.now() - importedAt < 20_000) await Bun.sleep(20)
  const servedMs = performance.now() - importedAt
  const catalogue = { read: latenciesMs.read.splice(0), lookup: latenciesMs.lookup.splice(0) }
  const market = join(scratch, 'market.csv')
  const pricedVariants = bundledDevices().flatMap((device) =>
    device.variants.filter((variant) => variant.listCents > 0),
  )
  await writeSyntheticMarket(market, pricedVariants, LIVE_OBSERVATIONS)
  latenciesMs.read.length = 0
  latenciesMs.lookup.length = 0
  const observations = await timedImport('observations', market, program.environment)
  console.log(`SQLite, ${LIVE_OBSERVATIONS} observations with the service running: ${formatTimes(observations)}`)
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

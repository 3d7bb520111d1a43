/**
 * How fast and how small an import is: the Google Play device list into an empty store, and the same again.
 * Reads `../shared/data` where it is there; otherwise it makes a list of the same size.
 * `bin/bun bench/import.ts [--postgres] [--live]`; --live also measures what callers feel meanwhile.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres.ts'
import { PROGRAM, shownKeys, startProgram } from '../test/support/program.ts'

const ROWS = 53_454
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

type Measured = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMb: number
  readonly result: string
}

async function measure(args: string[], environment: Record<string, string>): Promise<Measured> {
  const beganAt = performance.now()
  const child = Bun.spawn([PROGRAM, 'import', ...args, '--json'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', SAMPLE_DATA: 'off', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(stderr)
  const usage = child.resourceUsage()
  const { rows, devices_new, devices_changed, variants_new, rejected } = JSON.parse(stdout)
  return {
    seconds: (performance.now() - beganAt) / 1000,
    cpuSeconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
    peakMb: (usage?.maxRSS ?? 0) / 1024 / 1024,
    result: `${rows} rows, ${devices_new} devices new, ${devices_changed} changed, ${variants_new} variants new, ${rejected} rejected`,
  }
}

function show(what: string, { seconds, cpuSeconds, peakMb, result }: Measured, targetSeconds: number): void {
  const met = seconds < targetSeconds && peakMb < 400 ? 'met' : 'MISSED'
  console.log(
    `${what.padEnd(28)} ${seconds.toFixed(2)} s (cpu ${cpuSeconds.toFixed(2)} s), peak ${peakMb.toFixed(0)} MB; target < ${targetSeconds} s, < 400 MB: ${met}. ${result}`,
  )
}

const list = listFile()
const embedded = { DATA_DIR: join(scratch, 'store') }
show('SQLite, empty store', await measure(['catalogue', list], embedded), 6)
show('SQLite, same again', await measure(['catalogue', list], embedded), 3)

if (process.argv.includes('--postgres')) {
  const postgres = await startPostgres()
  if (postgres) {
    const shared = { DATA_DIR: join(scratch, 'pg'), DATABASE_URL: await postgres.createDatabase() }
    show('PostgreSQL, empty store', await measure(['catalogue', list], shared), 15)
    show('PostgreSQL, same again', await measure(['catalogue', list], shared), 3)
    await postgres.stop()
  } else console.log('No PostgreSQL here.')
}

if (process.argv.includes('--live')) await live()
rmSync(scratch, { recursive: true, force: true })
process.exit()

/** Callers ask all the while: reads from the registry, and lookups, which write. */
async function live(): Promise<void> {
  const limits = { RATE_LIMIT_PUBLIC: '1000000', RATE_LIMIT_ENTERPRISE: '1000000' }
  const program = await startProgram({ DATA_DIR: join(scratch, 'live'), ...limits })
  const keys = shownKeys(program.stderr())
  const waitsMs: Record<'read' | 'lookup', number[]> = { read: [], lookup: [] }
  const failed = { read: 0, lookup: 0 }
  let importing = true
  const ask = async (kind: 'read' | 'lookup') => {
    while (importing) {
      const askedAt = performance.now()
      const answer =
        kind === 'read'
          ? await fetch(`${program.url}/api/devices?limit=20`, { headers: { Authorization: `Bearer ${keys.public}` } })
          : await fetch(`${program.url}/api/imei`, {
              method: 'POST',
              headers: { Authorization: `Bearer ${keys.enterprise}`, 'Content-Type': 'application/json' },
              body: JSON.stringify({ identifier: '490154203237518', identifier_type: 'imei' }),
            })
      await answer.arrayBuffer()
      if (answer.status >= 500) failed[kind]++
      waitsMs[kind].push(performance.now() - askedAt)
      await Bun.sleep(5)
    }
  }
  const asking = Promise.all([ask('read'), ask('lookup')])
  await Bun.sleep(500)
  const quiet = { read: waitsMs.read.splice(0), lookup: waitsMs.lookup.splice(0) }
  await measure(['catalogue', list], program.environment)
  const importedAt = performance.now()
  let servedMs = 0
  for (;;) {
    const headers = { Authorization: `Bearer ${keys.public}` }
    const { meta } = (await (await fetch(`${program.url}/api/devices?limit=1`, { headers })).json()) as {
      meta: { total: number }
    }
    servedMs = performance.now() - importedAt
    if (meta.total > 30_000 || servedMs > 10_000) break
    await Bun.sleep(20)
  }
  await Bun.sleep(1000)
  importing = false
  await asking
  for (const kind of ['read', 'lookup'] as const) {
    console.log(
      `${kind} while quiet: ${spread(quiet[kind])}; while importing: ${spread(waitsMs[kind])}, ${failed[kind]} failed`,
    )
  }
  console.log(`served ${servedMs.toFixed(0)} ms after the import ended; target < 2000`)
  await program.stop()
}

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `${sorted.length} calls, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms`
}

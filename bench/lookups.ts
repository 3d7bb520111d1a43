/**
 * Durable identifier lookups of the real program with a million listed identifiers, on SQLite and, if installed, on
 * PostgreSQL. ROUNDS and SECONDS set the number and length of rounds, LISTED the number of listed identifiers.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../src/db/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { newDataDir } from '../test/support/program.ts'
import { type LoadRound, load, loadGenerator, median, residentMemoryMb } from './support/load.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const LISTED = Number(process.env.LISTED ?? 1_000_000)

/** Spread over a hundred TACs, as a real list is. */
const key14 = (at: number) => `${35_000_000 + (at % 100) * 7}${String(Math.floor(at / 100) * 13).padStart(6, '0')}`

async function addList(url: string, dataDir: string): Promise<void> {
  const db = await openDatabase({ url, dataDir })
  for (let from = 0; from < LISTED; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, LISTED - from) }, (_, at) => ({
      list: 'bench',
      kind: 'stolen' as const,
      key14: key14(from + at),
      status: 'blacklist',
      reported_on: '2026-01-02',
      listed_at: 1,
      cleared_at: null,
      run_id: 'bench',
    }))
    await db.transaction((tx) => db.insertMany(tx, 'listed_identifier', rows))
  }
  const list = { name: 'bench', kind: 'stolen' as const, entries: LISTED, imported_at: 1 }
  await db.transaction((tx) => db.insertMany(tx, 'identifier_list', [list]))
  await db.bulk.analyzeTable('listed_identifier')
  await db.close()
}

/** A wrk script: about half of the requested identifiers are listed, and repetitions are rare. */
function writeScript(dataDir: string): string {
  const file = join(dataDir, 'lookups.lua')
  writeFileSync(
    file,
    `math.randomseed(os.time())
wrk.method = 'POST'
wrk.headers['Content-Type'] = 'application/json'
function request()
  local serial = math.random(0, ${Math.max(1, Math.floor(LISTED / 100))}) * 13 + math.random(0, 1)
  local key = string.format('%d%06d', 35000000 + math.random(0, 99) * 7, serial % 1000000)
  return wrk.format(nil, nil, nil, '{"identifier":"' .. key .. '"}')
end
`,
  )
  return file
}

const wrk = await loadGenerator()
const targets: BenchTarget[] = []
const rows: string[][] = []

async function measure(name: string, url: string, minPerSecond: number): Promise<void> {
  const dataDir = newDataDir()
  const startedAt = performance.now()
  await addList(url, dataDir)
  console.log(
    `\n${name}: ${LISTED.toLocaleString('en')} identifiers listed in ${Math.round(performance.now() - startedAt)} ms`,
  )
  const program = await startBenchProgram({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    SAMPLE_DATA: 'off',
    LOG_LEVEL: 'warn',
  })
  const key = await program.newKey('enterprise')
  const target = { url: `${program.url}/api/imei`, pid: program.pid, key, script: writeScript(dataDir) }
  await load(wrk, { ...target, seconds: 2 })
  const rounds: LoadRound[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await load(wrk, { ...target, seconds: SECONDS }))
  const memory = residentMemoryMb(program.pid)
  const history = await fetch(`${program.url}/api/imei?limit=1`, { headers: { Authorization: `Bearer ${key}` } })
  const { meta } = (await history.json()) as { meta: { total: number } }
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })

  const medianOf = (figure: (round: LoadRound) => number) => median(rounds.map(figure))
  const perSecond = medianOf((round) => round.perSecond)
  rows.push([
    name,
    perSecond.toFixed(0),
    Math.max(...rounds.map((round) => round.perSecond)).toFixed(0),
    medianOf((round) => round.p50Ms).toFixed(1),
    medianOf((round) => round.p99Ms).toFixed(1),
    medianOf((round) => round.cpuMicros).toFixed(1),
    String(meta.total),
    memory.now.toFixed(0),
  ])
  const failures = rounds.reduce((sum, round) => sum + round.failures, 0)
  targets.push(
    {
      what: `${name}: durable lookups per second`,
      measured: perSecond.toFixed(0),
      target: `≥ ${minPerSecond}`,
      met: perSecond >= minPerSecond,
    },
    { what: `${name}: failures`, measured: String(failures), target: '0', met: failures === 0 },
    below(`${name}: memory`, memory.peak, 500, 'MB', 0),
  )
  if (url === '')
    targets.push(
      below(
        `${name}: p99`,
        medianOf((round) => round.p99Ms),
        25,
        'ms',
      ),
    )
}

await measure('SQLite', '', 5_600)
const postgres = await startPostgres()
if (postgres) {
  await measure('PostgreSQL', await postgres.createDatabase(), 4_400)
  await postgres.stop()
} else console.log('\nSkipping PostgreSQL: not installed.')
showTable({
  title: 'Durable lookups over 64 connections',
  head: ['database', 'per second', 'best', 'p50 ms', 'p99 ms', 'CPU µs', 'recorded', 'RSS MB'],
  rows,
  bars: 'per second',
})
reportTargets(targets)

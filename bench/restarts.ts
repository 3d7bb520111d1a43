/**
 * Restarts under steady load: PostgreSQL behind PgBouncer with default settings, and a rolling restart of two processes
 * behind nginx. SECONDS sets the duration of the load.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NGINX, shippedNginxConfiguration } from '../test/support/nginx.ts'
import { startPgbouncer } from '../test/support/pgbouncer.ts'
import { freePort, startPostgres } from '../test/support/postgres.ts'
import { newDataDir, runProgram } from '../test/support/program.ts'
import { runOpenLoopLoad } from './support/open-loop-load.ts'
import { startBenchProgram } from './support/program.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const SECONDS = Number(process.env.SECONDS ?? 30)
const postgres = await startPostgres('own')
const nginx = NGINX
if (!postgres?.faults || !nginx) throw new Error('This bench needs PostgreSQL, PgBouncer and nginx.')
const scratch = mkdtempSync(join(tmpdir(), 'di-bench-'))

async function newKey(environment: Record<string, string>): Promise<string> {
  const organization = (await runProgram(['org', 'create', 'Bench'], environment)).stdout.trim()
  return (await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], environment)).stdout.trim()
}

/** How long lookups fail after PostgreSQL accepts connections again. */
async function measureDatabaseRestart(): Promise<BenchTarget[]> {
  const pooler = await startPgbouncer(await postgres!.createDatabase())
  const program = await startBenchProgram({ DATABASE_URL: pooler.url, SECRET_KEY: 'bench' }, 'any core')
  const key = await newKey(program.environment)
  const statuses: { at: number; status: number }[] = []
  let isDone = false
  const loading = (async () => {
    for (let count = 0; !isDone; count++) {
      const body = JSON.stringify({ identifier: String(35_000_000_000_000 + count * 7_919) })
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const response = await fetch(`${program.url}/api/imei`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      statuses.push({ at: performance.now(), status: response.status })
      await Bun.sleep(10)
    }
  })()
  await Bun.sleep(2_000)
  await postgres!.faults!.halt()
  await Bun.sleep(3_000)
  await postgres!.faults!.start()
  const startedAt = performance.now()
  await Bun.sleep(8_000)
  isDone = true
  await loading
  const failed = statuses.filter(({ at, status }) => at > startedAt && status !== 200)
  const unexpected = statuses.filter(({ status }) => status !== 200 && status !== 503).length
  await program.stop()
  await pooler.stop()
  return [
    below(
      '503 after a restart of PostgreSQL behind PgBouncer',
      ((failed.at(-1)?.at ?? startedAt) - startedAt) / 1_000,
      2,
      's',
      2,
    ),
    below('other statuses than 200 and 503', unexpected, 1, '', 0),
  ]
}

/** Both processes are replaced, one after the other, at 200 lookups per second. */
async function measureRollingRestart(): Promise<BenchTarget[]> {
  const shared = { DATABASE_URL: await postgres!.createDatabase(), SECRET_KEY: 'bench', DRAIN_S: '3' }
  const ports = [String(await freePort()), String(await freePort())]
  const start = (port: string) =>
    startBenchProgram({ ...shared, DATA_DIR: newDataDir(), PORT: port, TRUST_PROXY: '1' }, 'any core')
  const programs = [await start(ports[0] ?? ''), await start(ports[1] ?? '')]
  const key = await newKey(programs[0]!.environment)
  const port = await freePort()
  writeFileSync(join(scratch, 'nginx.conf'), shippedNginxConfiguration(scratch, port, ports.map(Number)))
  const proxy = Bun.spawn([nginx as string, '-c', join(scratch, 'nginx.conf'), '-p', scratch, '-e', '/dev/null'])
  await Bun.sleep(1_000)
  const load = { url: `http://127.0.0.1:${port}`, key, connections: 50, perSecond: 200 }
  const p99 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
  await runOpenLoopLoad({ ...load, seconds: 3 })
  const steady = await runOpenLoopLoad({ ...load, seconds: SECONDS / 3 })
  const loading = runOpenLoopLoad({ ...load, seconds: SECONDS })
  await Bun.sleep(2_000)
  for (const index of [0, 1]) {
    await programs[index]!.stop()
    programs[index] = await start(ports[index] ?? '')
    await Bun.sleep(1_500)
  }
  const { latenciesByStatus } = await loading
  const { 200: accepted, ...others } = latenciesByStatus
  const failures = Object.values(others).reduce((sum, { sinceDue }) => sum + sinceDue.length, 0)
  for (const program of programs) await program.stop()
  proxy.kill('SIGTERM')
  await proxy.exited
  console.log(`p99 without restarts ${p99(steady.latenciesByStatus[200]?.sinceDue ?? []).toFixed(1)} ms`)
  return [
    below('failed requests in a rolling restart behind nginx', failures, 1, '', 0),
    below('p99 in a rolling restart behind nginx', p99(accepted?.sinceDue ?? []), 250, 'ms'),
  ]
}

const targets = [...(await measureDatabaseRestart()), ...(await measureRollingRestart())]
await postgres.stop()
rmSync(scratch, { recursive: true, force: true })
reportTargets(targets)

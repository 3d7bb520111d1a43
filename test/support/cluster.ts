import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithFile } from './children.ts'
import { fill } from './filled-database.ts'
import { NGINX, shippedNginxConfiguration } from './nginx.ts'
import { hasPgbouncer, startPgbouncer } from './pgbouncer.ts'
import { freePort, startPostgres, type TestPostgres } from './postgres.ts'
import { newDataDir, type RunningProgram, runProgram, startProgram } from './program.ts'
import { startRedis, type TestRedis } from './redis.ts'
import { waitUntil } from './wait.ts'

/** Processes of the service behind nginx, with PostgreSQL behind PgBouncer, and Redis: all from the shipped files. */
export type Cluster = {
  /** The address of nginx. */
  readonly url: string
  /** An enterprise key. */
  readonly key: string
  readonly programs: readonly RunningProgram[]
  readonly redis: TestRedis
  readonly postgres: TestPostgres
  /** Starts the process at this position again, on the same port. */
  start(index: number): Promise<void>
  stop(): Promise<void>
}

export const canStartCluster = NGINX !== null && hasPgbouncer

export async function startCluster(processes = 3): Promise<Cluster> {
  if (!NGINX) throw new Error('A cluster needs nginx.')
  const [postgres, redis] = await Promise.all([startPostgres('own'), startRedis()])
  if (!postgres || !redis) throw new Error('A cluster needs PostgreSQL and Redis.')
  const database = await postgres.createDatabase()
  const commandDir = newDataDir()
  await fill({ url: database, dataDir: commandDir }, 'small')
  const pooler = await startPgbouncer(database)
  const folder = mkdtempSync(join(tmpdir(), 'di-cluster-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const shared = {
    DATABASE_URL: pooler.url,
    REDIS_URL: redis.url,
    SECRET_KEY: 'cluster-of-one-machine',
    BASE_URL: url,
    TRUST_PROXY: '1',
    DRAIN_S: '2',
    RATE_LIMIT_ENTERPRISE: '10000000',
    RATE_LIMIT_ADDRESS: '10000000',
  }
  const ports: number[] = []
  for (let index = 0; index < processes; index++) ports.push(await freePort())
  const dataDirs = ports.map(newDataDir)
  const programs: RunningProgram[] = []
  const start = async (index: number) => {
    programs[index] = await startProgram({ ...shared, DATA_DIR: dataDirs[index] ?? '', PORT: String(ports[index]) })
  }
  for (const index of ports.keys()) await start(index)

  const configuration = join(folder, 'nginx.conf')
  const log = join(folder, 'error.log')
  writeFileSync(configuration, shippedNginxConfiguration(folder, port, ports))
  const proxy = endWithFile(
    Bun.spawn([NGINX, '-c', configuration, '-p', folder, '-e', log], { stdout: 'ignore', stderr: 'ignore' }),
  )
  await waitUntil(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, { describe: 'nginx' })

  const environment = { ...shared, DATA_DIR: commandDir }
  const organization = (await runProgram(['org', 'create', 'Cluster'], environment)).stdout.trim()
  const key = (await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], environment)).stdout
  return {
    url,
    key: key.trim(),
    programs,
    redis,
    postgres,
    start,
    async stop() {
      proxy.kill('SIGTERM')
      await proxy.exited
      for (const program of programs) await program.stop()
      await pooler.stop()
      await Promise.all([redis.stop(), postgres.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type SteadyLoad = {
  readonly sent: () => number
  /** Ends the load; what failed since the last call of `failures`, and the lookups that were acknowledged. */
  stop(): Promise<readonly string[]>
  /** Failures so far, as method and status; the list starts anew. */
  failures(): string[]
}

/** A fixed number of requests per second, every fourth a lookup, however long they take. */
export function steadyLoad({ url, key }: Pick<Cluster, 'url' | 'key'>, perSecond: number): SteadyLoad {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const lookups: string[] = []
  const pending = new Set<Promise<void>>()
  let failures: string[] = []
  let sent = 0
  async function request(): Promise<void> {
    const at = sent++
    const isLookup = at % 4 === 0
    const body = JSON.stringify({ identifier: String(35_000_000_000_000 + at * 7_919) })
    try {
      const response = await (isLookup
        ? fetch(`${url}/api/imei`, { method: 'POST', headers, body })
        : fetch(`${url}/api/devices?limit=5&page=${(at % 5) + 1}`, { headers }))
      const text = await response.text()
      if (response.status !== 200)
        failures.push(`${isLookup ? 'POST' : 'GET'} ${response.status} ${text.slice(0, 120)}`)
      else if (isLookup) lookups.push(JSON.parse(text).data.lookup_id)
    } catch (error) {
      failures.push(String(error))
    }
  }
  const timer = setInterval(() => {
    const one = request().finally(() => pending.delete(one))
    pending.add(one)
  }, 1000 / perSecond)
  return {
    sent: () => sent,
    async stop() {
      clearInterval(timer)
      await Promise.all(pending)
      return lookups
    },
    failures() {
      const soFar = failures
      failures = []
      return soFar
    },
  }
}

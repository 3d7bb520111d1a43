/**
 * How long a revoked key still works on three processes that share a database: on SQLite, on PostgreSQL, and on
 * PostgreSQL while its notifications are cut off.
 */
import pg from 'pg'
import { commandLineActor } from '../src/auth/actor.ts'
import { authStore } from '../src/auth/auth-store.ts'
import { type DatabaseOptions, openDatabase } from '../src/db/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { newDataDir, startProgram } from '../test/support/program.ts'
import { showTable } from './support/results.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const PROCESSES = 3
const KEYS = Number(process.env.KEYS ?? 20)
const OPERATOR = commandLineActor('bench')

const targets: BenchTarget[] = []
const rows: string[][] = []

async function measure(
  name: string,
  opening: DatabaseOptions,
  maxMs: number,
  beforeRevoking = async () => {},
): Promise<void> {
  const settings = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url, SAMPLE_DATA: 'off', LOG_LEVEL: 'error' }
  const programs = [await startProgram(settings)]
  while (programs.length < PROCESSES) programs.push(await startProgram(settings))
  const db = await openDatabase(opening)
  const access = authStore(db)
  const { id: organizationId } = await access.createOrganization('Revoked', OPERATOR, Date.now())
  const waits: number[] = []
  for (let at = 0; at < KEYS; at++) {
    const wanted = { tier: 'public', name: 'revoked', expiresAt: null } as const
    const { secret, key } = await access.createKey(organizationId, wanted, OPERATOR, Date.now())
    const isAccepted = async (url: string) => {
      const response = await fetch(`${url}/api/meta/conditions`, { headers: { Authorization: `Bearer ${secret}` } })
      await response.arrayBuffer()
      return response.status === 200
    }
    for (const { url } of programs) if (!(await isAccepted(url))) throw new Error('a new key is rejected')
    await beforeRevoking()
    await access.revokeKey(organizationId, key.id, OPERATOR, Date.now())
    const from = performance.now()
    const rejected = programs.map(async ({ url }) => {
      while (await isAccepted(url)) await Bun.sleep(2)
      waits.push(performance.now() - from)
    })
    await Promise.all(rejected)
  }
  await db.close()
  for (const program of programs) await program.stop()
  waits.sort((left, right) => left - right)
  const longest = waits.at(-1) ?? Number.NaN
  rows.push([name, (waits[Math.floor(waits.length / 2)] ?? Number.NaN).toFixed(0), longest.toFixed(0)])
  targets.push(below(`revoked key rejected by ${PROCESSES} processes, ${name}`, longest, maxMs, 'ms', 0))
}

await measure('SQLite', { url: '', dataDir: newDataDir() }, 1_000)
const postgres = await startPostgres()
if (postgres) {
  const opening = { url: await postgres.createDatabase(), dataDir: newDataDir() }
  await measure('PostgreSQL', opening, 1_000)
  const client = new pg.Client({ connectionString: opening.url })
  await client.connect()
  await measure('PostgreSQL without notifications', opening, 5_000, async () => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'device-intelligence notices'`)
  })
  await client.end()
  await postgres.stop()
}
showTable({ title: `${KEYS} keys revoked`, head: ['database', 'p50 ms', 'longest ms'], rows })
reportTargets(targets)

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
  options: DatabaseOptions,
  maxMs: number,
  beforeRevoking = async () => {},
): Promise<void> {
  const settings = { DATA_DIR: options.dataDir, DATABASE_URL: options.url, SAMPLE_DATA: 'off', LOG_LEVEL: 'error' }
  const programs = [await startProgram(settings)]
  while (programs.length < PROCESSES) programs.push(await startProgram(settings))
  const db = await openDatabase(options)
  const auth = authStore(db)
  const { id: organizationId } = await auth.createOrganization('Revoked', OPERATOR, Date.now())
  const delaysMs: number[] = []
  for (let count = 0; count < KEYS; count++) {
    const keyOptions = { tier: 'public', name: 'revoked', expiresAt: null } as const
    const { secret, key } = await auth.createKey(organizationId, keyOptions, OPERATOR, Date.now())
    const isAccepted = async (url: string) => {
      const response = await fetch(`${url}/api/meta/conditions`, { headers: { Authorization: `Bearer ${secret}` } })
      await response.arrayBuffer()
      return response.status === 200
    }
    for (const { url } of programs) if (!(await isAccepted(url))) throw new Error('a new key is rejected')
    await beforeRevoking()
    await auth.revokeKey(organizationId, key.id, OPERATOR, Date.now())
    const revokedAt = performance.now()
    const rejections = programs.map(async ({ url }) => {
      while (await isAccepted(url)) await Bun.sleep(2)
      delaysMs.push(performance.now() - revokedAt)
    })
    await Promise.all(rejections)
  }
  await db.close()
  for (const program of programs) await program.stop()
  delaysMs.sort((left, right) => left - right)
  const longest = delaysMs.at(-1) ?? Number.NaN
  rows.push([name, (delaysMs[Math.floor(delaysMs.length / 2)] ?? Number.NaN).toFixed(0), longest.toFixed(0)])
  targets.push(below(`revoked key rejected by ${PROCESSES} processes, ${name}`, longest, maxMs, 'ms', 0))
}

await measure('SQLite', { url: '', dataDir: newDataDir() }, 1_000)
const postgres = await startPostgres()
if (postgres) {
  const options = { url: await postgres.createDatabase(), dataDir: newDataDir() }
  await measure('PostgreSQL', options, 1_000)
  const client = new pg.Client({ connectionString: options.url })
  await client.connect()
  await measure('PostgreSQL without notifications', options, 5_000, async () => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'device-intelligence notices'`)
  })
  await client.end()
  await postgres.stop()
}
showTable({ title: `${KEYS} keys revoked`, head: ['database', 'p50 ms', 'longest ms'], rows })
reportTargets(targets)

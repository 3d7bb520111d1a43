import { afterAll, beforeAll, expect, test } from 'bun:test'
import pg from 'pg'
import { commandLineActor } from '../../src/auth/actor.ts'
import { authStore } from '../../src/auth/auth-store.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { onBothDatabases } from '../support/databases.ts'
import { type RunningProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const PROCESSES = 3
const KEYS = 3
const STAYS_REJECTED = 5
const OPERATOR = commandLineActor('tester')

onBothDatabases((store) => {
  let opening: DatabaseOptions
  let db: Database
  let programs: RunningProgram[]
  beforeAll(async () => {
    opening = await store.open()
    const settings = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url, SAMPLE_DATA: 'off', LOG_LEVEL: 'error' }
    db = await openDatabase(opening)
    programs = await Promise.all(Array.from({ length: PROCESSES }, () => startProgram(settings)))
  })
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()))
    await db.close()
  })

  /** Revokes a few keys and waits until every process rejects each of them for good. */
  async function revokeKeys(beforeRevoking: () => Promise<void>): Promise<void> {
    const access = authStore(db)
    const now = Date.now()
    const { id: organizationId } = await access.createOrganization('Revoked', OPERATOR, now)
    for (let at = 0; at < KEYS; at++) {
      const newKey = { tier: 'public', name: 'revoked', expiresAt: null } as const
      const { secret, key } = await access.createKey(organizationId, newKey, OPERATOR, now)
      const status = async ({ url }: RunningProgram) => {
        const response = await fetch(`${url}/api/meta/conditions`, { headers: { Authorization: `Bearer ${secret}` } })
        await response.arrayBuffer()
        return response.status
      }
      for (const program of programs) expect(await status(program)).toBe(200)
      await beforeRevoking()
      await access.revokeKey(organizationId, key.id, OPERATOR, Date.now())
      for (const program of programs) {
        await waitUntil(async () => (await status(program)) !== 200, { describe: 'the revoked key to be rejected' })
      }
      for (let again = 0; again < STAYS_REJECTED; again++) {
        expect(await Promise.all(programs.map(status))).toEqual(Array(PROCESSES).fill(401))
      }
    }
  }

  test(
    'a revoked key is rejected by all three processes, and stays rejected',
    () => revokeKeys(async () => {}),
    240_000,
  )

  if (store.name === 'PostgreSQL') {
    test('also without notifications from the database', async () => {
      const client = new pg.Client({ connectionString: opening.url })
      await client.connect()
      try {
        await revokeKeys(async () => {
          await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'device-intelligence notifications'`)
        })
      } finally {
        await client.end()
      }
    })
  }
})

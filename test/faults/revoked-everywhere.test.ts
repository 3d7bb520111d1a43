import { afterAll, beforeAll, expect, test } from 'bun:test'
import pg from 'pg'
import { atCommandLine } from '../../src/access/actor.ts'
import { accessStore } from '../../src/access/store.ts'
import { type Database, type Opening, openDatabase } from '../../src/db/open.ts'
import { onBothDatabases } from '../support/databases.ts'
import { type RunningProgram, startProgram } from '../support/program.ts'
import { spreadOf } from '../support/spread.ts'

const PROCESSES = 3
const KEYS = 6
const REFUSED_WITHIN_MS = 1_000
/** Where nobody is told by the database and each has to look for itself. */
const REFUSED_UNTOLD_WITHIN_MS = 5_000
const OPERATOR = atCommandLine('tester')

onBothDatabases((store) => {
  let opening: Opening
  let db: Database
  let programs: RunningProgram[]
  beforeAll(async () => {
    opening = await store.open()
    const settings = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url, SAMPLE_DATA: 'off', LOG_LEVEL: 'error' }
    db = await openDatabase(opening)
    programs = await Promise.all(Array.from({ length: PROCESSES }, () => startProgram(settings)))
  }, 60_000)
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()))
    await db.close()
  })

  /** How long after its revocation was acknowledged a key was last honoured by any of the processes. */
  async function honouredFor(cutNotices: () => Promise<void>): Promise<number[]> {
    const access = accessStore(db)
    const now = Date.now()
    const { id: organizationId } = await access.createOrganization('Revoked', OPERATOR, now)
    const waits: number[] = []
    for (let at = 0; at < KEYS; at++) {
      const wanted = { tier: 'public', name: 'revoked', expiresAt: null } as const
      const { secret, key } = await access.createKey(organizationId, wanted, OPERATOR, now)
      const status = async ({ url }: RunningProgram) => {
        const answer = await fetch(`${url}/api/meta/conditions`, { headers: { Authorization: `Bearer ${secret}` } })
        await answer.arrayBuffer()
        return answer.status
      }
      for (const program of programs) expect(await status(program)).toBe(200)
      await cutNotices()
      await access.revokeKey(organizationId, key.id, OPERATOR, Date.now())
      const from = performance.now()
      const seen = programs.map(async (program) => {
        while ((await status(program)) === 200 && performance.now() - from < REFUSED_UNTOLD_WITHIN_MS)
          await Bun.sleep(2)
        expect(await status(program)).toBe(401)
        return performance.now() - from
      })
      waits.push(...(await Promise.all(seen)))
    }
    return waits
  }

  test('a revoked key is refused by all of three processes within a second', async () => {
    const waits = await honouredFor(async () => {})
    console.log(`on ${store.name}, refused by ${PROCESSES} processes after ${spreadOf(waits)}`)
    expect(Math.max(...waits)).toBeLessThan(REFUSED_WITHIN_MS)
  }, 60_000)

  if (store.name === 'PostgreSQL') {
    test('and within five where the database cannot tell them', async () => {
      const client = new pg.Client({ connectionString: opening.url })
      await client.connect()
      const waits = await honouredFor(async () => {
        await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'device-intelligence notices'`)
      })
      await client.end()
      console.log(`with their notices cut off, refused after ${spreadOf(waits)}`)
      expect(Math.max(...waits)).toBeLessThan(REFUSED_UNTOLD_WITHIN_MS)
    }, 60_000)
  }
})

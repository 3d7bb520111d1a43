import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

/** KILLS=5 makes it short while working on it; the promise is fifty on the embedded store. */
const KILLS = Number(process.env.KILLS ?? 50)
const SENDERS = 12
const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()

const DATA_DIR = newDataDir()
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

type Lookup = { lookup_id: string }

for (const [store, kills, settingsOf] of [
  ['SQLite', KILLS, async () => ({ DATA_DIR })],
  ...(postgres
    ? [['PostgreSQL', Math.ceil(KILLS / 5), async () => ({ DATABASE_URL: await postgres.createDatabase() })] as const]
    : []),
] as const) {
  const promise = `nothing acknowledged is lost over ${kills} kills under load on ${store}, and every record is its answer`
  test(promise, async () => loseNothing(kills, await settingsOf()), 600_000)
}

async function loseNothing(kills: number, store: Record<string, string>): Promise<void> {
  const settings = { ...store, RATE_LIMIT_ENTERPRISE: '10000000', LOG_LEVEL: 'error', SAMPLE_DATA: 'off' }
  const organization = (await runProgram(['org', 'create', 'Durable'], settings)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'enterprise']
  const key = (await runProgram(create, settings)).stdout.trim()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const acknowledged = new Map<string, string>()
  let sent = 0

  const keep = (record: Lookup) => acknowledged.set(record.lookup_id, JSON.stringify(record))

  /** Sends lookups one after the other until the program is gone; a batch now and then. */
  async function sender(program: RunningProgram, isGone: () => boolean): Promise<void> {
    while (!isGone()) {
      const identifiers = Array.from({ length: sent % 7 === 0 ? 20 : 1 }, () => ({
        identifier: String(35_000_000_000_000 + sent++ * 7_919),
      }))
      const one = identifiers.length === 1
      try {
        const response = await fetch(`${program.url}/api/imei${one ? '' : '/batch'}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(one ? identifiers[0] : { items: identifiers }),
        })
        const { data } = (await response.json()) as { data: unknown }
        if (response.status !== 200) continue
        if (one) keep(data as Lookup)
        else for (const { result } of data as { result: Lookup }[]) keep(result)
      } catch {
        // Cut off in the middle: nothing was acknowledged.
      }
    }
  }

  async function recorded(program: RunningProgram): Promise<Map<string, string>> {
    const records = new Map<string, string>()
    for (let page = 1; ; page++) {
      const response = await fetch(`${program.url}/api/imei?limit=100&page=${page}`, { headers })
      const { data, meta } = (await response.json()) as { data: Lookup[]; meta: { total: number; has_next: boolean } }
      for (const record of data) records.set(record.lookup_id, JSON.stringify(record))
      if (!meta.has_next) {
        expect(records.size).toBe(meta.total)
        return records
      }
    }
  }

  const missing: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const program = await startProgram(settings)
    let gone = false
    const senders = Array.from({ length: SENDERS }, () => sender(program, () => gone))
    await Bun.sleep(40 + Math.random() * 160)
    program.kill('SIGKILL')
    await program.exited
    gone = true
    await Promise.all(senders)
  }
  const program = await startProgram(settings)
  const records = await recorded(program)
  for (const [id, answer] of acknowledged) if (records.get(id) !== answer) missing.push(id)
  expect(missing).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(kills)
  expect(await program.stop()).toBe(0)
  console.log(`${acknowledged.size} acknowledged, ${records.size} recorded, 0 missing over ${kills} kills`)
}

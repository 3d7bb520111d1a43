import { afterAll, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { type DurableKind, loseNothing } from '../support/kills.ts'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir } from '../support/program.ts'

/** On the embedded store; a fifth as many on PostgreSQL. KILLS=5 makes it short while working on it, KILLS=1000 is the long run. */
const KILLS = Number(process.env.KILLS ?? 12)
const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()

const DATA_DIR = newDataDir()
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

const identifierOf = (n: number) => String(35_000_000_000_000 + n * 7_919)

const LOOKUPS: DurableKind = {
  path: '/api/imei',
  bodyOf: (n) => ({ identifier: identifierOf(n) }),
  idOf: (record) => (record as { lookup_id: string }).lookup_id,
}

/** With an identifier and without, so that records of two kinds go into one commit. */
const APPRAISALS: DurableKind = {
  path: '/api/appraisals',
  bodyOf: (n) => ({
    variant_id: 'apple-iphone-13-128gb-midnight',
    condition: 'Good',
    reference: `R-${n}`,
    ...(n % 2 === 0 ? { identifier: identifierOf(n) } : {}),
  }),
  idOf: (record) => (record as { appraisal_id: string }).appraisal_id,
}

for (const [what, kind, most] of [
  ['lookups', LOOKUPS, KILLS],
  ['appraisals', APPRAISALS, Math.ceil(KILLS / 2)],
] as const) {
  for (const [store, kills, settingsOf] of [
    ['SQLite', most, async () => ({ DATA_DIR: `${DATA_DIR}/${what}` })],
    ...(postgres
      ? [['PostgreSQL', Math.ceil(most / 5), async () => ({ DATABASE_URL: await postgres.createDatabase() })] as const]
      : []),
  ] as const) {
    const promise = `nothing acknowledged of ${what} is lost over ${kills} kills under load on ${store}, and every record is its answer`
    test(promise, async () => loseNothing(kind, kills, await settingsOf()), 120_000 + kills * 10_000)
  }
}

import { afterAll, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { type DurableKind, loseNothing } from './kills.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { filledDataDir } from './program.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()

const identifierOf = (n: number) => String(35_000_000_000_000 + n * 7_919)

const LOOKUPS: DurableKind = {
  path: '/api/imei',
  bodyOf: (n) => ({ identifier: identifierOf(n) }),
  idOf: (record) => (record as { lookup_id: string }).lookup_id,
}

/** With an identifier and without, so that records of two kinds go into one commit; each gets an outcome. */
const APPRAISALS: DurableKind = {
  path: '/api/appraisals',
  bodyOf: (n) => ({
    variant_id: 'apple-iphone-13-128gb-midnight',
    condition: 'Good',
    reference: `R-${n}`,
    ...(n % 2 === 0 ? { identifier: identifierOf(n) } : {}),
  }),
  idOf: (record) => (record as { appraisal_id: string }).appraisal_id,
  change: {
    path: (id) => `/api/appraisals/${id}/outcome`,
    bodyOf: (n) =>
      n % 3 === 0 ? { status: 'declined', declined_by: 'shop' } : { status: 'bought', price: 20_000 + n },
    partOf: (changed) => (changed as { outcome: object }).outcome,
    original: (record) => ({ ...record, outcome: null }),
  },
}

/** Kills on SQLite; a fifth as many on PostgreSQL, half as many for appraisals. */
export function testDurability(kills: number): void {
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  const onSqlite = async () => {
    const folder = filledDataDir('small')
    folders.push(folder)
    return { DATA_DIR: folder }
  }
  const onPostgres = async (server: TestPostgres) => ({
    DATABASE_URL: await server.createDatabase(process.env.FILLED_POSTGRES_SMALL),
  })
  for (const [what, kind, most] of [
    ['lookups', LOOKUPS, kills],
    ['appraisals', APPRAISALS, Math.ceil(kills / 2)],
  ] as const) {
    for (const [store, times, settingsOf] of [
      ['SQLite', most, onSqlite],
      ...(postgres ? [['PostgreSQL', Math.ceil(most / 5), () => onPostgres(postgres)] as const] : []),
    ] as const) {
      const promise = `nothing acknowledged of ${what} is lost over ${times} kills under load on ${store}, and every record is its answer`
      test(promise, async () => loseNothing(kind, times, await settingsOf()), 240_000 + times * 10_000)
    }
  }
}

import { afterAll, expect, test } from 'bun:test'
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

/**
 * With an identifier and without, so that records of two kinds go into one commit. Each gets an outcome: a third with the
 * appraisal itself, the others in a second request.
 */
const APPRAISALS: DurableKind = {
  path: '/api/appraisals',
  bodyOf: (n) => ({
    variant_id: 'apple-iphone-13-128gb-midnight',
    condition: 'Good',
    reference: `R-${n}`,
    ...(n % 2 === 0 ? { identifier: identifierOf(n) } : {}),
    ...(n % 3 === 1 ? { purchase: { price: 20_000 + n, seller: { name: `Seller ${n}` } } } : {}),
  }),
  idOf: (record) => (record as { appraisal_id: string }).appraisal_id,
  change: {
    path: (id) => `/api/appraisals/${id}/outcome`,
    bodyOf: (n) =>
      n % 3 === 0
        ? { status: 'declined', declined_by: 'shop' }
        : { status: 'bought', price: 20_000 + n, seller: { name: `Seller ${n}` } },
    partOf: (changed) => (changed as { outcome: object | null }).outcome,
    original: (record) => ({ ...record, outcome: null }),
  },
  async prepare(request) {
    const { status } = await request('PATCH', '/api/manage/settings', { seller_record: 'name' })
    expect(status).toBe(200)
  },
  /** A purchase, its stock item and its seller are one commit; stock numbers have no duplicates. */
  async verify(request, changedIds) {
    const stock: { id: string; number: number }[] = []
    const sellers: { appraisal_id: string }[] = []
    for (const [path, rows] of [
      ['/api/stock', stock],
      ['/api/sellers', sellers],
    ] as const) {
      for (let after = ''; ; ) {
        const { data, meta } = await request(
          'GET',
          `${path}?limit=100${path === '/api/sellers' ? '&status=current' : ''}${after}`,
        )
        ;(rows as unknown[]).push(...(data as unknown[]))
        if ((data as unknown[]).length < 100) break
        after = `&after=${meta.next_after}`
      }
    }
    const stocked = new Set(stock.map(({ id }) => id))
    expect(new Set(sellers.map(({ appraisal_id: id }) => id))).toEqual(stocked)
    expect(new Set(stock.map(({ number }) => number)).size).toBe(stock.length)
    const lost: string[] = []
    for (const id of changedIds) {
      const { data } = await request('GET', `/api/appraisals/${id}`)
      const { outcome } = data as { outcome: { status: string } }
      if (outcome.status === 'bought' && !stocked.has(id)) lost.push(id)
    }
    expect(lost).toEqual([])
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

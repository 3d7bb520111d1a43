import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appraisalIdGenerator } from '../../src/appraisal/appraisal-id.ts'
import { appraisalStore } from '../../src/appraisal/appraisal-store.ts'
import type { StoredAppraisalWire } from '../../src/contract/appraisal.ts'
import { exampleAppraisal, exampleLookup } from '../../src/contract/examples.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { deleteRunsBefore } from '../../src/import/import-run-store.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { readLastRun, writeLastRun } from '../../src/records/retention-store.ts'
import { lookupIdGenerator } from '../../src/risk/lookup-id.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { onBothDatabases } from '../support/databases.ts'

const ORGANIZATIONS = ['org_one', 'org_two']
const random = (limit: number) => Math.floor(Math.random() * limit)
const lookupOf = (id: string) => ({ ...exampleLookup, lookup_id: id })

/** The first instant of the month that many months after this one. */
function month(from: number, months: number): number {
  const at = new Date(from)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)
}

onBothDatabases((store) => {
  let one: Database
  let other: Database
  // An id generator never goes back in time, so each lookup uses a new one.
  const nextLookup = (at: number) => lookupIdGenerator(random)(at)

  const now = Date.now()
  /** Lookups that were written and not deleted, by organization, oldest first. */
  const kept = new Map<string, { id: string; createdAt: number }[]>()

  beforeAll(async () => {
    const opening = await store.openEmpty()
    ;[one, other] = [await openDatabase(opening), await openDatabase(opening)]
  })
  afterAll(async () => {
    await one.close()
    await other.close()
  })

  async function write(createdAt: number, devices: readonly (string | null)[] = ['phone', 'phone', 'watch', null]) {
    for (const organizationId of ORGANIZATIONS) {
      const id = nextLookup(createdAt)
      const lookup = { id, organizationId, identifierKey: '35000000000000', createdAt, result: lookupOf(id) }
      const nextAppraisal = appraisalIdGenerator(random)
      const appraisals = devices.map((deviceId) => {
        const id = nextAppraisal(createdAt)
        const appraisal = { ...exampleAppraisal, appraisal_id: id } as StoredAppraisalWire
        return { id, reference: null, decision: 'buy' as const, deviceId, createdAt, appraisal }
      })
      for (const writes of [
        lookupStore(one).writes(organizationId, [lookup]),
        appraisalStore(one).writes(organizationId, appraisals),
      ])
        await recordStore(one).save([{ organizationId, writes, idempotency: null, now }])
      const mine = kept.get(organizationId) ?? []
      kept.set(
        organizationId,
        [...mine, { id, createdAt }].sort((a, b) => (a.id < b.id ? -1 : 1)),
      )
    }
  }

  test('before its first run retention compares the clock with the newest lookup', async () => {
    const db = await openDatabase(await store.openEmpty())
    try {
      expect(await readLastRun(db)).toBeNull()
      const createdAt = now - 3 * DAY_MS
      const id = nextLookup(createdAt)
      const lookup = { id, organizationId: 'org_one', identifierKey: '35000000000000', createdAt, result: lookupOf(id) }
      const writes = lookupStore(db).writes('org_one', [lookup])
      await recordStore(db).save([{ organizationId: 'org_one', writes, idempotency: null, now }])
      expect(await readLastRun(db)).toBe(createdAt)
      await writeLastRun(db, now)
      expect(await readLastRun(db)).toBe(now)
    } finally {
      await db.close()
    }
  })

  /** Every organization sees all lookups that were written and not deleted. */
  async function expectAllKept(): Promise<void> {
    for (const organizationId of ORGANIZATIONS) {
      const mine = kept.get(organizationId) ?? []
      const newestFirst = mine.map(({ id }) => lookupOf(id)).reverse()
      const page = { page: 1, limit: 100 }
      const { records, meta } = await lookupStore(one).history(organizationId, page)
      expect({ records, total: meta.total }).toEqual({ records: newestFirst, total: mine.length })
      const ofDevice = await lookupStore(one).history(organizationId, page, '35000000000000')
      expect(ofDevice.records).toEqual(newestFirst)
      const appraised = await appraisalStore(one).history(organizationId, page)
      expect({ total: appraised.meta.total, found: appraised.records.length }).toEqual({
        total: mine.length * 4,
        found: Math.min(100, mine.length * 4),
      })
      expect(await appraisalStore(one).devices(organizationId, 10)).toEqual(
        mine.length === 0
          ? []
          : [
              { deviceId: 'phone', total: mine.length * 2 },
              { deviceId: 'watch', total: mine.length },
            ],
      )
    }
  }

  async function deleteBefore(db: Database, before: number): Promise<number> {
    return (
      (await lookupStore(db).deleteLookupsBefore(before)) + (await appraisalStore(db).deleteAppraisalsBefore(before))
    )
  }

  function forget(before: number): void {
    for (const [whose, mine] of kept)
      kept.set(
        whose,
        mine.filter(({ createdAt }) => createdAt >= before),
      )
  }

  test('records around the end of a month, in any future month and long ago are found in order', async () => {
    for (const months of [1, 2, 3, 7, 40]) {
      await write(month(now, months) - 1)
      await write(month(now, months))
    }
    await write(now)
    await write(month(now, -30))
    await expectAllKept()
  })

  test('retention deletes whole months and the start of the next, and subtracts them from the totals', async () => {
    const before = month(now, 2) + DAY_MS
    const deletedCount = (kept.get('org_one') ?? []).filter(({ createdAt }) => createdAt < before).length
    expect(deletedCount).toBe(6)
    expect(await deleteBefore(one, before)).toBe(deletedCount * ORGANIZATIONS.length * 5)
    forget(before)
    await expectAllKept()
    expect(await deleteBefore(one, before)).toBe(0)
  })

  test('a record of a dropped month is still stored, and the next deletion removes it', async () => {
    await write(month(now, -2))
    await write(month(now, 1))
    await expectAllKept()
    expect(await deleteBefore(one, month(now, 2))).toBe(2 * ORGANIZATIONS.length * 5)
    forget(month(now, 2))
    await expectAllKept()
  })

  test('records of imports are deleted by age, except those with stored prices and the newest success of a format', async () => {
    const done = (counts: object = {}) => JSON.stringify({ rows: 1, ...counts })
    const runs: [id: string, format: string, result: string | null, startedAt?: number][] = [
      ['imp_1_list', 'lists', done()],
      ['imp_2_failed', 'lists', '{"failed":"no rows"}'],
      ['imp_3_newest_list', 'lists', done()],
      ['imp_4_prices', 'observations', done({ written: 3 })],
      ['imp_5_undone', 'observations', done({ written: 3, undoneAt: '2026-01-01T00:00:00.000Z' })],
      ['imp_6_learned', 'observations', done({ written: 0, tacs_learned: 1 })],
      ['imp_7_killed', 'observations', null],
      ['imp_8_unchanged', 'observations', done({ written: 0 })],
      ['imp_9_recent', 'rates', '{"failed":"no rows"}', now],
    ]
    await one.transaction((tx) =>
      one.insertMany(
        tx,
        'job',
        runs.map(([id, format, result, startedAt = now - 10 * DAY_MS]) => ({
          id,
          format,
          file: 'list.csv',
          kind: 'command' as const,
          subject: '',
          state:
            result === null
              ? ('running' as const)
              : result.includes('failed')
                ? ('failed' as const)
                : ('done' as const),
          attempts: 1,
          is_cancel_requested: 0,
          rows_read: 0,
          percent: null,
          note: null,
          created_at: startedAt,
          started_at: startedAt,
          result: result ?? '{}',
          finished_at: result === null ? null : startedAt,
          organization_id: null,
        })),
      ),
    )
    const deleted = await Array.fromAsync(deleteRunsBefore(one, now - DAY_MS))
    const ids = deleted.map(({ id }) => id)
    expect(ids.sort()).toEqual(['imp_1_list', 'imp_2_failed', 'imp_5_undone'])
    const left = await one.query.selectFrom('job').select('id').execute()
    expect(left.map(({ id }) => id).sort()).toEqual(runs.map(([id]) => id).filter((id) => !ids.includes(id)))
    expect(await Array.fromAsync(deleteRunsBefore(one, now - DAY_MS))).toEqual([])
  })

  test('two processes that delete concurrently subtract every record once', async () => {
    await write(month(now, 4))
    const before = month(now, 6)
    await Promise.all([deleteBefore(one, before), deleteBefore(other, before)])
    await deleteBefore(one, before)
    forget(before)
    await expectAllKept()
  })
})

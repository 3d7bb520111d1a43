import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { recordStore } from '../../src/records/record-store.ts'
import { lookupIdGenerator } from '../../src/risk/lookup-id.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { onBothDatabases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const ROWS = 9_000
const HOUR_MS = 3_600_000

onBothDatabases((store) => {
  let service: TestService
  let key = ''
  let organizationId = ''
  /** Newest first. */
  let ids: string[] = []

  async function add(count: number, from: number): Promise<void> {
    const nextId = lookupIdGenerator((limit) => Math.floor(Math.random() * limit))
    const records = Array.from({ length: count }, (_, at) => {
      const createdAt = from + at * 10
      const id = nextId(createdAt)
      return {
        id,
        organizationId,
        identifierKey: '49015420323751',
        createdAt,
        json: JSON.stringify({ lookup_id: id }),
      }
    })
    const writes = lookupStore(service.app.db).writes(organizationId, records)
    await recordStore(service.app.db).save([{ organizationId, writes, idempotency: null, now: Date.now() }])
    ids = [...ids, ...records.map(({ id }) => id)].sort().reverse()
  }

  beforeAll(async () => {
    service = await startService(await store.open())
    const made = await service.newOrganization('Long history')
    organizationId = made.organizationId
    key = made.keys.enterprise
    await add(ROWS, Date.now() - 5 * HOUR_MS)
  }, 60_000)
  afterAll(() => service.stop())

  async function page(number: number, limit: number): Promise<string[]> {
    const answer = await fetch(`${service.url}/api/imei?page=${number}&limit=${limit}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    const { data, meta } = (await answer.json()) as { data: { lookup_id: string }[]; meta: { total: number } }
    expect(meta.total).toBe(ids.length)
    return data.map(({ lookup_id: id }) => id)
  }

  const expected = (number: number, limit: number) => ids.slice((number - 1) * limit, number * limit)

  describe('a page deep in a long history', () => {
    const deep = async () => {
      for (const [number, limit] of [
        [1, 100],
        [21, 100],
        [22, 100],
        [45, 100],
        [90, 100],
        [91, 100],
        [1_285, 7],
        [1_286, 7],
      ] as const)
        expect(await page(number, limit)).toEqual(expected(number, limit))
    }

    test('holds what it would hold if all rows before it were counted', deep)

    test('also after more lookups came', async () => {
      await add(150, Date.now() - 10_000)
      await deep()
    })

    test('also after old ones were deleted', async () => {
      const before = Date.now() - 5 * HOUR_MS + 3_333 * 10
      const deleted = await lookupStore(service.app.db).deleteLookupsBefore(before)
      expect(deleted).toBeGreaterThan(3_000)
      ids = ids.slice(0, ids.length - deleted)
      await deep()
    })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { exampleLookup } from '../../src/contract/examples.ts'
import { historyMetaSchema } from '../../src/contract/paging.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { lookupIdGenerator } from '../../src/risk/lookup-id.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { expectConforms } from '../support/conformance.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const ROWS = 9_000
const HOUR_MS = 3_600_000

onDatabaseOfSuite((store) => {
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
        result: { ...exampleLookup, lookup_id: id },
      }
    })
    const writes = lookupStore(service.app.db).writes(organizationId, records)
    await recordStore(service.app.db).save([{ organizationId, writes, idempotency: null, now: Date.now() }])
    ids = [...ids, ...records.map(({ id }) => id)].sort().reverse()
  }

  beforeAll(async () => {
    service = await startService(await store.open())
    const organization = await service.newOrganization('Long history')
    organizationId = organization.organizationId
    key = organization.keys.enterprise
    await add(ROWS, Date.now() - 5 * HOUR_MS)
  })
  afterAll(() => service.stop())

  async function page(number: number, limit: number): Promise<string[]> {
    const response = await fetch(`${service.url}/api/imei?page=${number}&limit=${limit}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    const { data, meta } = (await response.json()) as { data: { lookup_id: string }[]; meta: { total: number } }
    expect(meta.total).toBe(ids.length)
    return data.map(({ lookup_id: id }) => id)
  }

  /** All ids, read with `after` from the first page on. */
  async function walk(limit: number, onPage: (page: number) => Promise<void> = async () => {}): Promise<string[]> {
    const found: string[] = []
    let after = ''
    for (let page = 1; ; page++) {
      const response = await fetch(`${service.url}/api/imei?limit=${limit}&after=${after}`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      const body = (await response.json()) as { data: { lookup_id: string }[]; meta: { next_after: string | null } }
      expect(historyMetaSchema.parse(body.meta)).toMatchObject({ page: 1, limit, total: ids.length })
      found.push(...body.data.map(({ lookup_id: id }) => id))
      if (body.meta.next_after === null) return found
      after = body.meta.next_after
      await onPage(page)
    }
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

    test('contains the rows at its offset', deep)

    test('also after more lookups are written', async () => {
      await add(150, Date.now() - 10_000)
      await deep()
    })

    test('also after old lookups are deleted', async () => {
      const before = Date.now() - 5 * HOUR_MS + 3_333 * 10
      const deleted = await lookupStore(service.app.db).deleteLookupsBefore(before)
      expect(deleted).toBeGreaterThan(3_000)
      ids = ids.slice(0, ids.length - deleted)
      await deep()
    })
  })

  test('the cursor visits every lookup once, also while new ones are written', async () => {
    const before = [...ids]
    const found = await walk(100, async (page) => {
      if (page === 20) await add(30, Date.now())
    })
    expect(found).toEqual(before)
    expect(await walk(77)).toEqual(ids)
  })

  test('a cursor that is not an id of a lookup is rejected', async () => {
    for (const after of ['x', 'apr_01ABC', 'lkp_%00', "lkp_'"]) {
      const path = `/api/imei?after=${after}`
      const response = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
      expectConforms('GET', path, response.status, response.headers, await response.json())
      expect(response.status).toBe(400)
    }
  })
})

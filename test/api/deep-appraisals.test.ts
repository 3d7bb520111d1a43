import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appraisalIdGenerator } from '../../src/appraisal/appraisal-id.ts'
import { type AppraisalFilter, appraisalStore, selectDevices } from '../../src/appraisal/appraisal-store.ts'
import type { AppraisalDecision, StoredAppraisalWire } from '../../src/contract/appraisal.ts'
import { exampleAppraisal } from '../../src/contract/examples.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const ROWS = 13_500
const BEGAN = Date.now() - 5 * 3_600_000
const DECISIONS: readonly AppraisalDecision[] = ['buy', 'reject', 'buy']

type CreatedAppraisal = { readonly id: string; readonly decision: AppraisalDecision; readonly createdAt: number }

onDatabaseOfSuite((store) => {
  let service: TestService
  let key = ''
  let organizationId = ''
  /** Newest first. */
  let created: CreatedAppraisal[] = []

  async function add(count: number, from: number): Promise<void> {
    const nextId = appraisalIdGenerator((limit) => Math.floor(Math.random() * limit))
    const records = Array.from({ length: count }, (_, at) => {
      const createdAt = from + at
      const id = nextId(createdAt)
      const decision = DECISIONS[at % DECISIONS.length] as AppraisalDecision
      return {
        id,
        reference: `box ${at % 2 === 0 ? 'even' : 'odd'} n${at % 100}`,
        decision,
        deviceId: null,
        createdAt,
        appraisal: { ...exampleAppraisal, appraisal_id: id } as StoredAppraisalWire,
      }
    })
    for (let at = 0; at < records.length; at += 1_000) {
      const writes = appraisalStore(service.app.db).writes(organizationId, records.slice(at, at + 1_000))
      await recordStore(service.app.db).save([{ organizationId, writes, idempotency: null, now: Date.now() }])
    }
    created = [...created, ...records].sort((left, right) => (left.id < right.id ? 1 : -1))
  }

  beforeAll(async () => {
    service = await startService(await store.open())
    const organization = await service.newOrganization('Many appraisals')
    organizationId = organization.organizationId
    key = organization.keys.enterprise
    await add(ROWS, BEGAN)
  })
  afterAll(() => service.stop())

  async function get(query: string) {
    const response = await fetch(`${service.url}/api/appraisals?${query}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    return { status: response.status, body: await response.json() }
  }

  async function page(query: string): Promise<{ ids: string[]; total: number }> {
    const { data, meta } = (await get(query)).body as { data: { appraisal_id: string }[]; meta: { total: number } }
    return { ids: data.map(({ appraisal_id: id }) => id), total: meta.total }
  }

  async function expectPages(query: string, all: readonly CreatedAppraisal[]): Promise<void> {
    const last = Math.ceil(all.length / 50)
    for (const number of [1, 41, 42, Math.floor(last / 2), Math.min(last - 1, 200), last + 1]) {
      expect(await page(`page=${number}&limit=50${query}`)).toEqual({
        ids: all.slice((number - 1) * 50, number * 50).map(({ id }) => id),
        total: all.length,
      })
    }
    const after = all.at(-31)?.id
    expect(await page(`after=${after}&limit=50${query}`)).toEqual({
      ids: all.slice(-30).map(({ id }) => id),
      total: all.length,
    })
  }

  const bought = () => created.filter(({ decision }) => decision === 'buy')

  test('a deep page of all appraisals contains the rows at its offset', async () => {
    await expectPages('', created)
  })

  test('a numbered page beyond 10,000 records is rejected and names the cursor', async () => {
    const { status, body } = await get('page=201&limit=50')
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'page' }] })
    expect(body.error.message).toBe(
      'page 201 with limit 50 goes beyond the first 10,000 records; use after with the meta.next_after of the previous page.',
    )
    expect((await get('page=200&limit=50')).body.meta).toMatchObject({ has_next: true, next_after: created[9_999]?.id })
  })

  test('a deep page of one decision contains the rows at its offset', async () => {
    await expectPages('&decision=buy', bought())
  })

  test('a search finds the records in which all words occur, also if each word is in thousands of them', async () => {
    const total = async (q: string) => (await get(`limit=1&q=${encodeURIComponent(q)}`)).body.meta.total as number
    expect(await total('box even')).toBe(ROWS / 2)
    expect(await total('odd even')).toBe(0)
    expect(await total('odd n1')).toBe((ROWS * 6) / 100)
    expect(await total('even n7 box')).toBe((ROWS * 5) / 100)
    expect(await total('even absent')).toBe(0)
    const odd = created.filter(({ createdAt }) => (createdAt - BEGAN) % 2 === 1)
    expect(await page('limit=50&page=3&q=odd%20box')).toEqual({
      ids: odd.slice(100, 150).map(({ id }) => id),
      total: ROWS / 2,
    })
  })

  test('deep pages stay correct after appraisals are added and deleted', async () => {
    await add(120, Date.now() - 10_000)
    await expectPages('', created)
    await expectPages('&decision=buy', bought())
    const before = BEGAN + 3_333
    const deleted = await appraisalStore(service.app.db).deleteAppraisalsBefore(before)
    expect(deleted).toBeGreaterThan(0)
    created = created.slice(0, created.length - deleted)
    await expectPages('', created)
    await expectPages('&decision=buy', bought())
  })

  test('a deep page of a time range contains the rows at its offset, with their total', async () => {
    const from = BEGAN + 4_000
    const to = from + 8_000
    const history = async (filter: AppraisalFilter, page: number) => {
      const pageQuery = { ...filter, from, to, page, limit: 50 }
      const { records: responses, meta } = await appraisalStore(service.app.db).history(organizationId, pageQuery)
      return { ids: responses.map((response) => response.appraisal_id), total: meta.total }
    }
    for (const decision of [undefined, 'buy'] as const) {
      const all = created.filter(
        (one) => one.createdAt >= from && one.createdAt < to && (decision === undefined || one.decision === decision),
      )
      expect(all.length).toBeGreaterThan(5_000)
      const last = Math.ceil(all.length / 50)
      for (const page of [1, 40, 42, 81, last, last + 1, last + 2]) {
        const offset = (page - 1) * 50
        expect(await history({ decision }, page)).toEqual({
          ids: all.slice(offset, offset + 50).map(({ id }) => id),
          total: all.length,
        })
      }
    }
  })

  test('the devices of a page of the audit trail are read by the primary key, not by a scan of the organization', async () => {
    const { db } = service.app
    if (db.admin.dialect !== 'sqlite') return
    const ids = created.slice(0, 100).map(({ id }) => id)
    const compiled = selectDevices(db, organizationId, ids).compile()
    const explained = { ...compiled, sql: `explain query plan ${compiled.sql}` }
    const { rows } = await db.query.executeQuery<{ detail: string }>(explained)
    expect(rows.map(({ detail }) => detail).join()).toContain('organization_id=? AND id=?')
  })
})

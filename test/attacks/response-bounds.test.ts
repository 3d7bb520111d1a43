import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpoints } from '../../src/contract/endpoints.ts'
import { fillPath } from '../../src/contract/path-template.ts'
import { MAX_RESPONSE_BYTES } from '../../src/http/response.ts'
import { deviceListStore } from '../../src/lists/device-list-store.ts'
import { MAX_ROW_BYTES } from '../../src/lists/row-bounds.ts'
import { member } from '../support/browser-session.ts'
import { onSqlite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

/** More than one response can hold. */
const ROWS = 400
const KEYS = 20_000
const CONFIRMATIONS = 20_000

onSqlite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  /** Ids of the filled records by path. */
  const params: Record<string, Record<string, string>> = {}
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
    const { organizationId, app } = service
    await app.auth.setOperatorOrganization(organizationId, OPERATOR, Date.now())
    const text = `iPhone 13 128GB, ${'scratched back cover, '.repeat(400)}`.slice(0, 4_000)
    const items = Array.from({ length: 2 }, (_, n) => ({ text, condition: 'Good', reference: `R-${n}` }))
    const batch = await service.ask('/api/appraisals/batch', { tier: 'enterprise', json: { items } })
    const ids: string[] = batch.body.data.flatMap(({ result }: { result?: { appraisal_id: string } }) =>
      result ? result.appraisal_id : [],
    )
    expect(ids.length).toBe(2)
    params['/api/appraisals/{id}'] = { id: ids[0] ?? '' }
    const list = await owner.post('/api/lists', { name: 'Wide', header: ['Model', 'Memo'] })
    const id: string = list.body.data.id
    params['/api/lists/{id}'] = { id }
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      line: at + 1,
      cells: ['iPhone 13', '"'.repeat(MAX_ROW_BYTES - 9)],
      change: null,
      questions: [],
      quantity: 1,
      askingPrice: null,
      error: null,
      reason: null,
      appraisalId: ids[at % ids.length] ?? null,
    }))
    await deviceListStore(app.db).saveRows(organizationId, id, rows, Date.now())
    await app.db.transaction(async (tx) => {
      const key = await tx.selectFrom('api_key').selectAll().limit(1).executeTakeFirstOrThrow()
      for (let from = 0; from < KEYS; from += 500) {
        const revoked = Array.from({ length: 500 }, (_, at) => ({
          ...key,
          id: `key_${from + at}`,
          hash: `hash ${from + at}`,
          revoked_at: 1,
          name: 'x'.repeat(100),
        }))
        await tx.insertInto('api_key').values(revoked).execute()
      }
      for (let from = 0; from < CONFIRMATIONS; from += 500) {
        const confirmed = Array.from({ length: 500 }, (_, at) => ({
          tac: String(10_000_000 + from + at),
          organization_id: organizationId,
          device_id: 'apple-iphone-13',
          unit: `unit ${from + at}`,
          confirmed_at: 1,
          import_id: null,
        }))
        await tx.insertInto('tac_confirmation').values(confirmed).execute()
      }
    })
  })
  afterAll(() => service.stop())

  for (const endpoint of endpoints) {
    const { method, path, mediaType, examples } = endpoint
    if (method !== 'GET' || mediaType !== 'application/json') continue
    test(`${path} is at most 4 MB, however much is stored`, async () => {
      const target = fillPath(path, params[path] ?? examples[0].params ?? {})
      const parameters = Object.keys((endpoint.query as unknown as { shape?: object }).shape ?? {})
      for (const limit of parameters.includes('limit') ? ['100', '500'] : ['']) {
        const query = new URLSearchParams({ ...examples[0].query, ...(limit ? { limit } : {}) })
        const { status, text } = await owner.get(`${target}?${query}`)
        expect([200, 400, 403, 404]).toContain(status)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESPONSE_BYTES)
      }
    })
  }

  test('a long list is read to its end although each answer has fewer rows than asked for', async () => {
    const path = fillPath('/api/lists/{id}', params['/api/lists/{id}'] ?? {})
    const lines: number[] = []
    for (let after = 0; ; ) {
      const { body } = await owner.get(`${path}?limit=500&after=${after}`)
      lines.push(...body.data.rows.map(({ line }: { line: number }) => line))
      if (body.data.next_after === null) break
      after = body.data.next_after
    }
    expect(lines).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1))
  })

  /** As many items as a request may have, each with the longest answer. */
  const LONG =
    'iPhone 13 128GB, cracked screen, cracked back, battery 70 %, swollen battery, no Face ID, carrier locked, camera lens cracked, '
  const batches: Record<string, () => object> = {
    'POST /api/appraisals/batch': () => ({
      items: Array.from({ length: 500 }, (_, at) => ({
        text: LONG.repeat(20).slice(0, 1_700),
        identifier: String(35_000_000_000_000 + at * 7_919),
        reference: 'r'.repeat(60),
      })),
    }),
    'PATCH /api/lists/{id}': () => ({
      rows: Array.from({ length: 500 }, (_, at) => ({
        line: 10_000 + at,
        cells: ['iPhone 13 128GB', LONG.repeat(12)],
      })),
    }),
    'POST /api/imei/batch': () => ({
      items: Array.from({ length: 1_000 }, (_, at) => ({ identifier: String(35_600_000_000_000 + at * 7_919) })),
    }),
    'POST /api/pricing/batch': () => ({
      variant_ids: Array.from({ length: 200 }, () => 'apple-iphone-13-128gb-midnight'),
    }),
    'POST /api/appraisals/outcomes/batch': () => ({
      items: Array.from({ length: 500 }, () => ({
        appraisal_id: params['/api/appraisals/{id}']?.id,
        status: 'x'.repeat(900),
      })),
    }),
    'POST /api/observations': () => ({
      observations: Array.from({ length: 1_000 }, () => ({ title: 'x'.repeat(150) })),
    }),
  }

  for (const endpoint of endpoints.filter(({ body }) => body?.cost)) {
    const { method, path } = endpoint
    test(`${method} ${path} is at most 4 MB with as many items as a request may have`, async () => {
      const json = batches[`${method} ${path}`]
      expect(json).toBeDefined()
      const target = fillPath(path, params[path] ?? {})
      const { status, text } = await owner.send(method, target, json?.())
      expect({ status, error: status === 200 ? '' : text.slice(0, 300) }).toEqual({ status: 200, error: '' })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESPONSE_BYTES)
    })
  }
})

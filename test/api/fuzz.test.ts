import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DEFECT_CODES } from '../../src/contract/defects.ts'
import { endpoints, examplePath } from '../../src/contract/endpoints.ts'
import { TIERS } from '../../src/contract/tiers.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { openConnection } from '../support/raw-http.ts'
import { startService, type TestService } from '../support/service.ts'
import { isShortRun } from '../support/suite.ts'

/** `FUZZ=100000` for the longest run; `SEED` repeats one. */
const REQUESTS = Number(process.env.FUZZ ?? (isShortRun ? 1_000 : 2_500))
const SEED = process.env.SEED ? Number(process.env.SEED) : undefined

const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  '99999999999999999999',
  '0x10',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '..%2f..%2f',
  '<script>',
  "' or 1=1 --",
  '"',
  '\\',
  '*',
  '(a+)+$',
  '.*',
  '٣٥٦',
  '１２３',
  'É',
  'ß',
  'a'.repeat(300),
  '%0d%0aX-Injected:%201',
  '490154203237518',
  '353918058825482',
  'apple-iphone-13',
  'iphone 13',
  'buyback',
  'resale',
  'both',
  'active',
  '256GB',
]
const NAMES = [
  'page',
  'limit',
  'search',
  'category',
  'make',
  'status',
  'device_id',
  'variant_id',
  'storage',
  'color',
  'pricing_type',
  'condition',
  'days',
  'identifier',
  'sku',
  'disabled',
  'page[]',
  '__proto__',
  'constructor',
  '',
  '%00',
  'a b',
]

const nasty = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }).map(encode) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(encode) },
)
const query = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), nasty), { maxLength: 6 })
  .map((pairs) => (pairs.length ? `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}` : ''))
const isManagement = ({ tag }: (typeof endpoints)[number]) => tag === 'Management'
const pathsOf = (chosen: typeof endpoints) => fc.constantFrom(...chosen.map(examplePath))
const path = fc.oneof(
  { weight: 4, arbitrary: pathsOf(endpoints.filter((endpoint) => !isManagement(endpoint))) },
  { weight: 2, arbitrary: pathsOf(endpoints.filter(isManagement)) },
  { weight: 1, arbitrary: nasty.map((text) => `/api/${text}`) },
)
const json = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        identifier: fc.oneof(
          fc.constantFrom(...NASTY),
          fc.string(),
          fc.integer(),
          fc.constant(null),
          fc.array(fc.string()),
        ),
        identifier_type: fc.oneof(fc.constantFrom('imei', 'serial', 'esn', 'meid', 'IMEI', '', 'x'), fc.jsonValue()),
        identifiers: fc.array(fc.record({ identifier: fc.string() }), { maxLength: 5 }),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body)),
  fc.constantFrom(
    '',
    '{',
    '[',
    'null',
    '"',
    '{"identifier":"1","identifier":"2"}',
    `${'['.repeat(60)}${']'.repeat(60)}`,
    '\u0000',
  ),
)
const anything = fc.oneof(fc.constantFrom(...NASTY), fc.string(), fc.integer(), fc.constant(null), fc.jsonValue())
const appraisal = fc.record(
  {
    variant_id: fc.oneof(fc.constantFrom('apple-iphone-13-128gb-midnight', 'samsung-galaxy-s21-128gb'), anything),
    device_id: fc.oneof(fc.constantFrom('apple-iphone-13', 'apple-iphone-14'), anything),
    text: fc.oneof(fc.constantFrom('iPhone 13 128GB', 'MLPF3'), anything),
    identifier: fc.oneof(fc.constantFrom('100000010000015', '100000010000023', '490154203237518'), anything),
    condition: fc.oneof(fc.constantFrom('Good', 'Poor', 'excellent'), anything),
    defects: fc.oneof(fc.array(fc.constantFrom(...DEFECT_CODES), { maxLength: 6 }), anything),
    attributes: fc.oneof(fc.dictionary(fc.constantFrom('storage', 'color', '__proto__x'), fc.string()), anything),
    policy: fc.oneof(
      fc.record(
        { target_margin_percent: fc.double(), min_profit: fc.integer(), offer_rounding: fc.nat() },
        { requiredKeys: [] },
      ),
      anything,
    ),
    reference: anything,
    currency: fc.oneof(fc.constantFrom('USD', 'EUR'), anything),
  },
  { requiredKeys: [] },
)
const appraisalJson = fc
  .oneof(appraisal, fc.record({ items: fc.oneof(fc.array(fc.oneof(appraisal, anything), { maxLength: 4 }), anything) }))
  .map((body) => JSON.stringify(body))
const header = fc.tuple(
  fc.constantFrom(
    'X-Request-Id',
    'If-None-Match',
    'Accept-Encoding',
    'Accept',
    'Idempotency-Key',
    'Content-Type',
    'Range',
    'Origin',
  ),
  fc.oneof(
    fc.constantFrom('*', '""', 'W/"a"', 'gzip;q=0', 'br, gzip', 'text/plain', 'application/json', 'bytes=0-1'),
    printable(),
  ),
)
const request = fc.record({
  path,
  query,
  method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE'),
  tier: fc.constantFrom('enterprise', 'enterprise', ...TIERS, undefined),
  headers: fc.array(header, { maxLength: 3 }),
  body: fc.oneof(json, appraisalJson),
})

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function printable() {
  return fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.,;=/"* '), maxLength: 40 }).map((text) => text.trim())
}

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  test(
    `${REQUESTS} generated requests: no 5xx, always the envelope and always within the contract`,
    async () => {
      const statuses = new Map<number, number>()
      await fc.assert(
        fc.asyncProperty(request, async ({ path, query, method, tier, headers, body }) => {
          const isBodied = method !== 'GET' && method !== 'HEAD'
          const response = await service.ask(path + query, {
            method,
            tier,
            headers: { ...(isBodied ? { 'Content-Type': 'application/json' } : {}), ...Object.fromEntries(headers) },
            ...(isBodied ? { body } : {}),
          })
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          expect(response.status).toBeLessThan(500)
          expect(response.headers.get('X-Request-Id')).toMatch(/^[\x21-\x7e]{1,128}$/)
          expect(response.headers.has('X-Injected')).toBe(false)
          if (method === 'HEAD' || response.status === 304) expect(response.text).toBe('')
          else expect(Object.keys(response.body)).toContain('success')
        }),
        { numRuns: REQUESTS, ...(SEED === undefined ? {} : { seed: SEED }) },
      )
      console.log(
        `answers by status: ${[...statuses]
          .sort()
          .map(([status, count]) => `${status}×${count}`)
          .join(' ')}`,
      )
      expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20)
    },
    240_000 + REQUESTS * 20,
  )

  test('bytes that are not HTTP close only that connection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
        const connection = openConnection(service.url, (socket) => socket.end(bytes))
        await connection.closed
      }),
      { numRuns: 150 },
    )
    expect((await service.ask('/api/devices?limit=1', { tier: 'public' })).status).toBe(200)
  })
})

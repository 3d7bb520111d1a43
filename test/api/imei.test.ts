import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SANDBOX_IDENTIFIERS } from '../../src/risk/sources/sandbox-identifiers.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const LISTED = '356938035643809'
const PENDING = '490154203237518'
const UNLISTED = '354178036859789'
const TAC = '01355400'

onDatabaseOfSuite((store) => {
  let service: TestService
  const lookup = (json: unknown, more: { key?: string; headers?: Record<string, string> } = {}) =>
    service.ask('/api/imei', { tier: 'enterprise', json, ...more })
  const assess = async (identifier: string, identifier_type?: string) =>
    (await lookup({ identifier, identifier_type })).body.data

  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  describe('before any list was imported', () => {
    test('no source responds, and unknown is not clean', async () => {
      const before = Date.now()
      const { status, body } = await lookup({ identifier: '35-417803-685978-9', identifier_type: 'IMEI' })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({
        identifier: '35-417803-685978-9',
        identifier_type: 'imei',
        blacklist_status: 'unknown',
        gsma_status: 'unknown',
        ctia_status: 'unknown',
        carrier_lock: 'unknown',
        carrier_name: null,
        reported_lost_stolen: false,
        activation_lock: false,
        source: 'none',
        freshness: 'real-time',
        cache_age_minutes: null,
        risk_score: 40,
        risk_level: 'medium',
        device_match: { matched_variant_id: null, matched_variant_name: null },
      })
      expect(body.data.lookup_id).toMatch(/^lkp_[0-9A-HJKMNP-TV-Z]{26}$/)
      expect(Date.parse(body.data.timestamp)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(body.data.timestamp)).toBeLessThanOrEqual(Date.now())
    })
  })

  describe('with lists', () => {
    beforeAll(async () => {
      const { db } = service.app
      const listed = { listed_at: 1_000, cleared_at: null, run_id: 'test', reported_on: null }
      await db.transaction(async (tx) => {
        await db.insertMany(tx, 'identifier_list', [
          { name: 'operator', kind: 'stolen', entries: 2, imported_at: Date.now(), area: 'DE', max_age_days: 7 },
          { name: 'barred-tacs', kind: 'barred_tac', entries: 1, imported_at: 1, area: null, max_age_days: null },
          { name: 'register', kind: 'registration', entries: 1, imported_at: 1, area: null, max_age_days: null },
        ])
        await db.insertMany(tx, 'listed_identifier', [
          {
            ...listed,
            list: 'operator',
            kind: 'stolen',
            key14: LISTED.slice(0, 14),
            status: 'blacklist',
            reported_on: '2026-02-03',
          },
          { ...listed, list: 'operator', kind: 'stolen', key14: PENDING.slice(0, 14), status: 'pending' },
          { ...listed, list: 'operator', kind: 'stolen', key14: '86000000000000', status: 'blacklist', cleared_at: 5 },
          { ...listed, list: 'operator', kind: 'stolen', key14: 'A10000009296F2', status: 'blacklist' },
          { ...listed, list: 'barred-tacs', kind: 'barred_tac', key14: '35209900', status: 'barred' },
          { ...listed, list: 'register', kind: 'registration', key14: UNLISTED.slice(0, 14), status: 'whitelist' },
        ])
        await db.insertMany(tx, 'device', [
          {
            id: 'test-phone-5',
            make: 'Test',
            category: 'Smartphone',
            name: 'Phone 5',
            released_on: '2012-09-21',
            release_precision: 'day',
            status: 'discontinued',
            document: '{"modelNumbers":[],"modelIdentifiers":[],"specifications":{}}',
            source: 'test',
            provenance: '{}',
            revision: 1,
          },
        ])
        const phone = { tac: TAC, device_id: 'test-phone-5', make: 'Test', model: 'Phone 5' }
        await db.insertMany(tx, 'tac', [{ ...phone, source: 'test-list', confidence: 80 }], {
          conflictColumns: ['tac', 'source', 'make', 'model'],
        })
        await db.announceChange(tx, 'lists')
        await db.announceChange(tx, 'catalogue')
      })
      const { keys } = await service.newOrganization('Looks whether the lists are served')
      await waitUntil(
        async () => {
          const { body } = await lookup({ identifier: LISTED }, { key: keys.enterprise })
          return body.data.blacklist_status === 'blacklisted'
        },
        { describe: 'the lists to be served' },
      )
    })

    test('a listed identifier is blacklisted, with the day of the report', async () => {
      expect(await assess(LISTED)).toMatchObject({
        blacklist_status: 'blacklisted',
        gsma_status: 'unknown',
        ctia_status: 'unknown',
        reported_lost_stolen: true,
        risk_score: 100,
        risk_level: 'critical',
        source: 'registry',
        risk_factors: expect.arrayContaining([
          {
            code: 'reported_lost_stolen',
            points: 90,
            message: 'Reported lost or stolen.',
            source: 'registry',
            observed_at: '2026-02-03T00:00:00.000Z',
          },
        ]),
      })
    })

    for (const spelling of ['35-693803-564380-9', ' 356938035643809', '35693803564380', '3569380356438001']) {
      test(`in any notation: ${spelling}`, async () => {
        expect(await assess(spelling)).toMatchObject({ identifier: spelling, blacklist_status: 'blacklisted' })
      })
    }

    test('a MEID is found in decimal and in hexadecimal', async () => {
      expect(await assess('270113177609606898')).toMatchObject({
        identifier_type: 'meid',
        blacklist_status: 'blacklisted',
      })
    })

    test('a pending report is pending', async () => {
      expect(await assess(PENDING)).toMatchObject({ blacklist_status: 'pending', reported_lost_stolen: false })
    })

    test('an unlisted identifier is clean for the stolen list and unknown for everything else', async () => {
      expect(await assess(UNLISTED)).toMatchObject({
        blacklist_status: 'clean',
        gsma_status: 'unknown',
        ctia_status: 'unknown',
        source: 'registry',
        risk_factors: expect.arrayContaining([expect.objectContaining({ code: 'registered', points: 0 })]),
      })
    })

    test('a cleared listing is ignored', async () => {
      expect(await assess('86000000000000')).toMatchObject({ blacklist_status: 'clean', reported_lost_stolen: false })
    })

    test('a barred TAC bars every device that carries it', async () => {
      const response = await assess('35-209900-176148-1')
      expect(response).toMatchObject({ blacklist_status: 'blacklisted', reported_lost_stolen: false })
      expect(response.risk_factors.map(({ code }: { code: string }) => code)).toContain('barred_tac')
    })

    test('a list of IMEIs does not clear a serial number', async () => {
      expect(await assess('C8QH6T96DPNG')).toMatchObject({ identifier_type: 'serial', blacklist_status: 'unknown' })
    })

    test('a wrong check digit is a finding that names the right one, and is never clean', async () => {
      const response = await assess('354178036859781')
      expect(response.blacklist_status).toBe('unknown')
      const factor = response.risk_factors.find(({ code }: { code: string }) => code === 'check_digit_mismatch')
      expect(factor).toMatchObject({ points: 15, source: 'identifier' })
      expect(factor.message).toStartWith('Check the number: its check digit is 1 and should be 9. Probably meant: ')
      expect(factor.message).toContain(UNLISTED)
    })

    for (const text of ['000000000000000', '001001123456781']) {
      test(`the impossible or test identifier ${text} is never clean`, async () => {
        const response = await assess(text)
        expect(response.blacklist_status).toBe('unknown')
        expect(response.risk_score).toBeGreaterThanOrEqual(50)
      })
    }

    test('a known TAC names its device and no variant', async () => {
      expect((await assess('013554006297015')).device_match).toEqual({
        confidence: expect.any(Number),
        matched_device_id: expect.any(String),
        matched_device_name: expect.any(String),
        matched_variant_id: null,
        matched_variant_name: null,
      })
    })
  })

  describe('the sandbox', () => {
    for (const { identifier, outcome, facts, unavailable } of SANDBOX_IDENTIFIERS) {
      if (outcome === 'slow') continue
      test(`${identifier} is ${outcome}`, async () => {
        const response = await assess(identifier)
        const test = outcome.startsWith('test range')
        expect(response.source).toBe(unavailable ? 'none' : 'sandbox')
        expect(response.blacklist_status).toBe(
          test && facts.blacklist === 'clean' ? 'unknown' : (facts.blacklist ?? 'unknown'),
        )
        expect(response.carrier_lock).toBe(facts.carrierLock ?? 'unknown')
        const codes = response.risk_factors.map(({ code }: { code: string }) => code)
        expect(codes.includes('source_unavailable')).toBe(unavailable)
        expect(response.activation_lock).toBe(outcome === 'activation lock')
        expect(response.reported_lost_stolen).toBe(outcome.includes('stolen') || outcome === 'lost')
      })
    }
    test('the slow identifier responds late', async () => {
      const slow = SANDBOX_IDENTIFIERS.find(({ outcome }) => outcome === 'slow')
      const order: string[] = []
      const second = Bun.sleep(1_000).then(() => order.push('a second has passed'))
      expect((await assess(slow?.identifier ?? '')).blacklist_status).toBe('clean')
      order.push('answered')
      await second
      expect(order).toEqual(['a second has passed', 'answered'])
    })
  })

  describe('rejected lookups', () => {
    for (const [why, body, says] of [
      ['an array', [], 'JSON object'],
      ['null', null, 'JSON object'],
      ['text', 'x', 'JSON object'],
      ['identifier_missing', {}, 'identifier is missing'],
      ['a number', { identifier: 356938035643809 }, 'leading zeros'],
      ['an object as identifier', { identifier: {} }, 'as text'],
      ['an empty identifier', { identifier: '' }, 'IMEI, MEID, ESN or serial'],
      ['a long identifier', { identifier: '1'.repeat(100) }, 'at most 64'],
      ['letters in an IMEI', { identifier: '35693803564380A', identifier_type: 'imei' }, '15 digits'],
      ['foreign digits', { identifier: '٣٥٦٩٣٨٠٣٥٦٤٣٨٠٩' }, 'digits 0–9'],
      ['an ICCID', { identifier: '8944110065123456789' }, 'ICCID'],
      ['an EID', { identifier: '89049032004008882600012345678901' }, 'EID'],
      ['an unknown type', { identifier: LISTED, identifier_type: 'barcode' }, 'imei, serial, esn, meid'],
      ['a type that is not text', { identifier: LISTED, identifier_type: 7 }, 'imei, serial, esn, meid'],
      ['a lone surrogate', { identifier: '35693803564380\ud800' }, 'IMEI'],
      ['NUL', { identifier: '35693803564380\u0000' }, 'IMEI'],
    ] as const) {
      test(`${why} is 400`, async () => {
        const { status, body: response } = await lookup(body)
        expect(status).toBe(400)
        expect(response.error.code).toBe('VALIDATION_ERROR')
        expect(response.error.message).toContain(says)
        expect(response.error.details[0].field).not.toBe('')
      })
    }

    test('a rejected lookup leaves no record', async () => {
      const { keys } = await service.newOrganization()
      await lookup({ identifier: 'x' }, { key: keys.enterprise })
      expect((await service.ask('/api/imei', { key: keys.enterprise })).body.meta.total).toBe(0)
    })

    test('further fields are ignored, and serial_number means serial', async () => {
      const { body } = await lookup({ identifier: 'DEADBEE0', identifier_type: 'Serial_Number', extra: [1] })
      expect(body.data).toMatchObject({ identifier_type: 'serial', identifier: 'DEADBEE0' })
    })
  })

  describe('history', () => {
    test('contains every response unchanged, newest first, in pages', async () => {
      const { keys } = await service.newOrganization()
      const responses: unknown[] = []
      for (let at = 0; at < 7; at++) {
        responses.unshift(
          (await lookup({ identifier: at % 2 ? LISTED : UNLISTED }, { key: keys.enterprise })).body.data,
        )
      }
      const ask = async (query: string) => (await service.ask(`/api/imei${query}`, { key: keys.enterprise })).body
      expect((await ask('')).data).toEqual(responses)
      expect((await ask('')).meta).toEqual({
        page: 1,
        limit: 50,
        total: 7,
        total_pages: 1,
        has_next: false,
        has_prev: false,
        next_after: null,
      })
      expect((await ask('?limit=3&page=2')).data).toEqual(responses.slice(3, 6))
      const { meta: second } = await ask('?limit=3&page=2')
      expect((await ask(`?limit=3&page=7&after=${second.next_after}`)).data).toEqual(responses.slice(6))
      expect((await ask('?limit=3&page=2')).meta).toMatchObject({ total_pages: 3, has_next: true, has_prev: true })
      expect(await ask('?page=99')).toMatchObject({ data: [], meta: { total: 7, has_next: false, has_prev: true } })
      expect((await ask('?limit=1000')).meta.limit).toBe(100)
      for (const odd of ['limit=0', 'limit=-1', 'limit=1.5', 'page=1e309', 'page=99999999999999999999', 'limit=x']) {
        expect((await ask(`?${odd}`)).meta).toMatchObject({ page: 1, limit: 50 })
      }
      expect((await ask('?identifier=35-693803-564380-9')).data).toEqual(responses.filter((_, at) => at % 2 === 1))
      expect((await ask('?identifier=35-693803-564380-9')).meta.total).toBe(3)
      expect((await ask('?identifier=nothing')).data).toEqual([])
      expect((await ask('?identifier=%00')).data).toEqual([])
    })

    test('is visible to its own organization only', async () => {
      const mine = await service.newOrganization()
      const theirs = await service.newOrganization()
      await lookup({ identifier: LISTED }, { key: mine.keys.enterprise })
      const seen = await service.ask(`/api/imei?organization_id=${mine.organizationId}`, {
        key: theirs.keys.enterprise,
      })
      expect(seen.body).toMatchObject({ data: [], meta: { total: 0 } })
    })
  })

  describe('an Idempotency-Key', () => {
    const keyed = (json: unknown, key: string, organization: string) =>
      lookup(json, { key: organization, headers: { 'Idempotency-Key': key } })

    test('replays the first response and stores one record', async () => {
      const { keys } = await service.newOrganization()
      const first = await keyed({ identifier: LISTED, identifier_type: 'imei' }, 'order-1', keys.enterprise)
      const again = await keyed({ identifier_type: 'imei', identifier: LISTED }, 'order-1', keys.enterprise)
      expect(first.headers.get('Idempotency-Replayed')).toBeNull()
      expect(again.headers.get('Idempotency-Replayed')).toBe('true')
      expect(again.body.data).toEqual(first.body.data)
      expect((await service.ask('/api/imei', { key: keys.enterprise })).body.meta.total).toBe(1)
    })

    test('used many times concurrently is one lookup', async () => {
      const { keys } = await service.newOrganization()
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => keyed({ identifier: LISTED }, 'order-2', keys.enterprise)),
      )
      expect(new Set(answers.map(({ body }) => body.data.lookup_id)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1)
      expect((await service.ask('/api/imei', { key: keys.enterprise })).body.meta.total).toBe(1)
    })

    test('with another body is 400, and another organization may use the same', async () => {
      const mine = await service.newOrganization()
      const theirs = await service.newOrganization()
      await keyed({ identifier: LISTED }, 'order-3', mine.keys.enterprise)
      const other = await keyed({ identifier: UNLISTED }, 'order-3', mine.keys.enterprise)
      expect(other.status).toBe(400)
      expect(other.body.error.details[0].field).toBe('Idempotency-Key')
      expect((await keyed({ identifier: UNLISTED }, 'order-3', theirs.keys.enterprise)).status).toBe(200)
    })

    test('of more than 255 characters is 400', async () => {
      expect((await keyed({ identifier: LISTED }, 'x'.repeat(256), service.keys.enterprise)).status).toBe(400)
      expect((await keyed({ identifier: LISTED }, 'x'.repeat(255), service.keys.enterprise)).status).toBe(200)
    })

    test('of a rejected lookup can be used again', async () => {
      expect((await keyed({ identifier: 'x' }, 'order-4', service.keys.enterprise)).status).toBe(400)
      expect((await keyed({ identifier: LISTED }, 'order-4', service.keys.enterprise)).status).toBe(200)
    })
  })

  describe('a batch', () => {
    const batch = (json: unknown, key = service.keys.enterprise, headers: Record<string, string> = {}) =>
      service.ask('/api/imei/batch', { key, json, headers })

    test('has one result or error per item, in order, and a repeated item is one lookup', async () => {
      const { keys } = await service.newOrganization()
      const items = [
        { identifier: LISTED },
        { identifier: '12345' },
        { identifier: UNLISTED, identifier_type: 'imei' },
        { identifier: LISTED },
        null,
      ]
      const { status, body } = await batch({ items }, keys.enterprise)
      expect(status).toBe(200)
      expect(body.data.map((item: { success: boolean }) => item.success)).toEqual([true, false, true, true, false])
      expect(body.data[0].result.blacklist_status).toBe('blacklisted')
      expect(body.data[1].error.details[0].field).toBe('items[1].identifier')
      expect(body.data[4].error.details[0].field).toBe('items[4]')
      expect(body.data[3].result).toEqual(body.data[0].result)
      const history = await service.ask('/api/imei', { key: keys.enterprise })
      expect(history.body.meta.total).toBe(2)
      expect(new Set(history.body.data.map((record: unknown) => JSON.stringify(record)))).toEqual(
        new Set([body.data[0].result, body.data[2].result].map((record: unknown) => JSON.stringify(record))),
      )
    })

    test('of a thousand items returns, records and counts each item', async () => {
      const { keys } = await service.newOrganization()
      const items = Array.from({ length: 1_000 }, (_, at) => ({ identifier: String(35_000_000_000_000 + at * 7_919) }))
      const { status, body, headers } = await batch({ items }, keys.enterprise)
      expect(status).toBe(200)
      expect(body.data).toHaveLength(1_000)
      expect(Number(headers.get('X-RateLimit-Limit')) - Number(headers.get('X-RateLimit-Remaining'))).toBeGreaterThan(
        900,
      )
      expect((await service.ask('/api/imei?limit=1', { key: keys.enterprise })).body.meta.total).toBe(1_000)
    })

    for (const [why, json] of [
      ['without items', {}],
      ['with no items', { items: [] }],
      ['with items that are not an array', { items: {} }],
      ['with too many items', { items: Array(1_001).fill({ identifier: LISTED }) }],
      ['that is an array', [{ identifier: LISTED }]],
    ] as const) {
      test(`${why} is 400`, async () => {
        const { status, body } = await batch(json)
        expect(status).toBe(400)
        expect(body.error.details[0].field).toBe('items')
      })
    }

    test('with an Idempotency-Key is replayed whole', async () => {
      const { keys } = await service.newOrganization()
      const send = () =>
        batch({ items: [{ identifier: LISTED }, { identifier: '1' }] }, keys.enterprise, { 'Idempotency-Key': 'b1' })
      const first = await send()
      const again = await send()
      expect(again.headers.get('Idempotency-Replayed')).toBe('true')
      expect(again.body.data).toEqual(first.body.data)
    })
  })

  test('no identifier is ever logged', async () => {
    await assess(LISTED)
    await lookup({ identifier: `${LISTED}X` })
    await service.ask(`/api/imei?identifier=${LISTED}`, { tier: 'enterprise' })
    expect(service.logged()).toContain('/api/imei')
    for (const secret of [LISTED, LISTED.slice(0, 14), LISTED.slice(8, 14)]) {
      expect(service.logged()).not.toContain(secret)
    }
  })
})

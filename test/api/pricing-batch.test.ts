import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const MIDNIGHT = 'apple-iphone-13-128gb-midnight'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const price = (json: unknown) => service.ask('/api/pricing/batch', { tier: 'paid', json })

  test('every variant has the price of a single request, in the order of the request', async () => {
    const { body: listed } = await service.ask('/api/variants?limit=40&make=Apple', { tier: 'paid' })
    const ids: string[] = listed.data.map(({ id }: { id: string }) => id)
    const { status, body } = await price({ variant_ids: [...ids, ids[0]] })
    expect(status).toBe(200)
    expect(body.data).toHaveLength(ids.length + 1)
    for (const [index, id] of [...ids, ids[0]].entries()) {
      const alone = await service.ask(`/api/pricing?variant_id=${id}`, { tier: 'paid' })
      expect(body.data[index]).toEqual({ index, success: true, result: alone.body.data })
    }
  })

  test('an item that cannot be priced fails alone', async () => {
    const { status, body } = await price({ variant_ids: ['apple-iphone-13-64gb-midnight', MIDNIGHT, 7] })
    expect(status).toBe(200)
    expect(body.data[0]).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
    expect(body.data[0].error.nearest_ids[0]).toBe(MIDNIGHT)
    expect(body.data[1]).toMatchObject({ success: true, result: { variant_id: MIDNIGHT } })
    expect(body.data[2]).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } })
    expect(body.data[2].error.details[0].field).toBe('variant_ids[2]')
  })

  test('pricing_type chooses the blocks', async () => {
    const { body } = await price({ variant_ids: [MIDNIGHT], pricing_type: 'buyback' })
    expect(Object.keys(body.data[0].result)).not.toContain('resale')
  })

  describe('an invalid body is 400 with the field', () => {
    for (const [why, json, field] of [
      ['no ids', {}, 'variant_ids'],
      ['an empty list', { variant_ids: [] }, 'variant_ids'],
      ['201 ids', { variant_ids: Array(201).fill(MIDNIGHT) }, 'variant_ids'],
      ['an id instead of a list', { variant_ids: MIDNIGHT }, 'variant_ids'],
      ['a bare list', [MIDNIGHT], 'variant_ids'],
      ['an unknown pricing_type', { variant_ids: [MIDNIGHT], pricing_type: 'rent' }, 'pricing_type'],
      ['an invalid currency', { variant_ids: [MIDNIGHT], currency: 'euro' }, 'currency'],
      ['a currency without a rate', { variant_ids: [MIDNIGHT], currency: 'XTS' }, 'currency'],
    ] as const) {
      test(why, async () => {
        const { status, body } = await price(json)
        expect(status).toBe(400)
        expect(body.error.details[0].field).toBe(field)
      })
    }
  })

  test('every id counts as one request, priced or not', async () => {
    const { headers } = await price({ variant_ids: [MIDNIGHT] })
    const before = Number(headers.get('X-RateLimit-Remaining'))
    const after = await price({ variant_ids: [MIDNIGHT, 'nothing', MIDNIGHT, MIDNIGHT, 5] })
    // The window slides meanwhile, so a few requests may be available again.
    expect(before - Number(after.headers.get('X-RateLimit-Remaining'))).toBeGreaterThanOrEqual(1)
    expect(Number(after.headers.get('X-RateLimit-Remaining'))).toBeLessThanOrEqual(1_000_000 - 5)
  })

  test('a batch with more ids than requests left is rejected as a whole', async () => {
    await using limited = await startService(await store.open(), { RATE_LIMIT_PAID: '10' })
    const batch = (size: number) =>
      limited.ask('/api/pricing/batch', { tier: 'paid', json: { variant_ids: Array(size).fill(MIDNIGHT) } })
    const { status, body } = await batch(11)
    expect(status).toBe(429)
    expect(body.data).toBeUndefined()
    expect((await batch(8)).status).toBe(200)
  })
})

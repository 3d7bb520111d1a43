import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const OTHER_PHONE = 'apple-iphone-14-128gb-blue'
const TODAY = dayOf(Date.now())

type Shop = Awaited<ReturnType<TestService['newShop']>>

const daysAgo = (days: number) => dayOf(Date.now() - days * DAY_MS)

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  beforeAll(async () => {
    opening = await store.openFull()
    service = await startService(opening, { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service.stop())

  const priceOf = async ({ buyer }: Shop, variant = PHONE): Promise<number> =>
    (await service.ask(`/api/pricing?variant_id=${variant}`, { key: buyer })).body.data.resale.current.Good
  const dataPoints = async ({ buyer }: Shop): Promise<number> =>
    (await service.ask(`/api/pricing?variant_id=${PHONE}`, { key: buyer })).body.data.data_points
  const appraise = async ({ buyer }: Shop): Promise<string> => {
    const json = { variant_id: PHONE, condition: 'Good' }
    return (await service.ask('/api/appraisals', { key: buyer, json })).body.data.appraisal_id
  }
  const record = ({ buyer }: Shop, id: string, json: object) =>
    service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, json })
  /** Buys for two thirds of the price and sells. */
  async function deal(shop: Shop, price: number, more: { confirm_amount?: boolean; date?: string } = {}) {
    const id = await appraise(shop)
    const common = Math.round(0.66 * 29_000)
    const { date } = more
    expect((await record(shop, id, { status: 'bought', price: common, date })).status).toBe(200)
    return record(shop, id, { status: 'sold', price: Math.round(price), ...more })
  }

  describe('a price', () => {
    test('in the wrong unit is rejected with the expected range and the unit', async () => {
      const shop = await service.newShop('Units')
      const before = await priceOf(shop)
      for (const factor of [100, 100, 100, 10, 0.1, 0.01]) {
        const { status, body } = await deal(shop, before * factor)
        expect([status, body.error?.code, body.error?.details[0].field]).toEqual([400, 'VALIDATION_ERROR', 'price'])
        expect(body.error.message).toMatch(/expected \$[\d,.]+ to \$[\d,.]+ for this device/)
        expect(body.error.message).toMatch(/minor units: \d+ is \$/)
        expect(body.error.message).toContain('"confirm_amount": true')
      }
      for (const factor of [100, 10, 0.01]) {
        const price = Math.round(before * factor)
        const bought = await record(shop, await appraise(shop), { status: 'bought', price })
        expect(bought.status).toBe(400)
      }
      expect(await priceOf(shop)).toBe(before)
      for (const factor of [0.5, 0.8, 1.2, 1.6]) expect((await deal(shop, before * factor)).status).toBe(200)
    })

    test('in the wrong unit rejects its item of a batch', async () => {
      const shop = await service.newShop('Batch')
      const ids = [await appraise(shop), await appraise(shop)]
      const items = ids.map((id, at) => ({ appraisal_id: id, status: 'bought', price: at === 0 ? 19_000 : 1_900_000 }))
      const json = { items }
      const { body } = await service.ask('/api/appraisals/outcomes/batch', { key: shop.buyer, json })
      expect(body.data.map((item: { success: boolean }) => item.success)).toEqual([true, false])
      expect(body.data[1].error.message).toContain('items[1].price was 1900000')
    })

    test('that is confirmed is stored and does not count until two others agree', async () => {
      const shop = await service.newShop('Confirmed')
      const before = { own: await priceOf(shop), other: await priceOf(shop, OTHER_PHONE) }
      for (const count of [1, 2]) {
        const { status, body } = await deal(shop, before.own * 100, { confirm_amount: true, date: daysAgo(count) })
        expect([count, status, body.data?.outcome.sold.price]).toEqual([count, 200, Math.round(before.own * 100)])
      }
      // The purchases count.
      await waitUntil(async () => (await dataPoints(shop)) === 2, { describe: 'two own prices' })
      expect(await priceOf(shop)).toBe(before.own)
      expect(await priceOf(shop, OTHER_PHONE)).toBe(before.other)
      // Two of one day would not confirm each other.
      await deal(shop, before.own * 100, { confirm_amount: true })
      await waitUntil(async () => (await priceOf(shop)) > before.own, { describe: 'the price that three deals state' })
      expect(await priceOf(shop, OTHER_PHONE)).toBe(before.other)
    })

    test('of junk among good ones moves the price of its device little and others not at all', async () => {
      for (const factor of [100, 10, 1.6, 0.6, 0.01]) {
        const shop = await service.newShop(`Junk ${factor}`)
        const before = { own: await priceOf(shop), other: await priceOf(shop, OTHER_PHONE) }
        for (let count = 0; count < 9; count++) await deal(shop, before.own)
        await deal(shop, before.own * factor, { confirm_amount: true })
        await waitUntil(async () => (await dataPoints(shop)) >= 19, { describe: `own prices with factor ${factor}` })
        const moved = Math.abs((await priceOf(shop)) / before.own - 1)
        expect({ factor, isSmall: moved <= 0.05, moved }).toEqual({ factor, isSmall: true, moved })
        expect(await priceOf(shop, OTHER_PHONE)).toBe(before.other)
      }
    })

    test('of one device that deviates stays with that device', async () => {
      for (const factor of [1.5, 100]) {
        const shop = await service.newShop(`Deviating ${factor}`)
        const before = { own: await priceOf(shop), other: await priceOf(shop, OTHER_PHONE) }
        for (let count = 0; count < 15; count++)
          await deal(shop, before.own * factor, { confirm_amount: true, date: daysAgo(count % 5) })
        await waitUntil(async () => (await priceOf(shop)) > before.own * 1.02, { describe: `own price x ${factor}` })
        expect(await priceOf(shop, OTHER_PHONE)).toBe(before.other)
      }
    })
  })

  test('a contributed price in the wrong unit is rejected unless it is confirmed', async () => {
    const shop = await service.newShop('Contributor')
    const fresh = { tier: 'public', name: 'till', expiresAt: null, rights: ['contribute'] } as const
    const { secret } = await service.app.auth.createKey(shop.organizationId, fresh, OPERATOR, Date.now())
    const before = await priceOf(shop)
    const send = async (factor: number, more: object = {}) => {
      const row = { listing_id: `d-${factor}`, variant_id: PHONE, condition: 'Good', observed_at: TODAY, ...more }
      const json = { observations: [{ ...row, amount: Math.round(before * factor) }] }
      return (await service.ask('/api/observations', { key: secret, json })).body.data.results[0]
    }
    for (const factor of [100, 10, 0.1, 0.01]) {
      const result = await send(factor)
      expect(result).toMatchObject({
        accepted: false,
        reason: 'amount_implausible',
        detail: expect.stringMatching(/^\$[\d,.]+; expected .*minor units/),
      })
    }
    expect(await send(1.1)).toMatchObject({ accepted: true })
    expect(await send(100, { confirm_amount: true })).toMatchObject({ accepted: true })
    await waitUntil(async () => (await dataPoints(shop)) > 0, { describe: 'the plausible price' })
    expect(await priceOf(shop)).toBeLessThan(before * 1.1)
  })

  test('of a file that no other price of the device is near changes neither its preview nor the price', async () => {
    const shop = await service.newShop('Preview')
    const before = await priceOf(shop)
    const importFactors = (factors: readonly number[], ...options: string[]) =>
      importText(
        opening,
        'observations',
        'prices.csv',
        [
          'listing_id,variant_id,condition,price,currency,date,side',
          ...factors.map((factor) => `p-${factor},${PHONE},Good,${(before * factor) / 100},USD,${TODAY},sold`),
        ].join('\n'),
        ['--organization', shop.organizationId, ...options],
      )
    const previewOf = async (factors: readonly number[]) =>
      (await importFactors(factors, '--dry-run')).counts.preview.effect.average_percent
    expect(await previewOf([2.2])).toBe(0)
    expect(await previewOf([1.2])).toBeGreaterThan(0)
    await importFactors([2.2])
    expect(await priceOf(shop)).toBe(before)
  })

  for (const [name, variant] of [
    ['a known', PHONE],
    ['an unknown', 'xiaomi-redmi-a3-pro'],
  ] as const)
    test(`a file's prices in the wrong unit of a device with ${name} launch price are rejected with the range and the unit`, async () => {
      const shop = await service.newShop(`File, ${name} price`)
      const worth = await priceOf(shop, variant)
      const importFactors = (factors: readonly number[]) =>
        importText(
          opening,
          'observations',
          'prices.csv',
          [
            'listing_id,variant_id,condition,price,currency,date,side',
            ...factors.map((factor) => `f-${factor},${variant},Good,${(worth * factor) / 100},USD,${TODAY},sold`),
          ].join('\n'),
          ['--organization', shop.organizationId],
        )
      const { counts, stderr } = await importFactors([1, 100, 10, 0.1, 0.01])
      expect(counts).toMatchObject({ rows: 5, written: 1, rejected_by: { amount_implausible: 4 } })
      expect(stderr).toMatch(/expected \$[\d,.]+ to \$[\d,.]+ for this device \(minor units: \d+ is \$/)
    })
})

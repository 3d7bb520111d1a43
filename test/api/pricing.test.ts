import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CONDITIONS } from '../../src/contract/condition-grades.ts'
import { createRateLookup, isStaleRate } from '../../src/currency/rate-lookup.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { IMPLAUSIBLE_AMOUNT, NO_RATE, RATE_TOO_NEW } from '../../src/import/prices/price-row.ts'
import { isoInstant } from '../../src/lib/time.ts'
import { PRIOR_FITTED_AT } from '../../src/pricing/model/method.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { startService, type TestResponse, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const VARIANT = 'apple-iphone-13-pro-128gb-gold'
const SISTER_COLOR = 'apple-iphone-13-pro-128gb-graphite'
const SISTER_STORAGE = 'apple-iphone-13-pro-256gb-gold'
const today = () => new Date().toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service.stop())
  const price = (variant: string, more = '') =>
    service.ask(`/api/pricing?variant_id=${variant}${more}`, { tier: 'paid' })

  /** The price of a variant once an import is visible in it. */
  function priceOnce(variant: string, isThere: (response: TestResponse) => boolean): Promise<TestResponse> {
    const look = async () => {
      const response = await price(variant)
      return isThere(response) ? response : undefined
    }
    return waitUntil(look, { describe: `the imported price of ${variant}` })
  }

  for (const [why, query, status, code] of [
    ['no variant_id', '', 400, 'VALIDATION_ERROR'],
    ['an empty variant_id', '?variant_id=', 400, 'VALIDATION_ERROR'],
    ['an unknown pricing_type', `?variant_id=${VARIANT}&pricing_type=rent`, 400, 'VALIDATION_ERROR'],
    ...['0', '3651', '-1', '1.5', 'abc', '1e3', '99999'].map(
      (days) =>
        [`history_days=${days}`, `?variant_id=${VARIANT}&history_days=${days}`, 400, 'VALIDATION_ERROR'] as const,
    ),
    ['an unknown variant', '?variant_id=no-such', 404, 'NOT_FOUND'],
    ['an unknown variant with a long history', '?variant_id=no-such&history_days=900', 404, 'NOT_FOUND'],
    ['a malformed variant', '?variant_id=%00%ff__proto__', 404, 'NOT_FOUND'],
  ] as const) {
    test(`${why} is ${status} ${code}`, async () => {
      const response = await service.ask(`/api/pricing${query}`, { tier: 'paid' })
      expect(response.status).toBe(status)
      expect(response.body.error.code).toBe(code)
    })
  }

  test('pricing_type chooses the blocks', async () => {
    const keys = async (type: string) => Object.keys((await price(VARIANT, `&pricing_type=${type}`)).body.data)
    expect(await keys('buyback')).toContain('buyback')
    expect(await keys('buyback')).not.toContain('resale')
    expect(await keys('resale')).toContain('resale')
    expect(await keys('resale')).not.toContain('buyback')
    expect(await keys('both')).toEqual(Object.keys((await price(VARIANT)).body.data))
  })

  test('condition and days are accepted and have no effect', async () => {
    const plain = (await price(VARIANT)).body.data
    for (const more of ['&condition=Poor', '&condition=%00', '&days=-1', '&days=abc', '&days=30&condition=Good']) {
      expect((await price(VARIANT, more)).body.data).toEqual(plain)
    }
  })

  test('history_days changes nothing for an unobserved variant', async () => {
    const plain = (await price(VARIANT)).body.data
    for (const days of [1, 182, 3650]) expect((await price(VARIANT, `&history_days=${days}`)).body.data).toEqual(plain)
  })

  test('a response has an ETag, and an unchanged one is 304', async () => {
    const first = await price(VARIANT)
    const again = await service.ask(`/api/pricing?variant_id=${VARIANT}`, {
      tier: 'paid',
      headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('an unobserved variant is marked as an estimate', async () => {
    const { data } = (await price('google-pixel-7-pro-128gb-obsidian')).body
    expect(data).toMatchObject({ data_points: 0, currency: 'USD' })
    expect(data.resale.source).toBe('estimate')
    expect(data.resale.historical).toEqual([])
    expect(data.resale.current.Excellent).toBeGreaterThan(5_000)
    expect(data.resale.current.Excellent).toBeLessThan(89_900)
    expect(data.market_confidence).toBeLessThanOrEqual(60)
  })

  test('a variant without its own price or date has null amounts and no confidence', async () => {
    const response = await importText(opening, 'catalogue', 'own.json', JSON.stringify(UNPRICED))
    expect(response.code).toBe(0)
    const { data } = (await priceOnce('nobody-mystery-phone', ({ status }) => status === 200)).body
    expect(data.resale.current).toEqual({ Excellent: null, Good: null, Fair: null, Poor: null })
    expect(data.market_confidence).toBe(0)
  })

  test('a variant without any price is estimated from its line, with low confidence', async () => {
    const response = await importText(opening, 'catalogue', 'line.json', JSON.stringify(LINE))
    expect(response.code).toBe(0)
    const { data } = (await priceOnce('lineage-note-3', ({ status }) => status === 200)).body
    const { data: priced } = (await price('lineage-note-2')).body
    const last_updated = isoInstant(PRIOR_FITTED_AT)
    expect(data.resale).toMatchObject({ source: 'estimate', historical: [], last_updated })
    expect(data.resale.current.Good).toBeGreaterThan(0.5 * priced.resale.current.Good)
    expect(data.resale.current.Good).toBeLessThan(40_000)
    expect(data.data_points).toBe(0)
    expect(data.market_confidence).toBeLessThanOrEqual(35)
    expect(data.market_confidence).toBeLessThan(priced.market_confidence)
  })

  describe('imported observations', () => {
    const head = 'source,side,variant_id,condition,amount,currency,date,listing_id'
    test('show as market prices of that variant', async () => {
      const rows = Array.from(
        { length: 12 },
        (_, i) =>
          `shop,sold,${VARIANT},${['mint', 'good', 'Grade B', 'fair'][i % 4]},${520 - (i % 4) * 40},USD,${daysAgo(i)},a${i}`,
      )
      const ran = await importText(opening, 'observations', 'prices.csv', [head, ...rows].join('\n'))
      expect(ran.stderr).not.toContain('line ')
      const { data } = (await priceOnce(VARIANT, ({ body }) => body.data.data_points > 0)).body
      expect(data.resale.source).toBe('market')
      expect(data.data_points).toBe(12)
      expect(data.resale.historical.length).toBeGreaterThan(0)
      expect(data.resale.last_updated.slice(0, 10)).toBe(today())
      expect(data.resale.current.Good).toBeGreaterThan(40_000)
      expect(data.resale.current.Good).toBeLessThan(54_000)
    })

    test('of past years are returned with history_days and change no price', async () => {
      const variant = 'apple-iphone-12-pro-128gb-gold'
      // A week ago, and once a quarter for three years, with a loss of a quarter per year.
      const ages = [7, ...Array.from({ length: 12 }, (_, at) => 90 * (at + 1))]
      const today = (await price(variant)).body.data.resale.current.Good / 100
      const dollars = (days: number) => Math.round(today * 1.025 ** (days / 30))
      const rows = ages.map((days) => `shop,sold,${variant},good,${dollars(days)},USD,${daysAgo(days)},past${days}`)
      await importText(opening, 'observations', 'years.csv', [head, ...rows].join('\n'))
      const usual = (await priceOnce(variant, ({ body }) => body.data.data_points > 0)).body.data
      const withoutHistory = ({ resale: { historical: _, ...resale }, ...data }: typeof usual) => ({ ...data, resale })
      // The fit at the end of the import may move the price between two requests, the history never.
      const points = (days: number) =>
        waitUntil(
          async () => {
            const { data } = (await price(variant, `&history_days=${days}`)).body
            const plain = (await price(variant)).body.data
            if (!Bun.deepEquals(withoutHistory(data), withoutHistory(plain))) return undefined
            return data.resale.historical.map(({ value }: { value: number }) => value / 100)
          },
          { describe: 'the same price with and without a history' },
        )
      expect(await points(1)).toEqual([])
      expect(await points(14)).toEqual([dollars(7)])
      expect(await points(182)).toEqual(usual.resale.historical.map(({ value }: { value: number }) => value / 100))
      expect(await points(400)).toEqual([360, 270, 180, 90, 7].map(dollars))
      expect(await points(3650)).toEqual(ages.toReversed().map(dollars))
      const { data } = (await price('apple-iphone-12-pro-128gb-graphite', '&history_days=3650')).body
      expect(data.resale.historical).toEqual([])
    })

    test('keep the order of the grades and buyback below resale', async () => {
      const { data } = (await price(VARIANT)).body
      for (const [at, condition] of CONDITIONS.entries()) {
        expect(data.buyback.current[condition]).toBeLessThanOrEqual(data.resale.current[condition])
        const better = CONDITIONS[at - 1]
        if (better) expect(data.resale.current[condition]).toBeLessThanOrEqual(data.resale.current[better])
      }
    })

    test('price the other colour the same, as an estimate without data points', async () => {
      const own = (await price(VARIANT)).body.data
      const { data } = (await price(SISTER_COLOR)).body
      expect(data.resale.current).toEqual(own.resale.current)
      expect(data).toMatchObject({ data_points: 0, resale: { source: 'estimate', historical: [] } })
      expect(data.market_confidence).toBeLessThanOrEqual(own.market_confidence)
    })

    test('carry over to another storage as an estimate', async () => {
      const own = (await price(VARIANT)).body.data
      const { data } = (await price(SISTER_STORAGE)).body
      expect(data).toMatchObject({ data_points: 0, resale: { source: 'estimate' } })
      expect(data.resale.current.Good).toBeGreaterThan(own.resale.current.Good * 0.9)
    })

    test('of a listing count once, with the newest price', async () => {
      // A separate device with amounts around its estimate: an outlier would be stored but ignored.
      const variant = 'apple-iphone-14-128gb-blue'
      const dollars = (await price(variant)).body.data.resale.current.Good / 100
      const file = (share: number, day: string) =>
        `${head}\nshop,ask,${variant},good,${Math.round(dollars * share)},USD,${day},same`
      await importText(opening, 'observations', 'a.csv', file(1.04, daysAgo(3)))
      await importText(opening, 'observations', 'b.csv', file(1, daysAgo(1)))
      await importText(opening, 'observations', 'c.csv', file(1.2, daysAgo(9)))
      const { data } = (
        await priceOnce(
          variant,
          ({ body }) => body.data.data_points === 1 && body.data.resale.last_updated.startsWith(daysAgo(1)),
        )
      ).body
      expect(data.data_points).toBe(1)
      expect(data.resale.last_updated.slice(0, 10)).toBe(daysAgo(1))
      expect(data.resale.historical).toMatchObject([{ value: Math.round(dollars) * 100, condition: 'Good' }])
    })

    test('imported again change nothing', async () => {
      const line = `${head}\nshop,sold,apple-iphone-12-64gb-black,good,300,USD,${daysAgo(2)},`
      const first = await importText(opening, 'observations', 'x.csv', line)
      const second = await importText(opening, 'observations', 'x.csv', line)
      expect(first.counts.written).toBe(1)
      expect(second.counts.written).toBe(0)
    })

    test('can be NDJSON and name make, model and storage', async () => {
      const object = {
        source: 'list',
        side: 'quote',
        make: 'Apple',
        model: 'iPhone 12',
        storage: '64GB',
        condition: 'A',
        amount: 250,
        currency: 'USD',
        date: daysAgo(1),
      }
      const ran = await importText(opening, 'observations', 'q.ndjson', `${JSON.stringify(object)}\n{"broken\n`)
      expect(ran.counts).toMatchObject({ rows: 2, observations: 1, rejected: 1 })
    })

    test('in a currency without any rate are rejected until rates are imported', async () => {
      const line = `${head}\nvn,sold,${VARIANT},good,105000,PKR,${daysAgo(1)},g1`
      const without = await importText(opening, 'observations', 'g.csv', line)
      expect(without.counts.rejected_by).toEqual({ [NO_RATE]: 1 })
      await importText(opening, 'rates', 'r.csv', `currency,day,usd\nPKR,${daysAgo(2)},0.0036\n`)
      expect((await importText(opening, 'observations', 'g.csv', line)).counts.written).toBe(1)
    })

    test('in euros, pounds, won, Taiwan or Singapore dollars need no imported rate', async () => {
      const prices = { EUR: 350, GBP: 300, KRW: 550_000, TWD: 12_000, SGD: 500 }
      const rows = Object.entries(prices).map(
        ([code, price]) => `s,sold,${VARIANT},good,${price},${code},2024-05-15,${code}`,
      )
      const ran = await importText(opening, 'observations', 'many.csv', [head, ...rows].join('\n'))
      expect(ran.counts).toMatchObject({ written: 5, rejected: 0, remarks: {} })
    })

    test('of a day long after the newest rate are converted, and the report warns', async () => {
      const day = daysAgo(1)
      const stale = createRateLookup([]).find('CHF', day)?.day ?? ''
      const rows = [`s,sold,${VARIANT},good,350,CHF,${day},late`, `s,sold,${VARIANT},good,350,CHF,2014-12-01,early`]
      const { counts } = await importText(opening, 'observations', 'late.csv', [head, ...rows].join('\n'))
      expect(counts).toMatchObject({ written: 1, rejected_by: { [RATE_TOO_NEW]: 1 } })
      const remark = `stale_rate:CHF ${stale}`
      expect(counts.remarks).toEqual(isStaleRate(stale, day) ? { [remark]: 1 } : {})
    })

    test('that are invalid are each rejected with a reason, and the rest is imported', async () => {
      const bad: [string, string][] = [
        [`s,sold,${VARIANT},good,-5,USD,${daysAgo(1)},`, 'amount_not_positive'],
        [`s,sold,${VARIANT},good,0,USD,${daysAgo(1)},`, 'amount_not_positive'],
        [`s,sold,${VARIANT},good,lots,USD,${daysAgo(1)},`, 'amount_not_a_number'],
        [`s,sold,${VARIANT},good,999999999,USD,${daysAgo(1)},`, 'amount_out_of_range'],
        [`s,sold,${VARIANT},good,52000,USD,${daysAgo(1)},`, IMPLAUSIBLE_AMOUNT],
        [`s,sold,${VARIANT},good,5200,USD,${daysAgo(1)},`, IMPLAUSIBLE_AMOUNT],
        [`s,sold,${VARIANT},good,1,USD,${daysAgo(1)},`, IMPLAUSIBLE_AMOUNT],
        [`s,sold,${VARIANT},good,500,USD,2999-01-01,`, 'date_in_future'],
        [`s,sold,${VARIANT},good,500,USD,yesterday,`, 'date_invalid'],
        [`s,sold,${VARIANT},good,500,XXX,${daysAgo(1)},`, NO_RATE],
        [`s,sold,${VARIANT},good,500,,${daysAgo(1)},`, 'currency_missing'],
        [`s,sold,no-such-variant,good,500,USD,${daysAgo(1)},`, 'unknown_variant'],
        [`s,sold,${VARIANT},shiny,500,USD,${daysAgo(1)},`, 'condition_unknown'],
        [`s,given,${VARIANT},good,500,USD,${daysAgo(1)},`, 'side_unknown'],
        [`,sold,${VARIANT},good,500,USD,${daysAgo(1)},`, 'source_missing'],
      ]
      const good = `s,sold,${VARIANT},good,480,USD,${daysAgo(1)},fine`
      const ran = await importText(
        opening,
        'observations',
        'bad.csv',
        [head, ...bad.map(([row]) => row), good].join('\n'),
      )
      const expected: Record<string, number> = {}
      for (const [, reason] of bad) expected[reason] = (expected[reason] ?? 0) + 1
      expect(ran.counts.rejected_by).toEqual(expected)
      expect(ran.counts.written).toBe(1)
    })
  })
})

/** Two models of a line with their launch prices, and a third without a known price. */
const LINE = {
  devices: [299, 329, undefined].map((dollars, at) => ({
    make: 'Lineage',
    name: `Note ${at + 1}`,
    category: 'Smartphone',
    status: 'active',
    released: `${2023 + at}-03-01`,
    variants: [{ attributes: [], ...(dollars === undefined ? {} : { list_cents: dollars * 100 }) }],
  })),
}

const UNPRICED = {
  devices: [
    {
      make: 'Nobody',
      name: 'Mystery Phone',
      category: 'Smartphone',
      status: 'active',
      variants: [{ attributes: [] }],
    },
  ],
}

onDatabaseOfSuite((store) => {
  test('with sample data on, an unobserved device has sample prices, marked as such, until real observations arrive', async () => {
    const opening = await store.open()
    await using service = await startService(opening, { SAMPLE_DATA: 'on' })
    const ask = async (variant: string) =>
      (await service.ask(`/api/pricing?variant_id=${variant}`, { tier: 'paid' })).body.data
    const before = await ask(VARIANT)
    expect(before.resale.source).toBe('sample')
    expect(before.buyback.source).toBe('sample')
    expect(before.data_points).toBe(0)
    expect(before.resale.historical.length).toBeGreaterThan(15)
    expect(before.resale.historical.length).toBeGreaterThan(10)
    await importText(
      opening,
      'observations',
      'one.csv',
      `source,side,variant_id,condition,amount,currency,date\nshop,sold,${VARIANT},Good,310,USD,${daysAgo(1)}\n`,
    )
    const observed = async () => {
      const data = await ask(VARIANT)
      return data.resale.source !== 'sample' && data
    }
    const after = await waitUntil(observed, { describe: 'the imported price' })
    expect(after.resale.source).toBe('market')
    expect(after.data_points).toBe(1)
    expect((await ask(SISTER_STORAGE)).resale.source).toBe('estimate')
  })
})

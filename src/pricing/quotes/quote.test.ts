import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { MarketGrade } from '../../catalog/grade.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import { fitMarket, priorMarket } from '../model/market-fit.ts'
import { PRICING_METHOD } from '../model/method.ts'
import type { DeviceInput, Observation, PriceSide } from '../model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { type Quote, quoteDevice } from './quote.ts'

const NOW = Date.parse('2026-06-01')
const resale = priorMarket('resale', PRIOR_COEFFICIENTS, NOW)
const markets: FittedMarkets = { resale, buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, NOW) }

const phone: DeviceInput = {
  deviceId: 'apple-phone',
  make: 'Apple',
  category: 'Smartphones',
  releasedAt: Date.parse('2023-09-22'),
  variants: [128, 256, 512].map((storageGb, at) => ({
    variantId: `apple-phone-${storageGb}gb`,
    storageGb,
    listCents: 79_900 + at * 10_000,
  })),
}
const SECOND = 'apple-phone-256gb'

let number = 0
const row = (over: Partial<Observation>): Observation => {
  number += 1
  return {
    source: 'market-a',
    side: 'sold',
    variantId: SECOND,
    grade: 'Good',
    label: 'good',
    market: 'us',
    lock: '',
    cents: 32_000,
    observedAt: NOW - 5 * DAY_MS,
    listingId: `${number}`,
    state: 'sold',
    listedAt: null,
    ...over,
  }
}

const anyRow = fc.record({
  variantId: fc.constantFrom(...phone.variants.map(({ variantId }) => variantId)),
  grade: fc.constantFrom<MarketGrade>('New', 'Excellent', 'Good', 'Fair', 'Poor'),
  side: fc.constantFrom<PriceSide>('ask', 'sold', 'quote'),
  source: fc.constantFrom('market-a', 'market-b'),
  lock: fc.constantFrom('', 'unlocked', 'sprint'),
  cents: fc.oneof(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 20_000, max: 50_000 })),
  observedAt: fc.integer({ min: NOW - 500 * DAY_MS, max: NOW + 3 * DAY_MS }),
})
const anyRows = fc.array(anyRow, { maxLength: 40 }).map((rows) => rows.map((over) => row(over)))
const honestRow = fc.record({
  variantId: fc.constantFrom(...phone.variants.map(({ variantId }) => variantId)),
  grade: fc.constantFrom<MarketGrade>('Excellent', 'Good', 'Fair'),
  cents: fc.integer({ min: 27_000, max: 38_000 }),
  observedAt: fc.integer({ min: NOW - 90 * DAY_MS, max: NOW }),
})
const honestRows = fc.array(honestRow, { maxLength: 60 }).map((rows) => rows.map((over) => row(over)))

const quotes = (rows: readonly Observation[]) => quoteDevice(markets, phone, rows, NOW)
const second = (rows: readonly Observation[]) => quotes(rows).find(({ variantId }) => variantId === SECOND) as Quote

test('a worse grade never costs more than a better one, and buyback never more than resale', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      for (const { resale, buyback } of quotes(rows)) {
        if (!resale.cents || !buyback.cents) throw new Error('a phone with a launch price has a price')
        let above = Number.POSITIVE_INFINITY
        let aboveBuyback = Number.POSITIVE_INFINITY
        for (const condition of CONDITIONS) {
          expect(resale.cents[condition]).toBeLessThanOrEqual(above)
          expect(buyback.cents[condition]).toBeLessThanOrEqual(aboveBuyback)
          expect(buyback.cents[condition]).toBeLessThanOrEqual(resale.cents[condition])
          above = resale.cents[condition]
          aboveBuyback = buyback.cents[condition]
        }
        expect(aboveBuyback).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('amounts are whole cents inside their range, scores whole percents, dates never in the future', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      for (const quote of quotes(rows)) {
        for (const side of [quote.resale, quote.buyback]) {
          for (const condition of CONDITIONS) {
            const amount = side.cents?.[condition] as number
            const range = side.interval?.[condition] as { low: number; high: number }
            expect(Number.isSafeInteger(amount)).toBe(true)
            expect(Number.isSafeInteger(range.low) && Number.isSafeInteger(range.high)).toBe(true)
            expect(range.low).toBeGreaterThanOrEqual(0)
            expect(range.low).toBeLessThanOrEqual(amount)
            expect(range.high).toBeGreaterThanOrEqual(amount)
          }
          expect(side.newestAt ?? 0).toBeLessThanOrEqual(NOW)
          const dates = side.history.map(({ date }) => date)
          expect([...dates].sort()).toEqual(dates)
          expect(dates.every((date) => date <= new Date(NOW).toISOString().slice(0, 10))).toBe(true)
          expect(side.history.every(({ cents }) => Number.isSafeInteger(cents))).toBe(true)
        }
        for (const score of [quote.marketConfidence, quote.resale.liquidityScore]) {
          expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
        }
        expect(Number.isInteger(quote.dataPoints) && quote.dataPoints >= 0).toBe(true)
        expect(quote.method).toBe(PRICING_METHOD)
      }
    }),
  )
})

test('the order of the observations never matters', () => {
  fc.assert(
    fc.property(anyRows, fc.infiniteStream(fc.nat()), (rows, random) => {
      const mixed = rows
        .map((observation) => ({ observation, key: random.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ observation }) => observation)
      expect(quotes(mixed)).toEqual(quotes(rows))
    }),
  )
})

test('one junk observation never moves a price out of its range', () => {
  fc.assert(
    fc.property(honestRows, fc.constantFrom(1, 320, 3_200, 100_000, 3_200_000), (rows, cents) => {
      const before = second(rows)
      const after = second([...rows, row({ cents })])
      for (const condition of CONDITIONS) {
        const range = before.resale.interval?.[condition] as { low: number; high: number }
        expect(after.resale.cents?.[condition] as number).toBeGreaterThanOrEqual(range.low)
        expect(after.resale.cents?.[condition] as number).toBeLessThanOrEqual(range.high)
      }
    }),
  )
})

test('a junk observation does not decide whether prices far from the expected one count', () => {
  const low = (over: Partial<Observation>) =>
    row({ variantId: 'apple-phone-512gb', grade: 'Excellent', cents: 27_000, ...over })
  const cases: Observation[][] = [
    [low({ cents: 27_936, observedAt: NOW - 20 * DAY_MS })],
    [low({ observedAt: NOW - 54 * DAY_MS }), low({ observedAt: NOW - 72 * DAY_MS })],
    [low({ observedAt: NOW - DAY_MS }), row({ variantId: 'apple-phone-128gb', grade: 'Fair', cents: 27_000 })],
    [
      row({ cents: 36_676, observedAt: NOW - 33 * DAY_MS }),
      row({ cents: 27_000, observedAt: NOW - 57 * DAY_MS }),
      row({ cents: 27_000, grade: 'Excellent' }),
      row({ cents: 35_526, variantId: 'apple-phone-128gb' }),
    ],
  ]
  for (const rows of cases) {
    const before = second(rows).resale.cents
    for (const cents of [1, 3_200, 3_200_000]) expect(second([...rows, row({ cents })]).resale.cents).toEqual(before)
  }
})

test('a junk observation does not reduce the weight of a single honest one', () => {
  const honest = row({
    variantId: 'apple-phone-512gb',
    grade: 'Excellent',
    cents: 27_000,
    observedAt: NOW - 30 * DAY_MS,
  })
  const before = second([honest]).resale.cents?.Good as number
  const after = second([honest, row({ cents: 1 })]).resale.cents?.Good as number
  expect(Math.abs(after / before - 1)).toBeLessThan(0.01)
})

test('a lone price that moves the estimate is one of its data points, however far off it is', () => {
  const without = second([]).resale.cents?.Good as number
  for (let cents = 15_000; cents <= 90_000; cents += 500) {
    const quote = second([row({ cents })])
    expect(quote.dataPoints).toBe(quote.resale.cents?.Good === without ? 0 : 1)
  }
})

test('an observation at the estimate never lowers the confidence', () => {
  fc.assert(
    fc.property(honestRows, (rows) => {
      const before = second(rows)
      const at = before.resale.cents?.Good as number
      expect(second([...rows, row({ cents: at, observedAt: NOW })]).marketConfidence).toBeGreaterThanOrEqual(
        before.marketConfidence,
      )
    }),
  )
})

test('without any observation there is an estimate from launch price and age', () => {
  const quote = second([])
  expect(quote.resale.source).toBe('estimate')
  expect(quote.buyback.source).toBe('estimate')
  expect(quote.dataPoints).toBe(0)
  expect(quote.resale.newestAt).toBeNull()
  expect(quote.resale.trend).toBe('unknown')
  expect(quote.marketConfidence).toBeLessThan(70)
  expect(quote.resale.cents?.Good as number).toBeGreaterThan(20_000)
  expect(quote.resale.cents?.Good as number).toBeLessThan(60_000)
})

test('with no basis at all there are no amounts, and the confidence is zero', () => {
  const unknown = { ...phone, releasedAt: null, variants: phone.variants.map((v) => ({ ...v, listCents: null })) }
  const [quote] = quoteDevice(markets, unknown, [], NOW)
  expect(quote?.resale.cents).toBeNull()
  expect(quote?.buyback.cents).toBeNull()
  expect(quote?.marketConfidence).toBe(0)
})

test('what a device costs new moves used prices only until there are any', () => {
  const used = Array.from({ length: 8 }, (_, at) => row({ cents: 32_000 + at * 100 }))
  const sealed = (cents: number) => Array.from({ length: 40 }, () => row({ grade: 'New', label: 'new', cents }))
  expect(second([...used, ...sealed(75_000)]).resale.cents).toEqual(second(used).resale.cents)
  expect(second(sealed(75_000)).resale.cents?.Good).toBeGreaterThan(second(sealed(45_000)).resale.cents?.Good ?? 0)
})

test('an unobserved variant is priced from its siblings and marked as an estimate', () => {
  const siblings = Array.from({ length: 20 }, (_, at) =>
    row({ variantId: 'apple-phone-128gb', cents: 30_000 + at * 100 }),
  )
  const quote = second(siblings)
  expect(quote.resale.source).toBe('estimate')
  expect(quote.dataPoints).toBe(0)
  expect(quote.resale.cents?.Good as number).toBeGreaterThan(31_000)
  expect(quote.resale.cents?.Good as number).toBeLessThan(38_000)
  expect(quote.marketConfidence).toBeGreaterThan(second([]).marketConfidence)
})

test('one observation moves the price part of the way, 500 all of it', () => {
  const start = second([]).resale.cents?.Good as number
  const target = Math.round(start * 1.2)
  const after = (count: number) =>
    second(Array.from({ length: count }, (_, at) => row({ cents: target + (at % 7) * 100 - 300 }))).resale.cents
      ?.Good as number
  expect(after(1)).toBeGreaterThan(start * 1.02)
  expect(after(1)).toBeLessThan(start * 1.17)
  expect(after(5)).toBeGreaterThan(after(1))
  expect(Math.abs(after(500) / target - 1)).toBeLessThan(0.01)
})

test('a single price far off is stored but has no effect', () => {
  const start = second([]).resale.cents?.Good as number
  const quote = second([row({ cents: Math.round(start / 100) })])
  expect(quote.dataPoints).toBe(0)
  expect(Math.abs((quote.resale.cents?.Good as number) / start - 1)).toBeLessThan(0.02)
})

test('quotes set the buyback price; without them it follows resale', () => {
  const sold = Array.from({ length: 40 }, () => row({ cents: 34_000 }))
  const derived = second(sold).buyback
  expect(derived.source).toBe('estimate')
  const quoted = second([...sold, ...Array.from({ length: 40 }, () => row({ side: 'quote', cents: 22_000 }))]).buyback
  expect(quoted.source).toBe('market')
  expect(Math.abs((quoted.cents?.Good as number) / 22_000 - 1)).toBeLessThan(0.04)
})

test('a device with dealer quotes only has a resale price above them', () => {
  const unknown = { ...phone, releasedAt: null, variants: phone.variants.map((v) => ({ ...v, listCents: null })) }
  const quoted = Array.from({ length: 20 }, () => row({ side: 'quote', cents: 22_000 }))
  const quote = quoteDevice(markets, unknown, quoted, NOW).find(({ variantId }) => variantId === SECOND) as Quote
  expect(quote.resale.cents?.Good as number).toBeGreaterThan(quote.buyback.cents?.Good as number)
  expect(quote.resale.source).toBe('estimate')
})

test('a market fits the discount of a lock, and asks are not treated as sales', () => {
  const rows = phone.variants.flatMap(({ variantId }) =>
    Array.from({ length: 60 }, (_, at) =>
      row({
        variantId,
        side: at % 2 ? 'ask' : 'sold',
        lock: at % 3 ? 'unlocked' : 'sprint',
        cents: at % 3 ? 32_000 : 25_600,
      }),
    ),
  )
  const market = fitMarket(
    { devices: [phone], observationsOf: () => rows, now: NOW, prior: PRIOR_COEFFICIENTS },
    'resale',
  )
  expect(market.effects.get('lock:sprint') as number).toBeLessThan(-0.15)
  expect(market.effects.get('ask') as number).toBeGreaterThan(0)
})

test('cheap locked phones lose a larger share than expensive ones, and so do worn ones, where dealers pay so', () => {
  const priced = (deviceId: string, listCents: number): DeviceInput => ({
    ...phone,
    deviceId,
    variants: [{ variantId: deviceId, storageGb: 128, listCents }],
  })
  const lines = Array.from({ length: 12 }, (_, at) => priced(`apple-line-${at}`, 30_000 + at * 12_000))
  const good = (device: DeviceInput) => 0.4 * (device.variants[0]?.listCents ?? 0)
  // A fixed amount for the lock and for wear is a larger share of a low price.
  const rowsOf = (device: DeviceInput) =>
    ([0, 1, 2] as const).flatMap((day) =>
      (
        [
          ['Good', '', 0],
          ['Good', 'locked', 3_500],
          ['Fair', '', 3_500],
        ] as const
      ).map(([grade, lock, less]) =>
        row({
          variantId: device.deviceId,
          side: 'quote',
          grade,
          label: grade,
          lock,
          cents: good(device) - less,
          observedAt: NOW - day * DAY_MS,
        }),
      ),
    )
  const input = { devices: lines, observationsOf: rowsOf, now: NOW, prior: PRIOR_COEFFICIENTS }
  const resale = fitMarket(input, 'resale')
  const fitted = { resale, buyback: fitMarket(input, 'buyback', { resale }) }
  const shares = (device: DeviceInput) => {
    const { cents, lockDiscount } = (quoteDevice(fitted, device, [], NOW)[0] as Quote).buyback
    return { fair: (cents?.Fair ?? 0) / (cents?.Good ?? 1), locked: Math.exp(lockDiscount.ln) }
  }
  const [cheap, expensive] = [shares(lines[1] as DeviceInput), shares(lines[11] as DeviceInput)]
  expect(cheap.locked).toBeLessThan(expensive.locked - 0.05)
  expect(cheap.fair).toBeLessThan(expensive.fair - 0.02)
})

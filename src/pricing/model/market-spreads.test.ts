import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY_MS } from '../../lib/time.ts'
import { type Quote, quoteDevice } from '../quotes/quote.ts'
import { estimateDevice, type FittedMarkets } from './estimate.ts'
import { fitMarket, priorMarket } from './market-fit.ts'
import type { DeviceInput, Observation } from './observation.ts'
import { GOOD } from './observation-columns.ts'
import { PRIOR_COEFFICIENTS } from './prior-coefficients.ts'
import { halfLifeDays } from './recency.ts'

const NOW = Date.parse('2026-06-01')
const prior = PRIOR_COEFFICIENTS

const phone = (number: number, listCents = 80_000): DeviceInput => ({
  deviceId: `phone-${number}`,
  make: 'Apple',
  category: 'Smartphones',
  releasedAt: Date.parse('2023-09-22'),
  variants: [128, 256].map((storageGb, at) => ({
    variantId: `phone-${number}-${storageGb}`,
    storageGb,
    listCents: listCents + at * 10_000,
  })),
})

/** Deterministic, approximately standard normal noise. */
function noise(seed: number): () => number {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  return () => (next() + next() + next() + next() - 2) * Math.sqrt(3)
}

const row = (device: DeviceInput, at: number, cents: number, more: Partial<Observation> = {}): Observation => ({
  source: 'shop',
  market: 'us',
  side: 'sold',
  variantId: device.variants[at % device.variants.length]?.variantId ?? '',
  grade: 'Good',
  label: 'good',
  lock: '',
  cents: Math.round(cents),
  observedAt: NOW - (at % 80) * DAY_MS,
  listingId: `${device.deviceId} ${at}`,
  state: 'sold',
  listedAt: null,
  ...more,
})

function learn(devices: readonly DeviceInput[], rowsOf: (device: DeviceInput) => Observation[]): FittedMarkets {
  const rows = new Map(devices.map((device) => [device, rowsOf(device)]))
  const input = { devices, observationsOf: (device: DeviceInput) => rows.get(device) ?? [], now: NOW, prior }
  const resale = fitMarket(input, 'resale')
  return { resale, buyback: fitMarket(input, 'buyback', { resale }) }
}

const devices = Array.from({ length: 8 }, (_, number) => phone(number))

test('in a volatile market, predictions are less certain and old prices lose weight sooner', () => {
  const market = (perDay: number) => {
    const random = noise(3)
    return learn(devices, (device) => {
      let walk = 0
      return Array.from({ length: 160 }, (_, at) => {
        if (at % 2 === 0) walk += perDay * random()
        return row(device, at, 35_000 * Math.exp(walk + 0.03 * random()), { observedAt: NOW - (at / 2) * DAY_MS })
      })
    }).resale
  }
  const calm = market(0)
  const restless = market(0.025)
  expect(restless.spreads.volatility).toBeGreaterThan(2 * calm.spreads.volatility)
  expect(halfLifeDays(restless.spreads)).toBeLessThan(halfLifeDays(calm.spreads))
})

test('cheap devices are predicted with a wider interval (in percent) than expensive ones', () => {
  const random = noise(4)
  const mixed = Array.from({ length: 12 }, (_, number) => phone(number, number % 2 ? 30_000 : 160_000))
  const markets = learn(mixed, (device) => {
    const cheap = (device.variants[0]?.listCents ?? 0) < 100_000
    return Array.from({ length: 40 }, (_, at) =>
      row(device, at, (cheap ? 10_000 : 80_000) * Math.exp((cheap ? 0.16 : 0.05) * random())),
    )
  })
  const reach = (listCents: number) =>
    estimateDevice(markets, phone(99, listCents), [], NOW).resale.upperHalfWidth[GOOD] as number
  expect(reach(30_000)).toBeGreaterThan(1.2 * reach(160_000))
})

test('a device with dealer quotes only has the confidence of those quotes', () => {
  const random = noise(5)
  const quoted = (spread: number) => (device: DeviceInput) =>
    Array.from({ length: 60 }, (_, at) => row(device, at, 20_000 * Math.exp(spread * random()), { side: 'quote' }))
  const confidenceOf = (spread: number) => {
    const markets = learn(devices, quoted(spread))
    const device = devices[0] as DeviceInput
    return (quoteDevice(markets, device, quoted(spread)(device), NOW)[0] as Quote).marketConfidence
  }
  expect(confidenceOf(0.02)).toBeGreaterThan(confidenceOf(0.2) + 20)
})

test('an observation at the estimate never lowers the confidence, also in a fitted market', () => {
  const random = noise(6)
  const markets = learn(devices, (device) =>
    Array.from({ length: 60 }, (_, at) =>
      row(device, at, 35_000 * Math.exp(0.1 * random()), at % 3 ? {} : { grade: 'Fair', label: 'fair' }),
    ),
  )
  const device = devices[0] as DeviceInput
  const honest = fc.array(
    fc.record({
      at: fc.nat(200),
      cents: fc.integer({ min: 27_000, max: 42_000 }),
      fair: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(honest, (drawn) => {
      const rows = drawn.map(({ at, cents, fair }, number) =>
        row(device, at, cents, { listingId: `${number}`, ...(fair ? { grade: 'Fair', label: 'fair' } : {}) }),
      )
      const [before] = quoteDevice(markets, device, rows, NOW)
      const more = row(device, 0, before?.resale.cents?.Good as number, { observedAt: NOW, listingId: 'more' })
      const [after] = quoteDevice(markets, device, [...rows, more], NOW)
      expect(after?.marketConfidence as number).toBeGreaterThanOrEqual(before?.marketConfidence as number)
    }),
  )
})

test('a market in another currency is fitted as well as one in dollars', () => {
  const market = (factor: number) => {
    const random = noise(7)
    const own = devices.map((device) => ({
      ...device,
      releasedAt: null,
      variants: device.variants.map((v) => ({ ...v, listCents: null })),
    }))
    return learn(own, (device) =>
      Array.from({ length: 40 }, (_, at) => row(device, at, 35_000 * factor * Math.exp(0.08 * random()))),
    ).resale
  }
  expect(market(150).spreads.listing).toBeCloseTo(market(1).spreads.listing, 2)
  expect(priorMarket('resale', prior, NOW).typicalPrice.slope).toBeGreaterThan(0)
})

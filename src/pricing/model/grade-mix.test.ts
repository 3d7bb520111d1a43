import { expect, test } from 'bun:test'
import { CONDITIONS, type Condition } from '../../contract/condition-grades.ts'
import { DAY_MS } from '../../lib/time.ts'
import { quoteWithLock } from '../quotes/carrier-lock.ts'
import { type Quote, quoteDevice } from '../quotes/quote.ts'
import { fitMarket } from './market-fit.ts'
import type { DeviceInput, Observation } from './observation.ts'
import { PRIOR_COEFFICIENTS } from './prior-coefficients.ts'

const NOW = Date.parse('2026-06-01')

const devices = Array.from(
  { length: 8 },
  (_, number): DeviceInput => ({
    deviceId: `phone-${number}`,
    make: 'Apple',
    category: 'Smartphones',
    releasedAt: Date.parse('2023-09-22'),
    variants: [{ variantId: `phone-${number}-128`, storageGb: 128, listCents: 80_000 }],
  }),
)

const row = (device: DeviceInput, at: number, cents: number, more: Partial<Observation> = {}): Observation => ({
  source: 'shop',
  market: 'us',
  side: 'sold',
  variantId: device.variants[0]?.variantId ?? '',
  grade: 'Good',
  label: 'good',
  lock: '',
  // Deterministic noise of a few percent.
  cents: Math.round(cents * (1 + 0.01 * (((at * 7) % 5) - 2))),
  observedAt: NOW - (at % 30) * DAY_MS,
  listingId: `${device.deviceId} ${at}`,
  state: 'sold',
  listedAt: null,
  ...more,
})

function firstQuote(rowsOf: (device: DeviceInput) => Observation[]): Quote {
  const rows = new Map(devices.map((device) => [device, rowsOf(device)]))
  const observationsOf = (device: DeviceInput) => rows.get(device) ?? []
  const input = { devices, observationsOf, now: NOW, prior: PRIOR_COEFFICIENTS }
  const resale = fitMarket(input, 'resale')
  const markets = { resale, buyback: fitMarket(input, 'buyback', { resale }) }
  const [device] = devices as [DeviceInput]
  return quoteDevice(markets, device, observationsOf(device), NOW)[0] as Quote
}

const some = (count: number, of: (at: number) => Observation) => Array.from({ length: count }, (_, at) => of(at))

/** Share of the rows within the interval of their grade. */
function coverage({ resale }: Quote, rows: readonly Observation[], grade: Condition = 'Good'): number {
  const range = resale.interval?.[grade] ?? { low: 0, high: 0 }
  return rows.filter(({ cents }) => range.low <= cents && cents <= range.high).length / rows.length
}

for (const [what, apart] of [
  ['two sources', { source: 'other shop' }],
  ['two words for a grade', { label: 'very good' }],
  ['asks and sales', { side: 'ask', state: 'active' }],
] as const) {
  test(`the interval covers the difference between ${what}, because the caller cannot know which one applies`, () => {
    const rowsOf = (device: DeviceInput) => [
      ...some(25, (at) => row(device, at, 30_000)),
      ...some(25, (at) => row(device, 50 + at, 24_000, apart)),
    ]
    const quote = firstQuote(rowsOf)
    expect(coverage(quote, rowsOf(devices[0] as DeviceInput))).toBeGreaterThanOrEqual(0.75)
    // Half of the deals are a ninth away or more, so the confidence must not promise five percent.
    expect(quote.marketConfidence).toBeLessThan(75)
  })
}

test('locked and unlocked phones have separate prices, and each interval covers the deals of its lock', () => {
  const unlockedRows = some(12, (at) => row(devices[0] as DeviceInput, at, 30_000))
  const lockedRows = some(12, (at) => row(devices[0] as DeviceInput, 50 + at, 24_000, { lock: 'sprint' }))
  const quote = firstQuote((device) => [
    ...some(12, (at) => row(device, at, 30_000)),
    ...some(12, (at) => row(device, 50 + at, 24_000, { lock: 'sprint' })),
  ])
  const locked = quoteWithLock(quote, 'locked')
  expect(quote.resale.cents?.Good as number).toBeWithin(29_000, 31_000)
  expect(locked.resale.cents?.Good as number).toBeWithin(23_000, 25_500)
  expect(coverage(quote, unlockedRows)).toBeGreaterThanOrEqual(0.75)
  expect(coverage(locked, lockedRows)).toBeGreaterThanOrEqual(0.75)
})

test('if only locked phones are sold, they set the locked price and an unlocked phone costs more', () => {
  const quote = firstQuote((device) => some(20, (at) => row(device, at, 30_000, { lock: 'verizon' })))
  expect(quoteWithLock(quote, 'locked').resale.cents?.Good as number).toBeWithin(29_000, 31_000)
  expect(quote.resale.cents?.Good as number).toBeGreaterThan(31_000)
})

test('averages of ungraded devices hardly move the price of a grade that another source observes', () => {
  const graded = (device: DeviceInput) => some(12, (at) => row(device, at, 30_000))
  const averages = (device: DeviceInput) =>
    some(60, (at) => row(device, 100 + at, 26_000, { source: 'averages', grade: 'Ungraded', label: 'used' }))
  const quote = firstQuote((device) => [...graded(device), ...averages(device)])
  expect(quote.resale.cents?.Good as number).toBeWithin(29_000, 31_000)
  expect(coverage(quote, graded(devices[0] as DeviceInput))).toBeGreaterThanOrEqual(0.75)
})

test('a source that stopped reporting months ago no longer affects the price', () => {
  const quote = firstQuote((device) => [
    ...some(12, (at) => row(device, at, 30_000)),
    ...some(60, (at) =>
      row(device, 100 + at, 24_000, { source: 'old list', observedAt: NOW - (150 + (at % 30)) * DAY_MS }),
    ),
  ])
  expect(quote.resale.cents?.Good as number).toBeWithin(29_000, 31_000)
})

test('ungraded rows above the graded ones shift all grades alike and do not change the steps between them', () => {
  const graded = (device: DeviceInput) =>
    CONDITIONS.flatMap((condition, index) =>
      some(6, (at) =>
        row(device, index * 10 + at, 32_000 - index * 3_000, { grade: condition, label: condition.toLowerCase() }),
      ),
    )
  const used = (device: DeviceInput) =>
    some(30, (at) => row(device, 100 + at, 36_000, { grade: 'Ungraded', label: 'used' }))
  const before = firstQuote(graded).resale.cents as Record<Condition, number>
  const after = firstQuote((device) => [...graded(device), ...used(device)]).resale.cents as Record<Condition, number>
  const ladder = (cents: Record<Condition, number>) => CONDITIONS.map((grade) => cents[grade] / cents.Good)
  ladder(after).forEach((step, at) => {
    expect(Math.abs(step - (ladder(before)[at] as number))).toBeLessThan(0.03)
  })
})

test('ungraded rows alone are enough to price a device', () => {
  const quote = firstQuote((device) => some(20, (at) => row(device, at, 30_000, { grade: 'Ungraded', label: 'used' })))
  expect(quote.resale.cents?.Good as number).toBeWithin(28_500, 31_500)
  expect(quote.resale.cents?.Excellent as number).toBeGreaterThan(31_000)
  expect(quote.resale.source).toBe('market')
  expect(quote.dataPoints).toBe(20)
})

test('if most deals are ungraded, the price for Good is close to their median', () => {
  const quote = firstQuote((device) => [
    ...some(6, (at) => row(device, at, 30_000)),
    ...some(30, (at) => row(device, 50 + at, 24_000, { grade: 'Ungraded', label: 'used' })),
  ])
  expect(quote.resale.cents?.Good as number).toBeWithin(23_500, 25_500)
})

test('if deals have a longer tail on one side, the interval extends farther to that side', () => {
  const trailing = (at: number) => Math.round(30_000 * (1 - 0.2 * (((at * 17) % 36) / 36) ** 3))
  const rowsOf = (device: DeviceInput) => some(36, (at) => row(device, at, trailing(at)))
  const quote = firstQuote(rowsOf)
  const { low, high } = quote.resale.interval?.Good ?? { low: 0, high: 0 }
  const cents = quote.resale.cents?.Good as number
  expect(cents - low).toBeGreaterThan(1.3 * (high - cents))
  expect(coverage(quote, rowsOf(devices[0] as DeviceInput))).toBeWithin(0.72, 0.9)
})

test('ungraded prices are part of Good, and lower no other grade that has prices of its own', () => {
  const excellent = (device: DeviceInput) =>
    some(12, (at) => row(device, at, 40_000, { grade: 'Excellent', label: 'excellent' }))
  const used = (device: DeviceInput) =>
    some(36, (at) => row(device, 100 + at, 28_000, { grade: 'Ungraded', label: 'used' }))
  const good = (device: DeviceInput) => some(6, (at) => row(device, 200 + at, 36_000))
  const quote = firstQuote((device) => [...excellent(device), ...used(device), ...good(device)])
  expect(quote.resale.cents?.Excellent as number).toBeWithin(38_500, 41_000)
  expect(quote.resale.cents?.Good as number).toBeWithin(27_000, 33_000)
})

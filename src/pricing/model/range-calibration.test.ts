import { expect, test } from 'bun:test'
import { DAY_MS } from '../../lib/time.ts'
import { quoteDevice } from '../quotes/quote.ts'
import type { FittedMarkets } from './estimate.ts'
import { fitMarket } from './market-fit.ts'
import type { DeviceInput, Observation } from './observation.ts'
import { PRIOR_COEFFICIENTS } from './prior-coefficients.ts'

const NOW = Date.parse('2026-06-01')

const phone = (number: number): DeviceInput => ({
  deviceId: `phone-${number}`,
  make: 'Apple',
  category: 'Smartphones',
  releasedAt: Date.parse('2023-09-22'),
  variants: [128, 256].map((storageGb, at) => ({
    variantId: `phone-${number}-${storageGb}`,
    storageGb,
    listCents: 80_000 + at * 10_000,
  })),
})

/** Deterministic uniform values between 0 and 1. */
function even(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Approximately standard normal. */
const normal = (random: () => number) => (random() + random() + random() + random() - 2) * Math.sqrt(3)

const sold = (device: DeviceInput, at: number, cents: number): Observation => ({
  source: 'shop',
  market: 'us',
  side: 'sold',
  variantId: device.variants[at % 2]?.variantId ?? '',
  grade: 'Good',
  label: 'good',
  lock: '',
  cents: Math.round(cents),
  observedAt: NOW - (at % 30) * DAY_MS,
  listingId: `${device.deviceId} ${at}`,
  state: 'sold',
  listedAt: null,
})

function learn(devices: readonly DeviceInput[], rows: ReadonlyMap<DeviceInput, Observation[]>): FittedMarkets {
  const observationsOf = (device: DeviceInput) => rows.get(device) ?? []
  const input = { devices, observationsOf, now: NOW, prior: PRIOR_COEFFICIENTS }
  const resale = fitMarket(input, 'resale')
  return { resale, buyback: fitMarket(input, 'buyback', { resale }) }
}

// Some of 40 devices are held out and predicted from the rest: the interval should cover 80 % of their deals.
test('the interval of an unobserved device covers 80 % of its deals, however much devices differ', () => {
  for (const apart of [0.03, 0.25]) {
    const random = even(7)
    const devices = Array.from({ length: 100 }, (_, number) => phone(number))
    const rows = new Map(
      devices.map((device) => {
        // Most devices are close to the curve and every fourth is far from it, which is not normally distributed.
        const level = 35_000 * Math.exp(apart * (random() < 0.25 ? 2 : 0.5) * normal(random))
        return [
          device,
          Array.from({ length: 12 }, (_, at) => sold(device, at, level * Math.exp(0.05 * normal(random)))),
        ]
      }),
    )
    const known = devices.slice(0, 60)
    const markets = learn(known, rows)
    let covered = 0
    let deals = 0
    for (const device of devices.slice(60)) {
      const range = quoteDevice(markets, device, [], NOW)[0]?.resale.interval?.Good
      for (const { cents, variantId } of rows.get(device) ?? []) {
        if (variantId !== device.variants[0]?.variantId) continue
        deals += 1
        if (range && range.low <= cents && cents <= range.high) covered += 1
      }
    }
    expect(covered / deals).toBeGreaterThan(0.68)
    expect(covered / deals).toBeLessThan(0.92)
  }
})

test('the range of a grade with many prices covers 80 % of further ones, also if prices have long tails', () => {
  const random = even(3)
  const devices = Array.from({ length: 20 }, (_, number) => phone(number))
  // Three in ten deals are a bundle or a bargain.
  const price = () => 35_000 * Math.exp((random() < 0.3 ? 0.3 : 0.04) * normal(random))
  const rows = new Map(
    devices.map((device) => [device, Array.from({ length: 80 }, (_, at) => sold(device, at, price()))]),
  )
  const markets = learn(devices, rows)
  const covered = devices.flatMap((device) => {
    const range = quoteDevice(markets, device, rows.get(device) ?? [], NOW)[0]?.resale.interval?.Good
    return Array.from({ length: 100 }, price).map((cents) => range && range.low <= cents && cents <= range.high)
  })
  const share = covered.filter(Boolean).length / covered.length
  expect(share).toBeGreaterThan(0.76)
  expect(share).toBeLessThan(0.84)
})

test('the prices of a quiet source do not narrow the ranges of devices that rest on another one', () => {
  const random = even(11)
  const price = (spread: number) => 35_000 * Math.exp(spread * normal(random))
  const noisy = Array.from({ length: 12 }, (_, number) => phone(number))
  const quiet = Array.from({ length: 30 }, (_, number) => phone(100 + number))
  const rows = new Map([
    ...noisy.map((device) => [device, Array.from({ length: 24 }, (_, at) => sold(device, at, price(0.15)))] as const),
    ...quiet.map((device) => {
      const averages = Array.from({ length: 60 }, (_, at) => ({ ...sold(device, at, price(0.02)), source: 'averages' }))
      return [device, averages] as const
    }),
  ])
  const markets = learn([...noisy, ...quiet], rows)
  const coverOf = (devices: readonly DeviceInput[], spread: number) => {
    const covered = devices.flatMap((device) => {
      const range = quoteDevice(markets, device, rows.get(device) ?? [], NOW)[0]?.resale.interval?.Good
      return Array.from({ length: 60 }, () => price(spread)).map(
        (cents) => range && range.low <= cents && cents <= range.high,
      )
    })
    return covered.filter(Boolean).length / covered.length
  }
  expect(coverOf(noisy, 0.15)).toBeGreaterThan(0.75)
  expect(coverOf(noisy, 0.15)).toBeLessThan(0.87)
  expect(coverOf(quiet, 0.02)).toBeGreaterThan(0.75)
})

test('where only dealers quote, an unknown phone is as uncertain as quotes of hidden phones were', () => {
  const quoted = (apart: number) => {
    const random = even(11)
    const devices = Array.from({ length: 30 }, (_, number) => phone(number))
    const level = new Map(devices.map((device) => [device, 30_000 * Math.exp(apart * normal(random))]))
    const rows = new Map(
      devices.slice(1).map((device) => {
        const cents = level.get(device) as number
        return [device, Array.from({ length: 6 }, (_, at) => ({ ...sold(device, at, cents), side: 'quote' as const }))]
      }),
    )
    const [unknown] = devices as [DeviceInput]
    const [quote] = quoteDevice(learn(devices, rows), unknown, [], NOW)
    const { low = 0, high = 0 } = quote?.buyback.interval?.Good ?? {}
    return { width: Math.log(high / low), confidence: quote?.marketConfidence ?? 0 }
  }
  const [similar, different] = [quoted(0.03), quoted(0.3)]
  expect(similar.width).toBeLessThan(0.3)
  expect(similar.confidence).toBeGreaterThan(70)
  expect(different.width).toBeGreaterThan(0.6)
  expect(different.confidence).toBeLessThan(65)
})

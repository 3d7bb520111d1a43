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

const widthOf = (markets: FittedMarkets, device: DeviceInput, rows: readonly Observation[]) => {
  const range = quoteDevice(markets, device, rows, NOW)[0]?.resale.interval?.Good
  return Math.log((range?.high ?? Number.NaN) / (range?.low ?? Number.NaN))
}

test('a device whose deals have longer tails than its market has a wider interval', () => {
  const random = even(1)
  const devices = Array.from({ length: 12 }, (_, number) => phone(number))
  const odd = devices[0] as DeviceInput
  const rows = new Map(
    devices.map((device) => [
      device,
      Array.from({ length: 150 }, (_, at) => {
        // One in three of its deals is a bundle or a bargain; the others vary as usual.
        const trailing = device === odd && at % 3 === 0
        return sold(device, at, 35_000 * Math.exp((trailing ? 0.25 : 0.04) * normal(random)))
      }),
    ]),
  )
  const markets = learn(devices, rows)
  const calm = devices.slice(1).map((device) => widthOf(markets, device, rows.get(device) ?? []))
  expect(widthOf(markets, odd, rows.get(odd) ?? [])).toBeGreaterThan(1.3 * Math.max(...calm))
})

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

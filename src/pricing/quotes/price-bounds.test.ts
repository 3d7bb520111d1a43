import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bundledDevices } from '../../catalog/bundled-catalogue-service.ts'
import type { Device } from '../../catalog/device.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import { toDeviceInput } from '../configuration.ts'
import { priorMarkets } from '../markets/fitted-markets.ts'
import { marketsOf } from '../model/country-markets.ts'
import type { Observation } from '../model/observation.ts'
import { quoteWithLock } from './carrier-lock.ts'
import { configurationQuotes, deviceQuotes, type VariantObservation } from './device-quotes.ts'
import { ownDistances } from './own-distances.ts'
import { fitOwnLevels } from './own-levels.ts'
import { newPricesOf, type UnitsPerUsd } from './price-bounds.ts'
import { type Quote, quoteDevice } from './quote.ts'

const NOW = Date.parse('2026-11-01')
const SEED = Number(process.env.SEED ?? 1)
const DEVICES = bundledDevices()
const MARKETS = ['us', 'de', 'in'] as const
const RATES: Readonly<Record<string, number>> = { EUR: 0.86, INR: 88, USD: 1 }
const unitsPerUsd: UnitsPerUsd = (currency) => RATES[currency] ?? null

/** Own prices of a shop that pays and asks anything, whatever the launch price. */
const shop = fc.record({
  market: fc.constantFrom(...MARKETS),
  factor: fc.double({ min: 0.2, max: 6, noNaN: true }),
  scatter: fc.double({ min: 0, max: 1, noNaN: true }),
  side: fc.constantFrom('ask', 'sold', 'quote', 'mixed'),
  grade: fc.constantFrom('Excellent', 'Good', 'Fair', 'Poor', 'mixed'),
  priced: fc.double({ min: 0.05, max: 1, noNaN: true }),
  seed: fc.nat(),
})

type Shop = typeof shop extends fc.Arbitrary<infer T> ? T : never

/** A small generator, so that a counterexample shrinks to a shop and not to thousands of prices. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function ownRows(
  common: readonly Quote[],
  { market, factor, scatter, side, grade, priced }: Shop,
  random: () => number,
) {
  if (random() > priced) return []
  return common.flatMap((quote): VariantObservation[] => {
    const condition =
      grade === 'mixed' ? CONDITIONS[Math.floor(random() * CONDITIONS.length)] : CONDITIONS.find((one) => one === grade)
    const sides = ['ask', 'sold', 'quote'] as const
    const priceSide = side === 'mixed' ? sides[Math.floor(random() * sides.length)] : sides.find((one) => one === side)
    const cents = condition && quote.resale.cents?.[condition]
    if (!cents || !priceSide || !condition) return []
    const row: Observation = {
      ...{ source: 'org', side: priceSide, market, variantId: quote.variantId, grade: condition, label: '', lock: '' },
      ...{ cents: Math.max(1, Math.round(cents * factor * Math.exp(scatter * (random() - 0.5)))), observedAt: NOW },
      ...{ listingId: `${random()}`, state: 'sold', listedAt: null },
    }
    return [
      { ...row, exactVariantId: null },
      { ...row, listingId: `${random()}`, exactVariantId: null },
    ]
  })
}

/** What is wrong with a served quote, if anything. */
function violations(quote: Quote, newCents: number | undefined): string[] {
  const found: string[] = []
  for (const [name, { cents, interval }] of Object.entries({ resale: quote.resale, buyback: quote.buyback })) {
    if (!cents || !interval) continue
    CONDITIONS.forEach((condition, at) => {
      const better = CONDITIONS[at - 1]
      if (better && cents[condition] > cents[better]) found.push(`${name}: ${condition} above ${better}`)
      if (newCents !== undefined && cents[condition] > newCents) found.push(`${name}: ${condition} above new`)
      const { low, high } = interval[condition]
      if (low > cents[condition] || high < cents[condition]) found.push(`${name}: ${condition} outside its range`)
      if (name === 'buyback' && cents[condition] > (quote.resale.cents?.[condition] ?? Number.POSITIVE_INFINITY))
        found.push(`buyback above resale in ${condition}`)
    })
  }
  return found
}

test('no own price of a shop serves a used device above a new one, a worse grade above a better one or buyback above resale', () => {
  fc.assert(
    fc.property(shop, (one) => {
      const random = generator(one.seed)
      const markets = marketsOf({ world: priorMarkets(NOW), byCountry: new Map() }, one.market)
      const offset = Math.floor(random() * 40)
      // Every device is in one of forty parts of the catalogue.
      const devices = DEVICES.filter((_, at) => at % 40 === offset).map((device: Device) => {
        const facts = toDeviceInput(device)
        const common = quoteDevice(markets, facts, [], NOW)
        return { device, facts, common, rows: ownRows(common, one, random) }
      })
      const levelsOf = (side: 'resale' | 'buyback') =>
        fitOwnLevels(
          devices.map(({ facts, common, rows }) => ({
            subject: facts,
            distances: ownDistances(common, rows, side, NOW),
          })),
        )
      const levels = { resale: levelsOf('resale'), buyback: levelsOf('buyback') }
      for (const { device, facts, rows } of devices) {
        const newPrices = newPricesOf(device, one.market, unitsPerUsd)
        const served = deviceQuotes(device, facts, markets, { sample: [] }, NOW, {
          ownPrices: { rows, levels },
          unitsPerUsd,
        })
        for (const quote of configurationQuotes(served)) {
          const newCents = newPrices.get(quote.variantId)
          for (const lock of ['unlocked', 'locked'] as const) {
            const found = violations(quoteWithLock(quote, lock), newCents)
            if (found.length > 0) throw new Error(`${device.id} ${quote.variantId}, ${lock}: ${found.join(', ')}`)
          }
        }
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 25), seed: SEED, endOnFailure: true, includeErrorInReport: true },
  )
}, 60_000)

test('a used device of a market that shows prices with tax costs at most the new one with tax', () => {
  const device = DEVICES.find(({ id }) => id === 'apple-iphone-15') as Device
  const [variant] = device.variants
  const us = newPricesOf({ ...device, variants: variant ? [variant] : [] }, 'us', () => null)
  const hr = newPricesOf({ ...device, variants: variant ? [{ ...variant, listPrices: [] }] : [] }, 'hr', () => null)
  expect([...hr.values()][0]).toBe(Math.floor(1.25 * ([...us.values()][0] as number)))
})

import { devicesOnBoard } from '../../src/catalog/onboard.ts'
import { familyOf } from '../../src/pricing/engine/device-family.ts'
import { configurationOf, deviceFacts } from '../../src/pricing/market/configuration.ts'
import { unobservedMarkets } from '../../src/pricing/market/learnt-markets.ts'
import { quoteDevice } from '../../src/pricing/serve/quote.ts'

/** What is served of the catalogue on board while nobody has observed a price. */
export type Board = {
  readonly variants: number
  readonly unpriced: readonly string[]
  /** Variants whose price rests on one announced elsewhere, or on their line. */
  readonly borrowed: number
  readonly families: ReadonlyMap<string, BoardFamily>
}

export type BoardFamily = {
  devices: number
  /** Good as a share of the launch price: lowest and highest. */
  least: number
  most: number
  confidence: number
}

export function board(now: number): Board {
  const devices = [...devicesOnBoard()]
  const registry = {
    findDevice: () => undefined,
    findVariant: () => undefined,
    datedDevices: (make: string, category: string) =>
      devices.filter((one) => one.make === make && one.category === category),
  }
  const markets = unobservedMarkets(now)
  const families = new Map<string, BoardFamily>()
  const unpriced: string[] = []
  let variants = 0
  let borrowed = 0
  for (const device of devices) {
    const facts = deviceFacts(device, registry)
    const quotes = new Map(quoteDevice(markets, facts, [], now).map((quote) => [quote.variantId, quote]))
    const name = familyOf(facts)
    const family = families.get(name) ?? { devices: 0, least: Number.POSITIVE_INFINITY, most: 0, confidence: 0 }
    families.set(name, family)
    family.devices += 1
    for (const variant of device.variants) {
      const quote = quotes.get(configurationOf(variant))
      variants += 1
      if (!quote?.resale.cents) {
        unpriced.push(variant.id)
        continue
      }
      if (facts.basisSpread !== undefined) borrowed += 1
      family.confidence = Math.max(family.confidence, quote.marketConfidence)
      if (!variant.listCents) continue
      const share = quote.resale.cents.Good / variant.listCents
      family.least = Math.min(family.least, share)
      family.most = Math.max(family.most, share)
    }
  }
  return { variants, unpriced, borrowed, families }
}

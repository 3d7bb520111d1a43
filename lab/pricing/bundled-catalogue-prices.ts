import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { configurationOf, toDeviceInput } from '../../src/pricing/configuration.ts'
import { priorMarkets } from '../../src/pricing/markets/fitted-markets.ts'
import { familyOf } from '../../src/pricing/model/device-family.ts'
import { quoteDevice } from '../../src/pricing/quotes/quote.ts'

/** Prices of the bundled catalogue without any observation. */
export type BundledCataloguePrices = {
  readonly variants: number
  readonly unpriced: readonly string[]
  /** Variants priced from an announced price or from their product line. */
  readonly borrowed: number
  readonly families: ReadonlyMap<string, FamilyPriceSummary>
}

export type FamilyPriceSummary = {
  devices: number
  /** Good as a share of the launch price: lowest and highest. */
  minShare: number
  maxShare: number
  confidence: number
}

export function priceBundledCatalogue(now: number): BundledCataloguePrices {
  const devices = [...bundledDevices()]
  const registry = {
    findDevice: () => undefined,
    findVariant: () => undefined,
    listDevicesOfCategory: (category: string) => devices.filter((one) => one.category === category),
  }
  const markets = priorMarkets(now)
  const families = new Map<string, FamilyPriceSummary>()
  const unpriced: string[] = []
  let variants = 0
  let borrowed = 0
  for (const device of devices) {
    const facts = toDeviceInput(device, registry)
    const quotes = new Map(quoteDevice(markets, facts, [], now).map((quote) => [quote.variantId, quote]))
    const name = familyOf(facts)
    const family = families.get(name) ?? { devices: 0, minShare: Number.POSITIVE_INFINITY, maxShare: 0, confidence: 0 }
    families.set(name, family)
    family.devices += 1
    for (const variant of device.variants) {
      const quote = quotes.get(configurationOf(variant))
      variants += 1
      if (!quote?.resale.cents) {
        unpriced.push(variant.id)
        continue
      }
      if (facts.launchPriceSpread !== undefined) borrowed += 1
      family.confidence = Math.max(family.confidence, quote.marketConfidence)
      if (!variant.listCents) continue
      const share = quote.resale.cents.Good / variant.listCents
      family.minShare = Math.min(family.minShare, share)
      family.maxShare = Math.max(family.maxShare, share)
    }
  }
  return { variants, unpriced, borrowed, families }
}

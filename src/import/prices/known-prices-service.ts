/** What is known of the devices of a list before it is imported: observed prices of their market, else the first price. */
import type { Device } from '../../catalog/device.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import { DAY_MS } from '../../lib/time.ts'
import { toDeviceInput } from '../../pricing/configuration.ts'
import type { FirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import { loadFittedMarkets } from '../../pricing/markets/fitted-markets.ts'
import { OBSERVATION_WINDOW_MS } from '../../pricing/markets/market-fit-service.ts'
import { pricingStore } from '../../pricing/markets/pricing-store.ts'
import { marketsOf } from '../../pricing/model/country-markets.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import { withoutQuarantined } from '../../pricing/model/source-quarantine.ts'
import { firstPrices, levelOf, type PriceLevel } from '../../pricing/price-level.ts'
import { type Quote, quoteDevice } from '../../pricing/quotes/quote.ts'
import type { ImportContext } from '../importer.ts'

/** A device takes a few milliseconds. */
const MAX_DEVICES = 40
/** Today's prices say little about older rows. */
const MAX_AGE_MS = 200 * DAY_MS

type LevelContext = Pick<ImportContext, 'db' | 'defaultMarket' | 'now'>

/** How accepted rows of a list compare with what is known. */
export async function measureLevel(
  rows: readonly NewObservation[],
  devices: readonly Device[],
  firstPriceOf: FirstPriceRanges,
  { db, defaultMarket, now: clock }: LevelContext,
): Promise<PriceLevel | null> {
  const now = clock()
  const store = pricingStore(db, defaultMarket)
  const { markets } = await loadFittedMarkets(store, now)
  const byId = new Map(devices.map((device) => [device.id, device]))
  const keyOf = ({ subject, terms }: NewObservation) => `${subject.deviceId} ${terms.market}`
  const groups = [...Map.groupBy(rows, keyOf)].sort(([, a], [, b]) => b.length - a.length).slice(0, MAX_DEVICES)
  const quotes = new Map<string, readonly Quote[]>()
  for (const [key, [row]] of groups) {
    const device = row && byId.get(row.subject.deviceId)
    if (!device) continue
    const stored = await store.observationsOf(device.id, now - OBSERVATION_WINDOW_MS)
    if (stored.length === 0) continue
    const ofMarket = marketsOf(markets, row.terms.market)
    const facts = toDeviceInput(device)
    quotes.set(key, quoteDevice(ofMarket, facts, withoutQuarantined(ofMarket, facts, stored, now), now))
  }
  const firstPrice = firstPrices(firstPriceOf)
  return levelOf(rows, (row) => {
    const quote = quotes.get(keyOf(row))?.find(({ variantId }) => variantId === row.subject.configuration)
    const side = quote?.[row.terms.side === 'quote' ? 'buyback' : 'resale']
    const grade = CONDITIONS.find((condition) => condition === row.terms.grade) ?? 'Good'
    const isKnown = quote && quote.dataPoints > 0 && row.observedAt > now - MAX_AGE_MS
    return isKnown && side?.cents ? { cents: side.cents[grade], isObserved: true } : firstPrice(row)
  })
}

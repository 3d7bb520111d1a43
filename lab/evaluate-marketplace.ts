/**
 * What a marketplace that is connected to a new service does to its prices: real listings are served by a local marketplace and
 * imported by its template; the prices before it and after 1, 5 and 20 listings per device are compared with listings that were
 * held back. Run with `bin/bun lab/evaluate-marketplace.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../src/catalog/bundled-catalogue-service.ts'
import { readAllDevices } from '../src/catalog/catalogue-store.ts'
import type { Device } from '../src/catalog/device.ts'
import { createRateLookup } from '../src/currency/rate-lookup.ts'
import { openDatabase } from '../src/db/database.ts'
import { seedCatalogue } from '../src/import/catalogue/seed-catalogue-service.ts'
import { runFeedAsJob } from '../src/import/feeds/feed-run-service.ts'
import { parseFeed } from '../src/import/feeds/feed-settings.ts'
import { IMPORTERS } from '../src/import/importers.ts'
import { EMPTY_CELLS } from '../src/import/prices/price-columns.ts'
import { createPriceRowParser } from '../src/import/prices/price-row.ts'
import { DAY_MS, dayOf } from '../src/lib/time.ts'
import { toDeviceInput } from '../src/pricing/configuration.ts'
import { loadFittedMarkets } from '../src/pricing/markets/fitted-markets.ts'
import { pricingStore } from '../src/pricing/markets/pricing-store.ts'
import { marketsOf } from '../src/pricing/model/country-markets.ts'
import { createSubjectMatcher } from '../src/pricing/observations/subject-matcher.ts'
import { quoteDevice } from '../src/pricing/quotes/quote.ts'
import { CLIENT, type MarketItem, startMarketplace } from '../test/support/marketplace.ts'
import { OPERATOR } from '../test/support/service.ts'

const DATA = process.env.SHARED_DATA ?? join(import.meta.dir, '../../shared/data')
const LISTINGS_PER_DEVICE = [0, 1, 5, 20] as const
/** Every third listing of a device is held back. */
const HELD_BACK = 3
const GRADES = ['Excellent', 'Good', 'Fair', 'Poor'] as const

const CONDITION_IDS: Readonly<Record<string, string>> = {
  'Brand New': '1000',
  'Open Box': '1500',
  'Excellent - Refurbished': '2010',
  'Very Good - Refurbished': '2020',
  'Good - Refurbished': '2030',
  'Pre-Owned': '3000',
}

type PriceSet = { readonly name: string; readonly day: string; readonly items: readonly MarketItem[] }

async function readActiveListings(): Promise<PriceSet> {
  const text = await Bun.file(join(DATA, 'prices/ebay_active_condition/listings.csv')).text()
  const items = text.split('\n').flatMap((line, at): MarketItem[] => {
    const [, title = '', price = '', condition = ''] =
      /^("(?:[^"]|"")*"|[^,]*),("(?:[^"]|"")*"|[^,]*),([^,]*?)\r?$/.exec(line) ?? []
    const amount = /^"?\$([\d,]+\.\d\d)"?$/.exec(price)?.[1]?.replace(',', '')
    const conditionId = CONDITION_IDS[condition.replace('–', '-')]
    return amount && conditionId
      ? [{ itemId: `v1|${at}|0`, title: title.replace(/^"|"$/g, ''), price: amount, conditionId }]
      : []
  })
  return { name: 'ebay_active_condition', day: '2023-10-15', items }
}

async function readBrowseResponses(): Promise<PriceSet> {
  const { itemSummaries } = await Bun.file(join(DATA, 'prices/ebay_browse_2025_07_half/item_summaries.json')).json()
  const items = (
    itemSummaries as readonly { itemId: string; title: string; price: { value: string }; conditionId: string }[]
  ).map(({ itemId, title, price, conditionId }): MarketItem => ({ itemId, title, price: price.value, conditionId }))
  return { name: 'ebay_browse_2025_07', day: '2025-07-12', items }
}

type Listing = {
  readonly item: MarketItem
  readonly deviceId: string
  readonly configuration: string
  readonly grade: (typeof GRADES)[number]
  readonly cents: number
}

/** The listings that the import accepts, with what it makes of them. */
function readListings({ items, day }: PriceSet, devices: readonly Device[]): Listing[] {
  const words = new Map(Object.entries(CONDITION_IDS).map(([word, id]) => [id, word === 'Pre-Owned' ? 'Used' : word]))
  const read = createPriceRowParser({
    findSubject: createSubjectMatcher(devices),
    rates: createRateLookup([]),
    now: Date.parse(day) + DAY_MS,
    defaultMarket: 'us',
    defaults: { source: 'ebay-us', side: 'ask', date: day, currency: 'USD' },
    grades: new Map(),
    firstPriceOf: null,
    ranges: 'refuse',
  })
  return items.flatMap((item) => {
    const condition = words.get(item.conditionId ?? '')
    const parsed = read({ ...EMPTY_CELLS, model: item.title, amount: String(item.price), condition: condition ?? '' })
    if (condition === undefined || 'problem' in parsed) return []
    // Without a grade a used device is compared with Good.
    const grade = parsed.terms.grade === 'Ungraded' ? 'Good' : parsed.terms.grade
    const known = GRADES.find((each) => each === grade)
    const { deviceId, configuration } = parsed.subject
    return known ? [{ item, deviceId, configuration, grade: known, cents: parsed.cents }] : []
  })
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const percent = (share: number) => `${(share * 100).toFixed(1)} %`

async function evaluate(set: PriceSet, perDevice: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-'))
  const market = startMarketplace()
  const db = await openDatabase({ url: '', dataDir })
  const shift = Date.parse(set.day) + DAY_MS / 2 - Date.now()
  const now = () => Date.now() + shift
  try {
    const template = { name: 'ebay', market: 'US', client_id: CLIENT.id, base_url: market.url }
    const api = {
      oauth: { client_secret: CLIENT.secret },
      requests_per_second: 50,
      requests_per_run: 100,
    }
    const { feed, errors } = parseFeed({ name: 'ebay-us', template, api }, { formats: IMPORTERS, now: now() })
    const importer = IMPORTERS.find(({ format }) => format === 'observations')
    if (!feed || !importer) throw new Error(errors.join('; '))
    const run = () =>
      runFeedAsJob({
        ...{ feed, importer, db, dataDir, now, defaultMarket: 'us', actor: OPERATOR, force: false },
        ...{ acceptShrink: false, allowPrivateAddresses: false, notify: () => {}, progress: { at() {}, clear() {} } },
        signal: new AbortController().signal,
      })
    await seedCatalogue(db, { version: bundledCatalogueVersion(), devices: bundledDevices, tacs: bundledTacs })
    const devices = await readAllDevices(db)
    const byDevice = Map.groupBy(readListings(set, devices), ({ deviceId }) => deviceId)
    const heldBack: Listing[] = []
    const served: MarketItem[] = []
    for (const listings of byDevice.values()) {
      if (listings.length < HELD_BACK) continue
      heldBack.push(...listings.filter((_, at) => at % HELD_BACK === 0))
      served.push(
        ...listings
          .filter((_, at) => at % HELD_BACK !== 0)
          .slice(0, perDevice)
          .map(({ item }) => item),
      )
    }
    market.offer(served)
    // The shop appraised these devices, so they are asked about first.
    const appraised = [...new Set(heldBack.map(({ deviceId }) => deviceId))]
    await db.transaction((tx) =>
      tx
        .insertInto('appraised_device')
        .values(appraised.map((device_id) => ({ organization_id: 'org_lab', device_id, total: 1 })))
        .execute(),
    )
    if (perDevice > 0) await run()
    const requests = market.searches.length
    const store = pricingStore(db, 'us')
    const { markets } = await loadFittedMarkets(store, now())
    const errorsOf: number[] = []
    let inRange = 0
    let observed = 0
    let width = 0
    for (const [deviceId, listings] of Map.groupBy(heldBack, (listing) => listing.deviceId)) {
      const device = devices.find(({ id }) => id === deviceId)
      if (!device) continue
      const observations = await store.observationsOf(deviceId, now() - 400 * DAY_MS)
      const quotes = quoteDevice(marketsOf(markets, 'us'), toDeviceInput(device), observations, now())
      for (const { configuration, grade, cents } of listings) {
        const quote = quotes.find(({ variantId }) => variantId === configuration)
        const price = quote?.resale.cents?.[grade]
        const range = quote?.resale.interval?.[grade]
        if (!quote || !price || !range) continue
        errorsOf.push(Math.abs(price / cents - 1))
        if (cents >= range.low && cents <= range.high) inRange++
        width += range.high / range.low
        if (quote.resale.source === 'market') observed++
      }
    }
    const tests = errorsOf.length
    console.log(
      `| ${set.name} (${dayOf(now())}) | ${perDevice || 'none'} | ${served.length} | ${requests} | ${tests} | ${percent(median(errorsOf))} | ${percent(inRange / tests)} | ${(width / tests).toFixed(2)} | ${percent(observed / tests)} |`,
    )
  } finally {
    await db.close()
    market.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

console.log(
  '| set | listings per device | served | requests | held back | median error | in the 80 % range | high / low | prices from observations |',
)
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
for (const set of [await readActiveListings(), await readBrowseResponses()])
  for (const perDevice of LISTINGS_PER_DEVICE) await evaluate(set, perDevice)

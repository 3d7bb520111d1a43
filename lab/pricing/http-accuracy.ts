import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBenchProgram } from '../../bench/support/program.ts'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { CARRIER_LOCKS, type VariantPricingWire } from '../../src/contract/pricing.ts'
import type { PricingBatchItemWire } from '../../src/contract/pricing-batch.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { configurationOf } from '../../src/pricing/configuration.ts'
import { isCarrierLocked, type Observation } from '../../src/pricing/model/observation.ts'
import { newDataDir, runProgram } from '../../test/support/program.ts'
import {
  hideFolds,
  type MarketAccuracy,
  marketOutcomes,
  mergeDevices,
  type Outcome,
  sampleEvenly,
  summarize,
} from './market-accuracy.ts'
import { readPriceFile } from './price-file.ts'
import type { PriceDataset } from './price-set.ts'

/** The options of lab/README.md, with the market of each file. */
const FILES = {
  swappa_2018: { file: 'sold.csv', options: { side: 'sold', market: 'us' } },
  ebay_active_condition: {
    file: 'listings.csv',
    options: { side: 'ask', date: '2023-10-15', range: 'low', market: 'us' },
  },
  howmuch_one: {
    file: 'daily.csv',
    options: { side: 'ask', market: 'us', condition: 'used' },
  },
  refit_wholesale_us: { file: 'quotes.csv', options: { side: 'quote', market: 'us' } },
  cex_macbooks_uk: {
    file: 'listings.csv',
    options: { side: 'ask', currency: 'GBP', market: 'gb', date: '2025-06-01' },
  },
  ebay_sold_2020_consoles_gpus: {
    file: 'sold.csv',
    options: { side: 'sold', market: 'us', map: 'title=sku,sku=-,price=price_usd' },
  },
  ebay_iphone5s_2015: {
    file: 'listings.csv',
    options: {
      side: 'sold',
      market: 'us',
      date: '2015-11-15',
      title: 'Apple iPhone 5s',
      map: 'storage=storage_gb_title,lock=carrier_title,price=final_price_usd',
    },
  },
  njuskalo_hr: { file: 'ads.csv', options: { side: 'ask', currency: 'EUR', market: 'hr' } },
  shops_vn_2024: {
    file: 'offers.csv',
    options: {
      side: 'ask',
      currency: 'VND',
      market: 'vn',
      date: '2024-10-15',
      map: 'make=branch',
      condition: 'a_old=used,a_like_new=Excellent,a_new=New',
    },
  },
  bunjang_kr: {
    file: 'ads.csv',
    options: { side: 'ask', currency: 'KRW', date: '2024-04-04', condition: 'used', market: 'kr' },
  },
  secondhandcell_half: {
    file: 'quotes.json',
    options: {
      side: 'quote',
      market: 'us',
      date: '2026-06-01',
      map: 'price=prices[].priceValue.*.*,lock=*1,condition=*2',
    },
  },
} as const

/** What the words of the files mean, for the importer of the started program. */
const WORDS = FILES.shops_vn_2024.options.condition

/** Exchange rates at the time of the sets, in the format of `import rates`. */
const RATES =
  'currency,day,usd\nEUR,2023-10-01,1.08\nKRW,2023-10-01,0.000743\nVND,2024-10-01,0.0000402\nGBP,2025-06-01,1.35\n'

/** Of each fold. */
const MAX_TESTS = 400
const BATCH = 200
const WINDOW_MS = 365 * DAY_MS
/** The program prices for its own day: older rows would be compared with a later price. */
const MAX_AGE_MS = 30 * DAY_MS

export type HttpAccuracy = {
  readonly set: string
  readonly others: 'alone' | 'mixed'
  readonly http: MarketAccuracy
  readonly inProcess: MarketAccuracy
}

/** libfaketime sets the clock of the program to the day of a set; the program has no setting for it. */
function fakeClock(now: number): Record<string, string> | null {
  const library = readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path))
  if (!library) return null
  const FAKETIME = `@${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}`
  return { LD_PRELOAD: library, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1', TZ: 'UTC' }
}

/** Prices of the started program for held-out rows, and those of the same engine in this process. */
export async function* httpAccuracy(folder: string, only?: string): AsyncGenerator<HttpAccuracy> {
  const sets: PriceDataset[] = []
  const rates = join(newDataDir(), 'rates.csv')
  await Bun.write(rates, RATES)
  for (const [name, { file, options }] of Object.entries(FILES)) {
    const { set } = await readPriceFile(join(folder, name, file), { ...options, rates })
    const bundledIds = new Set(bundledDevices().map(({ id }) => id))
    const observations = set.observations
      .filter(({ variantId }) => bundledIds.has(variantId.split('|')[0] as string) && VARIANT_IDS.has(variantId))
      .map((row) => ({ ...row, source: `${name} ${row.source}` }))
    sets.push({ name, devices: set.devices, observations })
  }
  const devices = mergeDevices(sets)
  for (const set of sets) {
    if (only && set.name !== only) continue
    for (const others of ['alone', 'mixed'] as const) {
      const http: Outcome[] = []
      const inProcess: Outcome[] = []
      // The coverage of one fold is off by up to ten points.
      for (const { known, hidden, now } of hideFolds(set)) {
        const day = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS / 2
        const recent = hidden.filter(({ observedAt }) => observedAt > day - MAX_AGE_MS)
        const tests = { known, hidden: sampleEvenly(recent, MAX_TESTS), now: day }
        const foreign = sets
          .filter((other) => others === 'mixed' && other !== set)
          .flatMap(({ observations }) => observations)
          .filter((row) => row.observedAt <= day && row.observedAt > day - WINDOW_MS)
        inProcess.push(...marketOutcomes(devices, tests, foreign))
        http.push(...(await servedOutcomes([...known, ...foreign], tests.hidden, day)))
      }
      yield { set: set.name, others, http: summarize(http), inProcess: summarize(inProcess) }
    }
  }
}

const lockOf = ({ lock }: Observation) => (isCarrierLocked(lock) ? 'locked' : 'unlocked')

/** One catalogue variant of each priced configuration. */
const VARIANT_IDS: ReadonlyMap<string, string> = new Map(
  bundledDevices().flatMap((device) =>
    device.variants.map((variant) => [`${device.id}|${configurationOf(variant)}`, variant.id] as const),
  ),
)

async function servedOutcomes(known: readonly Observation[], hidden: readonly Observation[], now: number) {
  const clock = fakeClock(now)
  if (!clock) throw new Error('libfaketime is not installed: apt-get install faketime')
  const program = await startBenchProgram({ ...clock, SAMPLE_DATA: 'off' }, 'any core')
  try {
    const file = join(program.environment.DATA_DIR as string, 'known.csv')
    const header = 'variant_id,condition,price,currency,date,side,source,listing_id,country,lock'
    const lines = known.map((row) =>
      [
        VARIANT_IDS.get(row.variantId),
        row.label,
        (row.cents / 100).toFixed(2),
        'USD',
        new Date(row.observedAt).toISOString().slice(0, 10),
        row.side,
        row.source,
        row.listingId,
        row.market,
        row.lock,
      ].join(','),
    )
    await Bun.write(file, [header, ...lines].join('\n'))
    const importKnown = ['import', 'observations', file, '--condition', WORDS, '--max-rejected', '2%']
    const repriceScript = [process.execPath, new URL('./reprice.ts', import.meta.url).pathname]
    for (const ran of [
      await runProgram(importKnown, program.environment),
      await runProgram([], program.environment, repriceScript),
    ]) {
      if (ran.code !== 0) throw new Error(ran.stderr)
    }
    const key = await program.newKey('enterprise')
    const prices = new Map<string, VariantPricingWire>()
    const market = hidden[0]?.market ?? ''
    const ids = [...new Set(hidden.map(({ variantId }) => VARIANT_IDS.get(variantId) as string))]
    const requests = CARRIER_LOCKS.flatMap((lock) =>
      Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, batch) => ({
        lock,
        market,
        variant_ids: ids.slice(batch * BATCH, (batch + 1) * BATCH),
      })),
    )
    for (const request of requests) {
      const response = await fetch(`${program.url}/api/pricing/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      const { data, error } = (await response.json()) as { data: PricingBatchItemWire[]; error?: { message: string } }
      if (!response.ok) throw new Error(`pricing: ${error?.message}`)
      for (const item of data) if (item.success) prices.set(`${request.lock} ${item.result.variant_id}`, item.result)
    }
    return hidden.flatMap((row): Outcome[] => {
      const grade = row.grade === 'Ungraded' ? 'Good' : row.grade
      const pricing = prices.get(`${lockOf(row)} ${VARIANT_IDS.get(row.variantId)}`)
      const side = pricing?.[row.side === 'quote' ? 'buyback' : 'resale']
      if (!side || grade === 'New') return []
      const [cents, range] = [side.current[grade], side.interval[grade]]
      if (!cents || !range) return []
      const covered = range.low <= row.cents && row.cents <= range.high
      return [{ row, error: (cents - row.cents) / row.cents, covered, confidence: pricing.market_confidence }]
    })
  } finally {
    await program.stop()
  }
}

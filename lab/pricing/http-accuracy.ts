import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBenchProgram } from '../../bench/support/program.ts'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import type { VariantPricingWire } from '../../src/contract/pricing.ts'
import type { PricingBatchItemWire } from '../../src/contract/pricing-batch.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { configurationOf } from '../../src/pricing/configuration.ts'
import { isCarrierLocked, type Observation } from '../../src/pricing/model/observation.ts'
import { newDataDir, runProgram } from '../../test/support/program.ts'
import {
  hideFold,
  type MarketAccuracy,
  marketOutcomes,
  mergeDevices,
  type Outcome,
  sampleEvenly,
  summarize,
} from './market-accuracy.ts'
import { readPriceFile } from './price-file.ts'
import type { PriceDataset } from './price-set.ts'

/** The documented options of each file. */
const FILES = {
  njuskalo_hr: { file: 'ads.csv', options: { side: 'ask', currency: 'EUR', market: 'hr' } },
  bunjang_kr: {
    file: 'ads.csv',
    options: { side: 'ask', currency: 'KRW', date: '2024-04-04', condition: 'used', market: 'kr' },
  },
  ebay_active_condition: {
    file: 'listings.csv',
    options: { side: 'ask', currency: 'USD', date: '2023-10-15', range: 'low', market: 'us' },
  },
} as const

/** Exchange rates at the time of the sets, in the format of `import rates`. */
const RATES = 'currency,day,usd\nEUR,2023-10-01,1.08\nKRW,2023-10-01,0.000743\n'

const MAX_TESTS = 400
const BATCH = 200
const WINDOW_MS = 365 * DAY_MS

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
export async function* httpAccuracy(folder: string): AsyncGenerator<HttpAccuracy> {
  const sets: PriceDataset[] = []
  const rates = join(newDataDir(), 'rates.csv')
  await Bun.write(rates, RATES)
  for (const [name, { file, options }] of Object.entries(FILES)) {
    const { set } = await readPriceFile(join(folder, name, file), { ...options, rates })
    const bundledIds = new Set(bundledDevices().map(({ id }) => id))
    const observations = set.observations
      .filter(({ variantId }) => bundledIds.has(variantId.split('|')[0] as string) && VARIANT_IDS.has(variantId))
      .map((row) => ({ ...row, source: name }))
    sets.push({ name, devices: set.devices, observations })
  }
  const devices = mergeDevices(sets)
  for (const set of sets) {
    const { known, hidden, now } = hideFold(set)
    const day = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS / 2
    const tests = { known, hidden: sampleEvenly(hidden.filter(isUnlocked), MAX_TESTS), now: day }
    const foreign = sets
      .filter((other) => other !== set)
      .flatMap(({ observations }) => observations)
      .filter((row) => row.observedAt <= day && row.observedAt > day - WINDOW_MS)
    for (const others of ['alone', 'mixed'] as const) {
      const rows = others === 'alone' ? [] : foreign
      const inProcess = marketOutcomes(devices, tests, rows)
      const http = await servedOutcomes([...known, ...rows], tests.hidden, day)
      yield { set: set.name, others, http: summarize(http), inProcess: summarize(inProcess) }
    }
  }
}

const isUnlocked = ({ lock }: Observation) => !isCarrierLocked(lock)

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
    for (const command of [['import', 'observations', file], ['reprice']]) {
      const { code, stderr } = await runProgram(command, program.environment)
      if (code !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
    }
    const key = await program.newKey('enterprise')
    const prices = new Map<string, VariantPricingWire>()
    const market = hidden[0]?.market ?? ''
    const ids = [...new Set(hidden.map(({ variantId }) => VARIANT_IDS.get(variantId) as string))]
    for (let from = 0; from < ids.length; from += BATCH) {
      const response = await fetch(`${program.url}/api/pricing/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ variant_ids: ids.slice(from, from + BATCH), market }),
      })
      const { data, error } = (await response.json()) as { data: PricingBatchItemWire[]; error?: { message: string } }
      if (!response.ok) throw new Error(`pricing: ${error?.message}`)
      for (const item of data) if (item.success) prices.set(item.result.variant_id, item.result)
    }
    return hidden.flatMap((row): Outcome[] => {
      const grade = row.grade === 'Ungraded' ? 'Good' : row.grade
      const side = prices.get(VARIANT_IDS.get(row.variantId) ?? '')?.[row.side === 'quote' ? 'buyback' : 'resale']
      if (!side || grade === 'New') return []
      const [cents, range] = [side.current[grade], side.interval[grade]]
      if (!cents || !range) return []
      const covered = range.low <= row.cents && row.cents <= range.high
      return [{ row, error: (cents - row.cents) / row.cents, covered }]
    })
  } finally {
    await program.stop()
  }
}

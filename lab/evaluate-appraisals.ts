/**
 * Compares appraisals without observed prices with dealers' quotes. The ratios of defective devices are fitted on one half of
 * the models and tested on the other, in both directions.
 *   npm run lab -- appraisals              both dealer sets, median of recommended offer / paid
 *   npm run lab -- appraisals --rows    every quote
 *   npm run lab -- appraisals --held-out   ratios fitted on other devices (20 random halves) and on the other dealer only
 *   npm run lab -- appraisals --fit     fit the ratios on all models and write them to data/repairs
 */
import { parseArgs } from 'node:util'
import { appraise } from '../src/appraisal/appraise.ts'
import type { BundledDefectRatios } from '../src/appraisal/defect-ratios.ts'
import { defaultPolicy } from '../src/appraisal/policy.ts'
import { EMPTY_READING } from '../src/appraisal/read-request.ts'
import { createValuation, defectRatiosOf } from '../src/appraisal/valuation.ts'
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import type { Device, Variant } from '../src/catalog/device.ts'
import { US_DOLLARS } from '../src/currency/exchange.ts'
import { dayOf } from '../src/lib/time.ts'
import { toDeviceInput } from '../src/pricing/configuration.ts'
import { priorMarkets } from '../src/pricing/markets/fitted-markets.ts'
import { type DeviceQuotes, deviceQuotes, valueForVariant } from '../src/pricing/quotes/device-quotes.ts'
import { loadBundledRepairData } from '../src/repairs/bundled-repair-data.ts'
import { listPricedRepairs } from '../src/repairs/priced-repair.ts'
import { indexRepairData } from '../src/repairs/repair-fact-index.ts'
import { type DealerQuote, QUOTE_CLASSES, readShopQuotes, readWholesaleQuotes } from './appraisal/dealer-quotes.ts'
import { fitDefectRatios } from './appraisal/fit-defect-ratios.ts'
import { findDatasetFolder } from './pricing/price-set.ts'

type Families = BundledDefectRatios['families']

const LABOUR_CENTS_PER_HOUR = 6_000
const { values: options } = parseArgs({
  options: {
    rows: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
  },
})

const devices = [...bundledDevices()]
const registry = {
  findDevice: () => undefined,
  findVariant: () => undefined,
  listDevicesOfCategory: (category: string) => devices.filter((device) => device.category === category),
}
const profileOf = indexRepairData({ ...loadBundledRepairData(), importedFacts: [], importedFaults: [] })
const quotesCache = new Map<string, DeviceQuotes>()

function quotesOf(device: Device, at: number): DeviceQuotes {
  const key = `${device.id} ${at}`
  const cached = quotesCache.get(key)
  if (cached) return cached
  const quotes = deviceQuotes(device, toDeviceInput(device, registry), priorMarkets(at), { sample: [] }, at)
  quotesCache.set(key, quotes)
  return quotes
}

function appraiseQuote({ device, variant, condition, defects, at }: DealerQuote, ratios: Families) {
  const policy = defaultPolicy(LABOUR_CENTS_PER_HOUR)
  const valuation = createValuation({
    findValue: () => valueForVariant(quotesOf(device, at), variant),
    repairsOf: () => listPricedRepairs(profileOf(device, variant)),
  })(device, [variant], US_DOLLARS, policy.labour_per_hour, { market: 'us', organizationId: null }, 'unlocked')
  if (valuation instanceof Promise) throw new Error('prices must be available synchronously')
  const identity = {
    device,
    variants: [variant] as readonly Variant[],
    confidence: 100,
    identifiedBy: 'variant_id' as const,
    attributes: [],
    unresolvedAttributes: [],
    contradictions: [],
    candidates: [],
  }
  const defectRatios = defectRatiosOf(device, valuation.value, ratios)
  const facts = {
    ...valuation,
    defectRatios,
    identity,
    lookup: null,
    policy,
    condition,
    defects,
    lock: 'unlocked' as const,
    reading: EMPTY_READING,
    knownDeals: [],
    priceRules: [],
  }
  return { ...appraise(facts), value: valuation.value }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

function printTable(name: string, quotes: readonly DealerQuote[], fits: readonly [Families, Families]): void {
  const results = quotes.map((quote) => {
    const { recommendedOffer, maxOffer, value, selected } = appraiseQuote(quote, fits[halfOf(quote) === 0 ? 1 : 0])
    const usd = (cents: number | null | undefined) => (cents ?? 0) / 100
    return {
      quote,
      recommended: usd(recommendedOffer),
      max: usd(maxOffer),
      resale: usd(value?.resale?.[quote.condition].amount),
      low: usd(value?.resale?.[quote.condition].low),
      buyback: usd(value?.buyback?.[quote.condition].amount),
      plan: selected?.best?.plan.name ?? '-',
    }
  })
  if (options.rows) {
    for (const { quote, recommended, max, resale, low, buyback, plan } of results) {
      console.log(
        [
          quote.device.name,
          quote.variant.name,
          quote.word,
          quote.paidUsd,
          recommended,
          max,
          resale,
          low,
          buyback,
          plan,
        ].join('\t'),
      )
    }
  }
  console.log(
    `\n${name}\n\n| class | make | quotes | recommended / paid | 10 % – 90 % | maximum / paid | buyback / paid | resale / paid | no offer |`,
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  for (const kind of QUOTE_CLASSES) {
    for (const make of ['all', 'Apple', 'Samsung']) {
      const rows = results.filter(({ quote }) => quote.class === kind && (make === 'all' || quote.device.make === make))
      if (rows.length === 0) continue
      const ratios = rows.map(({ recommended, quote }) => recommended / quote.paidUsd).sort((a, b) => a - b)
      const ratioQuantile = (share: number) => (ratios[Math.floor(share * (ratios.length - 1))] ?? 0).toFixed(2)
      const medianRatio = (amountOf: (row: (typeof rows)[number]) => number) =>
        median(rows.map((row) => amountOf(row) / row.quote.paidUsd)).toFixed(2)
      const withoutOffer = rows.filter(({ recommended }) => recommended === 0).length
      console.log(
        `| ${[kind, make, rows.length, `**${median(ratios).toFixed(2)}**`, `${ratioQuantile(0.1)} – ${ratioQuantile(0.9)}`, medianRatio(({ max }) => max), medianRatio(({ buyback }) => buyback), medianRatio(({ resale }) => resale), withoutOffer].join(' | ')} |`,
      )
    }
  }
}

/** Half that a model belongs to; does not change when models are added. */
const halfOf = ({ device }: DealerQuote) => Number(Bun.hash(device.id) % 2n)

const RANDOM_SPLITS = 20

/** Median of recommended offer / paid by class for quotes that did not take part in the fit. */
function ratiosByClass(quotes: readonly DealerQuote[], families: Families): Map<string, number[]> {
  const ratios = new Map<string, number[]>()
  for (const quote of quotes) {
    const list = ratios.get(quote.class) ?? []
    ratios.set(quote.class, list)
    list.push((appraiseQuote(quote, families).recommendedOffer ?? 0) / 100 / quote.paidUsd)
  }
  return ratios
}

/** Halves of the devices, by a hash that differs by `seed`. */
const isInHalf = (seed: number) => (quote: DealerQuote) => Bun.hash(`${seed} ${quote.device.id}`) % 2n === 0n

function printHeldOut(shop: readonly DealerQuote[], wholesale: readonly DealerQuote[]): void {
  console.log(
    '\n| fitted on | tested on | class | quotes | recommended / paid | range over splits |\n|---|---|---|---:|---:|---:|',
  )
  const print = (fittedOn: string, testedOn: string, tests: readonly Map<string, number[]>[]) => {
    for (const kind of QUOTE_CLASSES) {
      const medians = tests.flatMap((test) => (test.has(kind) ? [median(test.get(kind) ?? [])] : []))
      if (medians.length === 0) continue
      const all = tests.flatMap((test) => test.get(kind) ?? [])
      const range = medians.length > 1 ? `${Math.min(...medians).toFixed(2)}–${Math.max(...medians).toFixed(2)}` : ''
      console.log(`| ${fittedOn} | ${testedOn} | ${kind} | ${all.length} | **${median(all).toFixed(2)}** | ${range} |`)
    }
  }
  const splits = Array.from({ length: RANDOM_SPLITS }, (_, seed) => {
    const inHalf = isInHalf(seed)
    const families = fitDefectRatios(shop.filter(inHalf), wholesale.filter(inHalf))
    const isTest = (quote: DealerQuote) => !inHalf(quote)
    return {
      shop: ratiosByClass(shop.filter(isTest), families),
      wholesale: ratiosByClass(wholesale.filter(isTest), families),
    }
  })
  print(
    'half of the devices',
    'shop, other devices',
    splits.map((split) => split.shop),
  )
  print(
    'half of the devices',
    'wholesale, other devices',
    splits.map((split) => split.wholesale),
  )
  print('shop only', 'wholesale', [ratiosByClass(wholesale, fitDefectRatios(shop, []))])
  // The wholesale lists have no broken and dead devices, so only ratios of damaged ones can be fitted on them.
  const wholesaleFit = fitDefectRatios(wholesale, [])
  print('wholesale only', 'shop', [
    ratiosByClass(
      shop.filter(({ class: kind }) => kind === 'working' || kind === 'damaged'),
      wholesaleFit,
    ),
  ])
}

async function writeRatios(families: Families): Promise<void> {
  const file = new URL('../data/repairs/defect-ratios.json', import.meta.url)
  const current = await Bun.file(file).json()
  await Bun.write(file, `${JSON.stringify({ ...current, learned_on: dayOf(Date.now()), families }, null, 2)}\n`)
}

async function evaluate(folder: string): Promise<void> {
  const shop = await readShopQuotes(folder)
  const wholesale = await readWholesaleQuotes(folder)
  if (options.fit) return writeRatios(fitDefectRatios(shop, wholesale))
  if (options['held-out']) return printHeldOut(shop, wholesale)
  const fitHalf = (half: number) => {
    const inHalf = (quotes: readonly DealerQuote[]) => quotes.filter((quote) => halfOf(quote) === half)
    return fitDefectRatios(inHalf(shop), inHalf(wholesale))
  }
  const fits = [fitHalf(0), fitHalf(1)] as const
  printTable('Trade-in shop (secondhandcell_half)', shop, fits)
  printTable('Wholesale lists (refit_wholesale_us)', wholesale, fits)
}

const folder = findDatasetFolder()
if (folder) await evaluate(folder)
else console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')

import { join } from 'node:path'
import { DAY_MS } from '../../src/lib/time.ts'
import { readTable } from './csv-table.ts'
import { croatianAds, koreanAds, koreanNeighbours, vietnameseShops } from './foreign-datasets.ts'
import { datasetBuilder, type Launch, type PriceDataset } from './price-set.ts'

const gigabytes = (text: string) => {
  const match = /(\d+)\s*(TB|GB)?/i.exec(text)
  return match ? Number(match[1]) * (match[2]?.toUpperCase() === 'TB' ? 1024 : 1) : undefined
}

async function swappa(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('swappa_2018', launches)
  for (const row of readTable(await Bun.file(join(folder, 'swappa_2018/sold.csv')).text())) {
    set.add({
      model: row.model ?? '',
      storageGb: Number(row.storage_gb),
      grade: row.condition ?? '',
      usd: Number(row.sold_price_usd),
      side: 'sold',
      at: Date.parse(`${row.sold_at}:00Z`),
      lock: row.carrier ?? '',
    })
  }
  return set.finish()
}

/** The listings have no date, but item ids grow with time: dates are interpolated over autumn 2015 by the rank of the id. */
async function iphone5s(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('ebay_iphone5s_2015', launches)
  const rows = readTable(await Bun.file(join(folder, 'ebay_iphone5s_2015/listings.csv')).text())
    .filter((row) => row.sold === '1' && row.is_lot === '0' && row.title_defect_words === '0')
    .sort((a, b) => Number(a.item_id) - Number(b.item_id))
  const start = Date.parse('2015-10-01')
  rows.forEach((row, at) => {
    set.add({
      model: 'iPhone 5S',
      storageGb: Number(row.storage_gb_title) || 32,
      grade: row.condition ?? '',
      usd: Number(row.final_price_usd),
      side: 'sold',
      at: start + (at / rows.length) * 60 * DAY_MS,
      lock: row.carrier_title ?? '',
      listingId: row.item_id ?? '',
    })
  })
  return set.finish()
}

const PHONE =
  /iphone\s*(se\s*\(?(?:1st|2nd|3rd|2016|2020|2022|2|3)?\b|(?:x[sr]?|\d{1,2})\s*(?:s\b)?\s*(?:pro max|pro|plus|max|mini)?)/gi

/** Only titles with exactly one model, one storage size and one price. */
async function activeListings(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('ebay_active_condition', launches)
  const at = Date.parse('2023-10-15')
  for (const row of readTable(await Bun.file(join(folder, 'ebay_active_condition/listings.csv')).text())) {
    const title = row.title ?? ''
    const amount = /^\$([\d,]+\.\d\d)$/.exec(row.price_text ?? '')
    const models = new Set([...title.matchAll(PHONE)].map((found) => activeModel(found[1] ?? '')))
    const storages = new Set([...title.matchAll(/(\d+)\s*(GB|TB)/gi)].map((found) => gigabytes(found[0])))
    const [model] = models
    const [storageGb] = storages
    if (!amount || models.size !== 1 || storages.size !== 1 || !model || !storageGb || storageGb < 16) continue
    if (/\b(case|cover|box only|lot of|for iphone|screen protector|parts)\b/i.test(title)) continue
    const lock = /locked/i.test(title.replace(/unlocked/gi, '')) ? 'locked' : /unlocked/i.test(title) ? 'unlocked' : ''
    set.add({
      model: `iPhone ${model}`,
      storageGb,
      grade: row.condition ?? '',
      usd: Number(amount[1]?.replace(/,/g, '')),
      side: 'ask',
      at,
      lock,
      listingId: '',
    })
  }
  return set.finish()
}

function activeModel(text: string): string {
  const model = text.toLowerCase().replace(/[()]/g, ' ').replace(/\s+/g, ' ').trim()
  if (model.startsWith('se')) {
    if (/2nd|2020|se 2$/.test(model)) return 'se 2020'
    if (/3rd|2022|se 3$/.test(model)) return 'se 2022'
    return 'se'
  }
  return model.replace(/^(\d+) s\b/, '$1s').replace(/^xs? max$/, 'xs max')
}

/**
 * The scraper split one series of used prices and labelled the older half "new"; if both columns have a price on one day, the
 * used one is correct.
 */
async function howmuch(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('howmuch_one', launches)
  const rows = readTable(await Bun.file(join(folder, 'howmuch_one/daily.csv')).text())
  const overlapping = new Set<string>()
  const key = (row: Record<string, string>) => `${row.model}|${row.storage_gb}`
  for (const row of rows) if (row.new_price && row.used_price) overlapping.add(key(row))
  for (const row of rows) {
    const usd = overlapping.has(key(row)) ? Number(row.used_price) : Number(row.used_price) || Number(row.new_price)
    if (!usd) continue
    set.add({
      model: row.model ?? '',
      storageGb: Number(row.storage_gb),
      grade: 'used',
      usd,
      side: 'ask',
      at: Date.parse(row.date ?? ''),
    })
  }
  return set.finish()
}

async function wholesale(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('refit_wholesale_us', launches)
  for (const row of readTable(await Bun.file(join(folder, 'refit_wholesale_us/quotes.csv')).text())) {
    // This list has two prices per key, because it labels locked rows as unlocked.
    if (row.list_date === '2025-08-07') continue
    const model = row.model ?? ''
    set.add({
      make: /^galaxy/i.test(model) ? 'Samsung' : 'Apple',
      model,
      storageGb: gigabytes(row.storage ?? ''),
      grade: row.grade ?? '',
      usd: Number(row.price_usd),
      side: 'quote',
      source: row.vendor ?? 'list',
      at: Date.parse(row.list_date ?? ''),
      lock: (row.lock_status ?? '').toLowerCase().includes('carrier') ? 'locked' : 'unlocked',
    })
  }
  return set.finish()
}

async function consoles(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('ebay_sold_2020_consoles_gpus', launches)
  for (const row of readTable(await Bun.file(join(folder, 'ebay_sold_2020_consoles_gpus/sold.csv')).text())) {
    set.add({
      make: /^PS5/.test(row.sku ?? '') ? 'Sony' : /^Xbox/.test(row.sku ?? '') ? 'Microsoft' : 'Parts',
      category: /^(PS5|Xbox)/.test(row.sku ?? '') ? 'Game Consoles' : 'Components',
      model: row.sku ?? '',
      grade: row.condition ?? '',
      usd: Number(row.price_usd) + Number(row.shipping_usd || 0),
      side: 'sold',
      at: Date.parse(row.sold_date ?? ''),
    })
  }
  return set.finish()
}

/** Approximate rate at the time of the crawl. */
const USD_PER_GBP = 1.35

async function macbooks(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('cex_macbooks_uk', launches)
  for (const row of readTable(await Bun.file(join(folder, 'cex_macbooks_uk/listings.csv')).text())) {
    const title = (row.title ?? '').replace(/\/[ABC]$/, '')
    set.add({
      make: 'Apple',
      category: 'Laptops',
      model: title.replace(/\/\d+(GB|TB) (SSD|HDD)/, ''),
      storageGb: gigabytes(/\d+(GB|TB) (SSD|HDD)/.exec(title)?.[0] ?? ''),
      grade: row.grade ?? '',
      usd: Number(row.sell_price_gbp) * USD_PER_GBP,
      side: 'ask',
      source: 'cex',
      market: 'gb',
      at: Date.parse('2025-06-01'),
    })
  }
  return set.finish()
}

type TradeInModel = {
  readonly brand: string
  readonly name: string
  readonly prices: readonly {
    readonly storageSize: string
    readonly priceValue: Readonly<Record<string, Readonly<Record<string, number>>>>
  }[]
}

type ItemSummary = {
  readonly title: string
  readonly itemId: string
  readonly condition: string
  readonly price: { readonly value: string; readonly currency: string }
}

/** Responses of a price API. The prices are of the day of the crawl, not of the day a listing was created. */
async function browsedListings(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('ebay_browse_2025_07_half', launches)
  const { itemSummaries } = await Bun.file(join(folder, 'ebay_browse_2025_07_half/item_summaries.json')).json()
  for (const { title, itemId, condition, price } of itemSummaries as readonly ItemSummary[]) {
    const models = new Set([...title.matchAll(PHONE)].map((found) => activeModel(found[1] ?? '')))
    const storages = new Set([...title.matchAll(/(\d+)\s*(GB|TB)/gi)].map((found) => gigabytes(found[0])))
    const [model] = models
    const [storageGb] = storages
    if (models.size !== 1 || storages.size !== 1 || !model || !storageGb || price.currency !== 'USD') continue
    if (
      /^(?:New|For parts)|16e|\b(case|cover|box only|lot of|for iphone|screen protector|parts|cracked)\b/i.test(
        `${condition} ${title}`,
      )
    )
      continue
    set.add({
      model: `iPhone ${model}`,
      storageGb,
      grade: condition.replace(' - Refurbished', ''),
      usd: Number(price.value),
      side: 'ask',
      at: Date.parse('2025-07-12'),
      lock: /locked/i.test(title.replace(/unlocked/gi, '')) ? 'locked' : /unlocked/i.test(title) ? 'unlocked' : '',
      listingId: itemId,
    })
  }
  return set.finish()
}

/** Asks of one day; only titles with exactly one model and one storage size that the search agrees with. */
async function listings2026(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('ebay_us_2026_half', launches)
  for (const row of readTable(await Bun.file(join(folder, 'ebay_us_2026_half/listings.csv')).text())) {
    const title = row.title ?? ''
    const condition = row.condition ?? ''
    const models = new Set([...title.matchAll(PHONE)].map((found) => activeModel(found[1] ?? '')))
    const storages = new Set([...title.matchAll(/(\d+)\s*(GB|TB)/gi)].map((found) => gigabytes(found[0])))
    const [model] = models
    const [storageGb] = storages
    if (models.size !== 1 || storages.size !== 1 || !model || !storageGb) continue
    if (gigabytes(row.storage_options_gb ?? '') !== storageGb) continue
    if (/^(?:brand new|new)|for parts/i.test(condition)) continue
    if (/16e|\+|\b(case|cover|box only|lot|lots|for iphone|screen protector|parts|cracked|x\d+)\b/i.test(title))
      continue
    set.add({
      model: `iPhone ${model}`,
      storageGb,
      grade: condition.replace(' - Refurbished', ''),
      usd: Number(row.price),
      side: 'ask',
      at: Date.parse('2026-03-31'),
      lock: /locked/i.test(title.replace(/unlocked/gi, '')) ? 'locked' : /unlocked/i.test(title) ? 'unlocked' : '',
    })
  }
  return set.finish()
}

/** Working grades only; damaged devices are priced separately. */
async function tradeInQuotes(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('secondhandcell_half', launches)
  const models: readonly TradeInModel[] = await Bun.file(join(folder, 'secondhandcell_half/quotes.json')).json()
  for (const { brand, name, prices } of models) {
    for (const { storageSize, priceValue } of prices) {
      for (const [lock, grades] of Object.entries(priceValue)) {
        for (const [word, grade] of Object.entries({ flawless: 'Excellent', good: 'Good', fair: 'Fair' })) {
          set.add({
            make: brand === 'iphone' ? 'Apple' : 'Samsung',
            model: name.replace(/^samsung\s+/i, ''),
            storageGb: gigabytes(storageSize),
            grade,
            usd: Number(grades[word]),
            side: 'quote',
            at: Date.parse('2026-06-01'),
            lock,
          })
        }
      }
    }
  }
  return set.finish()
}

export const DATASETS = {
  swappa_2018: swappa,
  ebay_browse_2025_07_half: browsedListings,
  ebay_us_2026_half: listings2026,
  daangn_kr_half: koreanNeighbours,
  ebay_iphone5s_2015: iphone5s,
  ebay_active_condition: activeListings,
  howmuch_one: howmuch,
  refit_wholesale_us: wholesale,
  cex_macbooks_uk: macbooks,
  ebay_sold_2020_consoles_gpus: consoles,
  njuskalo_hr: croatianAds,
  shops_vn_2024: vietnameseShops,
  bunjang_kr: koreanAds,
  secondhandcell_half: tradeInQuotes,
} as const

export type DatasetName = keyof typeof DATASETS

/** Which column of a price list is which: by the names people give them, by what the operator says, never by position. */
import { DomainError, invalid } from '../../lib/errors.ts'
import type { PriceSide } from '../../pricing/model/observation.ts'
import { columnKey } from '../read/header.ts'
import { parseOptionPairs } from './option-pairs.ts'

/** What a row can say, each with the names it goes by; of several that are there the first counts. */
export const PRICE_COLUMNS = {
  source: ['source', 'market', 'vendor', 'marketplace', 'shop'],
  side: ['side'],
  variant: ['variant_id', 'variant'],
  sku: ['sku'],
  partNumber: ['part_number', 'part', 'mpn'],
  make: ['make', 'brand', 'manufacturer', 'maker'],
  model: [
    'title',
    'ad_title',
    'listing_title',
    'item_title',
    'model',
    'model_name',
    'name',
    'name_product',
    'product_name',
    'product',
    'device',
    'item',
  ],
  storage: ['storage', 'storage_gb', 'capacity', 'rom', 'memory_size', 'internal_storage'],
  ram: ['ram', 'ram_gb', 'memory'],
  color: ['color', 'colour'],
  condition: ['condition', 'grade', 'cosmetic_condition', 'item_condition'],
  amount: [
    'amount',
    'price',
    'sold_price',
    'final_price',
    'used_price',
    'old_price',
    'sell_price',
    'selling_price',
    'price_text',
    'item_price',
    'asking_price',
    'quote',
    'buyback_price',
    'trade_in_price',
  ],
  cents: ['price_cents', 'amount_cents'],
  currency: ['currency', 'currency_code'],
  date: [
    'date',
    'observed_at',
    'observed_on',
    'sold_at',
    'sold_date',
    'sold_on',
    'list_date',
    'listing_date',
    'date_of_publishing',
    'published_at',
    'posted_at',
    'scraped_at',
    'day',
    'timestamp',
  ],
  listing: ['listing_id', 'listing', 'item_id', 'ad_id', 'offer_id', 'id'],
  state: ['state', 'status'],
  listedOn: ['listed_on', 'listed_at'],
  lock: ['lock', 'carrier', 'lock_status', 'network'],
} as const satisfies Record<string, readonly string[]>

export type PriceColumn = keyof typeof PRICE_COLUMNS
export type PriceCells = Readonly<Record<PriceColumn, string>>

export const PRICE_COLUMN_NAMES = Object.keys(PRICE_COLUMNS) as PriceColumn[]

/** Columns by the word an operator writes in `--map`: our own names, and the commonest other ones. */
const COLUMN_BY_ALIAS: ReadonlyMap<string, PriceColumn> = new Map([
  ...PRICE_COLUMN_NAMES.map((column) => [columnKey(column), column] as const),
  ...PRICE_COLUMN_NAMES.flatMap((column) => PRICE_COLUMNS[column].map((name) => [columnKey(name), column] as const)),
])

/** Names of columns in the file for what they are, as the operator says it. */
export type ColumnMap = Readonly<Partial<Record<PriceColumn, string>>>

/** Instead of the name of a column: no column is this, whatever the names say. */
const NO_COLUMN = '-'

/** `title=ad_title,price=old_price,state=-`. */
export function parseColumnMap(text: string): ColumnMap {
  const map: Partial<Record<PriceColumn, string>> = {}
  for (const [what, name, pair] of parseOptionPairs('map', text)) {
    const column = COLUMN_BY_ALIAS.get(columnKey(what))
    if (!column || name === '') {
      throw invalid(
        'map',
        pair.trim(),
        `what a column is and its name, such as title=ad_title,price=old_price; there are ${PRICE_COLUMN_NAMES.join(', ')}`,
      )
    }
    map[column] = name
  }
  return map
}

/** A price column may say its currency and what kind of price it is: `sold_price_usd`, `sell_price_gbp`. */
const CURRENCY_SUFFIX = / (usd|eur|gbp|vnd|krw|pln|chf|cad|aud|inr|jpy|czk|huf|sek|nok|dkk|hrk|brl|try|ron|mxn)$/
const SOLD_PRICE = /^(sold|final|closing|hammer) price/
const QUOTE_PRICE = /^(quote|buyback|trade in|offer) ?(price)?/

export type ColumnLayout = {
  /** The name of the column in the file for each that was found. */
  readonly names: ColumnMap
  /** What the name of the price column says by itself. */
  readonly implied: { readonly currency?: string; readonly side?: PriceSide }
}

/** A column as it stands in a file, with a few of its cells. */
export type FileColumn = { readonly name: string; readonly examples: readonly string[] }

/** A file whose columns do not make a list of prices. Whoever can be asked is asked what they are. */
export class UnrecognisedColumnsError extends DomainError {
  /** What was recognised all the same. */
  readonly names: ColumnMap
  constructor(message: string, names: ColumnMap) {
    super('invalid', message)
    this.names = names
  }
}

/** What the columns of a file are. Refused when it cannot be a list of prices. */
export function detectColumns(header: readonly string[], map: ColumnMap, name: string): ColumnLayout {
  const byKey = new Map(header.map((column) => [columnKey(column), column] as const).reverse())
  const names: Partial<Record<PriceColumn, string>> = {}
  for (const column of PRICE_COLUMN_NAMES) {
    const said = map[column]
    if (said === NO_COLUMN) continue
    if (said !== undefined) {
      const found = byKey.get(columnKey(said))
      if (found === undefined) throw unknownColumnError(name, said, header)
      names[column] = found
      continue
    }
    const found = PRICE_COLUMNS[column].map((known) => byKey.get(columnKey(known))).find((one) => one !== undefined)
    // A column that the operator said is one thing is not another as well.
    if (found !== undefined && !Object.values(map).some((taken) => columnKey(taken) === columnKey(found))) {
      names[column] = found
    }
  }
  if (map.amount !== NO_COLUMN) names.amount ??= priceWithCurrency(header, map)
  if (names.amount === undefined && names.cents === undefined)
    throw noPriceListError(name, 'a price', header, withoutMissing(names))
  if (!['variant', 'sku', 'partNumber', 'model'].some((column) => names[column as PriceColumn] !== undefined)) {
    throw noPriceListError(name, 'a title, model, SKU or variant', header, withoutMissing(names))
  }
  const key = columnKey(names.amount ?? '')
  const currency = CURRENCY_SUFFIX.exec(key)?.[1]?.toUpperCase()
  const side = SOLD_PRICE.test(key) ? 'sold' : QUOTE_PRICE.test(key) ? 'quote' : undefined
  return { names: withoutMissing(names), implied: { ...(currency ? { currency } : {}), ...(side ? { side } : {}) } }
}

function priceWithCurrency(header: readonly string[], map: ColumnMap): string | undefined {
  const taken = new Set(Object.values(map).map(columnKey))
  const prices = PRICE_COLUMNS.amount.map(columnKey)
  return header.find((column) => {
    const key = columnKey(column)
    return !taken.has(key) && CURRENCY_SUFFIX.test(key) && prices.includes(key.replace(CURRENCY_SUFFIX, ''))
  })
}

function withoutMissing(names: Partial<Record<PriceColumn, string | undefined>>): ColumnMap {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))
}

const formatHeader = (header: readonly string[]) =>
  header
    .map((column) => column.trim())
    .join(', ')
    .slice(0, 200)

function unknownColumnError(name: string, column: string, header: readonly string[]): DomainError {
  return invalid('map', column, `a column of ${name}: ${formatHeader(header)}`)
}

function noPriceListError(
  name: string,
  missing: string,
  header: readonly string[],
  names: ColumnMap,
): UnrecognisedColumnsError {
  const seen = header.length === 0 ? 'It has no columns' : `Its columns are: ${formatHeader(header)}`
  return new UnrecognisedColumnsError(
    `${name} is no list of prices: no column is recognised as ${missing}. ${seen}. Say which is which with a mapping.`,
    names,
  )
}

/**
 * Stock in the columns that marketplaces and shop systems import. Each follows the public documents of its system; cells that
 * only the shop knows, such as the category of a marketplace, stay empty.
 */
import type { StockItemWire, StockLayout } from '../contract/stock.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'

type Cell = string | number

type Layout = {
  readonly separator: ',' | ';'
  readonly header: (currency: string) => readonly string[]
  readonly row: (item: StockItemWire) => readonly Cell[]
}

/** "Used", the condition that eBay has in all categories of devices, and "For parts or not working". */
const EBAY_USED = 3_000
const EBAY_FOR_PARTS = 7_000
/** eBay cuts longer titles. */
const EBAY_TITLE_CHARS = 80
const EBAY_SITES: Readonly<Record<string, readonly [site: string, country: string]>> = {
  USD: ['US', 'US'],
  EUR: ['Germany', 'DE'],
  GBP: ['UK', 'GB'],
  CAD: ['Canada', 'CA'],
  AUD: ['Australia', 'AU'],
  PLN: ['Poland', 'PL'],
  CHF: ['Switzerland', 'CH'],
}

/** Back Market's numbers of grades, 1 the best; a defective device is not sold there. */
const BACK_MARKET_STATES: Readonly<Record<string, number>> = { Excellent: 1, Good: 2, Fair: 3, Poor: 3 }
const WARRANTY_MONTHS = 12

const skuOf = ({ number }: StockItemWire) => `DI-${number}`
const priceOf = ({ asking_price: asking, suggested_price: suggested, currency }: StockItemWire): Cell => {
  const price = asking ?? suggested
  return price === null ? '' : (price / 10 ** minorUnitDigits(currency)).toFixed(minorUnitDigits(currency))
}
const titleOf = ({ device_name: name, grade }: StockItemWire) => [name, grade].filter(Boolean).join(' – ')

const LAYOUTS: Readonly<Record<StockLayout, Layout>> = {
  /** Seller Hub, file exchange with the version 1193 of its template. */
  ebay: {
    separator: ',',
    header: (currency) => {
      const [site, country] = EBAY_SITES[currency] ?? ['US', 'US']
      return [
        `*Action(SiteID=${site}|Country=${country}|Currency=${currency}|Version=1193|CC=UTF-8)`,
        'CustomLabel',
        '*Category',
        '*Title',
        '*ConditionID',
        'ConditionDescription',
        '*Description',
        '*Format',
        '*Duration',
        '*StartPrice',
        '*Quantity',
        '*Location',
        '*DispatchTimeMax',
      ]
    },
    row: (item) => [
      'Add',
      skuOf(item),
      '',
      titleOf(item).slice(0, EBAY_TITLE_CHARS),
      item.defects.length > 0 ? EBAY_FOR_PARTS : EBAY_USED,
      item.grade ?? '',
      item.device_name,
      'FixedPrice',
      'GTC',
      priceOf(item),
      1,
      '',
      1,
    ],
  },
  /** Listings of the back office and of the API. */
  back_market: {
    separator: ';',
    header: () => ['sku', 'backmarket_id', 'quantity', 'warranty_delay', 'price', 'state'],
    row: (item) => [
      skuOf(item),
      '',
      item.defects.length > 0 ? 0 : 1,
      WARRANTY_MONTHS,
      priceOf(item),
      BACK_MARKET_STATES[item.grade ?? ''] ?? '',
    ],
  },
  /** Products of Shopify. */
  shopify: {
    separator: ',',
    header: () => [
      'Title',
      'URL handle',
      'Vendor',
      'Published on online store',
      'Status',
      'SKU',
      'Barcode',
      'Option1 name',
      'Option1 value',
      'Price',
      'Cost per item',
      'Inventory tracker',
      'Inventory quantity',
      'Continue selling when out of stock',
      'Requires shipping',
    ],
    row: (item) => [
      titleOf(item),
      skuOf(item).toLowerCase(),
      '',
      'FALSE',
      'Draft',
      skuOf(item),
      '',
      'Title',
      'Default Title',
      priceOf(item),
      item.total_cost === undefined
        ? ''
        : (item.total_cost / 10 ** minorUnitDigits(item.currency)).toFixed(minorUnitDigits(item.currency)),
      'shopify',
      1,
      'DENY',
      'TRUE',
    ],
  },
}

export const layoutHeader = (layout: StockLayout, currency: string): readonly string[] =>
  LAYOUTS[layout].header(currency)
export const layoutRow = (layout: StockLayout, item: StockItemWire): readonly Cell[] => LAYOUTS[layout].row(item)
export const layoutSeparator = (layout: StockLayout) => LAYOUTS[layout].separator

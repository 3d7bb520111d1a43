/** Price services whose requests and responses are known: only the market and the account are entered. */
import type { PriceTemplate } from '../../contract/price-services.ts'

/** Condition ids of eBay by a word of ours. Items for parts (7000) are not asked for. */
const EBAY_CONDITIONS = {
  1000: 'New',
  1500: 'Open box',
  2000: 'Certified refurbished',
  2010: 'Excellent - Refurbished',
  2020: 'Very Good - Refurbished',
  2030: 'Good - Refurbished',
  2500: 'Seller refurbished',
  2750: 'Like New',
  3000: 'Used',
  4000: 'Very Good',
  5000: 'Good',
  6000: 'Acceptable',
} as const

/** Phones have a category of the same id in these marketplaces; other devices are searched in all categories. */
const EBAY_CATEGORIES = { Smartphone: '9355', 'Feature Phone': '9355' } as const

const PUBLIC_URL = 'https://api.ebay.com'
const PAGE_SIZE = 200
/** Accounts have 5,000 calls a day by default; the rest is for tests and other programs of the same account. */
const REQUESTS_PER_DAY = 4_500

/** The fields of a feed for a template. The client secret is added where it is decrypted. */
export function expandTemplate({ market, client_id, base_url = PUBLIC_URL, requests_per_day }: PriceTemplate) {
  const filter = [
    `conditionIds:{${Object.keys(EBAY_CONDITIONS).join('|')}}`,
    'buyingOptions:{FIXED_PRICE}',
    `itemLocationCountry:${market}`,
  ].join(',')
  return {
    format: 'observations',
    url: `${base_url}/buy/browse/v1/item_summary/search?q={query}&category_ids={category}&filter=${encodeURIComponent(filter)}&limit={limit}&offset={offset}`,
    api: {
      oauth: {
        token_url: `${base_url}/identity/v1/oauth2/token`,
        client_id,
        scope: 'https://api.ebay.com/oauth/api_scope',
      },
      headers: { 'X-EBAY-C-MARKETPLACE-ID': `EBAY_${market}` },
      paging: { size: PAGE_SIZE, max_pages: 2, total: 'total' },
      items: 'itemSummaries',
      fields: {
        id: 'itemId',
        title: 'title',
        price: 'price.value',
        currency: 'price.currency',
        condition: 'conditionId',
        // Not the day of the listing: one of several devices keeps it for years, so its age does not tell how fast one sells.
      },
      conditions: EBAY_CONDITIONS,
      categories: EBAY_CATEGORIES,
      requests_per_second: 4,
      requests_per_day: requests_per_day ?? REQUESTS_PER_DAY,
      requests_per_run: 200,
    },
    options: { source: `ebay-${market.toLowerCase()}`, side: 'ask', market },
  }
}

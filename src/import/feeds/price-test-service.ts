/** Asks a price service about one device and shows what an import would make of the response. */

import type { TestedListingWire } from '../../contract/price-services.ts'
import { type Failure, failure } from '../../lib/failure.ts'
import { type Reason, reason } from '../../lib/reasons.ts'
import type { ContributionService } from '../prices/contribution-service.ts'
import { EMPTY_CELLS, type PriceCells } from '../prices/price-columns.ts'
import { parsePriceOptions } from '../prices/price-options.ts'
import { FeedFetchError } from './feed-response.ts'
import { BudgetUsedError, type PriceClientOptions, type PriceFeed, priceClient } from './price-client-service.ts'
import type { PriceListing } from './price-response.ts'

/** A person reads them. */
const MAX_LISTINGS = 20

export type PriceTest =
  | { readonly outcome: 'answered'; readonly results: number | null; readonly listings: readonly TestedListingWire[] }
  | { readonly outcome: 'failed'; readonly failure: Failure }

export async function testPriceFeed(
  feed: PriceFeed,
  query: string,
  {
    readRows,
    defaultMarket,
    ...client
  }: PriceClientOptions & {
    readonly readRows: ContributionService['read']
    readonly defaultMarket: string
  },
): Promise<PriceTest> {
  // A person waits for it.
  const asked = { ...feed, retries: 0 }
  try {
    const device = { deviceId: '', text: query, category: '' }
    const page = await priceClient(asked, client).fetchPage(device, { page: 0, cursor: '' })
    const listings = page.listings.slice(0, MAX_LISTINGS)
    const { defaults, grades } = parsePriceOptions({ source: feed.name, ...feed.options })
    const rows = await readRows(listings.map(toCells), { defaultMarket, defaults, grades }, client.now())
    return {
      outcome: 'answered',
      results: page.total,
      listings: listings.map((listing, at) => {
        const { parsed, deviceName } = rows[at] ?? {
          parsed: { problem: 'not_a_row' as const, detail: '' },
          deviceName: null,
        }
        const { listing_id, title, price, price_cents, currency: stated, condition: word } = listing
        const isRejected = 'problem' in parsed
        return {
          ...{ listing_id, title, price: price || price_cents, currency: stated, condition: word, device: deviceName },
          grade: isRejected ? null : parsed.terms.grade,
          reason: isRejected ? parsed.problem : null,
        }
      }),
    }
  } catch (error) {
    if (error instanceof BudgetUsedError)
      return failed('The budget of today is used up.', reason('price_service_budget'))
    if (client.signal.aborted) {
      const { name } = feed
      return failed(`The price service ${name} did not answer in time.`, reason('price_service_silent', { name }))
    }
    if (error instanceof FeedFetchError) return failed(error.message, error.reason)
    throw error
  }
}

const failed = (message: string, why: Reason): PriceTest => ({ outcome: 'failed', failure: failure(message, why) })

const toCells = (listing: PriceListing): PriceCells => ({
  ...EMPTY_CELLS,
  listing: listing.listing_id,
  model: listing.title,
  amount: listing.price,
  cents: listing.price_cents,
  currency: listing.currency,
  condition: listing.condition,
  date: listing.date,
  listedOn: listing.listed_on,
  side: listing.side,
  country: listing.country,
})

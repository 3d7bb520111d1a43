/** A run of a price service: asks about the devices that are due, and ends the listings that it no longer has. */

import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../../catalog/bundled-catalogue-service.ts'
import { readAllDevices } from '../../catalog/catalogue-store.ts'
import type { Database } from '../../db/database.ts'
import { reason } from '../../lib/reasons.ts'
import { dayIn, dayOf, isoInstant } from '../../lib/time.ts'
import { seedCatalogue } from '../catalogue/seed-catalogue-service.ts'
import { FeedFetchError } from './feed-response.ts'
import type { FeedState } from './feed-schedule.ts'
import { asksPerDevice, type PriceQuery } from './price-api.ts'
import { type PriceFeed, priceClient } from './price-client-service.ts'
import { type FetchedPrices, fetchPrices, requestedWaitMs } from './price-fetch-service.ts'
import { selectQueries } from './price-queries.ts'
import { priceSourceStore } from './price-source-store.ts'

type PriceRun = {
  readonly feed: PriceFeed
  readonly db: Database
  readonly allowPrivateAddresses: boolean
  readonly lastState: FeedState | null
  readonly targetPath: string
  readonly jobId: string | null
  readonly now: () => number
  readonly signal: AbortSignal
  readonly notify: (sentence: string) => void
}

const EVERYTHING: PriceQuery = { deviceId: '', text: '', category: '' }

export async function fetchDuePrices(run: PriceRun): Promise<FetchedPrices> {
  const { feed, db, now, signal, notify, lastState } = run
  const { api, name } = feed
  const store = priceSourceStore(db)
  if (lastState?.waitsUntil && lastState.waitsUntil > now()) {
    throw new FeedFetchError(
      `The price service ${name} asked to wait until ${isoInstant(lastState.waitsUntil)}.`,
      reason('price_service_waits', { name }),
    )
  }
  const perRun = api.requests_per_run ?? api.requests_per_day
  let sent = 0
  const client = priceClient(feed, {
    addressRules: { allowPrivate: run.allowPrivateAddresses },
    takeRequest: async () =>
      ++sent <= perRun && (await store.takeRequest(name, dayIn(now(), api.time_zone), api.requests_per_day)),
    now,
    signal,
    notify,
  })
  const queries = asksPerDevice(feed.url) ? await dueQueries(db, feed, now(), perRun) : [EVERYTHING]
  if (queries.length === 0) notify(`All prices of ${name} are fresh.`)
  return fetchPrices(feed, {
    queries,
    client,
    targetPath: run.targetPath,
    runId: run.jobId,
    now,
    signal,
    onProgress: (listings, count) => {
      if (count % 50 === 0) notify(`${name}: ${listings} listings of ${count} devices.`)
    },
  })
}

async function dueQueries(db: Database, feed: PriceFeed, now: number, limit: number): Promise<PriceQuery[]> {
  await seedCatalogue(db, { version: bundledCatalogueVersion(), devices: bundledDevices, tacs: bundledTacs })
  const devices = await readAllDevices(db)
  const store = priceSourceStore(db)
  const context = { interest: await store.interest(devices), states: await store.queryStates(feed.name), now }
  return selectQueries(devices, context, limit)
}

/** After the import: a device counts as asked, and its listings that the service no longer returns end. */
export async function recordFetchedPrices(
  { db, now }: Pick<PriceRun, 'db' | 'now'>,
  { name, api, options }: PriceFeed,
  { queries, failure }: FetchedPrices,
): Promise<void> {
  const store = priceSourceStore(db)
  const complete = queries.filter(({ isComplete }) => isComplete)
  // Prices with days of their own do not tell when a listing was last seen.
  if (api.fields.date === undefined && complete.length > 0) {
    const deviceIds = complete.map(({ deviceId }) => deviceId)
    const startedOn = Math.min(...complete.map(({ fetchedAt }) => fetchedAt))
    await store.endListings(options.source ?? name, deviceIds.includes('') ? null : deviceIds, startOf(startedOn))
  }
  await store.saveQueries(name, queries)
  const waitMs = requestedWaitMs(failure)
  await store.waitUntil(name, waitMs === null ? null : now() + waitMs)
}

/** Midnight: prices are dated by the day. */
const startOf = (at: number) => Date.parse(dayOf(at))

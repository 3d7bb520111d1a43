/** Fetches the listings of a price service, device by device, into a file that is imported like any other list. */

import { mkdir, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reason } from '../../lib/reasons.ts'
import { writeAll } from '../../lib/write-all.ts'
import { FeedFetchError } from './feed-response.ts'
import { hasPages, type PriceQuery } from './price-api.ts'
import { BudgetUsedError, type PriceFeed, type priceClient, WaitRequestedError } from './price-client-service.ts'
import type { PriceListing } from './price-response.ts'
import type { FetchedQuery } from './price-source-store.ts'

export type FetchedPrices = {
  /** Path of the listings, one JSON object per line. */
  readonly path: string
  readonly queries: readonly FetchedQuery[]
  readonly listings: number
  /** Why not all queries were sent; those before are complete. */
  readonly failure: FeedFetchError | null
}

type PriceFetchOptions = {
  readonly queries: readonly PriceQuery[]
  readonly client: ReturnType<typeof priceClient>
  readonly targetPath: string
  /** A run that was interrupted continues under the same id; null starts from the beginning. */
  readonly runId: string | null
  readonly now: () => number
  readonly signal: AbortSignal
  readonly onProgress: (listings: number, queries: number) => void
}

/** What is in the file, one line per query; `bytes` is the size of the file after it. */
type DoneLine = FetchedQuery & { readonly bytes: number }

/**
 * The first failure ends the run; what was fetched until then is imported. Queries that are complete are in a second file, so
 * that a run that was killed sends none of them again.
 */
export async function fetchPrices(feed: PriceFeed, options: PriceFetchOptions): Promise<FetchedPrices> {
  const { targetPath, runId, signal } = options
  await mkdir(dirname(targetPath), { recursive: true, mode: 0o700 })
  const done = runId === null ? [] : await readDone(targetPath, runId)
  if (done.length === 0) await removeFetched(targetPath)
  else await truncate(targetPath, done.at(-1)?.bytes ?? 0)
  const doneFile = await open(donePath(targetPath), 'a', 0o600)
  const file = await open(targetPath, 'a', 0o600)
  try {
    if (done.length === 0) await writeAll(doneFile, toLine({ runId }))
    let bytes = done.at(-1)?.bytes ?? 0
    const fetched: DoneLine[] = [...done]
    const doneIds = new Set(done.map(({ deviceId }) => deviceId))
    let listings = done.reduce((sum, query) => sum + query.listings, 0)
    for (const query of options.queries) {
      if (doneIds.has(query.deviceId)) continue
      try {
        const result = await fetchQuery(feed, query, options)
        const rows = Buffer.concat(result.listings.map(toLine))
        await writeAll(file, rows)
        await file.sync()
        bytes += rows.byteLength
        const { isComplete } = result
        const entry = {
          deviceId: query.deviceId,
          fetchedAt: options.now(),
          listings: result.listings.length,
          isComplete,
        }
        await writeAll(doneFile, toLine({ ...entry, bytes }))
        fetched.push({ ...entry, bytes })
        listings += entry.listings
        options.onProgress(listings, fetched.length)
      } catch (error) {
        if (signal.aborted)
          throw new FeedFetchError('Stopped; nothing was written.', reason('import_stopped_unwritten'), {
            cause: error,
          })
        if (error instanceof BudgetUsedError) break
        if (!(error instanceof FeedFetchError)) throw error
        return { path: targetPath, queries: fetched, listings, failure: error }
      }
    }
    return { path: targetPath, queries: fetched, listings, failure: null }
  } finally {
    await file.close()
    await doneFile.close()
  }
}

/** Removes the files of a run. */
export async function removeFetched(targetPath: string): Promise<void> {
  await rm(targetPath, { force: true })
  await rm(donePath(targetPath), { force: true })
}

/** How long to wait, if the service asked for it. */
export const requestedWaitMs = (failure: FeedFetchError | null) =>
  failure instanceof WaitRequestedError ? failure.waitMs : null

/** All pages of a query, as far as the paging allows: a million results are not read. */
async function fetchQuery(
  { url, api }: PriceFeed,
  query: PriceQuery,
  { client }: PriceFetchOptions,
): Promise<{ readonly listings: readonly PriceListing[]; readonly isComplete: boolean }> {
  const { size, max_pages: maxPages, next } = api.paging
  const listings: PriceListing[] = []
  let received = 0
  let cursor = ''
  for (let page = 0; page < maxPages; page++) {
    const result = await client.fetchPage(query, { page, cursor })
    listings.push(...result.listings)
    received += result.items
    const isLast =
      result.items === 0 || !hasPages(url) || (result.total === null ? result.items < size : received >= result.total)
    if (next === undefined ? isLast : result.cursor === '' || result.items === 0) return { listings, isComplete: true }
    cursor = result.cursor
  }
  return { listings, isComplete: false }
}

const donePath = (targetPath: string) => `${targetPath}.done`

const toLine = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

/** Queries of this run whose listings are in the file. A line that was cut off counts as not written. */
async function readDone(targetPath: string, runId: string): Promise<DoneLine[]> {
  const text = await readFile(donePath(targetPath), 'utf8').catch(() => '')
  const [first, ...lines] = text.split('\n').slice(0, -1)
  const { size } = await stat(targetPath).catch(() => ({ size: 0 }))
  try {
    if (JSON.parse(first ?? 'null')?.runId !== runId) return []
    return lines.map((line) => JSON.parse(line) as DoneLine).filter(({ bytes }) => bytes <= size)
  } catch {
    return []
  }
}

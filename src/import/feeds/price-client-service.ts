/** Asks a price service for single pages: token, rate, budget and retries. */

import { setTimeout } from 'node:timers/promises'
import { fetchJson, JsonRequestError, type SendRequest } from '../../lib/json-request.ts'
import { oauthTokens } from '../../lib/oauth-tokens.ts'
import { type AddressRules, allowEnteredPrivate, sendPinned } from '../../lib/pinned-http.ts'
import { reason } from '../../lib/reasons.ts'
import { dayOf } from '../../lib/time.ts'
import { FeedFetchError, retryDelayMs } from './feed-response.ts'
import type { FeedSettings } from './feed-settings.ts'
import { type PageRequest, type PriceApi, type PriceQuery, pageUrl } from './price-api.ts'
import { InvalidPriceResponse, type PricePage, readPricePage } from './price-response.ts'

export type PriceFeed = FeedSettings & { readonly api: PriceApi }

export const isPriceFeed = (feed: FeedSettings): feed is PriceFeed => feed.api !== null

export type PriceClientOptions = {
  readonly addressRules: AddressRules
  /** Takes one request from the budget; false if it is used up. */
  readonly takeRequest: () => Promise<boolean>
  readonly now: () => number
  readonly signal: AbortSignal
  readonly notify: (sentence: string) => void
}

/** The budget of the day is used up: no failure, the rest is fetched later. */
export class BudgetUsedError extends Error {}

/** The service asked to wait longer than a run does. */
export class WaitRequestedError extends FeedFetchError {
  readonly waitMs: number
  constructor(name: string, message: string, waitMs: number) {
    super(message, reason('price_service_waits', { name }))
    this.waitMs = waitMs
  }
}

/** Longer waits are left to a later run. */
const MAX_WAIT_MS = 60_000

export function priceClient(feed: PriceFeed, { addressRules, takeRequest, now, signal, notify }: PriceClientOptions) {
  const { api, name } = feed
  const send: SendRequest = (url, request) => sendPinned(url, allowEnteredPrivate(url, addressRules), request)
  const tokens = api.oauth && oauthTokens(api.oauth, now, send)
  let nextAt = 0

  /** Keeps the rate of the service. */
  async function waitForTurn(): Promise<void> {
    const waitMs = nextAt - now()
    nextAt = Math.max(now(), nextAt) + 1000 / api.requests_per_second
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal })
  }

  async function requestOnce(url: string): Promise<unknown> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(api.request_timeout_ms)])
    const authorization = tokens && { Authorization: `Bearer ${await tokens.get(deadline)}` }
    await waitForTurn()
    if (!(await takeRequest())) throw new BudgetUsedError()
    const headers = { 'User-Agent': 'device-intelligence', ...api.headers, ...feed.headers, ...authorization }
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(api.request_timeout_ms)])
    const { status, body } = await fetchJson({ url, method: 'GET', headers }, api.max_response_bytes, timeout, send)
    if (status === 404) throw new JsonRequestError('status 404', false, 404)
    return body
  }

  async function request(url: string): Promise<unknown> {
    let hasRenewedToken = false
    for (let retry = 0; ; ) {
      try {
        return await requestOnce(url)
      } catch (error) {
        if (!(error instanceof JsonRequestError)) throw error
        if (signal.aborted) throw describeFailure(name, error)
        if (error.status === 401 && tokens && !hasRenewedToken && !error.message.startsWith('no token')) {
          // The service may forget a token before it expires.
          hasRenewedToken = true
          tokens.invalidate()
          continue
        }
        const failure = describeFailure(name, error)
        if (error.pauseMs > MAX_WAIT_MS) throw new WaitRequestedError(name, failure.message, error.pauseMs)
        if (!failure.retriable || ++retry > feed.retries) throw failure
        const pauseMs = Math.min(MAX_WAIT_MS, retryDelayMs(retry, feed.retryPauseMs, error.pauseMs))
        notify(`${failure.message} Trying again in ${(pauseMs / 1000).toFixed(1)} s (${retry} of ${feed.retries}).`)
        await setTimeout(pauseMs, undefined, { signal })
      }
    }
  }

  return {
    async fetchPage(query: PriceQuery, page: PageRequest): Promise<PricePage> {
      const body = await request(pageUrl(feed.url, api, query, page))
      try {
        return readPricePage(api, body, dayOf(now()))
      } catch (error) {
        if (!(error instanceof InvalidPriceResponse)) throw error
        throw new FeedFetchError(
          `The price service ${name} cannot be read: ${error.message}.`,
          reason('price_service_unreadable', { name }),
          { cause: error },
        )
      }
    },
  }
}

/** A time-out is worth a retry; the reason of the request never contains an address or a secret. */
function describeFailure(name: string, error: JsonRequestError): FeedFetchError {
  const { status, message } = error
  const isTimeout = /in time$/.test(message)
  const retriable = error.isRetriable || isTimeout || status === 429 || status === 408
  if (/^no token: status 4/.test(message)) {
    return new FeedFetchError(
      `The price service ${name} rejected the client id or the client secret (${message}).`,
      reason('price_service_credentials', { name }),
    )
  }
  if (status === 401 || status === 403) {
    return new FeedFetchError(
      `The price service ${name} rejected the credentials (status ${status}).`,
      reason('price_service_credentials', { name }),
    )
  }
  return new FeedFetchError(
    `The price service ${name} did not answer: ${message.replace(/\.$/, '')}.`,
    reason('price_service_silent', { name }),
    {
      retriable,
      pauseMs: error.pauseMs,
      cause: error,
    },
  )
}

import {
  bulkhead,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleAll,
  handleWhen,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import type { Identifier } from '../../identifier/identifier.ts'
import { maskIdentifier } from '../../identifier/identifier-mask.ts'
import { imeiWithCheckDigit } from '../../identifier/imei.ts'
import { fetchJson, JsonRequestError } from '../../lib/json-request.ts'
import { oauthTokens } from '../../lib/oauth-tokens.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { NO_FACTS, type RiskSource, type SourceFacts, type SourceResult } from '../source-facts.ts'
import type { SourceFailure } from './failure-log.ts'
import { InvalidProviderResponse, parseProviderResponse } from './provider-response.ts'
import type { ProviderSettings } from './provider-settings.ts'

export type CachedSourceFacts = { readonly facts: SourceFacts; readonly fetchedAt: number }

/** Persistent cache, shared by all organizations; it does not store who asked. */
export type SourceCache = {
  readonly read: (source: string, key: string) => Promise<CachedSourceFacts | null>
  readonly write: (source: string, key: string, cached: CachedSourceFacts) => void
}

export type ProviderOptions = {
  readonly cache: SourceCache
  readonly now: () => number
  readonly onFailure?: (failure: SourceFailure) => void
  /** Called for each response, not for cached facts. */
  readonly onSuccess?: (source: string) => void
}

const RETRY_PAUSE_MS = 50
const QUEUE_PER_SLOT = 64

/**
 * A provider with timeout, retry, rate limit, circuit breaker and cache. The time budget covers queueing, the request and
 * the retry; the first attempt gets at most half of it. Concurrent lookups of the same identifier share one request.
 */
export function providerSource(
  settings: ProviderSettings,
  { cache, now, onFailure, onSuccess }: ProviderOptions,
): RiskSource {
  const { name, request } = settings
  const tokens = request.oauth && oauthTokens(request.oauth, now)
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(settings.breaker.failures),
    halfOpenAfter: settings.breaker.pause_ms,
  })
  const retryPolicy = retry(handleWhen(isRetriable), {
    maxAttempts: settings.retries,
    backoff: new ConstantBackoff(RETRY_PAUSE_MS),
  })
  const attemptMs = Math.floor((settings.timeout_ms - settings.retries * RETRY_PAUSE_MS) / (settings.retries + 1))
  const policy = wrap(
    timeout(settings.timeout_ms, TimeoutStrategy.Aggressive),
    bulkhead(settings.concurrency, settings.concurrency * QUEUE_PER_SLOT),
    retryPolicy,
    breaker,
    timeout(attemptMs, TimeoutStrategy.Aggressive),
  )
  const inFlight = new Map<string, Promise<SourceResult>>()

  function toResponse(facts: SourceFacts, ageMs: number | null, isStale: boolean): SourceResult {
    const response = { state: 'answered', source: name, facts, ageMs, isStale } as const
    if (![facts.blacklist, facts.gsma, facts.ctia].includes('clean')) return response
    const { list, area } = settings
    return { ...response, clearances: [{ source: name, list, area, entries: null, updatedAt: now() - (ageMs ?? 0) }] }
  }

  async function fetchFacts(identifier: Identifier, signal: AbortSignal): Promise<SourceFacts> {
    const plain = buildProviderRequest(request, identifier)
    const authorization = tokens && { Authorization: `Bearer ${await tokens.get(signal)}` }
    const sent = { ...plain, headers: { ...plain.headers, ...authorization } }
    const { status, body } = await fetchJson(sent, settings.max_bytes, signal).catch((error) => {
      // The next attempt fetches a new token.
      if (error instanceof JsonRequestError && error.status === 401) tokens?.invalidate()
      throw error
    })
    if (status !== 404) return parseProviderResponse(settings.answer, identifier, body)
    const { not_found: notFound } = settings.answer
    if (!notFound) throw new InvalidProviderResponse('status 404')
    return { ...NO_FACTS, blacklist: notFound.blacklist === 'clean' ? 'clean' : null }
  }

  async function queryProvider(identifier: Identifier, cached: CachedSourceFacts | null): Promise<SourceResult> {
    try {
      const facts = await policy.execute(({ signal }) => fetchFacts(identifier, signal))
      onSuccess?.(name)
      cache.write(name, sourceCacheKey(identifier), { facts, fetchedAt: now() })
      return toResponse(facts, null, false)
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'failed'
      onFailure?.({ source: name, reason, identifier: maskIdentifier(identifier.text) })
      const ageMs = cached === null ? Number.POSITIVE_INFINITY : now() - cached.fetchedAt
      if (cached === null || ageMs > settings.stale_minutes * MINUTE_MS) return { state: 'unavailable', source: name }
      return toResponse(cached.facts, ageMs, true)
    }
  }

  async function readOrQuery(identifier: Identifier): Promise<SourceResult> {
    // An unreadable cache must not prevent the request.
    const cached = await cache.read(name, sourceCacheKey(identifier)).catch(() => null)
    const ageMs = cached === null ? Number.POSITIVE_INFINITY : Math.max(0, now() - cached.fetchedAt)
    if (cached !== null && ageMs < settings.cache_minutes * MINUTE_MS) {
      return toResponse(cached.facts, ageMs, false)
    }
    return queryProvider(identifier, cached)
  }

  return {
    name,
    async lookUp(identifier) {
      if (!settings.identifiers.includes(identifier.type)) return null
      const key = sourceCacheKey(identifier)
      const pending = inFlight.get(key)
      if (pending) return pending
      const call = readOrQuery(identifier).finally(() => inFlight.delete(key))
      inFlight.set(key, call)
      return call
    },
  }
}

function sourceCacheKey({ type, key }: Identifier): string {
  return `${type}:${key}`
}

/** Retries timeouts, broken connections and 5xx responses; never invalid responses or an open circuit. */
function isRetriable(error: unknown): boolean {
  if (error instanceof InvalidProviderResponse) return false
  if (error instanceof Error && 'isTaskCancelledError' in error) return true
  return (error as Partial<JsonRequestError>).isRetriable === true
}

/** The normalized identifier with its correct check digit. */
function buildProviderRequest(request: ProviderSettings['request'], identifier: Identifier) {
  const fullIdentifier = identifier.type === 'imei' ? imeiWithCheckDigit(identifier.key) : identifier.key
  const placeholders: Readonly<Record<string, string>> = {
    identifier: fullIdentifier,
    key: identifier.key,
    type: identifier.type,
    tac: identifier.key.slice(0, 8),
  }
  const fill = (text: string) =>
    text.replace(/\{(identifier|key|type|tac)\}/g, (_, name: string) => placeholders[name] ?? '')
  const body = request.body === undefined ? undefined : JSON.stringify(fillPlaceholders(request.body, fill))
  return {
    url: fill(request.url),
    method: request.method,
    headers: body === undefined ? request.headers : { 'Content-Type': 'application/json', ...request.headers },
    ...(body === undefined ? {} : { body }),
  }
}

function fillPlaceholders(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((item) => fillPlaceholders(item, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillPlaceholders(item, fill)]))
}

import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../contract/lookups.ts'
import { invalid } from '../lib/errors.ts'
import { parseStoredJson } from './stored-json.ts'

const HEADER_NAME = 'Idempotency-Key'

/** The stored response to an `Idempotency-Key`. */
export type IdempotencyRecord = { readonly key: string; readonly bodyHash: string; readonly responseJson: string }

export function parseIdempotencyKey(header: string | null): string | null {
  if (header === null || header.trim() === '') return null
  const key = header.trim()
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH) {
    throw invalid(HEADER_NAME, key, `at most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters`)
  }
  return key
}

/** Independent of the order of the fields. */
export function hashBody(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${path} ${JSON.stringify(sortKeys(body))}`)
    .digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([name, field]) => [name, sortKeys(field)]))
}

export type ReplayableResponse<Data = unknown> = { readonly data: Data; readonly isReplay: boolean }

/** Stands in place of the response while the operation runs; it is no JSON. */
export const PENDING = 'pending'

type CompletedRun<Data> = {
  readonly data: Data
  /** Response to repeated requests, if it differs. */
  readonly replayData?: Data
  /** The record of an earlier request with the same key; nothing was done then. */
  readonly existing: IdempotencyRecord | null
}

export type IdempotentRequest = { readonly key: string; readonly bodyHash: string }

/**
 * One response per key: concurrent requests wait for the first, later ones get the stored response, and those of another
 * process find it when they write. The same key with another body is an error.
 */
export function runOncePerKey(
  find: (organizationId: string, key: string, now: number) => Promise<IdempotencyRecord | null>,
): <Data>(
  organizationId: string,
  request: IdempotentRequest,
  now: number,
  run: () => Promise<CompletedRun<Data>>,
) => Promise<ReplayableResponse<Data>> {
  const pendingById = new Map<string, { readonly bodyHash: string; readonly run: Promise<PendingRun<unknown>> }>()

  return async <Data>(
    organizationId: string,
    request: IdempotentRequest,
    now: number,
    run: () => Promise<CompletedRun<Data>>,
  ) => {
    const id = `${organizationId} ${request.key}`
    const pending = pendingById.get(id)
    if (pending) {
      if (pending.bodyHash !== request.bodyHash) throw keyReusedError(request.key)
      return { data: (await pending.run).replayData as Data, isReplay: true }
    }
    const pendingRun = (async (): Promise<PendingRun<Data>> => {
      const stored = await find(organizationId, request.key, now)
      if (stored) return toPendingRun(replayResponse(stored, request))
      const { data, replayData = data, existing } = await run()
      return existing ? toPendingRun(replayResponse(existing, request)) : { data, replayData, isReplay: false }
    })()
    pendingById.set(id, { bodyHash: request.bodyHash, run: pendingRun })
    try {
      const { data, isReplay } = await pendingRun
      return { data, isReplay }
    } finally {
      pendingById.delete(id)
    }
  }
}

type PendingRun<Data> = ReplayableResponse<Data> & { readonly replayData: Data }

const toPendingRun = <Data>(response: ReplayableResponse<Data>): PendingRun<Data> => ({
  ...response,
  replayData: response.data,
})

function replayResponse<Data>(stored: IdempotencyRecord, request: IdempotentRequest): ReplayableResponse<Data> {
  if (stored.bodyHash !== request.bodyHash) throw keyReusedError(request.key)
  if (stored.responseJson.startsWith(PENDING)) throw unfinishedError(request.key)
  return { data: parseStoredJson(stored.responseJson) as Data, isReplay: true }
}

function keyReusedError(key: string) {
  return invalid(HEADER_NAME, key, 'a key that was not used with another body in the last 24 hours')
}

/** The first request runs in another process, or its process was killed. */
function unfinishedError(key: string) {
  return invalid(
    HEADER_NAME,
    key,
    'a key whose first request has ended; if that request got no response, check whether it took effect and use a new key',
  )
}

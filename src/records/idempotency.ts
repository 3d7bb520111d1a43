import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../contract/lookups.ts'
import { invalid } from '../lib/errors.ts'
import { readStoredJson } from './stored-json.ts'

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

export type ReplayableResponse = { readonly json: string; readonly isReplay: boolean }

/** Stands with a random id in place of the response while the operation runs; JSON never begins so. */
export const PENDING_PREFIX = 'pending '

type CompletedRun = {
  readonly json: string
  /** Response to repeated requests, if it differs. */
  readonly replayJson?: string
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
): (
  organizationId: string,
  request: IdempotentRequest,
  now: number,
  run: () => Promise<CompletedRun>,
) => Promise<ReplayableResponse> {
  const pendingById = new Map<string, { readonly bodyHash: string; readonly run: Promise<PendingRun> }>()

  return async (organizationId, request, now, run) => {
    const id = `${organizationId} ${request.key}`
    const pending = pendingById.get(id)
    if (pending) {
      if (pending.bodyHash !== request.bodyHash) throw keyReusedError(request.key)
      return { json: (await pending.run).replayJson, isReplay: true }
    }
    const pendingRun = (async (): Promise<PendingRun> => {
      const stored = await find(organizationId, request.key, now)
      if (stored) return toPendingRun(replayResponse(stored, request))
      const { json, replayJson = json, existing } = await run()
      return existing ? toPendingRun(replayResponse(existing, request)) : { json, replayJson, isReplay: false }
    })()
    pendingById.set(id, { bodyHash: request.bodyHash, run: pendingRun })
    try {
      const { json, isReplay } = await pendingRun
      return { json, isReplay }
    } finally {
      pendingById.delete(id)
    }
  }
}

type PendingRun = ReplayableResponse & { readonly replayJson: string }

const toPendingRun = (response: ReplayableResponse): PendingRun => ({ ...response, replayJson: response.json })

function replayResponse(stored: IdempotencyRecord, request: IdempotentRequest): ReplayableResponse {
  if (stored.bodyHash !== request.bodyHash) throw keyReusedError(request.key)
  if (stored.responseJson.startsWith(PENDING_PREFIX)) throw unfinishedError(request.key)
  return { json: readStoredJson(stored.responseJson), isReplay: true }
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

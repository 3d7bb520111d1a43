import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../contract/lookups.ts'
import { invalid } from '../lib/errors.ts'
import { checkStoredJson } from './stored-json.ts'

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
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]))
}

export type ReplayableResponse = { readonly json: string; readonly isReplay: boolean }

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
  make: () => Promise<{ readonly answer: string; readonly claimed: IdempotencyRecord | null }>,
) => Promise<ReplayableResponse> {
  const making = new Map<string, { readonly bodyHash: string; readonly made: Promise<ReplayableResponse> }>()

  return async (organizationId, request, now, make) => {
    const id = `${organizationId} ${request.key}`
    const first = making.get(id)
    if (first) {
      if (first.bodyHash !== request.bodyHash) throw keyReusedError(request.key)
      const { json: answer } = await first.made
      return { json: answer, isReplay: true }
    }
    const made = (async (): Promise<ReplayableResponse> => {
      const found = await find(organizationId, request.key, now)
      if (found) return replayResponse(found, request)
      const { answer, claimed } = await make()
      return claimed ? replayResponse(claimed, request) : { json: answer, isReplay: false }
    })()
    making.set(id, { bodyHash: request.bodyHash, made: made })
    try {
      return await made
    } finally {
      making.delete(id)
    }
  }
}

function replayResponse(claim: IdempotencyRecord, request: IdempotentRequest): ReplayableResponse {
  if (claim.bodyHash !== request.bodyHash) throw keyReusedError(request.key)
  return { json: checkStoredJson(claim.responseJson), isReplay: true }
}

function keyReusedError(key: string) {
  return invalid(HEADER_NAME, key, 'a key that was not used with another body in the last 24 hours')
}

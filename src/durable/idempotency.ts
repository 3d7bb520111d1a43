import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../contract/imei.ts'
import { invalid } from '../errors.ts'
import { soundAnswer } from './kept-answer.ts'

const FIELD = 'Idempotency-Key'

/** The first answer to an `Idempotency-Key`, while it counts. */
export type Claim = { readonly key: string; readonly bodyHash: string; readonly answer: string }

export function readIdempotencyKey(header: string | null): string | null {
  if (header === null || header.trim() === '') return null
  const key = header.trim()
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH) {
    throw invalid(FIELD, key, `at most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters`)
  }
  return key
}

/** The same for the same body, however its fields are ordered. */
export function bodyHash(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${path} ${JSON.stringify(sorted(body))}`)
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}

export type Replayable = { readonly answer: string; readonly replayed: boolean }

export type ClaimRequest = { readonly key: string; readonly bodyHash: string }

/**
 * One answer per key. Those who come while the first is being made wait for it; those who come later get it from the
 * store; those from another process meet it when they write. The same key with another body is a mistake of the caller.
 */
export function onceForEachKey(
  find: (organizationId: string, key: string, now: number) => Promise<Claim | null>,
): (
  organizationId: string,
  request: ClaimRequest,
  now: number,
  make: () => Promise<{ readonly answer: string; readonly claimed: Claim | null }>,
) => Promise<Replayable> {
  const making = new Map<string, { readonly bodyHash: string; readonly made: Promise<Replayable> }>()

  return async (organizationId, request, now, make) => {
    const id = `${organizationId} ${request.key}`
    const first = making.get(id)
    if (first) {
      if (first.bodyHash !== request.bodyHash) throw otherBody(request.key)
      const { answer } = await first.made
      return { answer, replayed: true }
    }
    const made = (async (): Promise<Replayable> => {
      const found = await find(organizationId, request.key, now)
      if (found) return replay(found, request)
      const { answer, claimed } = await make()
      return claimed ? replay(claimed, request) : { answer, replayed: false }
    })()
    making.set(id, { bodyHash: request.bodyHash, made: made })
    try {
      return await made
    } finally {
      making.delete(id)
    }
  }
}

function replay(claim: Claim, request: ClaimRequest): Replayable {
  if (claim.bodyHash !== request.bodyHash) throw otherBody(request.key)
  return { answer: soundAnswer(claim.answer), replayed: true }
}

function otherBody(key: string) {
  return invalid(FIELD, key, 'a key that was not used with another body in the last 24 hours')
}

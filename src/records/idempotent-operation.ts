import { hashBody, type ReplayableResponse, runOncePerKey } from './idempotency.ts'
import type { RecordStore } from './record-store.ts'

/** A request with an idempotency key to an operation that does not commit the key itself. */
export type KeyedRequest = {
  readonly organizationId: string
  readonly key: string
  /** Method and path. */
  readonly target: string
  readonly body: unknown
  /** Fields of the data that only the first response contains. */
  readonly secretFields: readonly string[]
  readonly now: number
}

export type RunOnce = (request: KeyedRequest, operate: () => Promise<unknown>) => Promise<ReplayableResponse>

/**
 * Runs an operation once per idempotency key. The key is claimed before the operation, so that neither another process nor
 * a restart runs it again; a failed operation frees it.
 */
export function idempotentOperations(
  store: Pick<RecordStore, 'findClaim' | 'beginClaim' | 'completeClaim' | 'releaseClaim'>,
): RunOnce {
  const runOnce = runOncePerKey(store.findClaim)
  return async ({ organizationId, key, target, body, secretFields, now }, operate) => {
    const request = { key, bodyHash: hashBody(target, body) }
    return runOnce(organizationId, request, now, async () => {
      const existing = await store.beginClaim(organizationId, request, now)
      if (existing) return { data: null, existing }
      let data: unknown
      try {
        data = await operate()
      } catch (error) {
        await store.releaseClaim(organizationId, key)
        throw error
      }
      const replayData = withoutFields(data, secretFields)
      // If this fails the key stays claimed: the operation has taken effect.
      await store.completeClaim(organizationId, key, JSON.stringify(replayData))
      return { data, replayData, existing: null }
    })
  }
}

function withoutFields(data: unknown, names: readonly string[]): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))
}

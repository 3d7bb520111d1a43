import { expect, test } from 'bun:test'
import { idempotentOperations } from './idempotent-operation.ts'

const REQUEST = {
  organizationId: 'org_1',
  key: 'k',
  target: 'POST /api/manage/keys',
  body: {},
  secretFields: [],
  now: 0,
}

/** The claims of a database that fails to store responses while `isDown`. */
function memoryClaims() {
  const claims = new Map<string, { key: string; bodyHash: string; responseJson: string }>()
  const state = { isDown: false }
  const failIfDown = () => {
    if (state.isDown) throw new Error('the database is unavailable')
  }
  return {
    state,
    findClaim: async (_: string, key: string) => claims.get(key) ?? null,
    async beginClaim(_: string, { key, bodyHash }: { key: string; bodyHash: string }) {
      const existing = claims.get(key) ?? null
      if (!existing) claims.set(key, { key, bodyHash, responseJson: 'pending 1' })
      return existing
    },
    async completeClaim(_: string, key: string, responseJson: string) {
      failIfDown()
      claims.set(key, { ...(claims.get(key) as NonNullable<ReturnType<typeof claims.get>>), responseJson })
    },
    async releaseClaim(_: string, key: string) {
      claims.delete(key)
    },
  }
}

test('an operation that took effect is not run again when its response could not be stored', async () => {
  const store = memoryClaims()
  const runOnce = idempotentOperations(store)
  let runs = 0
  const operate = async () => {
    store.state.isDown = true
    return { runs: ++runs }
  }
  await expect(runOnce(REQUEST, operate)).rejects.toThrow('unavailable')
  store.state.isDown = false
  await expect(runOnce(REQUEST, operate)).rejects.toThrow('check whether it took effect')
  expect(runs).toBe(1)
})

test('an operation that failed can be repeated with the same key', async () => {
  const runOnce = idempotentOperations(memoryClaims())
  const fail = () => Promise.reject(new Error('rejected'))
  await expect(runOnce(REQUEST, fail)).rejects.toThrow('rejected')
  expect(await runOnce(REQUEST, async () => 'done')).toEqual({ data: 'done', isReplay: false })
})

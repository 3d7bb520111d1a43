import { expect, test } from 'bun:test'
import { generateKey } from './api-key.ts'
import { type CachedKey, standInKey } from './cached-key.ts'
import { keyCache } from './key-cache.ts'
import { hashSecret } from './secret-hash.ts'

const NOW = 1_000_000
const always = () => {}
const nobody = async () => undefined

function cachedKey(secret: string, more: Partial<CachedKey> = {}): CachedKey {
  const key = standInKey({ id: secret, name: 'Test', organizationId: 'org_1', tier: 'public' })
  return { ...key, hash: hashSecret(secret), revision: 1, ...more }
}

async function ringOf(...keys: CachedKey[]) {
  const waiting = [keys]
  let stored = keys
  const ring = keyCache({
    cachedKeysSince: async (revision) => (revision < 0 ? stored : (waiting.pop() ?? [])),
    countKeys: async () => stored.length,
    findCachedKey: nobody,
  })
  await ring.refresh()
  return {
    ...ring,
    async deleteKey(secret: string) {
      stored = stored.filter(({ id }) => id !== secret)
      await ring.refresh()
    },
    async change(...changed: CachedKey[]) {
      waiting.push(changed)
      await ring.refresh()
    },
  }
}

test('a cached key is found at once, and no other', async () => {
  const [mine, theirs] = [generateKey('public'), generateKey('public')]
  const ring = await ringOf(cachedKey(mine))
  expect(ring.find(mine, NOW, always)).toMatchObject({ id: mine })
  expect(await ring.find(theirs, NOW, always)).toBeUndefined()
  expect(ring.find(`${mine}x`, NOW, always)).toBeUndefined()
})

test('a key that was revoked, has expired or claims another tier is not found', async () => {
  const secret = generateKey('public')
  const ring = await ringOf(cachedKey(secret))
  await ring.change(cachedKey(secret, { revokedAt: NOW - 1, revision: 2 }))
  expect(ring.find(secret, NOW, always)).toBeUndefined()
  await ring.change(cachedKey(secret, { revision: 1 }))
  expect(ring.find(secret, NOW, always)).toBeUndefined()
  await ring.change(cachedKey(secret, { expiresAt: NOW, revision: 3 }))
  expect(ring.find(secret, NOW, always)).toBeUndefined()
  await ring.change(cachedKey(secret, { tier: 'paid', revision: 4 }))
  expect(ring.find(secret, NOW, always)).toBeUndefined()
})

test('a key whose row was deleted is no longer found', async () => {
  const [removed, kept] = [generateKey('public'), generateKey('public')]
  const ring = await ringOf(cachedKey(removed), cachedKey(kept))
  await ring.deleteKey(removed)
  expect(await ring.find(removed, NOW, always)).toBeUndefined()
  expect(ring.find(kept, NOW, always)).toMatchObject({ id: kept })
})

test('two keys with the same hash prefix are distinguished', async () => {
  const byStart = new Map<string, string>()
  let pair: [string, string] | undefined
  while (!pair) {
    const secret = generateKey('public', (below) => Math.floor(Math.random() * below))
    const start = hashSecret(secret).slice(0, 8)
    const other = byStart.get(start)
    if (other) pair = [other, secret]
    byStart.set(start, secret)
  }
  const [first, second] = pair
  const ring = await ringOf(cachedKey(first), cachedKey(second))
  expect(ring.find(first, NOW, always)).toMatchObject({ id: first })
  expect(ring.find(second, NOW, always)).toMatchObject({ id: second })
  // The clock of the machine that revoked it may be ahead.
  await ring.change(cachedKey(first, { revokedAt: NOW + 60_000, revision: 2 }))
  expect(ring.find(first, NOW, always)).toBeUndefined()
  expect(ring.find(second, NOW, always)).toMatchObject({ id: second })
})

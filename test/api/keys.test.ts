import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKey } from '../../src/auth/api-key.ts'
import { hashSecret } from '../../src/auth/secret-hash.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PATH = '/api/meta/conditions'

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
  })
  afterAll(() => service.stop())
  const status = async (key: string, at: TestService = service) => (await at.ask(PATH, { key })).status
  const fresh = (expiresAt: number | null = null) =>
    service.app.auth.createKey(
      service.organizationId,
      { tier: 'public', name: 'one of many', expiresAt },
      OPERATOR,
      Date.now(),
    )

  describe('tiers are cumulative', () => {
    for (const [tier, path, allowed] of [
      ['public', '/api/devices', true],
      ['public', '/api/variants', true],
      ['public', '/api/pricing?variant_id=none', false],
      ['public', '/api/repairs?device_id=none', false],
      ['public', '/api/imei', false],
      ['paid', '/api/devices', true],
      ['paid', '/api/pricing?variant_id=none', true],
      ['paid', '/api/repairs?device_id=none', true],
      ['paid', '/api/imei', false],
      ['enterprise', '/api/devices', true],
      ['enterprise', '/api/pricing?variant_id=none', true],
      ['enterprise', '/api/repairs?device_id=none', true],
      ['enterprise', '/api/imei', true],
    ] as const) {
      test(`${tier} ${allowed ? 'may' : 'may not'} call ${path.split('?')[0]}`, async () => {
        const response = await service.ask(path, { tier })
        if (allowed) expect([200, 404]).toContain(response.status)
        else expect(response.status).toBe(403)
      })
    }
  })

  test('a new key works at once', async () => {
    expect(await status((await fresh()).secret)).toBe(200)
  })

  test('a key stops at its expiry', async () => {
    const expiresAt = Date.now() + 500
    const { secret } = await fresh(expiresAt)
    const isRefused = async () => {
      const currentStatus = await status(secret)
      if (Date.now() < expiresAt) expect(currentStatus).toBe(200)
      return currentStatus === 401
    }
    await waitUntil(isRefused, { describe: 'the key to be refused' })
  })

  test('a well-formed but unknown key is rejected', async () => {
    expect(await status(generateKey('enterprise'))).toBe(401)
  })

  test('a key whose stored tier differs from its prefix is rejected', async () => {
    const secret = generateKey('enterprise')
    await service.app.db.transaction(async (tx) => {
      await tx
        .insertInto('api_key')
        .values({
          id: 'key_forged',
          organization_id: service.organizationId,
          tier: 'public',
          rights: '',
          name: 'forged',
          hash: hashSecret(secret),
          last_four: secret.slice(-4),
          created_at: Date.now(),
          expires_at: null,
          last_used_at: null,
          revoked_at: null,
          rotated_from: null,
          revision: await service.app.db.announceChange(tx, 'access'),
        })
        .execute()
    })
    expect(await status(secret)).toBe(401)
  })

  test('a revoked key is rejected by every process', async () => {
    await using second = await startService(opening)
    await using third = await startService(opening)
    const { secret, key } = await fresh()
    for (const each of [service, second, third]) expect(await status(secret, each)).toBe(200)
    await service.app.auth.revokeKey(service.organizationId, key.id, OPERATOR, Date.now())
    for (const each of [service, second, third]) {
      await waitUntil(async () => (await status(secret, each)) === 401, { describe: 'the revoked key to be refused' })
    }
  })

  test('rotation creates a successor, and the old key works only through the overlap', async () => {
    const old = await fresh()
    const successor = await service.app.auth.rotateKey(service.organizationId, old.key.id, 1, OPERATOR, Date.now())
    expect(successor.key).toMatchObject({ rotatedFrom: old.key.id, tier: 'public', name: 'one of many' })
    expect(await status(old.secret)).toBe(200)
    expect(await status(successor.secret)).toBe(200)
    const [kept] = (await service.app.auth.keys(service.organizationId)).filter(({ id }) => id === old.key.id)
    expect(kept?.expiresAt).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    expect(kept?.expiresAt).toBeLessThan(Date.now() + 25 * 3_600_000)
  })

  test('rotation without overlap ends the old key', async () => {
    const old = await fresh()
    expect(await status(old.secret)).toBe(200)
    const successor = await service.app.auth.rotateKey(service.organizationId, old.key.id, 0, OPERATOR, Date.now())
    await waitUntil(async () => (await status(old.secret)) === 401, { describe: 'the old key to be refused' })
    expect(await status(successor.secret)).toBe(200)
  })

  test('the database stores no key, only its hash and last four characters', async () => {
    const { secret } = await fresh()
    const rows = await service.app.db.query.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).toContain(hashSecret(secret))
  })

  test('no key is ever written to the log', async () => {
    const { secret } = await fresh()
    await status(secret)
    await service.ask(`/api/devices?key=${secret}`, { headers: { 'X-Request-Id': 'log-check' } })
    expect(service.logged()).toContain('log-check')
    expect(service.logged()).not.toContain(secret)
  })

  test('last use is written when the service stops', async () => {
    await using other = await startService(opening)
    const { secret, key } = await fresh()
    const before = Date.now()
    expect(await status(secret, other)).toBe(200)
    await other.stop()
    const used = (await service.app.auth.keys(service.organizationId)).find(({ id }) => id === key.id)?.lastUsedAt
    expect(used).toBeGreaterThanOrEqual(before)
  })
})

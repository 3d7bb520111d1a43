import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), {
      TRUST_PROXY: '1',
      RATE_LIMIT_PUBLIC: '50',
      RATE_LIMIT_ADDRESS: '60',
    })
  })
  afterAll(() => service.stop())

  type Owner = Awaited<ReturnType<typeof member>>
  const make = async (owner: Owner, terms: object, tier = 'public') =>
    owner.post('/api/manage/keys', { name: 'till', tier, expires_on: null, ...terms })
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const soon = async (path: string, key: string, status: number) => {
    // Polls rarely, because every attempt counts against the key's limit.
    await waitUntil(async () => (await service.ask(path, { key })).status === status, {
      describe: `status ${status}`,
      everyMs: 250,
    })
  }
  const PATH = '/api/meta/conditions'

  test('a key restricted to networks is rejected from elsewhere, and such requests do not use up its limit', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { body } = await make(owner, {
      allowed_addresses: ['203.0.113.0/24', '2001:db8::/32', '10.1.2.3'],
      limit_per_minute: 3,
    })
    const { secret, key } = body.data
    expect(key.allowed_addresses).toEqual(['203.0.113.0/24', '2001:db8::/32', '10.1.2.3/32'])
    for (let sent = 0; sent < 5; sent++) {
      const refused = await service.ask(PATH, { key: secret, headers: from('198.51.100.9') })
      expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
      expect(refused.body.error.message).toBe('This key may not be used from the address 198.51.100.9.')
    }
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await service.ask('/mcp', { key: secret, json: tool, headers: from('198.51.100.9') })).status).toBe(403)
    for (const address of ['203.0.113.77', '2001:db8:5::1', '10.1.2.3']) {
      expect((await service.ask(PATH, { key: secret, headers: from(address) })).status).toBe(200)
    }
    const { status, headers } = await service.ask(PATH, { key: secret, headers: from('10.1.2.3') })
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([429, '3'])
    // Further requests from there are limited by address.
    const many = await Promise.all(
      Array.from({ length: 70 }, () => service.ask(PATH, { key: secret, headers: from('198.51.100.9') })),
    )
    expect(new Set(many.map((each) => each.status))).toEqual(new Set([403, 429]))
  })

  test("a key's own limit is never more than its organization may use", async () => {
    const owner = await member(service, service.organizationId, 'owner')
    for (const [own, inForce] of [
      [7, '7'],
      [9_000_000, '50'],
      [null, '50'],
    ] as const) {
      const { secret } = (await make(owner, { limit_per_minute: own })).body.data
      expect((await service.ask(PATH, { key: secret })).headers.get('x-ratelimit-limit')).toBe(inForce)
    }
  })

  test('changes of name, limit and networks apply in every process and are in the audit trail', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { secret, key } = (await make(owner, {})).body.data
    expect((await service.ask(PATH, { key: secret })).status).toBe(200)
    const path = `/api/manage/keys/${key.id}`
    const change = { name: 'counter', limit_per_minute: 9, allowed_addresses: ['192.0.2.1'] }
    const changed = (await owner.send('PATCH', path, change)).body.data
    expect(changed).toMatchObject({ name: 'counter', limit_per_minute: 9, allowed_addresses: ['192.0.2.1/32'] })
    await soon(PATH, secret, 403)
    const [entry] = (await owner.get('/api/manage/audit')).body.data
    expect([entry.action, entry.subject, entry.who]).toEqual(['key.changed', key.id, owner.email])
    expect(entry.detail).toEqual({
      name: 'counter',
      before: 'till',
      limit_per_minute: '9',
      allowed_addresses: '192.0.2.1/32',
    })
    await owner.send('PATCH', path, { ...change, limit_per_minute: null, allowed_addresses: [] })
    await soon(PATH, secret, 200)
  })

  test('a successor has the terms of the key it replaces', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { key } = (await make(owner, { limit_per_minute: 4, allowed_addresses: ['10.0.0.0/8'] })).body.data
    const next = (await owner.post(`/api/manage/keys/${key.id}/rotate`, { overlap_days: 1 })).body.data
    expect(next.key).toMatchObject({ limit_per_minute: 4, allowed_addresses: ['10.0.0.0/8'] })
    expect((await service.ask(PATH, { key: next.secret })).status).toBe(403)
  })

  test('invalid networks, invalid limits and too many networks are rejected', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    for (const [terms, field] of [
      [{ allowed_addresses: ['example.com'] }, 'allowed_addresses'],
      [{ allowed_addresses: ['10.0.0.0/40'] }, 'allowed_addresses'],
      [{ allowed_addresses: Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`) }, 'allowed_addresses'],
      [{ limit_per_minute: 0 }, 'limit_per_minute'],
      [{ limit_per_minute: 1.5 }, 'limit_per_minute'],
    ] as const) {
      const { status, body } = await make(owner, terms)
      expect([status, body.error.details[0].field.split('.')[0]]).toEqual([400, field])
    }
    const someone = await member(service, service.organizationId, 'manager')
    const { id } = (await make(owner, {})).body.data.key
    const path = `/api/manage/keys/${id}`
    const change = { name: 'x', limit_per_minute: null, allowed_addresses: [] }
    expect((await someone.send('PATCH', path, change)).status).toBe(403)
    const other = await service.newOrganization('Elsewhere')
    const stranger = await member(service, other.organizationId, 'owner')
    expect((await stranger.send('PATCH', path, change)).status).toBe(404)
  })

  test("a key above its organization's tier neither works nor rotates, and works again when the tier is raised", async () => {
    const { organizationId, keys } = await service.newOrganization('Smaller')
    const owner = await member(service, organizationId, 'owner')
    expect((await service.ask(PATH, { key: keys.enterprise })).status).toBe(200)
    await service.app.auth.setTier(organizationId, 'paid', OPERATOR, Date.now())
    await soon(PATH, keys.enterprise, 403)
    const refused = await service.ask(PATH, { key: keys.enterprise })
    expect(refused.body.error.message).toBe(
      'This key is of the Enterprise tier and its organization may use tiers up to Paid.',
    )
    expect((await service.ask(PATH, { key: keys.paid })).status).toBe(200)
    type Listed = { id: string; tier: string; state: string }
    const listed: Listed[] = (await owner.get('/api/manage/keys')).body.data
    const above = listed.find(({ tier }) => tier === 'enterprise')
    expect(above?.state).toBe('blocked')
    const rotated = await owner.post(`/api/manage/keys/${above?.id}/rotate`, { overlap_days: 1 })
    expect([rotated.status, rotated.body.error.message]).toEqual([
      400,
      "The organization may use tiers up to paid, and the key's is enterprise.",
    ])
    const fresh = { tier: 'enterprise', name: 'x', expiresAt: null } as const
    await expect(service.app.auth.createKey(organizationId, fresh, OPERATOR, Date.now())).rejects.toMatchObject({
      code: 'conflict',
    })
    await service.app.auth.setTier(organizationId, 'enterprise', OPERATOR, Date.now())
    await soon(PATH, keys.enterprise, 200)
  })

  test('the number of active keys is limited: one more is 409 with the limit, until one is revoked', async () => {
    const { organizationId } = await service.newOrganization('Many keys')
    const owner = await member(service, organizationId, 'owner')
    const created: { id: string }[] = []
    for (let keys = 3; keys < 100; keys++) created.push((await make(owner, {})).body.data.key)
    const rejected = await make(owner, {})
    expect([rejected.status, rejected.body.error]).toMatchObject([
      409,
      {
        code: 'LIMIT_REACHED',
        message: 'Keys in use: 100 of 100 records are used. Revoke a key first.',
        params: { used: 100, limit: 100 },
      },
    ])
    const [first] = created
    const rotate = (overlap_days: number) => owner.post(`/api/manage/keys/${first?.id}/rotate`, { overlap_days })
    expect((await rotate(1)).status).toBe(409)
    expect((await rotate(0)).status).toBe(200)
    expect((await owner.send('DELETE', `/api/manage/keys/${created[1]?.id}`)).status).toBe(200)
    expect((await make(owner, {})).status).toBe(200)
    expect((await make(owner, {})).status).toBe(409)
  })

  test('a key counts as expiring when fewer than two weeks are left', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const state = async (days: number) =>
      (await make(owner, { expires_on: dayOf(Date.now() + days * DAY_MS) })).body.data.key.state
    expect([await state(12), await state(15)]).toEqual(['ending', 'active'])
  })
})

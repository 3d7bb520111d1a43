import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { managementEndpoints } from '../../src/contract/management.ts'
import { fillPath } from '../../src/contract/path-template.ts'
import type { KeyRight, Tier } from '../../src/contract/tiers.ts'
import { removeObservationsOfOrganization } from '../../src/import/prices/observation-removal-store.ts'
import { openOrganizationRemoval } from '../../src/records/organization-removal-service.ts'
import { organizationRemovalStore } from '../../src/records/organization-removal-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestRequest, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), { SAMPLE_DATA: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' })
  })
  afterAll(() => service.stop())

  async function newKey(
    rights: readonly KeyRight[],
    organizationId = service.organizationId,
    tier: Tier = 'enterprise',
  ) {
    const fresh = { tier, name: 'Back office', expiresAt: null, rights }
    return (await service.app.auth.createKey(organizationId, fresh, OPERATOR, Date.now())).secret
  }
  const send = (key: string, method: string, path: string, json?: unknown) =>
    service.ask(path, { key, method, ...(json === undefined ? {} : { json }) } satisfies TestRequest)

  describe('keys and webhooks', () => {
    test('a key with the right to manage creates, changes, rotates and revokes keys of its organization', async () => {
      const key = await newKey(['manage'])
      const created = await send(key, 'POST', '/api/manage/keys', { name: 'Web shop', tier: 'paid' })
      expect(created.status).toBe(200)
      const { id } = created.body.data.key
      expect((await service.ask('/api/devices', { key: created.body.data.secret })).status).toBe(200)
      const changed = await send(key, 'PATCH', `/api/manage/keys/${id}`, { limit_per_minute: 60 })
      expect(changed.body.data).toMatchObject({ id, name: 'Web shop', limit_per_minute: 60, rights: [] })
      const renamed = await send(key, 'PATCH', `/api/manage/keys/${id}`, { name: 'Shop' })
      expect(renamed.body.data).toMatchObject({ name: 'Shop', limit_per_minute: 60 })
      const rotated = await send(key, 'POST', `/api/manage/keys/${id}/rotate`, { overlap_days: 0 })
      expect(rotated.body.data.key.rotated_from).toBe(id)
      expect((await send(key, 'DELETE', `/api/manage/keys/${rotated.body.data.key.id}`)).status).toBe(200)
      const { data: keys } = (await send(key, 'GET', '/api/manage/keys')).body
      expect(keys.find((one: { id: string }) => one.id === rotated.body.data.key.id).state).toBe('revoked')
    })

    test('the audit trail names the key', async () => {
      const key = await newKey(['manage'])
      const created = await send(key, 'POST', '/api/manage/keys', { name: 'Audited', tier: 'public' })
      const { data } = (await send(key, 'GET', '/api/manage/audit?limit=5')).body
      const entry = data.find((one: { subject: string }) => one.subject === created.body.data.key.id)
      expect(entry.who).toMatch(/^API key Back office \(key_\w+\)$/)
      expect(created.body.data.key.created_by).toBe(entry.who)
    })

    test('webhooks are created, tested and removed by key', async () => {
      const key = await newKey(['manage'])
      const created = await send(key, 'POST', '/api/manage/webhooks', { url: 'http://127.0.0.1:9/hook', types: [] })
      expect(created.body.data.secret).toStartWith('whsec_')
      const { id } = created.body.data.webhook
      const tested = await send(key, 'POST', `/api/manage/webhooks/${id}/test`)
      const deliveries = await send(key, 'GET', `/api/manage/webhooks/${id}/deliveries?state=pending`)
      expect(deliveries.body.data[0].event_id).toBe(tested.body.data.event_id)
      const secret = await send(key, 'POST', `/api/manage/webhooks/${id}/rotate`, { overlap_hours: 1 })
      expect(secret.body.data.secret).not.toBe(created.body.data.secret)
      expect((await send(key, 'DELETE', `/api/manage/webhooks/${id}`)).status).toBe(200)
      expect((await send(key, 'GET', '/api/manage/webhooks')).body.data).toEqual([])
    })
  })

  describe('a key cannot create a key with more rights than its own', () => {
    for (const [name, ownRights, tier, request] of [
      ['a right to contribute', ['manage'], 'enterprise', { tier: 'public', rights: ['contribute'] }],
      ['a right to operate', ['manage'], 'enterprise', { tier: 'public', rights: ['operate'] }],
      ['a higher tier', ['manage'], 'public', { tier: 'paid' }],
    ] as const) {
      test(`${name} is rejected`, async () => {
        const key = await newKey(ownRights, service.organizationId, tier)
        const rejected = await send(key, 'POST', '/api/manage/keys', { name: 'More', ...request })
        expect(rejected.status).toBe(403)
      })
    }

    test('a manage key may create another one, and an operate key one with any right', async () => {
      const create = async (key: string, rights: readonly KeyRight[]) =>
        (await send(key, 'POST', '/api/manage/keys', { name: 'Same', tier: 'public', rights })).status
      expect(await create(await newKey(['manage']), ['manage'])).toBe(200)
      expect(await create(await newKey(['operate']), ['contribute', 'manage', 'operate'])).toBe(200)
    })

    test('an owner of the operating organization grants every right, other owners only manage', async () => {
      const operator = (await service.newOrganization('Operator')).organizationId
      await service.app.auth.setOperatorOrganization(operator, OPERATOR, Date.now())
      const create = async (organizationId: string, rights: readonly KeyRight[]) => {
        const owner = await member(service, organizationId, 'owner')
        return (await owner.post('/api/manage/keys', { name: 'By an owner', tier: 'public', rights })).status
      }
      expect(await create(operator, ['contribute', 'manage', 'operate'])).toBe(200)
      expect(await create(service.organizationId, ['operate'])).toBe(403)
      expect(await create(service.organizationId, ['contribute'])).toBe(403)
      expect(await create(service.organizationId, ['manage'])).toBe(200)
      const manager = await newKey(['manage'], operator)
      const rejected = await send(manager, 'POST', '/api/manage/keys', {
        name: 'A',
        tier: 'public',
        rights: ['operate'],
      })
      expect(rejected.status).toBe(403)
    })

    test('the secret of a stronger key cannot be obtained by rotating or changing it', async () => {
      const organization = (await service.newOrganization('Rotation')).organizationId
      const { key: stronger } = await service.app.auth.createKey(
        organization,
        { tier: 'enterprise', name: 'Operator', expiresAt: null, rights: ['operate'] },
        OPERATOR,
        Date.now(),
      )
      const key = await newKey(['manage'], organization)
      const path = `/api/manage/keys/${stronger.id}`
      expect((await send(key, 'POST', `/api/manage/keys/${stronger.id}/rotate`, { overlap_days: 1 })).status).toBe(403)
      expect((await send(key, 'PATCH', path, { allowed_addresses: [] })).status).toBe(403)
      const owner = await member(service, organization, 'owner')
      expect((await owner.post(`/api/manage/keys/${stronger.id}/rotate`, { overlap_days: 1 })).status).toBe(403)
      expect((await owner.post('/api/manage/keys', { name: 'A', tier: 'public', rights: ['operate'] })).status).toBe(
        403,
      )
      expect((await owner.post('/api/manage/keys', { name: 'A', tier: 'public', rights: ['manage'] })).status).toBe(200)
    })
  })

  test('a key with the right to operate acts for any organization, under its own name', async () => {
    const { organizationId } = await service.newOrganization('Customer')
    const key = await newKey(['operate'])
    const created = await send(key, 'POST', `/api/manage/keys?organization_id=${organizationId}`, {
      name: 'First key',
      tier: 'paid',
    })
    expect(created.status).toBe(200)
    const keys = await service.app.auth.keys(organizationId)
    expect(keys.map(({ name }) => name)).toContain('First key')
    const audit = await send(key, 'GET', `/api/manage/audit?organization_id=${organizationId}`)
    expect(audit.body.data[0].who).toStartWith('API key Back office')
    expect((await send(key, 'GET', '/api/manage/keys?organization_id=org_unknown')).status).toBe(404)
  })

  test('a removed organization loses access at once and its data later, also after a restart', async () => {
    const operator = await newKey(['operate'])
    const created = await send(operator, 'POST', '/api/manage/organizations', { name: 'Short-lived', tier: 'paid' })
    const { id } = created.body.data
    const key = await newKey([], id, 'paid')
    const remove = (confirm: string) =>
      send(operator, 'DELETE', `/api/manage/organizations/${id}?confirm=${encodeURIComponent(confirm)}`)
    expect((await remove('Another')).status).toBe(400)
    expect((await remove('Short-lived')).status).toBe(200)
    await waitUntil(async () => (await service.ask('/api/devices', { key })).status === 401, { describe: 'no access' })
    // The next start of the program does this.
    const removal = openOrganizationRemoval({
      store: organizationRemovalStore(service.app.db),
      removeObservations: (organization) => removeObservationsOfOrganization(service.app.db, organization),
      removeFiles: async () => {},
      log: { info() {}, warn() {} },
      now: Date.now,
      waitMs: 0,
    })
    await removal.resume()
    const status = async () => (await send(operator, 'GET', `/api/manage/organizations/${id}`)).status
    await waitUntil(async () => (await status()) === 404, { describe: 'the end of the organization' })
    await removal.close()
  })

  test('organizations are listed page by page', async () => {
    const operator = await newKey(['operate'])
    const ids: string[] = []
    for (let after = ''; ; ) {
      const { data, meta } = (await send(operator, 'GET', `/api/manage/organizations?limit=3&after=${after}`)).body
      ids.push(...data.map((organization: { id: string }) => organization.id))
      if (!meta.has_next) break
      after = meta.next_after
    }
    expect(ids).toContain(service.organizationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('sessions are accepted under /api/manage, and keys are not under /account', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    expect((await owner.get('/api/manage/keys')).status).toBe(200)
    expect((await service.ask('/account/session', { key: await newKey(['manage']) })).status).toBe(401)
  })

  describe('tenant isolation', () => {
    let manager: string
    beforeAll(async () => {
      manager = await newKey(['manage'], (await service.newOrganization('Other')).organizationId)
    })
    for (const endpoint of managementEndpoints) {
      const { method, path, examples, right, actsForOrganization } = endpoint
      const [{ params = {}, query = {}, body }] = examples
      test(`${method} ${path}: no right 403, another organization 404`, async () => {
        const target = fillPath(path, params)
        expect((await send(service.keys.enterprise, method, target, body)).status).toBe(403)
        if (right === 'operate') expect((await send(manager, method, target, body)).status).toBe(403)
        else if (actsForOrganization) {
          const elsewhere = `${target}?${new URLSearchParams({ ...query, organization_id: service.organizationId })}`
          expect((await send(manager, method, elsewhere, body)).status).toBe(404)
        }
      })
    }

    test("another organization's keys and webhooks are not found by their ids", async () => {
      const mine = await newKey(['manage'])
      const { organizationId: other } = await service.newOrganization('Curious')
      const curious = await newKey(['manage'], other)
      const key = (await send(mine, 'POST', '/api/manage/keys', { name: 'Mine', tier: 'public' })).body.data.key
      const hook = (await send(mine, 'POST', '/api/manage/webhooks', { url: 'http://127.0.0.1:9/x', types: [] })).body
        .data.webhook
      const ids: Record<string, string> = { key: key.id, webhook: hook.id }
      for (const endpoint of managementEndpoints) {
        const kind = /^\/api\/manage\/(key|webhook)s\/\{id\}/.exec(endpoint.path)?.[1]
        if (!kind) continue
        const [{ params = {}, body }] = endpoint.examples
        const target = fillPath(endpoint.path, { ...params, id: ids[kind] ?? '' })
        const { status } = await send(curious, endpoint.method, target, body)
        expect({ target, status }).toEqual({ target, status: 404 })
      }
      expect((await send(mine, 'GET', '/api/manage/webhooks')).body.data).toHaveLength(1)
    })
  })
})

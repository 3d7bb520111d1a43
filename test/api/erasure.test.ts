import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { appraisalStore } from '../../src/appraisal/appraisal-store.ts'
import { accountDataStore } from '../../src/auth/accounts/account-data-store.ts'
import { exportCommand } from '../../src/cli/export.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { watchStore } from '../../src/events/watch-store.ts'
import { removeObservationsOfOrganization } from '../../src/import/prices/observation-removal-store.ts'
import { openLog } from '../../src/lib/log.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { openOrganizationRemoval } from '../../src/records/organization-removal-service.ts'
import { organizationRemovalStore } from '../../src/records/organization-removal-store.ts'
import { member } from '../support/browser-session.ts'
import { runCommandOn } from '../support/command.ts'
import { countRows } from '../support/count-rows.ts'
import { onBothDatabases } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const VARIANT = 'apple-iphone-13-128gb-midnight'
const IDENTIFIER = '356938035643809'
/** Appraisals cannot be written, as on a full disk. */
const FULL_SQLITE = ["create trigger full_disk before update on appraisal begin select raise(abort, 'full'); end"]
const FULL_POSTGRES = [
  `create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'full' using errcode = '53100'; end $$`,
  'create trigger full_disk before update on appraisal for each row execute function full_disk()',
]

onBothDatabases((store) => {
  let service: TestService
  let opening: DatabaseOptions
  let stopEvents: () => Promise<void>
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, { SAMPLE_DATA: 'off', LOOKUP_RETENTION_DAYS: '30' })
    stopEvents = service.app.startLeading()
  })
  afterAll(async () => {
    await stopEvents()
    await service.stop()
  })

  /** An organization with rows in every table that can hold its data. */
  async function busyOrganization(name: string) {
    const organization = await service.newOrganization(name)
    const { organizationId, keys } = organization
    const owner = await member(service, organizationId, 'owner')
    const contributing = { tier: 'paid', name: 'contributor', expiresAt: null, rights: ['contribute'] } as const
    const { secret } = await service.app.auth.createKey(organizationId, contributing, OPERATOR, Date.now())
    const observed_at = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
    const observation = { variant_id: VARIANT, side: 'sold', condition: 'Good', amount: 40_000, observed_at }
    const appraisal = { variant_id: VARIANT, condition: 'Good', identifier: IDENTIFIER }
    const responses = await Promise.all([
      service.ask('/api/imei', { key: keys.enterprise, json: { identifier: IDENTIFIER } }),
      service.ask('/api/watches', { key: keys.enterprise, json: { identifier: IDENTIFIER } }),
      service.ask('/api/appraisals', { key: keys.enterprise, json: appraisal, headers: { 'Idempotency-Key': 'one' } }),
      service.ask('/api/observations', {
        key: secret,
        json: { observations: [{ ...observation, listing_id: `${name} 1` }] },
      }),
      owner.post('/api/manage/webhooks', { url: 'https://hooks.example/', types: [] }),
      owner.post('/api/manage/invitations', { email: 'invited@example.test', role: 'manager' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const { appraisal_id } = responses[2].body.data
    const share = await owner.post(`/api/appraisals/${appraisal_id}/shares`, { facts: ['device'] })
    expect(share.status).toBe(200)
    const outcome = { status: 'bought', price: 30_000 }
    expect((await owner.post(`/api/appraisals/${appraisal_id}/outcome`, outcome)).status).toBe(200)
    await service.app.auth.setTier(organizationId, 'enterprise', OPERATOR, Date.now())
    await service.app.db.transaction(async (tx) => {
      const row = { organization_id: organizationId }
      const alias = { ...row, title: 'my phone', model: 'iPhone 13', created_at: 1 }
      await tx.insertInto('title_alias').values(alias).execute()
      await tx
        .insertInto('receipt_details')
        .values({ ...row, document: '{}', updated_at: 1 })
        .execute()
    })
    return { ...organization, owner, sharePath: new URL(share.body.data.url).pathname }
  }

  describe('removing an organization', () => {
    test('requires the name of the organization and rejects the organization that operates the service', async () => {
      const { organizationId } = await service.newOrganization('Careful')
      const operating = { tier: 'public', name: 'operator', expiresAt: null, rights: ['operate'] } as const
      const { secret } = await service.app.auth.createKey(service.organizationId, operating, OPERATOR, Date.now())
      const remove = async (id: string, confirm: string) => {
        const path = `/api/manage/organizations/${id}?confirm=${confirm}`
        const { status, body } = await service.ask(path, { key: secret, method: 'DELETE' })
        return [status, body.error?.message]
      }
      expect(await remove(organizationId, 'Careless')).toEqual([
        400,
        `${organizationId} is named "Careful". Nothing was removed; confirm with exactly this name.`,
      ])
      await service.app.auth.setOperatorOrganization(organizationId, OPERATOR, Date.now())
      expect(await remove(organizationId, 'Careful')).toEqual([400, expect.stringContaining('operates the service')])
      expect(await remove('org_0', 'x')).toEqual([404, 'There is no organization org_0.'])
    })

    test('ends its share codes at once, before its data is deleted', async () => {
      const { organizationId, sharePath } = await busyOrganization('Ending')
      const visit = async () => (await fetch(service.url + sharePath)).status
      expect(await visit()).toBe(200)
      await organizationRemovalStore(service.app.db).endAccess(organizationId, 'Ending', OPERATOR, Date.now())
      expect(await visit()).toBe(404)
    })

    test('is shown in the list of organizations until it is done', async () => {
      const { organizationId } = await service.newOrganization('Going')
      const operating = { tier: 'public', name: 'operator', expiresAt: null, rights: ['operate'] } as const
      const { secret } = await service.app.auth.createKey(service.organizationId, operating, OPERATOR, Date.now())
      const path = `/api/manage/organizations/${organizationId}`
      const find = async () => (await service.ask(path, { key: secret })).body.data.being_removed
      expect(await find()).toBe(false)
      await service.ask(`${path}?confirm=Going`, { key: secret, method: 'DELETE' })
      expect(await find()).toBe(true)
    })

    test('deletes everything of the organization and nothing of another', async () => {
      const removed = await busyOrganization('Leaving')
      const kept = await busyOrganization('Staying')
      const operator = (await service.newOrganization('Operator')).organizationId
      await service.app.auth.setOperatorOrganization(operator, OPERATOR, Date.now())
      const db = service.app.db
      // Usage is written in the background, at any time.
      const countWithoutUsage = async (organizationId: string) => {
        const counts = Object.entries(await countRows(db, 'organization_id', organizationId))
        return Object.fromEntries(counts.filter(([table]) => !/^(usage_|request_log)/.test(table)))
      }
      const before = await countWithoutUsage(kept.organizationId)
      expect(Object.keys(await countWithoutUsage(removed.organizationId)).sort()).toEqual(Object.keys(before).sort())
      const removal = openOrganizationRemoval({
        store: organizationRemovalStore(db),
        removeObservations: (id) => removeObservationsOfOrganization(db, id),
        removeFiles: async () => {},
        log: openLog('error'),
        now: Date.now,
        waitMs: 0,
      })
      await removal.remove(removed.organizationId, 'Leaving', OPERATOR, Date.now())
      await removal.whenIdle()
      expect(await countRows(db, 'organization_id', removed.organizationId)).toEqual({})
      expect(await service.app.auth.organizationName(removed.organizationId)).toBeNull()
      expect(await countWithoutUsage(kept.organizationId)).toEqual(before)
      const webhooks = (await kept.owner.get('/api/manage/webhooks')).body.data
      expect(webhooks).toHaveLength(1)
      // The running service knows that it was removed.
      const status = async () => (await service.ask('/api/devices?limit=1', { key: removed.keys.paid })).status
      await waitUntil(async () => (await status()) === 401, { describe: 'the key to be rejected' })
      expect((await service.ask('/api/devices?limit=1', { key: kept.keys.paid })).status).toBe(200)
      expect((await removed.owner.get('/api/manage/keys')).status).toBeGreaterThanOrEqual(400)
      const trail = await service.app.auth.auditTrail(operator, { limit: 10 })
      expect(trail.rows.find(({ action }) => action === 'organization.removed')).toMatchObject({
        subject: removed.organizationId,
        detail: '{"name":"Leaving"}',
      })
    })
  })

  describe('a person', () => {
    test('exports all data stored about them as JSON, without secrets', async () => {
      const { organizationId } = await service.newOrganization('Exporting')
      const owner = await member(service, organizationId, 'owner')
      const { id } = (await owner.get('/account/session')).body.data.person
      const { status, body, text } = await owner.get(`/api/manage/members/${id}/personal-data`)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({
        account: {
          email: owner.email,
          name: expect.stringContaining('Person'),
          organization_id: organizationId,
          role: 'owner',
        },
        sessions: [{ agent: expect.any(String), address: expect.any(String) }],
        audit_entries: expect.arrayContaining([expect.objectContaining({ action: 'member.joined' })]),
      })
      expect(text).not.toMatch(/hash|secret|token/)
      expect((await owner.get('/api/manage/members/acc_nobody/personal-data')).status).toBe(404)
      const manager = await member(service, organizationId, 'manager')
      expect((await manager.get(`/api/manage/members/${id}/personal-data`)).status).toBe(403)
    })

    test('is erased: no table holds the name or address, and the audit trail keeps what was done', async () => {
      const { organizationId } = await service.newOrganization('Forgetting')
      const owner = await member(service, organizationId, 'owner')
      const leaver = await member(service, organizationId, 'owner', `leaver-${store.name}@example.test`.toLowerCase())
      const { id: leaverId } = (await leaver.get('/account/session')).body.data.person
      // A person who gave no name is recorded with the address.
      await service.app.db.transaction((tx) =>
        tx.updateTable('account').set({ name: '' }).where('id', '=', leaverId).execute(),
      )
      const unnamed = await leaver.post('/api/appraisals', { variant_id: VARIANT, condition: 'Good' })
      expect(unnamed.body.data.created_by.name).toBe(leaver.email)
      const requests = [
        await leaver.post('/api/manage/invitations', { email: 'other@example.test', role: 'manager' }),
        await leaver.post('/api/manage/keys', { tier: 'public', name: 'made by the leaver', expires_on: null }),
        await leaver.send('PATCH', '/account/profile', { name: 'Unmistakable "Name"' }),
        await leaver.post('/api/appraisals', { variant_id: VARIANT, condition: 'Good' }),
        await leaver.post('/api/imei', { identifier: IDENTIFIER }),
        await leaver.post('/api/imei/batch', { items: [{ identifier: IDENTIFIER }] }),
        await leaver.send(
          'POST',
          '/api/appraisals',
          { variant_id: VARIANT, condition: 'Good', identifier: IDENTIFIER, purchase: { price: 30_000 } },
          { 'Idempotency-Key': 'purchase' },
        ),
        await leaver.post('/api/appraisals/batch', {
          items: [{ variant_id: VARIANT, condition: 'Good', identifier: IDENTIFIER }],
        }),
        await leaver.send('PUT', '/api/manage/price-rules', {
          rules: [{ device_ids: ['apple-iphone-13'], percent: 5 }],
        }),
        await leaver.send(
          'POST',
          '/api/lists',
          { name: 'List', header: ['text', 'condition'], columns: ['text', 'condition'] },
          { 'Idempotency-Key': 'list' },
        ),
        await leaver.post('/api/watches', { variant_id: VARIANT, threshold_percent: 5 }),
        await leaver.post('/api/manage/webhooks', { url: 'https://receiver.example/hook' }),
        await leaver.send('PATCH', '/account/profile', { name: 'Other' }),
        await owner.send('PATCH', `/api/manage/members/${leaverId}`, { email: `new-${leaver.email}` }),
      ]
      expect(requests.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
      const entriesBefore = (await owner.get('/api/manage/audit')).body.data
      expect((await owner.send('DELETE', `/api/manage/members/${leaverId}?erase=true`)).status).toBe(200)
      const db = service.app.db
      const { rows: tables } =
        db.admin.dialect === 'sqlite'
          ? await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db.query)
          : await sql<{ name: string }>`select table_name as name from information_schema.tables
              where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db.query)
      const holding: string[] = []
      for (const { name } of tables.filter(({ name }) => !/^(device(?!_list)|variant|tac|sqlite_|observ)/.test(name))) {
        const { rows } = await db.transaction((tx) => sql`select * from ${sql.table(name)}`.execute(tx))
        const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        if (text.includes(leaver.email) || text.includes('Unmistakable')) holding.push(name)
      }
      expect(holding).toEqual([])
      const entries = (await owner.get('/api/manage/audit')).body.data
      expect(entries.map(({ action }: { action: string }) => action)).toEqual([
        'member.removed',
        ...entriesBefore.map(({ action }: { action: string }) => action),
      ])
      expect(entries.find(({ action }: { action: string }) => action === 'key.created').who).toStartWith('acc_')
      expect((await leaver.get('/api/manage/keys')).status).toBe(401)
    })
  })

  test('an erasure that a full disk interrupts is finished later, also of names that the person had before', async () => {
    const { db } = service.app
    const { organizationId } = await service.newOrganization('Interrupted')
    const owner = await member(service, organizationId, 'owner')
    const leaver = await member(service, organizationId, 'owner', `half-${store.name}@example.test`.toLowerCase())
    const { id } = (await leaver.get('/account/session')).body.data.person
    await leaver.send('PATCH', '/account/profile', { name: 'Halfway Name' })
    expect((await leaver.post('/api/appraisals', { variant_id: VARIANT, condition: 'Good' })).status).toBe(200)
    await leaver.send('PATCH', '/account/profile', { name: 'Later' })
    await run(...(db.admin.dialect === 'sqlite' ? FULL_SQLITE : FULL_POSTGRES))
    expect((await owner.send('DELETE', `/api/manage/members/${id}?erase=true`)).status).toBe(503)
    await run(db.admin.dialect === 'sqlite' ? 'drop trigger full_disk' : 'drop trigger full_disk on appraisal')
    expect(await namedIn('appraisal', 'Halfway Name')).toBe(true)
    // The leader does so at its start and every hour.
    await accountDataStore(db).finishErasures()
    for (const table of ['appraisal', 'audit_entry', 'setting'])
      for (const text of ['Halfway Name', leaver.email]) expect(await namedIn(table, text)).toBe(false)
    async function run(...statements: string[]) {
      for (const statement of statements) await db.transaction((tx) => sql.raw(statement).execute(tx))
    }
    async function namedIn(table: string, text: string) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db.query)
      return JSON.stringify(rows).includes(text)
    }
  })

  test('the audit trail of an organization is exported as CSV and as JSON lines, oldest first', async () => {
    const { organizationId } = await service.newOrganization('=Audited')
    for (const format of ['csv', 'ndjson']) {
      const result = await runCommandOn(opening, exportCommand, ['audit', '--org', organizationId, '--format', format])
      expect(result.code).toBe(0)
      const lines = result.stdout.trimEnd().split(/\r?\n/)
      expect(result.stderr).toMatch(/^\d+ audit entries exported\.$/)
      if (format === 'csv') {
        expect(lines[0]).toBe('id,at,who,action,subject,detail')
        expect(result.stdout).toContain('organization.created')
      } else {
        const own = lines.map((line) => JSON.parse(line)).filter(({ organization_id: id }) => id === organizationId)
        expect(own.map(({ action }) => action)).toEqual([
          'organization.created',
          'key.created',
          'key.created',
          'key.created',
        ])
      }
    }
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
    const none = await runCommandOn(opening, exportCommand, ['audit', '--org', organizationId, '--from', tomorrow])
    expect(none.stderr).toBe('0 audit entries exported.')
  })

  test('a watch of an identifier without end ends with the retention of lookups', async () => {
    const { organizationId, keys } = await service.newOrganization('Watching')
    const watch = (json: object) => service.ask('/api/watches', { key: keys.enterprise, json })
    const { until } = (await watch({ identifier: IDENTIFIER })).body.data
    const days = (Date.parse(until) - Date.now()) / DAY_MS
    expect(days).toBeGreaterThan(29)
    expect(days).toBeLessThan(31)
    expect((await watch({ identifier: IDENTIFIER, reference: 'a', until: '2099-01-01' })).body.data.until).toBe(
      '2099-01-01T23:59:59.999Z',
    )
    expect((await watch({ variant_id: VARIANT })).body.data.until).toBeNull()
    // Created by a version that gave watches no end.
    const old = { identifier: IDENTIFIER, reference: 'old', until: '2099-01-01' }
    const { id } = (await watch(old)).body.data
    await service.app.db.transaction((tx) =>
      tx
        .updateTable('watch')
        .set({ until: null, created_at: Date.now() - 31 * DAY_MS })
        .where('id', '=', id)
        .execute(),
    )
    await watchStore(service.app.db).deleteEnded(Date.now(), 30)
    const left = (await service.ask('/api/watches', { key: keys.enterprise })).body.data
    expect(left).toHaveLength(3)
    expect(left.map(({ id: each }: { id: string }) => each)).not.toContain(id)
    expect(Object.keys(await countRows(service.app.db, 'organization_id', organizationId))).toContain('watch')
  })
  test('retention deletes share codes and outcomes together with their appraisals', async () => {
    const { organizationId } = await busyOrganization('Aging')
    const left = async () => {
      const counts = await countRows(service.app.db, 'organization_id', organizationId)
      return [counts.appraisal_share ?? 0, counts.appraisal_outcome ?? 0]
    }
    const appraisals = appraisalStore(service.app.db)
    await appraisals.deleteAppraisalsBefore(Date.now() - DAY_MS)
    expect(await left()).toEqual([1, 1])
    await appraisals.deleteAppraisalsBefore(Date.now() + DAY_MS)
    expect(await left()).toEqual([0, 0])
  })
})

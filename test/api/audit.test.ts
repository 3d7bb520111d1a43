import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { authStore } from '../../src/auth/auth-store.ts'
import { createFirstKeys } from '../../src/auth/first-start-store.ts'
import { openDatabase } from '../../src/db/database.ts'
import { DomainError } from '../../src/lib/errors.ts'
import { addDays, dayIn } from '../../src/lib/time.ts'
import { browserSession, invitationToken, member, PASSWORD } from '../support/browser-session.ts'
import { onBothDatabases } from '../support/databases.ts'
import { newOrganizations } from '../support/organizations.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

type Entry = { who: string; action: string; subject: string; detail: Record<string, string> }

onBothDatabases((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const accounts = () => accountsStore(service.app.db)
  const trail = async (organizationId: string): Promise<Entry[]> => {
    const { rows } = await accounts().auditTrail(organizationId, { limit: 100 })
    return rows.map(({ who, action, subject, detail }) => ({ who, action, subject, detail: JSON.parse(detail) }))
  }

  test('changes made outside the dashboard are in the activity too, with the actor', async () => {
    const { auth: access } = service.app
    const { id } = await access.createOrganization('Audited', OPERATOR, Date.now())
    const { key } = await access.createKey(id, { tier: 'paid', name: 'till', expiresAt: null }, OPERATOR, Date.now())
    const next = await access.rotateKey(id, key.id, 3, OPERATOR, Date.now())
    await access.revokeKey(id, key.id, OPERATOR, Date.now())
    await access.setLimit(id, 500, OPERATOR, Date.now())
    await access.setTier(id, 'paid', OPERATOR, Date.now())
    const owner = await member(service, id, 'owner')
    const shown: Entry[] = (await owner.get('/api/manage/audit')).body.data
    const byOperator = shown.filter(({ who }) => who === 'command line (tester)').reverse()
    expect(byOperator.map(({ action, subject, detail }) => ({ action, subject, detail }))).toEqual([
      { action: 'organization.created', subject: id, detail: { name: 'Audited' } },
      { action: 'key.created', subject: key.id, detail: { name: 'till', tier: 'paid' } },
      { action: 'key.rotated', subject: next.key.id, detail: { name: 'till', replaces: key.id, overlap_days: '3' } },
      { action: 'key.revoked', subject: key.id, detail: { name: 'till' } },
      { action: 'organization.limit_changed', subject: id, detail: { limit_per_minute: '500' } },
      { action: 'organization.tier_changed', subject: id, detail: { tier: 'paid' } },
      { action: 'member.invited', subject: owner.email, detail: { role: 'owner' } },
    ])
    expect((await owner.get('/api/manage/keys')).body.data[0].created_by).toBe('command line (tester)')
  })

  test('a new password is recorded in the organization of the account, and in no other of the address', async () => {
    const first = await service.newOrganization('First')
    const second = await service.newOrganization('Second')
    const person = await member(service, first.organizationId, 'manager')
    await member(service, second.organizationId, 'manager', person.email)
    await person.send('PATCH', '/account/profile', { password: PASSWORD, new_password: 'another good password' })
    expect((await trail(first.organizationId))[0]).toMatchObject({
      action: 'person.password_changed',
      who: person.email,
    })
    expect((await trail(second.organizationId))[0]).toMatchObject({ action: 'member.joined' })
  })

  test('the activity is paged by cursor and filtered by person, kind and period', async () => {
    const { organizationId } = await service.newOrganization('Paged')
    const owner = await member(service, organizationId, 'owner')
    for (const name of ['one', 'two', 'three']) {
      await owner.post('/api/manage/keys', { name, tier: 'public', expires_on: null })
    }
    type Shown = { id: string; who: string; who_name: string | null; action: string; detail: { name?: string } }
    const all: Shown[] = (await owner.get('/api/manage/audit')).body.data
    const paged: Shown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await owner.get(`/api/manage/audit?limit=2${after && `&after=${after}`}`)
      expect(body.meta.has_next).toBe(body.meta.next_after !== null)
      paged.push(...body.data)
      after = body.meta.next_after
    }
    expect(paged).toEqual(all)

    const own: Shown[] = (await owner.get(`/api/manage/audit?who=${owner.email}&kind=key`)).body.data
    expect(own.map(({ detail }) => detail.name)).toEqual(['three', 'two', 'one'])
    expect(own.every(({ who_name }) => who_name !== null)).toBe(true)
    const byCommands: Shown[] = (await owner.get('/api/manage/audit?who=command+line')).body.data
    expect(byCommands.length).toBeGreaterThan(0)
    expect(byCommands.every(({ who }) => who.startsWith('command line'))).toBe(true)
    expect((await owner.get('/api/manage/audit?to=2020-01-01')).body.data).toEqual([])
    // At any moment, one of them has another day than UTC.
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const today = dayIn(Date.now(), timeZone)
      const find = async (from: string) =>
        (await owner.get(`/api/manage/audit?from=${from}&time_zone=${timeZone}`)).body.data.length
      expect(await find(today)).toBeGreaterThan(0)
      expect(await find(addDays(today, 1))).toBe(0)
    }
    for (const wrong of ['kind=nothing', 'from=yesterday', 'to=2026-02-30']) {
      expect((await owner.get(`/api/manage/audit?${wrong}`)).status, wrong).toBe(400)
    }
  })

  test('the operator reads the activity of all organizations in one list, and nobody else does', async () => {
    const { organizationId } = await service.newOrganization('Watched')
    const owner = await member(service, organizationId, 'owner')
    const { appraisal_id: appraisalId } = (
      await owner.post('/api/appraisals', { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' })
    ).body.data
    const operating = { tier: 'public', name: 'operator', expiresAt: null, rights: ['operate'] } as const
    const { secret: key } = await service.app.auth.createKey(service.organizationId, operating, OPERATOR, Date.now())
    const page = async (query: string) => (await service.ask(`/api/manage/audit?scope=all&${query}`, { key })).body
    const { data } = await page('limit=100')
    const appraised = data.find(({ subject }: Entry) => subject === appraisalId)
    expect(appraised).toMatchObject({
      who: owner.email,
      organization_id: organizationId,
      organization_name: 'Watched',
      subject_name: 'iPhone 13',
    })
    expect(new Set(data.map((entry: { organization_id: string }) => entry.organization_id)).size).toBeGreaterThan(1)
    const paged = []
    for (let after: string | null = ''; after !== null && paged.length < 20; ) {
      const { data: entries, meta } = await page(`limit=7&kind=appraisal&after=${after}`)
      paged.push(...entries)
      after = meta.next_after
    }
    expect(paged.map(({ id }) => id)).toContain(appraised.id)

    expect((await owner.get('/api/manage/audit?scope=all')).status).toBe(403)
    const own = (await owner.get('/api/manage/audit')).body.data
    expect(
      own.every((entry: { organization_id: string | null }) => entry.organization_id !== service.organizationId),
    ).toBe(true)
    const managing = { ...operating, rights: ['manage'] } as const
    const { secret } = await service.app.auth.createKey(organizationId, managing, OPERATOR, Date.now())
    expect((await service.ask('/api/manage/audit?scope=all', { key: secret })).status).toBe(403)
  })

  test('revoking a revoked key changes nothing and records nothing', async () => {
    const { organizationId } = await service.newOrganization('Twice')
    const [key] = await service.app.auth.keys(organizationId)
    for (let time = 0; time < 2; time++) {
      await service.app.auth.revokeKey(organizationId, key?.id ?? '', OPERATOR, Date.now())
    }
    expect((await trail(organizationId)).filter(({ action }) => action === 'key.revoked')).toHaveLength(1)
  })

  test("the database query does not find another organization's key", async () => {
    const { auth: access } = service.app
    const theirs = await service.newOrganization('Theirs')
    const [key] = await access.keys(theirs.organizationId)
    const id = key?.id ?? ''
    const mine = service.organizationId
    for (const change of [
      () => access.revokeKey(mine, id, OPERATOR, Date.now()),
      () => access.rotateKey(mine, id, 0, OPERATOR, Date.now()),
    ]) {
      await expect(change()).rejects.toMatchObject({ name: 'DomainError', code: 'not_found' })
    }
    expect(await access.organizationOfKey(id)).toBe(theirs.organizationId)
    expect((await access.keys(theirs.organizationId))[0]).toEqual(key as never)
  })

  test('of concurrent rotations one creates a successor and the others are rejected, also if clocks differ', async () => {
    const { auth: access } = service.app
    const { organizationId } = await service.newOrganization('Racing')
    const [key] = await access.keys(organizationId)
    const rotated = await Promise.allSettled(
      [3, 2, 1].map((ahead) =>
        access.rotateKey(organizationId, key?.id ?? '', 0, OPERATOR, Date.now() + ahead * 1_000),
      ),
    )
    expect(rotated.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of rotated) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' })
    }
  })

  test('no page reads a sentence meant for the command line', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { id } = (await owner.post('/api/manage/keys', { name: 'x', tier: 'public', expires_on: null })).body.data.key
    await owner.send('DELETE', `/api/manage/keys/${id}`)
    const me = (await owner.get('/api/manage/members')).body.data.find((one: { you: boolean }) => one.you)
    for (const [method, path, body, status] of [
      ['POST', `/api/manage/keys/${id}/rotate`, { overlap_days: 1 }, 400],
      ['POST', '/api/manage/keys/key_none/rotate', { overlap_days: 1 }, 404],
      ['DELETE', '/api/manage/keys/key_none', undefined, 404],
      ['DELETE', '/api/manage/members/per_none', undefined, 404],
      ['DELETE', '/api/manage/invitations/lnk_none', undefined, 404],
      ['PATCH', `/api/manage/members/${me.id}`, { role: 'manager' }, undefined],
    ] as const) {
      const rejected = await owner.send(method, path, body)
      if (status) expect(rejected.status, path).toBe(status)
      expect(rejected.text, path).not.toMatch(/key list|org list|--\w+|usage/i)
    }
  })

  describe('when the audit entry cannot be written', () => {
    const rename = (from: string, to: string) =>
      service.app.db.transaction(async (tx) => {
        await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx)
      })
    const whileAuditFails = async (work: () => Promise<void>) => {
      await rename('audit_entry', 'audit_entry_elsewhere')
      await work().finally(() => rename('audit_entry_elsewhere', 'audit_entry'))
    }
    const everything = async () => {
      const { query } = service.app.db
      return {
        organizations: await query.selectFrom('organization').selectAll().orderBy('id').execute(),
        tiers: await query.selectFrom('organization_tier').selectAll().orderBy('organization_id').execute(),
        keys: await query
          .selectFrom('api_key')
          .select(['id', 'revoked_at', 'expires_at', 'revision'])
          .orderBy('id')
          .execute(),
        accounts: await query.selectFrom('account').selectAll().orderBy('id').execute(),
        links: await query.selectFrom('one_time_link').selectAll().orderBy('id').execute(),
        counters: await query.selectFrom('change').selectAll().where('topic', '=', 'access').execute(),
      }
    }

    test('the rest of the change is rolled back', async () => {
      const { auth: access } = service.app
      const { organizationId: id } = await service.newOrganization('Half')
      const owner = await member(service, id, 'owner')
      const other = await member(service, id, 'manager')
      await owner.post('/api/manage/invitations', { email: 'waiting@example.test', role: 'manager' })
      const members = (await owner.get('/api/manage/members')).body.data
      const invitations = (await owner.get('/api/manage/invitations')).body.data
      const people = Object.fromEntries(members.map((one: { email: string; id: string }) => [one.email, one.id]))
      const [key] = await access.keys(id)
      const keyId = key?.id ?? ''
      const guest = browserSession(service)
      const token = await invitationToken(service, id, { email: 'late@example.test', role: 'manager' })
      const before = await everything()
      const now = Date.now()
      await whileAuditFails(async () => {
        for (const change of [
          () => access.createOrganization('Never', OPERATOR, now),
          () => access.createKey(id, { tier: 'public', name: 'never', expiresAt: null }, OPERATOR, now),
          () => access.rotateKey(id, keyId, 0, OPERATOR, now),
          () => access.revokeKey(id, keyId, OPERATOR, now),
          () => access.setLimit(id, 5, OPERATOR, now),
          () => access.setTier(id, 'public', OPERATOR, now),
          () => invitationToken(service, id, { email: 'never@example.test', role: 'owner' }),
        ]) {
          const outcome = await change().then(
            () => 'done',
            (error: unknown) => error,
          )
          expect(outcome, String(change)).toBeInstanceOf(Error)
          expect(outcome, String(change)).not.toBeInstanceOf(DomainError)
        }
        for (const [method, path, body] of [
          ['POST', '/api/manage/keys', { name: 'never', tier: 'public', expires_on: null }],
          ['POST', `/api/manage/keys/${keyId}/rotate`, { overlap_days: 0 }],
          ['DELETE', `/api/manage/keys/${keyId}`],
          ['POST', '/api/manage/invitations', { email: 'never@example.test', role: 'manager' }],
          ['DELETE', `/api/manage/invitations/${invitations[0].id}`, undefined],
          ['PATCH', `/api/manage/members/${people[other.email]}`, { role: 'owner' }],
          ['DELETE', `/api/manage/members/${people[other.email]}`, undefined],
          ['PATCH', '/account/profile', { password: PASSWORD, new_password: 'another good password' }],
        ] as const) {
          expect((await owner.send(method, path, body)).status, path).toBe(500)
        }
        expect((await guest.post('/account/link/use', { token, password: PASSWORD })).status).toBe(500)
      })
      expect(await everything()).toEqual(before)
      await service.app.auth.revokeKey(id, keyId, OPERATOR, Date.now())
      expect((await trail(id))[0]).toMatchObject({ action: 'key.revoked' })
    })
  })

  test('the first start records what it created', async () => {
    const db = await openDatabase(await store.openEmpty())
    try {
      await createFirstKeys(db, authStore(db), newOrganizations(db), Date.now())
      const [first] = await authStore(db).organizations()
      const { rows } = await authStore(db).auditTrail(first?.id ?? '', { limit: 10 })
      expect(rows.map(({ who, action }) => `${who}: ${action}`).reverse()).toEqual([
        'first start: organization.created',
        'first start: key.created',
        'first start: key.created',
        'first start: key.created',
      ])
    } finally {
      await db.close()
    }
  })
})

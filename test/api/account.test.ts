import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountStore } from '../../src/account/store.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { onBothDatabases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { member, PASSWORD, visitor } from '../support/visitor.ts'

test('behind TLS the session is bound to TLS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-tls-'))
  const service = await startService({ url: '', dataDir: folder }, { BASE_URL: 'https://devices.example' })
  const token = await accountStore(service.app.db).inviteFromCommandLine(
    'tls@example.test',
    service.organizationId,
    'owner',
    Date.now(),
  )
  const joined = await visitor(service).post(
    '/account/join',
    { token, password: PASSWORD },
    { Origin: 'https://devices.example' },
  )
  expect(joined.headers.get('set-cookie')).toMatch(/^__Host-di_session=.*; Path=\/; HttpOnly; SameSite=Lax;.*Secure$/)
  await service.stop()
  rmSync(folder, { recursive: true })
})

test('one network address may not try passwords without end, whoever they are for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-guess-'))
  const service = await startService({ url: '', dataDir: folder })
  const statuses: number[] = []
  for (let round = 0; round < 7; round++) {
    const tries = Array.from({ length: 10 }, (_, i) =>
      visitor(service).post('/account/sign-in', { email: `n${round}-${i}@example.test`, password: 'some guess' }),
    )
    statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  await service.stop()
  rmSync(folder, { recursive: true })
})

onBothDatabases((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const link = (email: string) =>
    accountStore(service.app.db).inviteFromCommandLine(email, service.organizationId, 'owner', Date.now())

  describe('signing in', () => {
    test('by a link from the command line, once', async () => {
      const token = await link('first@example.test')
      const browser = visitor(service)
      const shown = await browser.post('/account/link', { token })
      expect(shown.body.data).toMatchObject({ email: 'first@example.test', new_person: true, role: 'owner' })
      expect((await browser.post('/account/join', { token })).status).toBe(400)
      const joined = await browser.post('/account/join', { token, name: 'First', password: PASSWORD })
      expect(joined.status).toBe(200)
      const session = await browser.get('/account/session')
      expect(session.body.data).toMatchObject({
        person: { email: 'first@example.test', name: 'First' },
        organization: { id: service.organizationId, tier: 'enterprise' },
        role: 'owner',
      })
      expect((await visitor(service).post('/account/join', { token, password: PASSWORD })).status).toBe(404)
    })

    test('with email and password, and out again on the server', async () => {
      const { email } = await member(service, service.organizationId, 'member')
      const browser = visitor(service)
      expect((await browser.get('/account/session')).status).toBe(401)
      const entered = await browser.post('/account/sign-in', { email: email.toUpperCase(), password: PASSWORD })
      expect(entered.status).toBe(200)
      expect(entered.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
      const cookie = browser.cookie()
      await browser.post('/account/sign-out', {})
      browser.useCookie(cookie)
      expect((await browser.get('/account/session')).status).toBe(401)
    })

    test('gives a new session id, and one that was planted is worth nothing', async () => {
      const victim = await member(service, service.organizationId, 'member')
      const planted = victim.cookie()
      await victim.post('/account/sign-in', { email: victim.email, password: PASSWORD })
      expect(victim.cookie()).not.toBe(planted)
      const attacker = visitor(service)
      attacker.useCookie(planted)
      expect((await attacker.get('/account/session')).status).toBe(401)
    })

    test('fails alike for unknown and known addresses', async () => {
      const { email } = await member(service, service.organizationId, 'member')
      const wrong = await visitor(service).post('/account/sign-in', { email, password: 'not the password' })
      const unknown = await visitor(service).post('/account/sign-in', {
        email: 'nobody@example.test',
        password: 'not the password',
      })
      expect(wrong.status).toBe(401)
      expect(unknown.status).toBe(401)
      expect(unknown.body.error).toEqual(wrong.body.error)
    })

    for (const [who, known] of [
      ['a person', true],
      ['an address nobody has', false],
    ] as const) {
      test(`wrong passwords for ${who} are slowed down, side by side too`, async () => {
        const email = known
          ? (await member(service, service.organizationId, 'member')).email
          : `x${Date.now()}@example.test`
        const attempts = await Promise.all(
          Array.from({ length: 8 }, () => visitor(service).post('/account/sign-in', { email, password: 'wrong one' })),
        )
        const refused = attempts.filter(({ status }) => status === 429)
        expect(attempts.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5)
        expect(refused.length).toBeGreaterThanOrEqual(3)
        expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
        if (known) {
          const right = await visitor(service).post('/account/sign-in', { email, password: PASSWORD })
          expect(right.status).toBe(429)
        }
      })
    }

    test('an invitation does not open an account that exists', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const other = await service.newOrganization('Elsewhere')
      const target = await member(service, other.organizationId, 'member')
      const invited = await owner.post('/account/invitations', { email: target.email, role: 'member' })
      const token = new URL(invited.body.data.link).hash.slice(1)
      const thief = visitor(service)
      expect((await thief.post('/account/join', { token, password: 'a brand new password' })).status).toBe(401)
      expect(thief.cookie()).toBe('')
      const joined = await thief.post('/account/join', { token, password: PASSWORD })
      expect(joined.status).toBe(200)
      expect((await thief.get('/account/session')).body.data.organizations).toHaveLength(2)
    })

    test('a changed password ends every other session', async () => {
      const person = await member(service, service.organizationId, 'member')
      const phone = visitor(service)
      await phone.post('/account/sign-in', { email: person.email, password: PASSWORD })
      expect((await person.post('/account/password', { current: 'wrong', next: 'another good one' })).status).toBe(401)
      expect((await person.post('/account/password', { current: PASSWORD, next: 'short' })).status).toBe(400)
      expect((await person.post('/account/password', { current: PASSWORD, next: 'another good one' })).status).toBe(200)
      expect((await phone.get('/account/session')).status).toBe(401)
      expect((await person.get('/account/session')).status).toBe(200)
    })

    test('sessions are listed and can be ended', async () => {
      const person = await member(service, service.organizationId, 'member')
      const phone = visitor(service)
      await phone.post('/account/sign-in', { email: person.email, password: PASSWORD }, { 'User-Agent': 'Phone' })
      const { data } = (await person.get('/account/sessions')).body
      expect(data).toHaveLength(2)
      const other = data.find((session: { current: boolean }) => !session.current)
      expect(other.agent).toBe('Phone')
      await person.post('/account/sessions/end', { id: other.id })
      expect((await phone.get('/account/session')).status).toBe(401)
    })
  })

  describe('what keeps others out', () => {
    test('a change must come from our own pages', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const body = { name: 'x', tier: 'public', expires_on: null }
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { Origin: '' },
      ] as Record<string, string>[]) {
        expect((await owner.post('/account/keys', body, headers)).status).toBe(403)
      }
      expect((await owner.post('/account/keys', 'name=x', { 'Content-Type': 'text/plain' })).status).toBe(415)
    })

    test('an API key opens no account path, and a session no API path', async () => {
      const key = { Authorization: `Bearer ${service.keys.enterprise}` }
      expect((await visitor(service).get('/account/keys', key)).status).toBe(401)
      const owner = await member(service, service.organizationId, 'owner')
      expect((await owner.get('/api/devices')).status).toBe(401)
    })

    test('a member may look but not do what owners do', async () => {
      const person = await member(service, service.organizationId, 'member')
      for (const path of ['/account/keys', '/account/members', '/account/activity', '/account/usage']) {
        expect((await person.get(path)).status).toBe(200)
      }
      const { body } = await person.get('/account/keys')
      for (const [path, sent] of [
        ['/account/keys', { name: 'x', tier: 'public', expires_on: null }],
        ['/account/keys/revoke', { id: body.data[0].id }],
        ['/account/keys/rotate', { id: body.data[0].id, overlap_days: 1 }],
        ['/account/invitations', { email: 'a@example.test', role: 'owner' }],
        ['/account/members/role', { id: 'per_x', role: 'owner' }],
        ['/account/members/remove', { id: 'per_x' }],
      ] as const) {
        expect((await person.post(path, sent)).status, path).toBe(403)
      }
    })

    test("another organization's things are not there", async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const other = await service.newOrganization('Other')
      const stranger = await member(service, other.organizationId, 'owner')
      const theirs = (await stranger.get('/account/keys')).body.data[0].id
      const people = (await stranger.get('/account/members')).body.data.members[0].id
      for (const [path, sent] of [
        ['/account/keys/revoke', { id: theirs }],
        ['/account/keys/rotate', { id: theirs, overlap_days: 0 }],
        ['/account/members/remove', { id: people }],
        ['/account/members/role', { id: people, role: 'member' }],
        ['/account/organization', { id: other.organizationId }],
      ] as const) {
        expect((await owner.post(path, sent)).status, path).toBe(404)
      }
      expect((await stranger.get('/account/keys')).body.data[0].state).toBe('active')
    })

    test('odd text anywhere is refused, never a fault of ours', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const odd = [
        '\u0000',
        'a\u0000@b.cc',
        '\ud800',
        '\ud800@b.cc',
        '\u202e',
        '../x',
        "' or 1=1 --",
        'x'.repeat(5_000),
        '',
      ]
      for (const text of odd) {
        for (const [path, body] of [
          ['/account/sign-in', { email: text, password: text }],
          ['/account/sign-in', { email: 'odd@example.test', password: text }],
          ['/account/link', { token: text }],
          ['/account/join', { token: text, name: text, password: text }],
          ['/account/keys', { name: text, tier: text, expires_on: text }],
          ['/account/keys', { name: text, tier: 'public', expires_on: null }],
          ['/account/keys/revoke', { id: text }],
          ['/account/keys/rotate', { id: text, overlap_days: 1 }],
          ['/account/invitations', { email: text, role: 'member' }],
          ['/account/members/remove', { id: text }],
          ['/account/sessions/end', { id: text }],
          ['/account/organization', { id: text }],
        ] as const) {
          const { status } = await owner.post(path, body, { 'User-Agent': `odd ${encodeURIComponent(path)}` })
          expect(status, `${path} ${JSON.stringify(body)}`.slice(0, 200)).toBeLessThan(500)
        }
        const asked = encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))
        for (const path of [
          'activity?page=',
          'explore/devices?search=',
          'explore/imei?identifier=',
          'lookups.csv?identifier=',
        ]) {
          expect((await owner.get(`/account/${path}${asked}`)).status, path + asked.slice(0, 80)).toBeLessThan(500)
        }
      }
    })

    test('odd bodies are refused with a sentence and nothing of them is repeated', async () => {
      const secret = 'sup3r-secret-passw0rd'
      for (const body of ['{', '[]', 'null', '{"email":1}', `{"email":"x","password":"${secret}"}`]) {
        const refused = await visitor(service).post('/account/sign-in', body)
        expect(refused.status).toBe(400)
        expect(refused.text).not.toContain(secret)
      }
      expect(service.logged()).not.toContain(secret)
    })
  })

  describe('keys', () => {
    test('are made, work at once, are listed without their secret, rotated, and revoked', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const made = await owner.post('/account/keys', { name: 'Shop <b>', tier: 'paid', expires_on: null })
      const { secret, key } = made.body.data
      expect(secret).toMatch(/^pk_paid_/)
      expect((await service.ask('/api/devices', { key: secret })).status).toBe(200)
      const listed = await owner.get('/account/keys')
      expect(listed.text).not.toContain(secret)
      expect(listed.body.data[0]).toMatchObject({
        name: 'Shop <b>',
        tier: 'paid',
        last_four: secret.slice(-4),
        created_by: owner.email,
        state: 'active',
      })
      const rotated = await owner.post('/account/keys/rotate', { id: key.id, overlap_days: 7 })
      expect((await service.ask('/api/devices', { key: rotated.body.data.secret })).status).toBe(200)
      expect((await service.ask('/api/devices', { key: secret })).status).toBe(200)
      await owner.post('/account/keys/revoke', { id: key.id })
      const deadline = Date.now() + 1_000
      while ((await service.ask('/api/devices', { key: secret })).status !== 401) {
        if (Date.now() > deadline) throw new Error('a revoked key still works after a second')
        await Bun.sleep(20)
      }
      const actions = (await owner.get('/account/activity')).body.data.map((deed: { action: string }) => deed.action)
      expect(actions.slice(0, 3)).toEqual(['key.revoked', 'key.rotated', 'key.created'])
    })

    test('cannot be of a tier above the organization, nor expire in the past', async () => {
      const { organizationId } = await service.newOrganization('Small')
      await accountStore(service.app.db).setOrganizationTier(organizationId, 'public')
      const owner = await member(service, organizationId, 'owner')
      expect((await owner.post('/account/keys', { name: 'x', tier: 'paid', expires_on: null })).status).toBe(403)
      expect((await owner.post('/account/keys', { name: 'x', tier: 'public', expires_on: '2020-01-01' })).status).toBe(
        400,
      )
      expect((await owner.get('/account/explore/pricing?variant_id=x')).status).toBe(403)
      expect((await owner.get('/account/explore/devices')).status).toBe(200)
    })
  })

  describe('people', () => {
    test('are invited, join, change role, and leave; the last owner stays', async () => {
      const { organizationId } = await service.newOrganization('Team')
      const owner = await member(service, organizationId, 'owner')
      const invited = await owner.post('/account/invitations', { email: 'New@Example.test', role: 'member' })
      const token = new URL(invited.body.data.link).hash.slice(1)
      expect((await owner.get('/account/members')).body.data.invitations).toHaveLength(1)
      const guest = visitor(service)
      await guest.post('/account/join', { token, name: 'New', password: PASSWORD })
      const { members, invitations } = (await owner.get('/account/members')).body.data
      expect(invitations).toHaveLength(0)
      const me = members.find((one: { you: boolean }) => one.you)
      const them = members.find((one: { you: boolean }) => !one.you)
      expect(them).toMatchObject({ email: 'new@example.test', role: 'member' })
      expect((await owner.post('/account/members/remove', { id: me.id })).status).toBe(400)
      expect((await owner.post('/account/members/role', { id: me.id, role: 'member' })).status).toBe(400)
      await owner.post('/account/members/role', { id: them.id, role: 'owner' })
      await owner.post('/account/members/remove', { id: them.id })
      expect((await guest.get('/account/keys')).status).toBe(403)
      expect((await guest.get('/account/session')).body.data.organization).toBeNull()
    })

    test('work in one organization at a time and can change it', async () => {
      const first = await service.newOrganization('First')
      const second = await service.newOrganization('Second')
      const person = await member(service, first.organizationId, 'owner')
      await accountStore(service.app.db).inviteFromCommandLine(
        person.email,
        second.organizationId,
        'member',
        Date.now(),
      )
      expect((await person.get('/account/session')).body.data).toMatchObject({
        organization: { name: 'First' },
        role: 'owner',
      })
      await person.post('/account/organization', { id: second.organizationId })
      const { data } = (await person.get('/account/session')).body
      expect(data).toMatchObject({ organization: { name: 'Second' }, role: 'member' })
      expect(data.organizations).toHaveLength(2)
      expect((await person.post('/account/keys', { name: 'x', tier: 'public', expires_on: null })).status).toBe(403)
    })

    test('an invitation can be withdrawn', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const invited = await owner.post('/account/invitations', { email: 'gone@example.test', role: 'member' })
      const { id } = (await owner.get('/account/members')).body.data.invitations[0]
      await owner.post('/account/invitations/withdraw', { id })
      const token = new URL(invited.body.data.link).hash.slice(1)
      expect((await visitor(service).post('/account/link', { token })).status).toBe(404)
    })
  })

  test('the pages may load and run nothing from elsewhere, and nobody may frame them', async () => {
    for (const path of ['/dashboard', '/dashboard/keys', '/docs']) {
      const { status, headers } = await visitor(service).get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(status).toBe(200)
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    const answer = await visitor(service).get('/account/session')
    expect(answer.status).toBe(401)
    expect((await visitor(service).get('/')).headers.get('location')).toBe('/dashboard')
    expect((await visitor(service).get('/dashboard/app-old.js')).status).toBe(404)
  })

  test('usage shows what a key did, by endpoint and status', async () => {
    const { organizationId, keys } = await service.newOrganization('Busy')
    const owner = await member(service, organizationId, 'owner')
    for (let i = 0; i < 3; i++) await service.ask('/api/devices', { key: keys.public })
    await service.ask('/api/pricing', { key: keys.public })
    await owner.get('/account/explore/devices?limit=1')
    const { data } = (await owner.get('/account/usage')).body
    const counts = data.rows.map((row: { route: string; status: number; count: number }) => [
      row.route,
      row.status,
      row.count,
    ])
    expect(counts.sort()).toEqual([
      ['/api/devices', 200, 1],
      ['/api/devices', 200, 3],
      ['/api/pricing', 403, 1],
    ])
    expect(data.peaks.some((peak: { peak_per_minute: number }) => peak.peak_per_minute >= 1)).toBe(true)
  })

  describe('a lookup has an address', () => {
    test('that finds it however many came after it', async () => {
      const { organizationId, keys } = await service.newOrganization('Long memory')
      const asking = { key: keys.enterprise, json: { identifier: '100000010000023' } }
      const made = (await service.ask('/api/imei', asking)).body.data
      const now = Date.now()
      const records = Array.from({ length: 2_500 }, (_, at) => ({
        id: `lkp_ZZ${String(at).padStart(24, '0')}`,
        organizationId,
        identifierKey: 'later',
        createdAt: now,
        answer: '{}',
      }))
      await lookupStore(service.app.db).save([{ organizationId, records, claim: null, now }])
      const owner = await member(service, organizationId, 'owner')
      expect((await owner.get(`/account/lookup?id=${made.lookup_id}`)).body.data).toEqual(made)
    })

    test('for its own organization alone, and only with the tier that may look identifiers up', async () => {
      const mine = await service.newOrganization('Mine')
      const asking = { key: mine.keys.enterprise, json: { identifier: '100000010000023' } }
      const { lookup_id } = (await service.ask('/api/imei', asking)).body.data
      const owner = await member(service, mine.organizationId, 'owner')
      const stranger = await member(service, (await service.newOrganization('Other')).organizationId, 'owner')
      expect((await stranger.get(`/account/lookup?id=${lookup_id}`)).status).toBe(404)
      expect((await visitor(service).get(`/account/lookup?id=${lookup_id}`)).status).toBe(401)
      for (const id of ['', 'lkp_', 'lkp_nothing', '%00', "lkp_'or'1'='1", 'x'.repeat(3_000)]) {
        expect((await owner.get(`/account/lookup?id=${id}`)).status).toBe(404)
      }
      await accountStore(service.app.db).setOrganizationTier(mine.organizationId, 'paid')
      expect((await owner.get(`/account/lookup?id=${lookup_id}`)).status).toBe(403)
    })
  })

  test('exploring answers what the API answers', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const explored = await owner.get('/account/explore/devices?search=iphone+13&limit=2')
    const asked = await service.ask('/api/devices?search=iphone+13&limit=2', { tier: 'public' })
    expect(explored.body.data).toEqual(asked.body.data)
    expect(explored.body.meta).toEqual(asked.body.meta)
    expect((await owner.get('/account/explore/nothing')).status).toBe(404)
    expect((await owner.get('/account/explore/../keys')).status).toBe(200)
  })
})

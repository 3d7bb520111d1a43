import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  test('a person sets the language of their pages and returns to that of the browser', async () => {
    const person = await member(service, service.organizationId, 'clerk')
    const language = async () => (await person.get('/account/session')).body.data.person.language
    expect(await language()).toBeNull()
    for (const chosen of ['de', 'ko', null]) {
      expect((await person.send('PATCH', '/account/profile', { language: chosen })).status).toBe(200)
      expect(await language()).toBe(chosen)
    }
    expect((await person.send('PATCH', '/account/profile', { language: 'nl' })).status).toBe(400)
  })

  describe('access control', () => {
    test("a change must come from the dashboard's own origin", async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const body = { language: 'de' }
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { Origin: '' },
      ] as Record<string, string>[]) {
        expect((await owner.send('PATCH', '/account/profile', body, headers)).status).toBe(403)
      }
      expect((await owner.send('PATCH', '/account/profile', 'name=x', { 'Content-Type': 'text/plain' })).status).toBe(
        415,
      )
    })

    test('an API key is not accepted on account paths, a session is on API paths', async () => {
      const key = { Authorization: `Bearer ${service.keys.enterprise}` }
      expect((await browserSession(service).get('/account/session', key)).status).toBe(401)
      const owner = await member(service, service.organizationId, 'owner')
      expect((await owner.get('/api/devices')).status).toBe(200)
    })

    test('a member can view but not change what only owners may change', async () => {
      const person = await member(service, service.organizationId, 'manager')
      for (const path of ['/api/manage/keys', '/api/manage/members', '/api/manage/audit', '/api/usage']) {
        expect((await person.get(path)).status).toBe(200)
      }
      const { body } = await person.get('/api/manage/keys')
      for (const [method, path, sent] of [
        ['POST', '/api/manage/keys', { name: 'x', tier: 'public', expires_on: null }],
        ['DELETE', `/api/manage/keys/${body.data[0].id}`],
        ['POST', `/api/manage/keys/${body.data[0].id}/rotate`, { overlap_days: 1 }],
        ['POST', '/api/manage/invitations', { email: 'a@example.test', role: 'owner' }],
        ['PATCH', '/api/manage/members/per_x', { role: 'owner' }],
        ['DELETE', '/api/manage/members/per_x', undefined],
      ] as const) {
        expect((await person.send(method, path, sent)).status, path).toBe(403)
      }
    })

    test("another organization's resources are not found", async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const other = await service.newOrganization('Other')
      const stranger = await member(service, other.organizationId, 'owner')
      const theirs = (await stranger.get('/api/manage/keys')).body.data[0].id
      const people = (await stranger.get('/api/manage/members')).body.data[0].id
      for (const [method, path, sent] of [
        ['DELETE', `/api/manage/keys/${theirs}`],
        ['POST', `/api/manage/keys/${theirs}/rotate`, { overlap_days: 0 }],
        ['DELETE', `/api/manage/members/${people}`, undefined],
        ['PATCH', `/api/manage/members/${people}`, { role: 'manager' }],
      ] as const) {
        expect((await owner.send(method, path, sent)).status, path).toBe(404)
      }
      expect((await stranger.get('/api/manage/keys')).body.data[0].state).toBe('active')
    })

    test('invalid text in any field is rejected, never a server error', async () => {
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
        const inPath = encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))
        for (const [method, path, body] of [
          ['POST', '/account/sign-in', { email: text, password: text }],
          ['POST', '/account/sign-in', { email: 'odd@example.test', password: text }],
          ['POST', '/account/link', { token: text }],
          ['POST', '/account/link/use', { token: text, name: text, password: text }],
          ['POST', '/api/manage/keys', { name: text, tier: text, expires_on: text }],
          ['POST', '/api/manage/keys', { name: text, tier: 'public', expires_on: null }],
          ['DELETE', `/api/manage/keys/${inPath}`],
          ['POST', `/api/manage/keys/${inPath}/rotate`, { overlap_days: 1 }],
          ['POST', '/api/manage/invitations', { email: text, role: 'manager' }],
          ['DELETE', `/api/manage/members/${inPath}`, undefined],
          ['DELETE', `/account/sessions/${inPath}`],
        ] as const) {
          const { status } = await owner.send(method, path, body, { 'User-Agent': `odd ${encodeURIComponent(path)}` })
          expect(status, `${path} ${JSON.stringify(body)}`.slice(0, 200)).toBeLessThan(500)
        }
        const query = encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))
        for (const path of [
          'manage/audit?page=',
          'devices?search=',
          'imei?identifier=',
          'imei?format=csv&identifier=',
        ]) {
          expect((await owner.get(`/api/${path}${query}`)).status, path + query.slice(0, 80)).toBeLessThan(500)
        }
      }
    })

    test('invalid bodies are rejected with a message that does not repeat them', async () => {
      const secret = 'sup3r-secret-passw0rd'
      for (const body of ['{', '[]', 'null', '{"email":1}', `{"email":"x","password":"${secret}"}`]) {
        const rejected = await browserSession(service).post('/account/sign-in', body)
        expect(rejected.status).toBe(400)
        expect(rejected.text).not.toContain(secret)
      }
      expect(service.logged()).not.toContain(secret)
    })
  })

  describe('keys', () => {
    test('are created, work at once, are listed without their secret, rotated and revoked', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const created = await owner.post('/api/manage/keys', { name: 'Shop <b>', tier: 'paid', expires_on: null })
      const { secret, key } = created.body.data
      expect(secret).toMatch(/^pk_paid_/)
      expect((await service.ask('/api/devices', { key: secret })).status).toBe(200)
      const listed = await owner.get('/api/manage/keys')
      expect(listed.text).not.toContain(secret)
      expect(listed.body.data[0]).toMatchObject({
        name: 'Shop <b>',
        tier: 'paid',
        last_four: secret.slice(-4),
        created_by: owner.email,
        state: 'active',
      })
      const rotated = await owner.post(`/api/manage/keys/${key.id}/rotate`, { overlap_days: 7 })
      expect((await service.ask('/api/devices', { key: rotated.body.data.secret })).status).toBe(200)
      expect((await service.ask('/api/devices', { key: secret })).status).toBe(200)
      await owner.send('DELETE', `/api/manage/keys/${key.id}`)
      await waitUntil(async () => (await service.ask('/api/devices', { key: secret })).status === 401, {
        describe: 'the revoked key to be refused',
      })
      const actions = (await owner.get('/api/manage/audit')).body.data.map((entry: { action: string }) => entry.action)
      expect(actions.slice(0, 3)).toEqual(['key.revoked', 'key.rotated', 'key.created'])
    })

    test("cannot have a tier above the organization's nor expire in the past", async () => {
      const { organizationId } = await service.newOrganization('Small')
      await service.app.auth.setTier(organizationId, 'public', OPERATOR, Date.now())
      const owner = await member(service, organizationId, 'owner')
      expect((await owner.post('/api/manage/keys', { name: 'x', tier: 'paid', expires_on: null })).status).toBe(403)
      expect(
        (await owner.post('/api/manage/keys', { name: 'x', tier: 'public', expires_on: '2020-01-01' })).status,
      ).toBe(400)
      expect((await owner.get('/api/pricing?variant_id=x')).status).toBe(403)
      expect((await owner.get('/api/devices')).status).toBe(200)
    })
  })

  describe('people', () => {
    test('are invited, join, change role and leave; the last owner stays', async () => {
      const { organizationId } = await service.newOrganization('Team')
      const owner = await member(service, organizationId, 'owner')
      const invited = await owner.post('/api/manage/invitations', { email: 'New@Example.test', role: 'manager' })
      const token = new URL(invited.body.data.link).hash.slice(1)
      expect((await owner.get('/api/manage/invitations')).body.data).toHaveLength(1)
      const guest = browserSession(service)
      await guest.post('/account/link/use', { token, name: 'New', password: PASSWORD })
      const members = (await owner.get('/api/manage/members')).body.data
      const invitations = (await owner.get('/api/manage/invitations')).body.data
      expect(invitations).toHaveLength(0)
      const me = members.find((one: { you: boolean }) => one.you)
      const them = members.find((one: { you: boolean }) => !one.you)
      expect(them).toMatchObject({ email: 'new@example.test', role: 'manager' })
      expect((await owner.send('DELETE', `/api/manage/members/${me.id}`)).status).toBe(400)
      expect((await owner.send('PATCH', `/api/manage/members/${me.id}`, { role: 'manager' })).status).toBe(400)
      await owner.send('PATCH', `/api/manage/members/${them.id}`, { role: 'owner' })
      await owner.send('DELETE', `/api/manage/members/${them.id}`)
      expect((await guest.get('/api/manage/keys')).status).toBe(401)
      expect((await guest.get('/account/session')).status).toBe(401)
    })

    test('an invitation can be withdrawn', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const invited = await owner.post('/api/manage/invitations', { email: 'gone@example.test', role: 'manager' })
      const { id } = (await owner.get('/api/manage/invitations')).body.data[0]
      await owner.send('DELETE', `/api/manage/invitations/${id}`)
      const token = new URL(invited.body.data.link).hash.slice(1)
      expect((await browserSession(service).post('/account/link', { token })).status).toBe(404)
    })
  })
})

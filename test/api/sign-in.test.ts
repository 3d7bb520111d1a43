import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { peopleStore } from '../../src/people/people-store.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const link = (email: string) =>
    peopleStore(service.app.db).createSignInLink(service.organizationId, { email, role: 'owner' }, OPERATOR, Date.now())

  describe('signing in', () => {
    test('by a link from the command line, once', async () => {
      const token = await link('first@example.test')
      const browser = browserSession(service)
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
      expect((await browserSession(service).post('/account/join', { token, password: PASSWORD })).status).toBe(404)
    })

    test('with email and password, and out again on the server', async () => {
      const { email } = await member(service, service.organizationId, 'manager')
      const browser = browserSession(service)
      expect((await browser.get('/account/session')).status).toBe(401)
      const entered = await browser.post('/account/sign-in', { email: email.toUpperCase(), password: PASSWORD })
      expect(entered.status).toBe(200)
      expect(entered.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
      const cookie = browser.cookie()
      await browser.post('/account/sign-out', {})
      browser.useCookie(cookie)
      expect((await browser.get('/account/session')).status).toBe(401)
    })

    test('creates a new session id; a planted one is invalid', async () => {
      const victim = await member(service, service.organizationId, 'manager')
      const planted = victim.cookie()
      await victim.post('/account/sign-in', { email: victim.email, password: PASSWORD })
      expect(victim.cookie()).not.toBe(planted)
      const attacker = browserSession(service)
      attacker.useCookie(planted)
      expect((await attacker.get('/account/session')).status).toBe(401)
    })

    test('fails alike for unknown and known addresses', async () => {
      const { email } = await member(service, service.organizationId, 'manager')
      const wrong = await browserSession(service).post('/account/sign-in', { email, password: 'not the password' })
      const unknown = await browserSession(service).post('/account/sign-in', {
        email: 'nobody@example.test',
        password: 'not the password',
      })
      expect(wrong.status).toBe(401)
      expect(unknown.status).toBe(401)
      const { request_id: _, ...error } = wrong.body.error
      expect({ ...unknown.body.error, request_id: undefined }).toEqual({ ...error, request_id: undefined })
    })

    for (const [who, known] of [
      ['a person', true],
      ['an unknown address', false],
    ] as const) {
      test(`wrong passwords for ${who} are throttled, concurrent ones too`, async () => {
        const email = known
          ? (await member(service, service.organizationId, 'manager')).email
          : `x${Date.now()}@example.test`
        const attempts = await Promise.all(
          Array.from({ length: 8 }, () =>
            browserSession(service).post('/account/sign-in', { email, password: 'wrong one' }),
          ),
        )
        const rejected = attempts.filter(({ status }) => status === 429)
        expect(attempts.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5)
        expect(rejected.length).toBeGreaterThanOrEqual(3)
        expect(Number(rejected[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
        if (known) {
          const right = await browserSession(service).post('/account/sign-in', { email, password: PASSWORD })
          expect(right.status).toBe(429)
        }
      })
    }

    test("a stranger's wrong passwords do not lock out a browser that has signed in before", async () => {
      const owner = await member(service, service.organizationId, 'manager')
      const other = await member(service, service.organizationId, 'manager')
      await Promise.all([owner.post('/account/sign-out', {}), other.post('/account/sign-out', {})])
      const guess = (browser: ReturnType<typeof browserSession>) =>
        browser.post('/account/sign-in', { email: owner.email, password: 'wrong one' })
      for (let round = 0; round < 6; round++) await guess(browserSession(service))
      const right = { email: owner.email, password: PASSWORD }
      expect((await browserSession(service).post('/account/sign-in', right)).status).toBe(429)
      // A browser is known only for the person who signed in with it.
      expect((await other.post('/account/sign-in', right)).status).toBe(429)
      expect((await owner.post('/account/sign-in', right)).status).toBe(200)
      await owner.post('/account/sign-out', {})
      for (let round = 0; round < 5; round++) expect((await guess(owner)).status).toBe(401)
      expect((await owner.post('/account/sign-in', right)).status).toBe(429)
    })

    test('a password that is common or derived from the address or the organization is rejected', async () => {
      const { organizationId } = await service.newOrganization('Harbour Phones')
      const people = peopleStore(service.app.db)
      const invited = { email: 'amelia.stone@example.test', role: 'owner' } as const
      const token = await people.createSignInLink(organizationId, invited, OPERATOR, Date.now())
      const browser = browserSession(service)
      const weak = ['1234567890', 'qwertyuiop', 'Password123!', 'iloveyou123', invited.email, 'amelia.stone1']
      for (const password of [...weak, 'Harbour Phones', 'harbourphones1']) {
        const joined = await browser.post('/account/join', { token, password })
        expect([password, joined.status]).toEqual([password, 400])
        expect(joined.body.error.details[0].field).toBe('password')
      }
      expect((await browser.post('/account/join', { token, password: PASSWORD })).status).toBe(200)
      expect((await browser.post('/account/password', { current: PASSWORD, next: 'harbourphones1' })).status).toBe(400)
    })

    test('an invitation does not sign in to an existing account', async () => {
      const owner = await member(service, service.organizationId, 'owner')
      const other = await service.newOrganization('Elsewhere')
      const target = await member(service, other.organizationId, 'manager')
      const invited = await owner.post('/account/invitations', { email: target.email, role: 'manager' })
      const token = new URL(invited.body.data.link).hash.slice(1)
      const thief = browserSession(service)
      expect((await thief.post('/account/join', { token, password: 'a brand new password' })).status).toBe(401)
      expect(thief.cookie()).toBe('')
      const joined = await thief.post('/account/join', { token, password: PASSWORD })
      expect(joined.status).toBe(200)
      expect((await thief.get('/account/session')).body.data.organizations).toHaveLength(2)
    })

    test('a changed password ends every other session', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const phone = browserSession(service)
      await phone.post('/account/sign-in', { email: person.email, password: PASSWORD })
      const wrong = await person.post('/account/password', { current: 'wrong', next: 'another good one' })
      // The dashboard treats 401 as the end of the session.
      expect(wrong.status).toBe(403)
      expect(wrong.body.error.message).toBe('The current password is wrong.')
      expect((await person.post('/account/password', { current: PASSWORD, next: 'short' })).status).toBe(400)
      expect((await person.post('/account/password', { current: PASSWORD, next: 'another good one' })).status).toBe(200)
      expect((await phone.get('/account/session')).status).toBe(401)
      expect((await person.get('/account/session')).status).toBe(200)
    })

    test('sessions are listed and can be ended', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const phone = browserSession(service)
      await phone.post('/account/sign-in', { email: person.email, password: PASSWORD }, { 'User-Agent': 'Phone' })
      const { data } = (await person.get('/account/sessions')).body
      expect(data).toHaveLength(2)
      const other = data.find((session: { current: boolean }) => !session.current)
      expect(other.agent).toBe('Phone')
      await person.post('/account/sessions/end', { id: other.id })
      expect((await phone.get('/account/session')).status).toBe(401)
    })
  })

  test('behind TLS the session cookie is Secure', async () => {
    await using service = await startService(await store.open(), { BASE_URL: 'https://devices.example' })
    const token = await peopleStore(service.app.db).createSignInLink(
      service.organizationId,
      { email: 'tls@example.test', role: 'owner' },
      OPERATOR,
      Date.now(),
    )
    const joined = await browserSession(service).post(
      '/account/join',
      { token, password: PASSWORD },
      { Origin: 'https://devices.example' },
    )
    const [value, ...attributes] = (joined.headers.get('set-cookie') ?? '').split('; ')
    expect(value).toStartWith('__Host-di_session=')
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure']))
  })

  test('password attempts of one network address are limited across all accounts', async () => {
    await using service = await startService(await store.open())
    const statuses: number[] = []
    for (let round = 0; round < 7; round++) {
      const tries = Array.from({ length: 10 }, (_, i) =>
        browserSession(service).post('/account/sign-in', {
          email: `n${round}-${i}@example.test`,
          password: 'some guess',
        }),
      )
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })
})

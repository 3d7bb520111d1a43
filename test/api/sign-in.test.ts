import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { browserSession, invitationToken, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const link = (email: string) => invitationToken(service, service.organizationId, { email, role: 'owner' })

  describe('signing in', () => {
    test('by a link from the command line, once', async () => {
      const token = await link('first@example.test')
      const browser = browserSession(service)
      const shown = await browser.post('/account/link', { token })
      expect(shown.body.data).toMatchObject({ purpose: 'invitation', email: 'first@example.test', role: 'owner' })
      expect((await browser.post('/account/link/use', { token })).status).toBe(400)
      const joined = await browser.post('/account/link/use', { token, name: 'First', password: PASSWORD })
      expect(joined.status).toBe(200)
      const session = await browser.get('/account/session')
      expect(session.body.data).toMatchObject({
        person: { email: 'first@example.test', name: 'First' },
        organization: { id: service.organizationId, tier: 'enterprise' },
        role: 'owner',
      })
      expect((await browserSession(service).post('/account/link/use', { token, password: PASSWORD })).status).toBe(404)
    })

    test('with email and password, and out again on the server', async () => {
      const { email } = await member(service, service.organizationId, 'manager')
      const browser = browserSession(service)
      expect((await browser.get('/account/session')).status).toBe(401)
      const entered = await browser.post('/account/sign-in', { email: email.toUpperCase(), password: PASSWORD })
      expect(entered.status).toBe(200)
      expect(entered.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
      const cookie = browser.cookie()
      await browser.send('DELETE', '/account/session')
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
      await Promise.all([owner.send('DELETE', '/account/session'), other.send('DELETE', '/account/session')])
      const guess = (browser: ReturnType<typeof browserSession>) =>
        browser.post('/account/sign-in', { email: owner.email, password: 'wrong one' })
      for (let round = 0; round < 6; round++) await guess(browserSession(service))
      const right = { email: owner.email, password: PASSWORD }
      expect((await browserSession(service).post('/account/sign-in', right)).status).toBe(429)
      // A browser is known only for the person who signed in with it.
      expect((await other.post('/account/sign-in', right)).status).toBe(429)
      expect((await owner.post('/account/sign-in', right)).status).toBe(200)
      await owner.send('DELETE', '/account/session')
      for (let round = 0; round < 5; round++) expect((await guess(owner)).status).toBe(401)
      expect((await owner.post('/account/sign-in', right)).status).toBe(429)
    })

    test('a password that is common or derived from the address or the organization is rejected', async () => {
      const { organizationId } = await service.newOrganization('Harbour Phones')
      const invited = { email: 'amelia.stone@example.test', role: 'owner' } as const
      const token = await invitationToken(service, organizationId, invited)
      const browser = browserSession(service)
      const weak = ['1234567890', 'qwertyuiop', 'Password123!', 'iloveyou123', invited.email, 'amelia.stone1']
      const year = new Date().getFullYear()
      const ofNames = ['Harbour Phones', 'harbourphones1', `Harbour Phones ${year}`, `Amelia Stone ${year}`]
      const ofProduct = [`DeviceIntelligence${year}`, `Device Intelligence!`, `Password${year}!`]
      for (const password of [...weak, ...ofNames, ...ofProduct]) {
        const joined = await browser.post('/account/link/use', { token, name: 'Amelia Stone', password })
        expect([password, joined.status]).toEqual([password, 400])
        expect(joined.body.error.details[0].field).toBe('password')
      }
      expect((await browser.post('/account/link/use', { token, password: PASSWORD })).status).toBe(200)
      expect(
        (await browser.send('PATCH', '/account/profile', { password: PASSWORD, new_password: 'harbourphones1' }))
          .status,
      ).toBe(400)
    })

    test('an address with accounts in several organizations is offered those that have the password', async () => {
      const email = `several-${Date.now()}@example.test`
      const shops = [await service.newOrganization('North'), await service.newOrganization('South')]
      for (const { organizationId } of shops) await member(service, organizationId, 'manager', email)
      const { organizationId: third } = await service.newOrganization('West')
      const token = await invitationToken(service, third, { email, role: 'clerk' })
      await browserSession(service).post('/account/link/use', { token, password: 'nine yellow submarines' })

      const browser = browserSession(service)
      const { data } = (await browser.post('/account/sign-in', { email, password: PASSWORD })).body
      expect(data.choose_organization.organizations.map(({ name }: { name: string }) => name)).toEqual([
        'North',
        'South',
      ])
      expect((await browser.get('/account/session')).status).toBe(401)
      const choose = (organizationId: string | undefined) =>
        browser.post('/account/sign-in/continue', {
          token: data.choose_organization.token,
          organization_id: organizationId,
        })
      expect((await choose(third)).status).toBe(401)
      expect((await choose(shops[1]?.organizationId)).status).toBe(200)
      expect((await browser.get('/account/session')).body.data.organization.name).toBe('South')
      // Works once.
      expect((await choose(shops[0]?.organizationId)).status).toBe(401)
      const other = browserSession(service)
      expect((await other.post('/account/sign-in', { email, password: 'nine yellow submarines' })).status).toBe(200)
      expect((await other.get('/account/session')).body.data.organization.name).toBe('West')
    })

    test('a changed password ends every other session', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const phone = browserSession(service)
      await phone.post('/account/sign-in', { email: person.email, password: PASSWORD })
      const wrong = await person.send('PATCH', '/account/profile', {
        password: 'wrong',
        new_password: 'another good one',
      })
      // The dashboard treats 401 as the end of the session.
      expect(wrong.status).toBe(403)
      expect(wrong.body.error.message).toBe('The current password is wrong.')
      expect(
        (await person.send('PATCH', '/account/profile', { password: PASSWORD, new_password: 'short' })).status,
      ).toBe(400)
      expect(
        (await person.send('PATCH', '/account/profile', { password: PASSWORD, new_password: 'another good one' }))
          .status,
      ).toBe(200)
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
      await person.send('DELETE', `/account/sessions/${other.id}`)
      expect((await phone.get('/account/session')).status).toBe(401)
    })
  })

  test('behind TLS the session cookie is Secure', async () => {
    await using service = await startService(await store.open(), { BASE_URL: 'https://devices.example' })
    const invited = { email: 'tls@example.test', role: 'owner' } as const
    const token = await invitationToken(service, service.organizationId, invited)
    const joined = await browserSession(service).post(
      '/account/link/use',
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
    for (let round = 0; round < 31; round++) {
      const tries = Array.from({ length: 10 }, (_, i) =>
        browserSession(service).post('/account/sign-in', {
          email: `n${round}-${i}@example.test`,
          password: 'some guess',
        }),
      )
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(300)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })
})

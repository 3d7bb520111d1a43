import { afterAll, beforeAll, expect, test } from 'bun:test'
import { peopleStore } from '../../src/people/people-store.ts'
import { member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { createBrowser, type Issuer, startIssuer } from '../support/issuer.ts'
import { freePort } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  let issuer: Issuer
  let port: number
  let organizationId: string
  const accounts = {
    ada: { email: 'Ada@shop.example', email_verified: true, name: 'Ada', groups: ['admins'] },
    ben: { email: 'ben@shop.example', email_verified: true, name: 'Ben', groups: ['staff', 'others'] },
    eve: { email: 'eve@shop.example', email_verified: false },
    tom: { email: 'tom@elsewhere.example', email_verified: true },
    una: { name: 'No address' },
  }

  beforeAll(async () => {
    const opening = await store.open()
    const first = await startService(opening)
    organizationId = first.organizationId
    await first.stop()
    port = await freePort()
    service = await startService(opening, {
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: 'devices',
      OIDC_CLIENT_SECRET: 'test-secret',
      OIDC_NAME: 'Example Login',
      OIDC_DOMAINS: `shop.example=${organizationId}`,
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLES: 'admins=owner,staff=manager',
    })
    issuer = await startIssuer(port, `${service.url}/account/oidc/callback`, accounts)
  })
  afterAll(async () => {
    await service.stop()
    await issuer.stop()
  })

  const start = () => `${service.url}/account/oidc/start`
  async function signIn(login: string) {
    const browser = createBrowser()
    const end = await browser.signIn(start(), login)
    const session = await browser.request(`${service.url}/account/session`)
    const body = session.response.ok
      ? ((await session.response.json()) as { data: Record<string, unknown> })
      : undefined
    return { browser, end: end.slice(service.url.length), session: body?.data }
  }
  const people = () => peopleStore(service.app.db)

  test('the sign-in page learns the name of the issuer', async () => {
    const { body } = await service.ask('/account/sign-in/options')
    expect(body.data).toEqual({ oidc: { name: 'Example Login' } })
  })

  test('a person with a verified address of a mapped domain joins that organization with the role of the claims', async () => {
    const { end, session } = await signIn('ben')
    expect(end).toBe('/dashboard')
    expect(session).toMatchObject({
      person: { email: 'ben@shop.example', name: 'Ben' },
      organization: { id: organizationId },
      role: 'manager',
    })
    const again = await signIn('ben')
    expect(again.session?.person).toEqual(session?.person as object)
    const { rows } = await people().auditTrail(organizationId, { limit: 20 })
    expect(rows.map(({ action }) => action)).toContain('person.oidc_linked')
    expect(rows.map(({ action }) => action)).toContain('person.signed_in_by_oidc')
  })

  for (const [login, failure] of [
    ['eve', 'unverified_email'],
    ['tom', 'unknown_domain'],
    ['una', 'no_email'],
  ] as const) {
    test(`${login} is refused: ${failure}`, async () => {
      const { end, session } = await signIn(login)
      expect(end).toBe(`/dashboard/sign-in?sign_on=${failure}`)
      expect(session).toBeUndefined()
      expect(await people().findPerson(`${login}@shop.example`)).toBeUndefined()
    })
  }

  test('a callback without the cookie of the browser that began, or used twice, signs in nobody', async () => {
    const victim = createBrowser()
    const forged = await victim.request(`${service.url}/account/oidc/callback?code=stolen&state=stolen`)
    expect(forged.url).toEndWith('/dashboard/sign-in?sign_on=expired')
    const begun = createBrowser()
    await begun.request(start())
    const wrong = await begun.request(`${service.url}/account/oidc/callback?code=stolen&state=wrong&iss=${issuer.url}`)
    expect(wrong.url).toEndWith('sign_on=rejected')
    const twice = await begun.request(`${service.url}/account/oidc/callback?code=stolen&state=wrong`)
    expect(twice.url).toEndWith('sign_on=expired')
  })

  test('an account that somebody else made for the address opens with nothing they set', async () => {
    const attacker = await service.newOrganization('Attacker')
    const squatter = await member(service, attacker.organizationId, 'owner', 'ada@shop.example')
    const before = await people().findPerson('ada@shop.example')
    await service.app.db.transaction((tx) =>
      tx
        .updateTable('person')
        .set({ email_proven_at: null })
        .where('id', '=', before?.id ?? '')
        .execute(),
    )
    const { session } = await signIn('ada')
    expect(session).toMatchObject({ person: { id: before?.id }, role: 'owner', organization: { id: organizationId } })
    expect((await squatter.get('/account/session')).status).toBe(401)
    expect((await people().findPerson('ada@shop.example'))?.passwordHash).toBeNull()
  })

  test('an organization can require it; only its exception signs in with a password', async () => {
    const exception = await member(service, organizationId, 'owner', 'break-glass@shop.example')
    const refused = await exception.post('/account/organization/sign-on', { required: true })
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain('second factor')
    const owner = await people().findPerson('break-glass@shop.example')
    await service.app.db.transaction((tx) =>
      tx
        .insertInto('totp')
        .values({ person_id: owner?.id ?? '', sealed_secret: 'sealed', confirmed_at: 1, last_step: null })
        .execute(),
    )
    const clerk = await member(service, organizationId, 'clerk', 'clerk@shop.example')
    expect((await clerk.post('/account/organization/sign-on', { required: true })).status).toBe(403)
    expect((await exception.post('/account/organization/sign-on', { required: true })).status).toBe(200)
    const sign = (email: string) => clerk.post('/account/sign-in', { email, password: PASSWORD })
    const blocked = await sign('clerk@shop.example')
    expect(blocked.status).toBe(403)
    expect(blocked.body.error.message).toBe('Test requires sign-in with Example Login. Use that button.')
    const asked = await sign('break-glass@shop.example')
    expect(asked.body.data.second_factor.totp).toBe(true)
    expect((await exception.post('/account/organization/sign-on', { required: false })).status).toBe(200)
    expect((await sign('clerk@shop.example')).status).toBe(200)
  })

  test('while the issuer is down the page says so, and passwords still work', async () => {
    const other = await startService(await store.open(), {
      OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
      OIDC_CLIENT_ID: 'devices',
      OIDC_DOMAINS: 'shop.example=org_1',
    })
    const { url } = await createBrowser().request(`${other.url}/account/oidc/start`)
    expect(url).toBe(`${other.url}/dashboard/sign-in?sign_on=unavailable`)
    const owner = await member(other, other.organizationId, 'owner')
    expect((await owner.get('/account/session')).status).toBe(200)
    expect(other.logged()).toContain('single sign-on: the issuer does not respond')
    await other.stop()
  })
})

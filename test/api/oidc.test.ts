import { afterAll, beforeAll, expect, test } from 'bun:test'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { createBrowser, type Issuer, startForgingIssuer, startIssuer } from '../support/issuer.ts'
import { freePort } from '../support/postgres.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

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
    mal: { email: 'a@b@shop.example', email_verified: true },
    nel: { email: 'nel@shop.example\r\nBcc: x@shop.example', email_verified: true },
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
      OIDC_DOMAINS: `shop.example=${organizationId}`,
      OIDC_ROLES: 'groups:admins=owner,staff=manager',
    })
    issuer = await startIssuer(
      port,
      { redirectUri: `${service.url}/account/oidc/callback`, signedOutUri: `${service.url}/dashboard/sign-in` },
      accounts,
    )
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
  const people = () => accountsStore(service.app.db)

  test('the sign-in page shows the name of the issuer', async () => {
    const { body } = await service.ask('/account/sign-in')
    expect(body.data).toMatchObject({ issuer: `127.0.0.1:${port}` })
  })

  test('a person with a verified address of a mapped domain joins that organization with the role in the claims', async () => {
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

  test('sign-out ends the session here and at the issuer, and comes back to the sign-in page', async () => {
    const { browser } = await signIn('ben')
    const again = await browser.request(start())
    expect(again.url).toBe(`${service.url}/dashboard`)
    const signOut = async () => {
      const headers = { Origin: service.url }
      const { response } = await browser.request(`${service.url}/account/session`, { method: 'DELETE', headers })
      return ((await response.json()) as { data: { issuer_url: string | null } }).data.issuer_url
    }
    const issuerUrl = new URL((await signOut()) ?? '')
    expect(issuerUrl.origin).toBe(issuer.url)
    expect(Object.fromEntries(issuerUrl.searchParams)).toMatchObject({
      client_id: 'devices',
      post_logout_redirect_uri: `${service.url}/dashboard/sign-in`,
    })
    expect((await browser.request(`${service.url}/account/session`)).response.status).toBe(401)
    const page = await browser.request(issuerUrl.href)
    const html = await page.response.text()
    const form = new URLSearchParams({ logout: 'yes', xsrf: /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '' })
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
    const end = await browser.request(new URL(action, page.url).href, { method: 'POST', body: form })
    expect(end.url).toBe(`${service.url}/dashboard/sign-in`)
    // The issuer asks for the password again.
    expect((await browser.request(start())).url).toContain('/interaction/')
    // Without a session there is nothing to end at the issuer.
    expect(await signOut()).toBeNull()
  })

  test('the ID token is stored encrypted, and a session with a password ends here only', async () => {
    await signIn('ben')
    const rows = await service.app.db.query.selectFrom('session').select('id_token').execute()
    const tokens = rows.flatMap(({ id_token: token }) => token ?? [])
    expect(tokens.length).toBeGreaterThan(0)
    for (const token of tokens) expect(token).not.toStartWith('eyJ')
    const { organizationId: other } = await service.newOrganization('Passwords')
    const owner = await member(service, other, 'owner')
    expect((await owner.send('DELETE', '/account/session')).body.data).toEqual({ done: true, issuer_url: null })
  })

  for (const [login, failure] of [
    ['eve', 'unverified_email'],
    ['tom', 'unknown_domain'],
    ['una', 'no_email'],
    ['mal', 'no_email'],
    ['nel', 'no_email'],
  ] as const) {
    test(`${login} is rejected: ${failure}`, async () => {
      const { end, session } = await signIn(login)
      expect(end).toBe(`/dashboard/sign-in?sign_on=${failure}`)
      expect(session).toBeUndefined()
      expect(await people().findAccount(organizationId, `${login}@shop.example`)).toBeUndefined()
    })
  }

  test('a callback without the cookie of the starting browser, or used twice, does not sign in', async () => {
    const victim = createBrowser()
    const forged = await victim.request(`${service.url}/account/oidc/callback?code=stolen&state=stolen`)
    expect(forged.url).toEndWith('/dashboard/sign-in?sign_on=expired')
    const startedBrowser = createBrowser()
    await startedBrowser.request(start())
    const wrong = await startedBrowser.request(
      `${service.url}/account/oidc/callback?code=stolen&state=wrong&iss=${issuer.url}`,
    )
    expect(wrong.url).toEndWith('sign_on=rejected')
    const twice = await startedBrowser.request(`${service.url}/account/oidc/callback?code=stolen&state=wrong`)
    expect(twice.url).toEndWith('sign_on=expired')
  })

  test('an account of the same address in another organization is left alone', async () => {
    const elsewhere = await service.newOrganization('Elsewhere')
    const namesake = await member(service, elsewhere.organizationId, 'owner', 'ada@shop.example')
    const { session } = await signIn('ada')
    expect(session).toMatchObject({ role: 'owner', organization: { id: organizationId } })
    expect((await namesake.get('/account/session')).body.data.organization.id).toBe(elsewhere.organizationId)
    const identities = await service.app.db.query.selectFrom('oidc_identity').select('organization_id').execute()
    expect(new Set(identities.map((row) => row.organization_id))).toEqual(new Set([organizationId]))
  })

  test('an ID token that another key signed is rejected', async () => {
    const forger = await startForgingIssuer()
    const victim = await startService(await store.open(), {
      OIDC_ISSUER: forger.url,
      OIDC_CLIENT_ID: 'devices',
      OIDC_CLIENT_SECRET: 'test-secret',
      OIDC_DOMAINS: 'shop.example=org_1',
    })
    const { url } = await createBrowser().request(`${victim.url}/account/oidc/start`)
    expect(url).toBe(`${victim.url}/dashboard/sign-in?sign_on=rejected`)
    expect(victim.logged()).toContain('the issuer rejected a sign-in')
    await victim.stop()
    await forger.stop()
  })

  test('an organization can require OIDC; only its exempt account signs in with a password', async () => {
    const exception = await member(service, organizationId, 'owner', 'break-glass@shop.example')
    const rejected = await exception.send('PATCH', '/api/manage/settings', { sign_on: { required: true } })
    expect(rejected.status).toBe(400)
    expect(rejected.body.error.message).toContain('second factor')
    const owner = await people().findAccount(organizationId, 'break-glass@shop.example')
    await service.app.db.transaction((tx) =>
      tx
        .insertInto('totp')
        .values({ account_id: owner?.id ?? '', encrypted_secret: 'sealed', confirmed_at: 1, last_step: null })
        .execute(),
    )
    const newKey = { tier: 'public', name: 'Back office', expiresAt: null, rights: ['manage'] } as const
    const { secret } = await service.app.auth.createKey(organizationId, newKey, OPERATOR, Date.now())
    const byKey = (sign_on: object) =>
      service.ask('/api/manage/settings', { key: secret, method: 'PATCH', json: { sign_on } })
    const unnamed = await byKey({ required: true })
    expect([unnamed.status, unnamed.body.error.details[0].field]).toEqual([400, 'sign_on.break_glass_id'])
    expect((await byKey({ required: true, break_glass_id: owner?.id })).body.data.sign_on).toEqual({
      issuer: `127.0.0.1:${port}`,
      required: true,
      break_glass_id: owner?.id,
    })
    expect((await byKey({ required: false })).body.data.sign_on).toMatchObject({
      required: false,
      break_glass_id: null,
    })
    const clerk = await member(service, organizationId, 'clerk', 'clerk@shop.example')
    expect((await clerk.send('PATCH', '/api/manage/settings', { sign_on: { required: true } })).status).toBe(403)
    expect((await exception.send('PATCH', '/api/manage/settings', { sign_on: { required: true } })).status).toBe(200)
    // The session of the clerk began with a password: it ends at once, and that of the exception stays.
    expect((await clerk.get('/account/session')).status).toBe(401)
    expect((await exception.get('/account/session')).status).toBe(200)
    const sign = (email: string) => clerk.post('/account/sign-in', { email, password: PASSWORD })
    const blocked = await sign('clerk@shop.example')
    expect(blocked.status).toBe(403)
    expect(blocked.body.error.message).toBe(`Test requires sign-in with 127.0.0.1:${port}. Use that button.`)
    const signedIn = await sign('break-glass@shop.example')
    expect(signedIn.body.data.second_factor.totp).toBe(true)
    expect((await exception.send('PATCH', '/api/manage/settings', { sign_on: { required: false } })).status).toBe(200)
    expect((await sign('clerk@shop.example')).status).toBe(200)
  })

  test('a second subject of the issuer with the same address does not get the account', async () => {
    const signIn = (subject: string) =>
      people().signInWithOidc(
        {
          issuer: 'https://login.example',
          profile: { subject, email: 'pat@shop.example', name: 'Pat' },
          organizationId,
          role: undefined,
        },
        Date.now(),
      )
    const { account } = await signIn('first')
    expect((await signIn('first')).account.id).toBe(account.id)
    await expect(signIn('second')).rejects.toThrow('belongs to another identity of the issuer')
    const owner = await member(service, organizationId, 'owner')
    expect((await owner.send('PATCH', `/api/manage/members/${account.id}`, { second_factor: false })).status).toBe(200)
    expect((await signIn('second')).account.id).toBe(account.id)
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

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const NEW_PASSWORD = 'seven purple tractors'

onDatabaseOfSuite((store) => {
  let service: TestService
  let organizationId: string
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    ;({ organizationId } = await service.newOrganization('Resets'))
    owner = await member(service, organizationId, 'owner')
  })
  afterAll(() => service.stop())

  const members = async () => (await owner.get('/api/manage/members')).body.data
  const find = async (email: string) =>
    (await members()).find((each: { email: string }) => each.email === email) as { id: string; may_reset: boolean }
  const tokenOf = (link: string) => new URL(link).hash.slice(1)
  const newestEntry = async () => (await owner.get('/api/manage/audit')).body.data[0]

  describe('a password reset by an owner', () => {
    test('gives a link by which the member chooses a new password once; other sessions end', async () => {
      const clerk = await member(service, organizationId, 'clerk')
      const { id } = await find(clerk.email)
      const { status, body } = await owner.send('POST', `/api/manage/members/${id}/link`)
      expect({ status, mailed: body.data.mailed }).toEqual({ status: 200, mailed: false })
      expect(await newestEntry()).toMatchObject({
        action: 'person.password_reset_started',
        who: owner.email,
        subject: clerk.email,
      })
      expect((await clerk.get('/account/session')).status).toBe(200)

      const browser = browserSession(service)
      const token = tokenOf(body.data.link)
      expect((await browser.post('/account/link', { token })).body.data).toMatchObject({
        purpose: 'password_reset',
        email: clerk.email,
      })
      expect((await browser.post('/account/link/use', { token, password: NEW_PASSWORD })).status).toBe(200)
      expect((await browser.get('/account/session')).body.data).toMatchObject({ role: 'clerk' })
      expect((await clerk.get('/account/session')).status).toBe(401)
      expect((await browser.post('/account/link/use', { token, password: NEW_PASSWORD })).status).toBe(404)
      const old = { email: clerk.email, password: PASSWORD }
      expect((await browserSession(service).post('/account/sign-in', old)).status).toBe(401)
    })

    test('is invalidated by a new link and by the end of the membership', async () => {
      const clerk = await member(service, organizationId, 'clerk')
      const { id } = await find(clerk.email)
      const link = async () => tokenOf((await owner.send('POST', `/api/manage/members/${id}/link`)).body.data.link)
      const [first, second] = [await link(), await link()]
      const browser = browserSession(service)
      expect((await browser.post('/account/link', { token: first })).status).toBe(404)
      expect((await browser.post('/account/link', { token: second })).status).toBe(200)
      expect((await owner.send('DELETE', `/api/manage/members/${id}`)).status).toBe(200)
      expect((await browser.post('/account/link/use', { token: second, password: NEW_PASSWORD })).status).toBe(404)
    })
  })

  test('a second factor reset by an owner removes all factors, ends the sessions and is in the audit trail', async () => {
    const clerk = await member(service, organizationId, 'clerk')
    const { id } = await find(clerk.email)
    await service.app.db.transaction((tx) =>
      tx
        .insertInto('totp')
        .values({ account_id: id, encrypted_secret: 'x', confirmed_at: Date.now(), last_step: null })
        .execute(),
    )
    expect(await find(clerk.email)).toMatchObject({ second_factor: true })
    expect((await owner.send('PATCH', `/api/manage/members/${id}`, { second_factor: false })).status).toBe(200)
    expect(await newestEntry()).toMatchObject({ action: 'person.second_factor_removed', subject: clerk.email })
    expect(await find(clerk.email)).toMatchObject({ second_factor: false, seen_at: null })
    expect((await clerk.get('/account/session')).status).toBe(401)
  })

  test('owners change their own credentials in their account, not in the members list', async () => {
    const { id } = await find(owner.email)
    for (const [method, path, change] of [
      ['POST', '/link'],
      ['PATCH', '', { second_factor: false }],
      ['PATCH', '', { email: 'me@example.test' }],
    ] as const) {
      expect((await owner.send(method, `/api/manage/members/${id}${path}`, change)).status).toBe(400)
    }
  })

  test('an owner changes the address of another member: sessions, links and issuer identities end', async () => {
    const clerk = await member(service, organizationId, 'clerk')
    const { id } = await find(clerk.email)
    const identity = {
      organization_id: organizationId,
      issuer: 'https://i',
      subject: id,
      account_id: id,
      created_at: 1,
    }
    await service.app.db.transaction((tx) => tx.insertInto('oidc_identity').values(identity).execute())
    const { link } = (await owner.send('POST', `/api/manage/members/${id}/link`)).body.data
    const taken = await owner.send('PATCH', `/api/manage/members/${id}`, { email: owner.email })
    expect([taken.status, taken.body.error.message]).toEqual([
      400,
      `${owner.email} already has an account in this organization.`,
    ])
    const email = `new-${clerk.email}`
    expect((await owner.send('PATCH', `/api/manage/members/${id}`, { email })).status).toBe(200)
    expect(await newestEntry()).toMatchObject({ action: 'person.email_changed', subject: email, who: owner.email })
    expect((await clerk.get('/account/session')).status).toBe(401)
    expect((await clerk.post('/account/link', { token: tokenOf(link) })).status).toBe(404)
    const identities = service.app.db.query.selectFrom('oidc_identity').select('issuer').where('account_id', '=', id)
    expect(await identities.execute()).toEqual([])
    const signedIn = await browserSession(service).post('/account/sign-in', { email, password: PASSWORD })
    expect(signedIn.status).toBe(200)
  })

  test('the last owner keeps the role and the membership', async () => {
    const { id } = await find(owner.email)
    for (const [method, change] of [
      ['PATCH', { role: 'manager' }],
      ['PATCH', { role: 'clerk' }],
      ['DELETE'],
    ] as const) {
      const { status, body: response } = await owner.send(method, `/api/manage/members/${id}`, change)
      expect({ status, message: response.error.message }).toEqual({
        status: 400,
        message: 'The organization needs at least one owner.',
      })
    }
  })
})

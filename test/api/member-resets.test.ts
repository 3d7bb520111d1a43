import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { peopleStore } from '../../src/people/people-store.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

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

  const members = async () => (await owner.get('/account/members')).body.data.members
  const find = async (email: string) =>
    (await members()).find((each: { email: string }) => each.email === email) as { id: string; may_reset: boolean }
  const tokenOf = (link: string) => new URL(link).hash.slice(1)
  const newestEntry = async () => (await owner.get('/api/manage/audit')).body.data[0]

  describe('a password reset by an owner', () => {
    test('gives a link by which the member chooses a new password once; other sessions end', async () => {
      const clerk = await member(service, organizationId, 'clerk')
      const { id } = await find(clerk.email)
      const { status, body } = await owner.post('/account/members/reset-password', { id })
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
        new_person: false,
      })
      expect((await browser.post('/account/join', { token, password: NEW_PASSWORD })).status).toBe(200)
      expect((await browser.get('/account/session')).body.data).toMatchObject({ role: 'clerk' })
      expect((await clerk.get('/account/session')).status).toBe(401)
      expect((await browser.post('/account/join', { token, password: NEW_PASSWORD })).status).toBe(404)
      const old = { email: clerk.email, password: PASSWORD }
      expect((await browserSession(service).post('/account/sign-in', old)).status).toBe(401)
    })

    test('is invalidated by a new link and by the end of the membership', async () => {
      const clerk = await member(service, organizationId, 'clerk')
      const { id } = await find(clerk.email)
      const link = async () => tokenOf((await owner.post('/account/members/reset-password', { id })).body.data.link)
      const [first, second] = [await link(), await link()]
      const browser = browserSession(service)
      expect((await browser.post('/account/link', { token: first })).status).toBe(404)
      expect((await browser.post('/account/link', { token: second })).status).toBe(200)
      expect((await owner.post('/account/members/remove', { id })).status).toBe(200)
      expect((await browser.post('/account/join', { token: second, password: NEW_PASSWORD })).status).toBe(404)
    })

    test("does not prove the address: a later link from the operator still ends the account's sessions and credentials", async () => {
      const clerk = await member(service, organizationId, 'clerk')
      await service.app.db.transaction((tx) =>
        tx.updateTable('person').set({ email_proven_at: null }).where('email', '=', clerk.email).execute(),
      )
      const { id } = await find(clerk.email)
      const { link } = (await owner.post('/account/members/reset-password', { id })).body.data
      await browserSession(service).post('/account/join', { token: tokenOf(link), password: NEW_PASSWORD })
      expect((await peopleStore(service.app.db).findPerson(clerk.email))?.emailProvenAt).toBeNull()
    })
  })

  describe('a person who also belongs to another organization', () => {
    test('cannot be reset by an owner, who could enter the other organization with the link', async () => {
      const other = await service.newOrganization('Elsewhere')
      const person = await member(service, other.organizationId, 'owner')
      const invited = await owner.post('/account/invitations', { email: person.email, role: 'clerk' })
      const token = tokenOf(invited.body.data.link)
      expect((await person.post('/account/join', { token, password: PASSWORD })).status).toBe(200)
      const { id, may_reset } = await find(person.email)
      expect(may_reset).toBe(false)
      for (const path of ['reset-password', 'reset-second-factor']) {
        const { status, body } = await owner.post(`/account/members/${path}`, { id })
        expect({ status, message: body.error.message }).toEqual({
          status: 400,
          message: expect.stringMatching(/also belongs to other organizations/),
        })
      }
    })

    test('cannot be taken over with a link from before they joined it', async () => {
      const person = await member(service, organizationId, 'clerk')
      const { id } = await find(person.email)
      const { link } = (await owner.post('/account/members/reset-password', { id })).body.data
      const other = await service.newOrganization('Later')
      const joining = { email: person.email, role: 'owner' } as const
      const joinToken = await peopleStore(service.app.db).createSignInLink(
        other.organizationId,
        joining,
        OPERATOR,
        Date.now(),
      )
      expect((await person.post('/account/join', { token: joinToken, password: NEW_PASSWORD })).status).toBe(200)
      const reset = { token: tokenOf(link), password: 'nine yellow submarines' }
      expect((await browserSession(service).post('/account/join', reset)).status).toBe(404)
    })
  })

  test('a second factor reset by an owner removes all factors, ends the sessions and is in the audit trail', async () => {
    const clerk = await member(service, organizationId, 'clerk')
    const { id } = await find(clerk.email)
    await service.app.db.transaction((tx) =>
      tx
        .insertInto('totp')
        .values({ person_id: id, encrypted_secret: 'x', confirmed_at: Date.now(), last_step: null })
        .execute(),
    )
    expect(await find(clerk.email)).toMatchObject({ second_factor: true })
    expect((await owner.post('/account/members/reset-second-factor', { id })).status).toBe(200)
    expect(await newestEntry()).toMatchObject({ action: 'person.second_factor_removed', subject: clerk.email })
    expect(await find(clerk.email)).toMatchObject({ second_factor: false, seen_at: null })
    expect((await clerk.get('/account/session')).status).toBe(401)
  })

  test('owners change their own credentials in their account, not in the members list', async () => {
    const { id } = await find(owner.email)
    for (const path of ['reset-password', 'reset-second-factor']) {
      expect((await owner.post(`/account/members/${path}`, { id })).status).toBe(400)
    }
  })

  test('the last owner keeps the role and the membership', async () => {
    const { id } = await find(owner.email)
    for (const [path, body] of [
      ['role', { id, role: 'manager' }],
      ['role', { id, role: 'clerk' }],
      ['remove', { id }],
    ] as const) {
      const { status, body: response } = await owner.post(`/account/members/${path}`, body)
      expect({ status, message: response.error.message }).toEqual({
        status: 400,
        message: 'The organization needs at least one owner.',
      })
    }
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MemberRole } from '../../src/contract/account-limits.ts'
import { peopleStore } from '../../src/people/people-store.ts'
import { authenticator } from '../support/authenticator.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const BASE = 'http://localhost:3999'
const securityKey = () => authenticator('localhost', BASE)
const NEW_PASSWORD = 'seven quiet otters'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), { BASE_URL: BASE })
  })
  afterAll(() => service.stop())

  const people = () => peopleStore(service.app.db)
  const operatorLink = (organizationId: string, email: string, role: MemberRole = 'owner') =>
    people().createSignInLink(organizationId, { email, role }, OPERATOR, Date.now())
  const organizationsOf = async (browser: ReturnType<typeof browserSession>) =>
    ((await browser.get('/account/session')).body?.data.organizations ?? []).map(({ id }: { id: string }) => id)

  /** An owner of organization A invites an address of organization B and joins with it himself. */
  async function preMadeAccount(email: string) {
    const attackerOrganization = await service.newOrganization('A')
    const owner = await member(service, attackerOrganization.organizationId, 'owner')
    const invited = await owner.post('/account/invitations', { email, role: 'manager' })
    const attacker = browserSession(service)
    const token = new URL(invited.body.data.link).hash.slice(1)
    expect((await attacker.post('/account/join', { token, password: PASSWORD })).status).toBe(200)
    return { attacker, organizationId: attackerOrganization.organizationId }
  }

  async function addPasskey(browser: ReturnType<typeof browserSession>) {
    const key = securityKey()
    const { token, options } = (await browser.post('/account/passkeys/options', { password: PASSWORD })).body.data
    const added = await browser.post('/account/passkeys', { token, name: 'key', response: key.register(options) })
    expect(added.status).toBe(200)
    return key
  }

  async function signInWithPasskey(key: ReturnType<typeof securityKey>) {
    const visitor = browserSession(service)
    const { token, options } = (await visitor.post('/account/sign-in/passkey-options', {})).body.data
    return (await visitor.post('/account/sign-in/passkey', { token, response: key.authenticate(options) })).status
  }

  describe('an account that a stranger created with the address of another person', () => {
    test('gains nothing when the operator creates a link for that address', async () => {
      const victim = await service.newOrganization('B')
      const { attacker } = await preMadeAccount('boss@b.example')
      await operatorLink(victim.organizationId, 'boss@b.example')
      expect(await organizationsOf(attacker)).not.toContain(victim.organizationId)
      expect((await attacker.post('/account/organization', { id: victim.organizationId })).status).toBe(404)
      const again = browserSession(service)
      await again.post('/account/sign-in', { email: 'boss@b.example', password: PASSWORD })
      expect(await organizationsOf(again)).not.toContain(victim.organizationId)
    })

    test('belongs to the person who uses the link: old sessions, password and passkeys no longer open it', async () => {
      const victim = await service.newOrganization('C')
      const { attacker } = await preMadeAccount('boss@c.example')
      const key = await addPasskey(attacker)
      expect(await signInWithPasskey(key)).toBe(200)
      const token = await operatorLink(victim.organizationId, 'boss@c.example')
      const boss = browserSession(service)
      const joined = await boss.post('/account/join', { token, password: NEW_PASSWORD })
      expect(joined.body.data).toEqual({ done: true })
      expect(await organizationsOf(boss)).toContain(victim.organizationId)
      expect((await boss.get('/account/second-factor')).body.data).toMatchObject({ passkeys: [], totp: false })
      expect((await attacker.get('/account/session')).status).toBe(401)
      expect(await signInWithPasskey(key)).toBe(401)
      const withOldPassword = { email: 'boss@c.example', password: PASSWORD }
      expect((await browserSession(service).post('/account/sign-in', withOldPassword)).status).toBe(401)
    })

    test('behaves the same if the address was changed later', async () => {
      const own = await service.newOrganization('D')
      const victim = await service.newOrganization('E')
      const attacker = await member(service, own.organizationId, 'owner')
      const key = await addPasskey(attacker)
      const changed = { name: 'Boss', email: 'boss@e.example', password: PASSWORD }
      expect((await attacker.post('/account/person', changed)).status).toBe(200)
      const token = await operatorLink(victim.organizationId, 'boss@e.example')
      const boss = browserSession(service)
      expect((await boss.post('/account/join', { token, password: NEW_PASSWORD })).body.data).toEqual({ done: true })
      expect((await attacker.get('/account/session')).status).toBe(401)
      expect(await signInWithPasskey(key)).toBe(401)
    })
  })

  test("an operator's password link ends the sessions that were open before", async () => {
    const person = await member(service, service.organizationId, 'manager')
    const phone = browserSession(service)
    await phone.post('/account/sign-in', { email: person.email, password: PASSWORD })
    const token = await operatorLink(service.organizationId, person.email, 'manager')
    expect((await phone.get('/account/session')).status).toBe(200)
    const fresh = browserSession(service)
    expect((await fresh.post('/account/join', { token, password: NEW_PASSWORD })).status).toBe(200)
    expect((await phone.get('/account/session')).status).toBe(401)
    expect((await person.get('/account/session')).status).toBe(401)
    expect((await fresh.get('/account/session')).status).toBe(200)
  })

  test('a membership begins when its link is used', async () => {
    const { organizationId } = await service.newOrganization('Waiting')
    const owner = await member(service, organizationId, 'owner')
    const token = await operatorLink(organizationId, 'later@example.test', 'manager')
    expect((await owner.get('/account/members')).body.data.members).toHaveLength(1)
    await browserSession(service).post('/account/join', { token, password: NEW_PASSWORD })
    expect((await owner.get('/account/members')).body.data.members).toHaveLength(2)
  })
})

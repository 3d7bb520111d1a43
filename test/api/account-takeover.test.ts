import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { authenticator } from '../support/authenticator.ts'
import { browserSession, invitationToken, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const BASE = 'http://localhost:3999'
const ISSUER = 'https://login.example'
const NEW_PASSWORD = 'seven quiet otters'
const VARIANT = 'apple-iphone-13-128gb-midnight'

type Browser = ReturnType<typeof browserSession>
type Person = Awaited<ReturnType<typeof member>>

/** The owner of organization A, who knows the address of a person in organization B. */
type Attack = {
  readonly owner: Person
  readonly organizationId: string
  /** The victim's address and id. */
  readonly email: string
  readonly accountId: string
}

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), { BASE_URL: BASE })
  })
  afterAll(() => service.stop())

  const people = () => accountsStore(service.app.db)
  const tokenOf = (link: string) => new URL(link).hash.slice(1)
  const change = (work: Parameters<typeof service.app.db.transaction>[0]) => service.app.db.transaction(work)

  async function addPasskey(browser: Browser) {
    const key = authenticator('localhost', BASE)
    const { token, options } = (await browser.post('/account/second-factor', { kind: 'passkey', password: PASSWORD }))
      .body.data.passkey
    await browser.post('/account/second-factor/confirm', { token, name: 'key', passkey: key.register(options) })
  }

  /** How the victim signs in. */
  const VICTIMS: Record<string, (victim: Person, accountId: string, organizationId: string) => Promise<unknown>> = {
    'with a password': async () => {},
    'with the issuer only': (_, accountId, organizationId) =>
      change(async (tx) => {
        await tx.updateTable('account').set({ password_hash: null }).where('id', '=', accountId).execute()
        const identity = { organization_id: organizationId, issuer: ISSUER, subject: accountId, account_id: accountId }
        await tx
          .insertInto('oidc_identity')
          .values({ ...identity, created_at: 1 })
          .execute()
      }),
    'with a passkey only': async (victim, accountId) => {
      await addPasskey(victim)
      await change((tx) => tx.updateTable('account').set({ password_hash: null }).where('id', '=', accountId).execute())
    },
  }

  /** Everything of an organization that decides who gets in, and its audit trail. */
  async function stateOf(organizationId: string) {
    const { query } = service.app.db
    const accounts = await query
      .selectFrom('account')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .execute()
    const ids = accounts.map(({ id }) => id)
    return {
      accounts,
      sessions: await query.selectFrom('session').select(['id', 'token_hash']).where('account_id', 'in', ids).execute(),
      passkeys: await query.selectFrom('passkey').selectAll().where('account_id', 'in', ids).execute(),
      apps: await query.selectFrom('totp').selectAll().where('account_id', 'in', ids).execute(),
      identities: await query.selectFrom('oidc_identity').selectAll().where('account_id', 'in', ids).execute(),
      links: await query
        .selectFrom('one_time_link')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute(),
      trail: await query.selectFrom('audit_entry').selectAll().where('organization_id', '=', organizationId).execute(),
    }
  }

  async function invite({ owner, email }: Attack, role = 'manager'): Promise<string> {
    return tokenOf((await owner.post('/api/manage/invitations', { email, role })).body.data.link)
  }

  /** An account of A with the victim's address and a password that the attacker chose. */
  async function namesake(attack: Attack): Promise<Browser> {
    const browser = browserSession(service)
    const joined = await browser.post('/account/link/use', { token: await invite(attack), password: NEW_PASSWORD })
    expect(joined.status).toBe(200)
    return browser
  }

  /** Each attack returns the browsers that it got into; all of them must be in A. */
  const ATTACKS: Record<string, (attack: Attack) => Promise<readonly Browser[]>> = {
    'an invitation of the address, used by the owner himself': async (attack) => {
      const browser = await namesake(attack)
      const again = browserSession(service)
      await again.post('/account/sign-in', { email: attack.email, password: NEW_PASSWORD })
      return [browser, again]
    },
    'an invitation link that is used again': async (attack) => {
      const token = await invite(attack)
      const [first, second] = [browserSession(service), browserSession(service)]
      expect((await first.post('/account/link/use', { token, password: NEW_PASSWORD })).status).toBe(200)
      expect((await second.post('/account/link/use', { token, password: PASSWORD })).status).toBe(404)
      return [first]
    },
    'a second invitation of an address that has an account in the organization': async (attack) => {
      const browser = await namesake(attack)
      const { status, body } = await attack.owner.post('/api/manage/invitations', {
        email: attack.email,
        role: 'owner',
      })
      expect({ status, message: body.error.message }).toEqual({
        status: 400,
        message: `${attack.email} already has an account in this organization. Reset its password instead.`,
      })
      return [browser]
    },
    'ten concurrent uses of a link': async (attack) => {
      const token = await invite(attack)
      const browsers = Array.from({ length: 10 }, () => browserSession(service))
      const joined = await Promise.all(
        browsers.map((browser) => browser.post('/account/link/use', { token, password: NEW_PASSWORD })),
      )
      expect(joined.filter(({ status }) => status === 200)).toHaveLength(1)
      return browsers.filter((_, at) => joined[at]?.status === 200)
    },
    'a reset link for an account of the same address in his own organization': async (attack) => {
      await namesake(attack)
      const account = await people().findAccount(attack.organizationId, attack.email)
      const reset = await attack.owner.send('POST', `/api/manage/members/${account?.id}/link`)
      const browser = browserSession(service)
      const token = tokenOf(reset.body.data.link)
      expect((await browser.post('/account/link/use', { token, password: 'nine yellow submarines' })).status).toBe(200)
      return [browser]
    },
    "the victim's id in the members list": async ({ owner, accountId }) => {
      for (const [method, path, change] of [
        ['POST', '/link'],
        ['PATCH', '', { second_factor: false }],
        ['PATCH', '', { email: owner.email }],
        ['PATCH', '', { role: 'clerk' }],
        ['PATCH', '', { role: 'clerk', email: owner.email }],
        ['DELETE', ''],
      ] as const) {
        const { status } = await owner.send(method, `/api/manage/members/${accountId}${path}`, change)
        expect([method, path, status]).toEqual([method, path, 404])
      }
      return []
    },
    "a member's address changed to the victim's": async (attack) => {
      const accomplice = await member(service, attack.organizationId, 'clerk')
      const account = await people().findAccount(attack.organizationId, accomplice.email)
      const changed = { email: attack.email }
      expect((await attack.owner.send('PATCH', `/api/manage/members/${account?.id}`, changed)).status).toBe(200)
      const browser = browserSession(service)
      await browser.post('/account/sign-in', { email: attack.email, password: PASSWORD })
      return (await browser.get('/account/session')).status === 200 ? [browser] : []
    },
    'an issuer identity that is linked before the address changes': async (attack) => {
      const accomplice = await member(service, attack.organizationId, 'clerk')
      const { organizationId } = attack
      const signIn = (email: string) =>
        people().signInWithOidc(
          { issuer: ISSUER, profile: { subject: 'evil', email, name: '' }, organizationId, role: undefined },
          Date.now(),
        )
      const { account } = await signIn(accomplice.email)
      await attack.owner.send('PATCH', `/api/manage/members/${account.id}`, { email: attack.email })
      // The identity is gone: the same subject gets an account of its own again.
      const later = await signIn(accomplice.email)
      expect(later.account.id).not.toBe(account.id)
      expect(later.account.organizationId).toBe(organizationId)
      return []
    },
  }

  for (const [victimKind, prepare] of Object.entries(VICTIMS)) {
    describe(`a person who signs in ${victimKind} is not reached by`, () => {
      for (const [name, run] of Object.entries(ATTACKS)) {
        test(name, async () => {
          const [a, b] = [await service.newOrganization('A'), await service.newOrganization('B')]
          const owner = await member(service, a.organizationId, 'owner')
          const victim = await member(service, b.organizationId, 'owner')
          const account = await people().findAccount(b.organizationId, victim.email)
          const accountId = account?.id ?? ''
          await prepare(victim, accountId, b.organizationId)
          const before = await stateOf(b.organizationId)
          const entered = await run({ owner, organizationId: a.organizationId, email: victim.email, accountId })
          expect(await stateOf(b.organizationId)).toEqual(before)
          for (const browser of entered) {
            const { data } = (await browser.get('/account/session')).body
            expect(data.organization.id).toBe(a.organizationId)
          }
          expect((await victim.get('/account/session')).body.data.organization.id).toBe(b.organizationId)
        })
      }
    })
  }

  test('an approval confirms neither the address nor the password of another organization', async () => {
    const [a, b] = [await service.newOrganization('A'), await service.newOrganization('B')]
    await member(service, a.organizationId, 'owner')
    const clerk = await member(service, a.organizationId, 'clerk')
    const victim = await member(service, b.organizationId, 'owner')
    const request = { variant_id: VARIANT, condition: 'Good' }
    const approve = async (credentials: { email: string; password: string }) => {
      const { status, body } = await clerk.post('/api/appraisals', { ...request, approval: credentials })
      return { status, code: body.error?.code, message: body.error?.message }
    }
    const refused = { status: 403, code: 'FORBIDDEN', message: 'The email or the password is wrong.' }
    expect(await approve({ email: victim.email, password: PASSWORD })).toEqual(refused)
    expect(await approve({ email: victim.email, password: 'not the password' })).toEqual(refused)
    expect(await approve({ email: 'nobody@example.test', password: PASSWORD })).toEqual(refused)
    // Guesses are counted, and do not lock the person out of their own organization.
    for (let round = 0; round < 6; round++) await approve({ email: victim.email, password: `guess ${round}` })
    expect((await approve({ email: victim.email, password: PASSWORD })).status).toBe(429)
    const signedIn = await browserSession(service).post('/account/sign-in', { email: victim.email, password: PASSWORD })
    expect(signedIn.status).toBe(200)
  })

  test("a key that manages the operator's organization cannot make itself an owner, who operates the service", async () => {
    const { organizationId } = await service.newOrganization('Operator')
    await service.app.auth.setOperatorOrganization(organizationId, OPERATOR, Date.now())
    await member(service, organizationId, 'owner')
    const clerk = await member(service, organizationId, 'clerk')
    const newKey = async (rights: readonly ('manage' | 'operate')[]) => {
      const key = { tier: 'enterprise', name: 'k', expiresAt: null, rights } as const
      return (await service.app.auth.createKey(organizationId, key, OPERATOR, Date.now())).secret
    }
    const managing = await newKey(['manage'])
    const [owner, clerkAccount] = await Promise.all([
      people()
        .members(organizationId)
        .then((members) => members.find(({ role }) => role === 'owner')),
      people().findAccount(organizationId, clerk.email),
    ])
    const manage = (key: string, method: string, path: string, json?: object) =>
      service.ask(`/api/manage/${path}`, { key, method, ...(json ? { json } : {}) }).then(({ status }) => status)
    const attempts = [
      ['POST', 'invitations', { email: 'me@example.test', role: 'owner' }],
      ['POST', `members/${owner?.id}/link`],
      ['PATCH', `members/${owner?.id}`, { second_factor: false }],
      ['PATCH', `members/${owner?.id}`, { email: 'me@example.test' }],
      ['PATCH', `members/${clerkAccount?.id}`, { role: 'owner' }],
    ] as const
    for (const [method, path, json] of attempts)
      expect([path, await manage(managing, method, path, json)]).toEqual([path, 403])
    expect(await manage(managing, 'POST', 'invitations', { email: 'me@example.test', role: 'manager' })).toBe(200)
    const operating = await newKey(['operate'])
    expect(await manage(operating, 'POST', 'invitations', { email: 'me@example.test', role: 'owner' })).toBe(200)
  })

  test('an account begins when its link is used', async () => {
    const { organizationId } = await service.newOrganization('Waiting')
    const owner = await member(service, organizationId, 'owner')
    const token = await invitationToken(service, organizationId, { email: 'later@example.test', role: 'manager' })
    expect((await owner.get('/api/manage/members')).body.data).toHaveLength(1)
    await browserSession(service).post('/account/link/use', { token, password: NEW_PASSWORD })
    expect((await owner.get('/api/manage/members')).body.data).toHaveLength(2)
  })
})

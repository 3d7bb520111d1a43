import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { createFirstKeys } from '../../src/auth/first-start-store.ts'
import { browserSession, invitationToken, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite, type Store } from '../support/databases.ts'
import { newOrganizations } from '../support/organizations.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const OWNER = { organization: 'Repair shop', email: 'ada@shop.example', name: 'Ada', password: PASSWORD }

onDatabaseOfSuite((store: Store) => {
  let service: TestService
  const accounts = () => accountsStore(service.app.db)
  const makeCode = async () => (await accounts().makeSetupCode(Date.now())) ?? 'none'

  describe('while there is no account', () => {
    beforeEach(async () => {
      service = await startService(await store.open())
    })
    afterEach(() => service.stop())

    test('the set-up code creates the first owner, signs them in, and never works again', async () => {
      const visitor = browserSession(service)
      expect((await visitor.get('/account/sign-in')).body.data).toMatchObject({ setup_needed: true })
      const [code, older] = [await makeCode(), await makeCode()]
      const done = await visitor.post('/account/setup', { code: code.toLowerCase().replaceAll('-', ' '), ...OWNER })
      expect(done.status).toBe(200)
      const { person, organization, role } = (await visitor.get('/account/session')).body.data
      expect([person.email, person.name, organization.name, role]).toEqual([
        'ada@shop.example',
        'Ada',
        'Repair shop',
        'owner',
      ])
      expect((await visitor.get('/account/sign-in')).body.data).toMatchObject({ setup_needed: false })
      for (const again of [code, older]) {
        const rejected = await browserSession(service).post('/account/setup', {
          ...OWNER,
          code: again,
          email: 'eve@x.example',
        })
        expect([rejected.status, rejected.body.error.message]).toEqual([
          404,
          'This service has its owner already. Sign in instead.',
        ])
      }
      expect(await accounts().makeSetupCode(Date.now())).toBeUndefined()
      const trail: { action: string; who: string }[] = (await visitor.get('/api/manage/audit')).body.data
      expect(trail.map(({ action, who }) => [action, who]).reverse()).toEqual([
        ['organization.created', 'ada@shop.example'],
        ['organization.runs_service', 'ada@shop.example'],
        ['member.joined', 'ada@shop.example'],
      ])
      expect((await visitor.get('/api/manage/uploads')).status).toBe(200)
      // A code does not work again even after the last person has left.
      const [ada] = await accounts().accountsWithEmail('ada@shop.example', 1)
      if (ada) await accounts().removeAccount(ada, OPERATOR, Date.now())
      expect((await visitor.get('/account/sign-in')).body.data).toMatchObject({ setup_needed: false })
    })

    test('of ten concurrent uses exactly one succeeds', async () => {
      const code = await makeCode()
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          browserSession(service).post('/account/setup', { ...OWNER, code, email: `p${at}@shop.example` }),
        ),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
      expect(await accounts().allAccounts()).toHaveLength(1)
    })

    test('a wrong code is rejected, counts as an attempt and creates no account', async () => {
      await makeCode()
      const tries = []
      for (let at = 0; at < 12; at++) {
        tries.push((await browserSession(service).post('/account/setup', { ...OWNER, code: `WRONG-${at}` })).status)
      }
      expect(tries).toEqual([...Array(10).fill(401), 429, 429])
      expect(await accounts().allAccounts()).toEqual([])
    })

    test('a person created on the command line ends the set-up too', async () => {
      const code = await makeCode()
      await invitationToken(service, service.organizationId, { email: 'op@shop.example', role: 'owner' })
      const visitor = browserSession(service)
      expect((await visitor.get('/account/sign-in')).body.data).toMatchObject({ setup_needed: false })
      expect((await visitor.post('/account/setup', { ...OWNER, code })).status).toBe(404)
    })

    test('a request from another origin, a short password and invalid names are rejected before the code is used', async () => {
      const code = await makeCode()
      const visitor = browserSession(service)
      for (const [more, status, headers] of [
        [{}, 403, { Origin: 'https://evil.example' }],
        [{ password: 'short' }, 400, {}],
        [{ email: 'nobody' }, 400, {}],
        [{ organization: ' ' }, 400, {}],
      ] as const) {
        expect((await visitor.post('/account/setup', { ...OWNER, code, ...more }, headers)).status).toBe(status)
      }
      expect((await visitor.post('/account/setup', { ...OWNER, code })).status).toBe(200)
    })
  })

  describe('with the organization of a first start', () => {
    beforeAll(async () => {
      service = await startService(await store.open())
      // Only an empty database has a first start, so the data of the test service is deleted first.
      for (const table of ['api_key', 'audit_entry', 'organization'] as const) {
        await service.app.db.transaction((tx) => tx.deleteFrom(table).execute())
      }
      await createFirstKeys(service.app.db, service.app.auth, newOrganizations(service.app.db), Date.now())
    })
    afterAll(() => service.stop())

    test('set-up names it, sets its market and currency, and creates its owner, who sees its keys', async () => {
      const visitor = browserSession(service)
      const [first] = await service.app.auth.organizations()
      await visitor.post('/account/setup', { ...OWNER, code: await makeCode(), market: 'gb' })
      const { organization, runs_service } = (await visitor.get('/account/session')).body.data
      expect(organization).toMatchObject({ id: first?.id, name: 'Repair shop', market: 'gb', currency: 'GBP' })
      expect(runs_service).toBe(true)
      expect(await service.app.auth.organizations()).toHaveLength(1)
      const keys: { name: string }[] = (await visitor.get('/api/manage/keys')).body.data
      expect(keys.map(({ name }) => name).sort()).toEqual([
        'First enterprise key',
        'First paid key',
        'First public key',
      ])
    })
  })
})

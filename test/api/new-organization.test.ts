import { afterAll, beforeAll, expect, test } from 'bun:test'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { orgCommands } from '../../src/cli/org.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { runCommandOn } from '../support/command.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, { MARKET: 'de' })
  })
  afterAll(() => service.stop())

  /** Currency and market as the owner's pages and the organization's key see them. */
  async function moneyOf(organizationId: string) {
    const owner = await member(service, organizationId, 'owner')
    const { organization } = (await owner.get('/account/session')).body.data
    const { policy } = (await owner.get('/api/manage/settings')).body.data.policy
    expect(policy.currency).toBe(organization.currency)
    return [organization.market, organization.currency]
  }

  test('the first organization has the currency of the chosen country, and its prices by API stay US cents', async () => {
    const visitor = browserSession(service)
    const status = (await visitor.get('/account/sign-in')).body.data
    expect(status.service_market).toBe('de')
    expect(status.markets).toContainEqual({ code: 'hr', name: 'Croatia' })
    const setUp = { organization: 'Dućan', email: 'ana@shop.example', name: 'Ana', password: PASSWORD, market: 'hr' }
    const code = (await accountsStore(service.app.db).makeSetupCode(Date.now())) ?? ''
    const unknown = await visitor.post('/account/setup', { ...setUp, code, market: 'croatai' })
    expect([unknown.status, unknown.body.error.details[0].field]).toEqual([400, 'market'])
    expect((await visitor.post('/account/setup', { ...setUp, code })).status).toBe(200)
    const { organization } = (await visitor.get('/account/session')).body.data
    expect([organization.market, organization.currency]).toEqual(['hr', 'EUR'])
    expect((await visitor.get('/account/sign-in')).body.data.markets).toEqual([])

    const fresh = { tier: 'paid', name: 'Till', expiresAt: null } as const
    const { secret } = await service.app.auth.createKey(organization.id, fresh, OPERATOR, Date.now())
    const ask = (path: string, json?: object) =>
      service.ask(path, { key: secret, ...(json ? { method: 'POST', json } : {}) })
    expect((await ask(`/api/pricing?variant_id=${PHONE}`)).body.data.currency).toBe('USD')
    // Policies are reloaded within a second.
    const isInEuros = async () => {
      const { data } = (await ask('/api/appraisals', { variant_id: PHONE, condition: 'Good' })).body
      return data.currency === 'EUR' && data.policy.currency === 'EUR'
    }
    await waitUntil(isInEuros, { describe: 'an appraisal in euros' })
  })

  test('an organization of the management API has the currency of its market, or of the service', async () => {
    const rights = { tier: 'enterprise', name: 'Back office', expiresAt: null, rights: ['operate'] } as const
    const { secret } = await service.app.auth.createKey(service.organizationId, rights, OPERATOR, Date.now())
    const create = async (market: string | null) => {
      const json = { name: 'Customer', ...(market ? { market } : {}) }
      const { status, body } = await service.ask('/api/manage/organizations', { key: secret, method: 'POST', json })
      expect([status, body.data.market]).toEqual([200, market])
      return moneyOf(body.data.id)
    }
    expect(await create(null)).toEqual(['de', 'EUR'])
    expect(await create('gb')).toEqual(['gb', 'GBP'])
    // Without an exchange rate amounts could not be converted.
    expect(await create('pk')).toEqual(['pk', 'USD'])
  })

  test('"org create" takes the country of the organization', async () => {
    const orgCreate = orgCommands.find(({ name }) => name === 'org create')
    if (!orgCreate) throw new Error('no such command')
    const created = await runCommandOn(opening, orgCreate, ['Kaubandus', '--market', 'ee'])
    expect(created.code).toBe(0)
    expect(await moneyOf(created.stdout.trim())).toEqual(['ee', 'EUR'])
    const unknown = await runCommandOn(opening, orgCreate, ['Kaubandus', '--market', 'estonai'])
    expect(unknown.code).not.toBe(0)
  })
})

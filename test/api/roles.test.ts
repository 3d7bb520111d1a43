import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountEndpoint, accountEndpoints } from '../../src/contract/account-endpoints.ts'
import type { MemberRole } from '../../src/contract/account-limits.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const all = Object.entries(accountEndpoints) as [string, AccountEndpoint][]

onDatabaseOfSuite((store) => {
  let service: TestService
  let organizationId: string
  let sessions: Readonly<Record<MemberRole, Awaited<ReturnType<typeof member>>>>
  beforeAll(async () => {
    service = await startService(await store.open())
    ;({ organizationId } = await service.newOrganization('Roles'))
    sessions = {
      owner: await member(service, organizationId, 'owner'),
      manager: await member(service, organizationId, 'manager'),
      clerk: await member(service, organizationId, 'clerk'),
    }
  })
  afterAll(() => service.stop())

  describe('every request under /account', () => {
    /** An empty request, which changes nothing. */
    const send = (session: ReturnType<typeof browserSession>, name: string, headers: Record<string, string> = {}) => {
      const [method = '', path = ''] = name.split(' ')
      return session.send(method, path.replace('{id}', 'none'), method === 'GET' ? undefined : {}, headers)
    }

    test('of a person needs a session, for which an API key is no substitute', async () => {
      const newKey = { tier: 'enterprise', name: 'Key', expiresAt: null, rights: ['operate'] } as const
      const { secret } = await service.app.auth.createKey(organizationId, newKey, OPERATOR, Date.now())
      const ofPersons = all.filter(([, { access }]) => access === 'person')
      expect(ofPersons.length).toBeGreaterThan(5)
      for (const [name] of ofPersons) {
        for (const headers of [{}, { Authorization: `Bearer ${secret}` }]) {
          const { status, body } = await send(browserSession(service), name, headers as Record<string, string>)
          expect([name, status, body.error.message]).toEqual([name, 401, 'Sign in first.'])
        }
      }
    })

    test('that changes something is rejected if another site sends it', async () => {
      const { clerk } = sessions
      for (const [name] of all.filter(([route]) => !route.startsWith('GET '))) {
        for (const headers of [
          { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.example' },
          { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' },
        ]) {
          const { status, body } = await send(clerk, name, headers)
          expect([name, status, body.error.message]).toEqual([name, 403, 'Cross-site requests are not allowed.'])
        }
      }
      expect((await clerk.get('/account/session')).status).toBe(200)
    })
  })

  describe('a clerk', () => {
    const request = { variant_id: PHONE, condition: 'Good' }
    const setPolicy = async (terms: object) =>
      expect((await sessions.owner.send('PATCH', '/api/manage/settings', { policy: terms })).status).toBe(200)

    test('sees neither plans nor policy nor amounts of the calculation, unless the organization allows it', async () => {
      const { clerk, manager } = sessions
      const saved = (await clerk.post('/api/appraisals', request)).body.data
      const responses = async () => [
        (await clerk.post('/api/appraisals/preview', request)).body.data,
        (await clerk.get(`/api/appraisals/${saved.appraisal_id}`)).body.data,
        (await clerk.get('/api/appraisals')).body.data[0],
      ]
      for (const shown of [saved, ...(await responses())]) {
        expect(shown.offer.recommended_offer).toBeGreaterThan(0)
        expect(JSON.stringify(shown)).not.toMatch(/profit|margin_percent|running_total|selling_fee|"plans"|"policy"/)
      }
      expect((await clerk.get('/account/session')).body.data).toMatchObject({ role: 'clerk', sees_margins: false })
      const whole = (await manager.get(`/api/appraisals/${saved.appraisal_id}`)).body.data
      expect(whole.plans.length).toBeGreaterThan(0)

      // The margin follows from the resale price and the maximum: a clerk gets neither, for no grade.
      for (const shown of [saved, ...(await responses())]) {
        const { offer, value, repairs, grades = [] } = shown
        const hidden = [
          offer.max_offer,
          ...[...offer.by_condition, ...grades].map((each) => each.max_offer),
          ...[...value, ...grades].map((each) => each.resale),
          ...repairs.flatMap((each: Record<string, unknown>) => [each.value_added, each.return_on_cost]),
        ]
        expect(new Set(hidden)).toEqual(new Set([null]))
      }
      const found = await clerk.get('/api/appraisals?format=csv')
      expect(found.status).toBe(403)

      await setPolicy({ clerks_see_margins: true })
      for (const shown of await responses()) {
        expect(shown).toMatchObject({ plans: whole.plans, policy: whole.policy, offer: whole.offer })
      }
      await setPolicy({ clerks_see_margins: null })
    })

    test('cannot probe the margin with their own policy', async () => {
      const own = { ...request, policy: { target_margin_percent: 0 } }
      for (const [path, body] of [
        ['/api/appraisals', own],
        ['/api/appraisals/preview', own],
      ] as const) {
        expect((await sessions.clerk.post(path, body)).status).toBe(403)
        expect((await sessions.manager.post(path, body)).status).toBe(200)
      }
    })

    test('the credentials of an approval are not repeated in errors, and keys have none', async () => {
      const password = 'correct horse battery'.repeat(20)
      const approval = { email: sessions.manager.email, password }
      const tooLong = await sessions.clerk.post('/api/appraisals', { ...request, approval })
      expect([tooLong.status, tooLong.body.error.details[0].field]).toEqual([400, 'approval.password'])
      expect(tooLong.text).not.toContain('horse')
      const { secret } = await service.app.auth.createKey(
        organizationId,
        { tier: 'enterprise', name: 'Shop', expiresAt: null },
        OPERATOR,
        Date.now(),
      )
      const json = { ...request, approval: { email: sessions.manager.email, password: PASSWORD } }
      const byKey = await service.ask('/api/appraisals', { key: secret, json })
      expect([byKey.status, byKey.body.error.message]).toEqual([
        400,
        'approval is for clerks with a session; leave it out: only they have a limit.',
      ])
    })

    test('offers up to the limit of the policy; above it a manager must save the appraisal', async () => {
      const { clerk, manager } = sessions
      await setPolicy({ clerk_offer_limit: 5_000 })
      expect((await clerk.get('/account/session')).body.data).toMatchObject({ offer_limit: 5_000 })
      expect((await manager.get('/account/session')).body.data).toMatchObject({ offer_limit: null })
      // The service reloads policies when they change.
      const isApplied = async () => (await clerk.post('/api/appraisals', request)).status === 403
      await waitUntil(isApplied, { describe: 'the limit to apply' })
      const count = async () => (await manager.get('/api/appraisals')).body.meta.total
      const before = await count()
      for (const offer of [{ agreed_offer: 5_001 }, {}]) {
        const { status, body } = await clerk.post('/api/appraisals', { ...request, ...offer })
        expect(status).toBe(403)
        expect(body.error.message).toMatch(/above your limit of \$50\.00\. A manager must save this appraisal\.$/)
      }
      expect(await count()).toBe(before)
      for (const [session, offer] of [
        [clerk, { agreed_offer: 5_000 }],
        [clerk, { declined: true }],
        [manager, { agreed_offer: 5_001 }],
        [manager, {}],
      ] as const) {
        expect((await session.post('/api/appraisals', { ...request, ...offer })).status).toBe(200)
      }
      const approve = (credentials: object) =>
        clerk.post('/api/appraisals', { ...request, approval: { password: PASSWORD, ...credentials } })
      expect((await approve({ email: manager.email, password: 'wrong' })).status).toBe(403)
      expect((await approve({ email: clerk.email })).status).toBe(403)
      const stranger = await member(service, service.organizationId, 'owner')
      expect((await approve({ email: stranger.email })).status).toBe(403)
      const approved = await approve({ email: manager.email })
      expect(approved.status).toBe(200)
      expect(approved.body.data.plans).toBeUndefined()
      const [newest] = (await manager.get('/api/manage/audit')).body.data
      expect(newest).toMatchObject({
        action: 'appraisal.approved',
        who: manager.email,
        subject: approved.body.data.appraisal_id,
        detail: { for: clerk.email },
      })
      // The credentials are neither part of what an idempotency key stands for nor stored.
      const send = (approval: object) =>
        clerk.post('/api/appraisals', { ...request, ...approval }, { 'Idempotency-Key': 'approved' })
      const approval = { email: manager.email, password: PASSWORD }
      expect((await send({})).status).toBe(403)
      const first = await send({ approval })
      expect(first.status).toBe(200)
      for (const repeated of [await send({}), await send({ approval })]) {
        expect(repeated.headers.get('Idempotency-Replayed')).toBe('true')
        expect(repeated.body.data).toEqual(first.body.data)
      }
      const entries = (await manager.get('/api/manage/audit')).body.data
      const isAboutFirst = ({ subject }: { subject: string }) => subject === first.body.data.appraisal_id
      expect(entries.filter(isAboutFirst).map(({ action }: { action: string }) => action)).toEqual([
        'appraisal.approved',
        'appraisal.created',
      ])
      // A purchase that is sent with the appraisal has the same limit, and the same approval.
      const purchase = { agreed_offer: 5_000, purchase: { price: 6_000, confirm_amount: true } }
      const tooMuch = await clerk.post('/api/appraisals', { ...request, ...purchase })
      expect([tooMuch.status, tooMuch.body.error.message]).toEqual([
        403,
        'A price of $60.00 is above your limit of $50.00. A manager must record this purchase.',
      ])
      const boughtWithApproval = await clerk.post('/api/appraisals', { ...request, ...purchase, approval })
      expect(boughtWithApproval.body.data.outcome).toMatchObject({ status: 'bought', bought: { price: 6_000 } })
      const buy = async (session: typeof clerk, id: string, price: number) =>
        (await session.post(`/api/appraisals/${id}/outcome`, { status: 'bought', price })).status
      const small = (await clerk.post('/api/appraisals', { ...request, agreed_offer: 1_000 })).body.data
      expect(await buy(clerk, small.appraisal_id, 5_001)).toBe(403)
      expect(await buy(clerk, small.appraisal_id, 5_000)).toBe(200)
      expect(await buy(manager, small.appraisal_id, 5_001)).toBe(200)
      const { appraisal_id: approvedId, offer } = approved.body.data
      expect(await buy(clerk, approvedId, offer.recommended_offer + 1)).toBe(403)
      expect(await buy(clerk, approvedId, offer.recommended_offer)).toBe(200)
      await setPolicy({ clerk_offer_limit: null })
      await waitUntil(async () => !(await isApplied()), { describe: 'no limit' })
    })
  })
})

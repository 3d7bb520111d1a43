import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { addDays, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const DEVICE = 'apple-iphone-13'
const TODAY = dayOf(Date.now())

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let clerk: Awaited<ReturnType<typeof member>>
  let base: AppraisalWire
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
    clerk = await member(service, service.organizationId, 'clerk')
    base = await appraise()
    expect(base.offer.max_offer).toBeGreaterThan(10_000)
  })
  afterAll(() => service.stop())

  const appraise = async (more: object = {}): Promise<AppraisalWire> =>
    (await service.ask('/api/appraisals', { tier: 'paid', json: { variant_id: PHONE, condition: 'Good', ...more } }))
      .body.data
  /** Replaces the rules and waits until appraisals use them. */
  async function setRules(...rules: object[]) {
    const { status, body } = await owner.send('PUT', '/api/manage/price-rules', { rules })
    expect(status).toBe(200)
    await waitUntil(async () => JSON.stringify(await steps()) === JSON.stringify(expectedSteps(rules)), {
      describe: 'appraisals that use the rules',
    })
    return body.data
  }
  const steps = async () =>
    (await appraise()).offer.reasons.filter(({ code }) => code === 'price_rule').map(({ message }) => message)
  let expectedSteps: (rules: object[]) => string[] = () => []

  describe('a price rule', () => {
    test('limits the offer for a device, and is a line of the calculation on every surface', async () => {
      expectedSteps = () => ['Price rule "No more": at most $50.00']
      const { rules, currency } = await setRules({ device_ids: [DEVICE], max_offer: 5_000, note: 'No more' })
      expect(currency).toBe('USD')
      expect(rules).toMatchObject([{ percent: null, max_offer: 5_000, conditions: [], created_by: { kind: 'person' } }])
      const limited = await appraise()
      expect(limited.offer).toMatchObject({ max_offer: 5_000, recommended_offer: 5_000 })
      expect(limited.offer.reasons.at(-1)).toMatchObject({ running_total: 5_000 })

      const item = { variant_id: PHONE, condition: 'Good' }
      const batch = await service.ask('/api/appraisals/batch', { tier: 'paid', json: { items: [item] } })
      expect(batch.body.data[0].result.offer.max_offer).toBe(5_000)
      const preview = (await clerk.post('/api/appraisals/preview', item)).body.data
      // A clerk sees the offer, not the maximum.
      expect(preview.offer).toMatchObject({ max_offer: null, recommended_offer: 5_000 })
      expect(preview.offer.reasons).toContainEqual({
        code: 'price_rule',
        message: 'Price rule "No more": at most $50.00',
        parameters: { note: 'No more', limit: 5_000 },
      })
      const client = await connectOverHttp(service.url, service.keys.paid, 'auto')
      expect(JSON.stringify(await callTool(client, 'appraise_device', item))).toContain('"max_offer":5000')
      await client.close()
      const other = { variant_id: undefined, text: 'Apple iPhone 12 128GB Black' }
      expect((await appraise(other)).offer.reasons.map(({ code }) => code)).not.toContain('price_rule')
      const inEuro = await appraise({ currency: 'EUR' })
      expect(inEuro.offer.max_offer).not.toBe(5_000)
      expect(inEuro.offer.reasons.map(({ code }) => code)).toContain('price_rule')
    })

    test('changes the offer in percent during its period only', async () => {
      expectedSteps = () => ['Price rule: +10 %']
      await setRules(
        { device_ids: [DEVICE], percent: 10, from: TODAY, until: addDays(TODAY, 6) },
        { percent: 50, until: addDays(TODAY, -1) },
        { percent: 50, from: addDays(TODAY, 1) },
      )
      const raised = (await appraise()).offer
      const step = base.policy?.offer_rounding ?? 100
      expect(raised.max_offer).toBe(Math.floor(((base.offer.max_offer ?? 0) * 1.1) / step) * step)
      expect(raised.recommended_offer).toBeGreaterThan(base.offer.recommended_offer ?? 0)
    })

    test('of one grade never makes a worse grade worth more than a better one', async () => {
      expectedSteps = () => []
      await setRules({ conditions: ['Excellent'], max_offer: 3_000 })
      await waitUntil(async () => (await appraise({ condition: 'Excellent' })).offer.max_offer === 3_000, {
        describe: 'the rule of Excellent',
      })
      const good = (await appraise()).offer
      expect(good.max_offer).toBe(3_000)
      expect(good.reasons.map(({ code }) => code)).toContain('capped_by_better_condition')
      const all = (await appraise({ condition: undefined })).offer.by_condition.map(({ max_offer: most }) => most)
      expect(all.every((most) => (most ?? 0) <= 3_000)).toBe(true)
    })

    test('with the limit 0 rejects the device', async () => {
      expectedSteps = () => ['Price rule: at most $0.00']
      await setRules({ max_offer: 0 })
      expect((await appraise()).offer).toMatchObject({ decision: 'reject', max_offer: 0, recommended_offer: 0 })
    })

    test('keeps its author, is removed from the list, and leaves an entry in the audit trail', async () => {
      expectedSteps = () => ['Price rule: at most $60.00']
      const [rule] = (await setRules({ max_offer: 6_000 })).rules
      const second = await member(service, service.organizationId, 'owner')
      const json = { rules: [{ id: rule.id, max_offer: 7_000 }] }
      const changed = await second.send('PUT', '/api/manage/price-rules', json)
      expect(changed.body.data.rules).toMatchObject([{ id: rule.id, max_offer: 7_000, created_by: rule.created_by }])
      expectedSteps = () => []
      await setRules()
      expect((await owner.get('/api/manage/price-rules')).body.data).toEqual({
        currency: 'USD',
        rules: [],
        revision: expect.any(Number),
      })
      expect((await owner.get('/api/manage/audit?kind=organization')).text).toContain(
        'organization.price_rules_changed',
      )
    })

    test('is changed by owners only, and rejected with advice', async () => {
      const manager = await member(service, service.organizationId, 'manager')
      expect((await manager.send('PUT', '/api/manage/price-rules', { rules: [] })).status).toBe(403)
      expect((await manager.get('/api/manage/price-rules')).status).toBe(200)
      expect((await clerk.get('/api/manage/price-rules')).status).toBe(403)
      for (const [rule, field] of [
        [{}, 'rules.0.percent'],
        [{ percent: 5, max_offer: 5 }, 'rules.0.percent'],
        [{ percent: 200 }, 'rules.0.percent'],
        [{ max_offer: -1 }, 'rules.0.max_offer'],
        [{ max_offer: 5, device_ids: ['no-such-device'] }, 'rules.0.device_ids'],
        [{ max_offer: 5, from: '2026-02-01', until: '2026-01-01' }, 'rules.0.until'],
        [{ max_offer: 5, conditions: ['Mint'] }, 'rules.0.conditions.0'],
      ] as const) {
        const { status, body } = await owner.send('PUT', '/api/manage/price-rules', { rules: [rule] })
        expect([status, body.error.details[0].field]).toEqual([400, field])
      }
    })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appraisalStore } from '../../src/appraisal/appraisal-store.ts'
import { policyStore } from '../../src/appraisal/policy-store.ts'
import { auditStore } from '../../src/auth/audit-store.ts'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { DEFECTS } from '../../src/contract/defects.ts'
import { dayOf } from '../../src/lib/time.ts'
import { isFaultKind } from '../../src/repairs/fault-kinds.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { bundledExchange } from '../support/ecb.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const TODAY = dayOf(Date.now())
const PHONE = 'apple-iphone-13-128gb-midnight'
const LISTED = '100000010000023'
const CLEAN = '100000010000015'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.openFull())
    const { db } = service.app
    await db.transaction(async (tx) => {
      await db.insertMany(tx, 'exchange_rate', [
        { currency: 'EUR', day: TODAY, usd: 1.25 },
        { currency: 'EUR', day: '2025-01-01', usd: 1.1 },
        { currency: 'EUR', day: '2999-01-01', usd: 9 },
        { currency: 'JPY', day: TODAY, usd: 0.0064 },
      ])
      await db.announceChange(tx, 'rates')
    })
    const inYen = `/api/pricing?variant_id=${PHONE}&currency=JPY`
    const rate = async () => (await service.ask(inYen, { tier: 'paid' })).body.data.exchange_rate
    await waitUntil(async () => (await rate()).source === 'imported', { describe: 'the imported rate of the yen' })
  })
  afterAll(() => service.stop())

  const ask = (json: unknown, more: { key?: string; headers?: Record<string, string> } = {}) =>
    service.ask('/api/appraisals', { tier: 'enterprise', json, ...more })
  const appraise = async (json: unknown): Promise<AppraisalWire> => {
    const { status, body } = await ask(json)
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    return body.data
  }
  const codes = ({ offer }: AppraisalWire) => offer.reasons.map(({ code }) => code)

  describe('an appraisal', () => {
    test('of a clean phone returns the device, its value and the offer', async () => {
      const appraisal = await appraise({ variant_id: PHONE, condition: 'Good', reference: 'A-1' })
      expect(appraisal.appraisal_id).toMatch(/^apr_[0-9A-HJKMNP-TV-Z]{26}$/)
      expect(appraisal).toMatchObject({
        reference: 'A-1',
        risk: null,
        sample: true,
        currency: 'USD',
        exchange_rate: null,
        identity: { device_id: 'apple-iphone-13', variant_id: PHONE, confidence: 100, identified_by: 'variant_id' },
        offer: { decision: 'buy', plan: 'sell_as_is', condition: 'Good', source: 'sample' },
      })
      expect(appraisal.value.map(({ condition }) => condition)).toEqual(['Good'])
      expect(appraisal.offer.max_offer).toBeGreaterThan(0)
      expect(codes(appraisal)).toContain('identifier_not_checked')
    })

    test('without a grade values all four, and the offer is for the worst', async () => {
      const appraisal = await appraise({ variant_id: PHONE })
      expect(appraisal.value.map(({ condition }) => condition)).toEqual(['Excellent', 'Good', 'Fair', 'Poor'])
      expect(appraisal.offer).toMatchObject({ decision: 'inspect', condition: 'Poor' })
      const offers = appraisal.offer.by_condition.map(({ max_offer }) => max_offer ?? 0)
      expect(offers).toEqual(offers.toSorted((a, b) => b - a))
      expect(appraisal.offer.max_offer).toBe(offers[3] ?? -1)
    })

    test('of a device that does not work needs no grade, unlike one with a fault', async () => {
      const dead = await appraise({ variant_id: PHONE, defects: ['no_power'] })
      expect(['buy', 'buy_and_repair']).toContain(dead.offer.decision)
      expect(codes(dead)).toContain('condition_missing')
      const cracked = await appraise({ variant_id: PHONE, defects: ['cracked_screen'] })
      expect(cracked.offer.decision).toBe('inspect')
    })

    test('of a phone that is worth repairing recommends the repair', async () => {
      const json = {
        variant_id: 'apple-iphone-17-pro-256gb-cosmic-orange',
        condition: 'Good',
        defects: ['cracked_back'],
      }
      const appraisal = await appraise({ ...json, policy: { labour_per_hour: 3_000 } })
      expect(appraisal.offer).toMatchObject({ decision: 'buy_and_repair', plan: 'repair_and_sell' })
      expect(appraisal.repairs).toMatchObject([{ category: 'back-cover', defects: ['cracked_back'] }])
      expect(appraisal.policy?.labour_per_hour).toBe(3_000)
    })

    test('of a dead device makes an offer, and further defects do not lower it', async () => {
      const offerFor = async (...defects: string[]) => {
        const { offer } = await appraise({
          variant_id: 'apple-iphone-15-pro-128gb-black-titanium',
          condition: 'Good',
          defects,
        })
        return offer.recommended_offer ?? 0
      }
      const dead = await offerFor('no_power')
      expect(dead).toBeGreaterThan(2_000)
      expect(await offerFor('no_power', 'cracked_screen')).toBe(dead)
      const broken = await offerFor('cracked_screen', 'cracked_back', 'weak_battery')
      expect(broken).toBeGreaterThan(dead)
      expect(await offerFor('cracked_screen')).toBeGreaterThan(broken)
    })

    test('of a listed device is refused, whatever the policy says, and its lookup is stored', async () => {
      const policy = { action_at_critical_risk: 'offer', action_at_high_risk: 'offer' }
      const appraisal = await appraise({ identifier: LISTED, variant_id: PHONE, condition: 'Good', policy })
      expect(appraisal.offer).toMatchObject({ decision: 'reject', max_offer: 0, recommended_offer: 0 })
      expect(codes(appraisal)).toContain('blacklisted')
      expect(appraisal.sample).toBe(true)
      const history = await service.ask('/api/imei?limit=1', { tier: 'enterprise' })
      expect(history.body.data[0]).toEqual(appraisal.risk)
    })

    test('of a device that no source could check is that of a device without identifier', async () => {
      const appraisal = await appraise({ identifier: '354178036859789', variant_id: PHONE, condition: 'Good' })
      const unidentified = await appraise({ variant_id: PHONE, condition: 'Good' })
      expect(appraisal.offer).toMatchObject({ decision: 'buy', max_offer: unidentified.offer.max_offer })
      expect(codes(appraisal)).toContain('blacklist_not_checked')
    })

    test('of a cleared device recommends buying', async () => {
      const appraisal = await appraise({ identifier: CLEAN, variant_id: PHONE, condition: 'Good' })
      expect(appraisal.risk?.blacklist_status).toBe('clean')
      expect(appraisal.offer.decision).toBe('buy')
    })

    test('of a probably mistyped identifier has no offer until the identifier is checked', async () => {
      const appraisal = await appraise({ identifier: '354178036859781', variant_id: PHONE, condition: 'Good' })
      expect(appraisal.risk?.recommendation).toBe('recheck_identifier')
      expect(appraisal.offer).toMatchObject({ decision: 'inspect', max_offer: 0 })
      expect(codes(appraisal)).toContain('recheck_identifier')
    })

    test('of a locked device is refused, whether the lock is stated or reported by a source', async () => {
      const ticked = await appraise({ variant_id: PHONE, condition: 'Good', defects: ['activation_locked'] })
      expect(ticked.offer).toMatchObject({ decision: 'reject', max_offer: 0, plan: null })
      expect(ticked.rejected_plans?.map(({ plan }) => plan)).toEqual([
        'sell_as_is',
        'repair_and_sell',
        'sell_for_parts',
      ])
    })

    test('finds a device by a part number and lists what is still unknown', async () => {
      const appraisal = await appraise({ text: 'MLPF3', condition: 'Good' })
      expect(appraisal.identity).toMatchObject({ device_id: 'apple-iphone-13', identified_by: 'text' })
      const open = await appraise({
        device_id: 'apple-iphone-13',
        condition: 'Good',
        attributes: { color: 'midnight' },
      })
      expect(open.identity.variant_id).toBeNull()
      expect(open.identity.unresolved_attributes).toMatchObject([{ name: 'storage', affects_price: true }])
      expect(codes(open)).toContain('cheapest_variant_assumed')
      const picked = await appraise({
        device_id: 'apple-iphone-13',
        condition: 'Good',
        attributes: { color: 'Midnight', storage: '128 gb' },
      })
      expect(picked.identity.variant_id).toBe(PHONE)
      expect(picked.offer.max_offer).toBe(open.offer.max_offer)
    })

    test('of a text that names no device asks for the model', async () => {
      const appraisal = await appraise({ text: 'zzzz qqqq' })
      expect(appraisal.offer).toMatchObject({ decision: 'identify', max_offer: null, recommended_offer: null })
      expect(appraisal).toMatchObject({ value: [], plans: [], identity: { device_id: null, identified_by: null } })
    })

    test('of a listed device with an unknown model is refused as well', async () => {
      const appraisal = await appraise({ identifier: LISTED })
      expect(appraisal.offer).toMatchObject({ decision: 'reject', max_offer: 0 })
    })

    test('reports contradictions as findings', async () => {
      const appraisal = await appraise({
        variant_id: PHONE,
        device_id: 'apple-iphone-14',
        condition: 'Good',
        attributes: { storage: '3GB' },
      })
      expect(appraisal.identity.contradictions.map(({ code }) => code)).toEqual([
        'variant_device_mismatch',
        'attribute_not_available',
      ])
      expect(appraisal.offer.decision).toBe('inspect')
    })

    test('treats null as absent and accepts a grade in any case', async () => {
      const json = {
        variant_id: PHONE,
        device_id: null,
        text: null,
        condition: 'gOOd',
        defects: null,
        policy: null,
        reference: null,
        currency: null,
      }
      expect((await appraise(json)).offer.condition).toBe('Good')
    })
  })

  describe('in another currency', () => {
    test('all amounts are in its minor units at the newest rate', async () => {
      const [dollars, euros] = [
        await appraise({ variant_id: PHONE, condition: 'Good' }),
        await appraise({ variant_id: PHONE, condition: 'Good', currency: 'eur' }),
      ]
      expect(euros).toMatchObject({
        currency: 'EUR',
        exchange_rate: { rate: 0.8, date: TODAY, stale: false, source: 'imported' },
      })
      expect(euros.value[0]?.resale?.amount).toBe(Math.round((dollars.value[0]?.resale?.amount ?? 0) * 0.8))
      expect(euros.policy).toMatchObject({ currency: 'EUR', min_profit: 1_200, offer_rounding: 80 })
      const yen = await appraise({ variant_id: PHONE, condition: 'Good', currency: 'JPY' })
      expect(yen.value[0]?.resale?.amount).toBe(Math.round(((dollars.value[0]?.resale?.amount ?? 0) / 100) * 156.25))
    })
    test('without a rate is rejected', async () => {
      const { status, body } = await ask({ variant_id: PHONE, currency: 'PKR' })
      expect(status).toBe(400)
      expect(body.error.details).toEqual([{ field: 'currency', message: body.error.message }])
      expect(body.error.message).toContain('currency was "PKR", which has no exchange rate.')
    })
  })

  describe('a batch', () => {
    const batch = (items: unknown, tier: 'paid' | 'enterprise' = 'enterprise') =>
      service.ask('/api/appraisals/batch', { tier, json: { items } })

    test('rejects an item with a purchase, which it would not record', async () => {
      const item = { variant_id: PHONE, condition: 'Good' }
      const { body } = await batch([item, { ...item, purchase: { price: 12_000 } }])
      expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, false])
      expect(body.data[1].error.details[0].field).toBe('items[1].purchase')
      expect(body.data[1].error.message).toContain('POST /api/appraisals/outcomes/batch')
    })

    test('returns a result or an error for each item, in order', async () => {
      const { body } = await batch([
        { variant_id: PHONE, condition: 'Good', reference: 'batch' },
        { variant_id: 'no-such' },
        { identifier: '12' },
        { variant_id: PHONE, defects: ['rust'] },
        7,
        { identifier: CLEAN, variant_id: PHONE, condition: 'Fair', reference: 'batch' },
      ])
      expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([
        true,
        false,
        false,
        false,
        false,
        true,
      ])
      expect(body.data[1].error.code).toBe('NOT_FOUND')
      expect(body.data[2].error.details[0].field).toBe('items[2].identifier')
      expect(body.data[3].error.details[0].field).toBe('items[3].defects.0')
      expect(body.data[4].error.details[0].field).toBe('items[4]')
      const kept = await service.ask('/api/appraisals?reference=batch', { tier: 'paid' })
      expect(kept.body.data).toEqual([body.data[5].result, body.data[0].result])
    })

    test('counts each item, and takes at most 500', async () => {
      const { keys } = await service.newOrganization()
      const items = Array.from({ length: 40 }, () => ({ variant_id: PHONE }))
      const { headers } = await service.ask('/api/appraisals/batch', { key: keys.paid, json: { items } })
      expect(Number(headers.get('X-RateLimit-Limit')) - Number(headers.get('X-RateLimit-Remaining'))).toBe(40)
      const { status, body } = await batch(Array.from({ length: 501 }, () => ({})))
      expect(status).toBe(400)
      expect(body.error.message).toContain('501 items')
    })

    test('with an identifier needs the tier of its most demanding item', async () => {
      expect((await batch([{ variant_id: PHONE }], 'paid')).status).toBe(200)
      expect((await batch([{ variant_id: PHONE }, { identifier: CLEAN }], 'paid')).status).toBe(403)
    })
  })

  test('an identifier needs the Enterprise tier, and everything else the Paid one', async () => {
    const tier = 'paid'
    expect((await service.ask('/api/appraisals', { tier, json: { variant_id: PHONE } })).status).toBe(200)
    expect((await service.ask('/api/appraisals', { tier, json: { variant_id: PHONE, identifier: null } })).status).toBe(
      200,
    )
    for (const identifier of [CLEAN, 7, '', []]) {
      const { status, body } = await service.ask('/api/appraisals', { tier, json: { variant_id: PHONE, identifier } })
      expect(status).toBe(403)
      expect(body.error.message).toContain('Enterprise')
    }
  })

  describe('records', () => {
    test('are each organization’s own', async () => {
      const [mine, other] = [await service.newOrganization('Mine'), await service.newOrganization('Other')]
      const appraisal = (await ask({ variant_id: PHONE, condition: 'Good' }, { key: mine.keys.paid })).body.data
      const path = `/api/appraisals/${appraisal.appraisal_id}`
      expect((await service.ask(path, { key: mine.keys.paid })).body.data).toEqual(appraisal)
      expect((await service.ask(path, { key: other.keys.enterprise })).status).toBe(404)
      expect((await service.ask('/api/appraisals', { key: other.keys.paid })).body.meta.total).toBe(0)
      expect((await service.ask(path, { key: mine.keys.public })).status).toBe(403)
      expect((await service.ask(path)).status).toBe(401)
    })

    test('of many organizations do not mix', async () => {
      const organizations = []
      for (let at = 0; at < 40; at++) organizations.push(await service.newOrganization())
      const appraisals: AppraisalWire[] = []
      /** More at once would be rejected as overload on a busy machine. */
      const CALLERS = 20
      for (let from = 0; from < organizations.length; from += CALLERS) {
        const created = organizations.slice(from, from + CALLERS).map(async ({ keys }, at) => {
          const reference = `org ${from + at}`
          return (await ask({ variant_id: PHONE, condition: 'Good', reference }, { key: keys.paid })).body.data
        })
        appraisals.push(...(await Promise.all(created)))
      }
      for (let from = 0; from < organizations.length; from += CALLERS) {
        const read = organizations.slice(from, from + CALLERS).map(async ({ keys }, at) => {
          expect((await service.ask('/api/appraisals', { key: keys.paid })).body.data).toEqual([appraisals[from + at]])
          const next = appraisals[(from + at + 1) % appraisals.length]
          expect((await service.ask(`/api/appraisals/${next?.appraisal_id}`, { key: keys.paid })).status).toBe(404)
        })
        await Promise.all(read)
      }
    })

    test('are listed newest first and filtered by reference and decision', async () => {
      const { keys } = await service.newOrganization('History')
      for (const [condition, reference] of [
        ['Good', 'x'],
        [undefined, 'y'],
        ['Fair', 'x'],
      ]) {
        await ask({ variant_id: PHONE, condition, reference }, { key: keys.paid })
      }
      const list = async (query: string) => (await service.ask(`/api/appraisals${query}`, { key: keys.paid })).body
      const all = await list('')
      expect(all.data.map(({ offer }: AppraisalWire) => offer.condition)).toEqual(['Fair', 'Poor', 'Good'])
      expect((await list('?reference=x')).meta).toMatchObject({ total: 2 })
      expect((await list('?decision=inspect')).data).toEqual([all.data[1]])
      expect((await list('?decision=buy&reference=x&limit=1')).meta).toMatchObject({ total: 2, has_next: true })
      expect((await list('?page=9')).data).toEqual([])
      expect((await list('?decision=maybe')).error.details[0].field).toBe('decision')
    })

    test('are replayed for the same idempotency key and body, and rejected for another body', async () => {
      const headers = { 'Idempotency-Key': 'counter-7' }
      const first = await ask({ variant_id: PHONE, condition: 'Good' }, { headers })
      const again = await ask({ condition: 'Good', variant_id: PHONE }, { headers })
      expect(again.headers.get('Idempotency-Replayed')).toBe('true')
      expect(again.body.data).toEqual(first.body.data)
      const other = await ask({ variant_id: PHONE, condition: 'Fair' }, { headers })
      expect(other.status).toBe(400)
      expect(other.body.error.details[0].field).toBe('Idempotency-Key')
    })
  })

  describe('a policy', () => {
    test('of the organization applies to appraisals after its change, and the change is in the audit trail', async () => {
      const { organizationId, keys } = await service.newOrganization('Terms')
      const offer = async () => (await ask({ variant_id: PHONE, condition: 'Good' }, { key: keys.paid })).body.data
      const before = await offer()
      const policies = policyStore(service.app.db)
      await policies.change(
        organizationId,
        { target_margin_percent: 40, action_without_identifier: 'inspect' },
        OPERATOR,
        Date.now(),
        bundledExchange,
      )
      const after: AppraisalWire = await waitUntil(
        async () => {
          const appraisal = await offer()
          return appraisal.policy.target_margin_percent === 40 && appraisal
        },
        { describe: 'an offer by the changed policy' },
      )
      expect(after.policy).toMatchObject({
        ...before.policy,
        target_margin_percent: 40,
        action_without_identifier: 'inspect',
      })
      expect(after.offer.max_offer).toBeLessThan(before.offer.max_offer)
      expect(after.offer.decision).toBe('inspect')
      const { rows } = await auditStore(service.app.db).auditTrail(organizationId, { limit: 1_000 })
      const change = rows.find(({ action }) => action !== 'appraisal.created')
      expect(change).toMatchObject({
        action: 'organization.policy_changed',
        who: OPERATOR.who,
        subject: organizationId,
      })
      expect(JSON.parse(change?.detail ?? '')).toEqual({
        target_margin_percent: '40',
        action_without_identifier: 'inspect',
      })
    })

    test('asks for an inspection if the price is below its minimum confidence', async () => {
      const request = { variant_id: PHONE, condition: 'Good' }
      const sure = await appraise({ ...request, policy: { min_confidence: 0 } })
      expect(sure.offer.decision).toBe('buy')
      const { policy, offer } = await appraise({ ...request, policy: { min_confidence: 100 } })
      expect(policy?.min_confidence).toBe(100)
      expect(offer.decision).toBe('inspect')
      expect(offer.reasons.find(({ code }) => code === 'low_price_confidence')?.message).toMatch(
        /^Price confidence \d+ is below your minimum of 100: check the price by hand\.$/,
      )
      expect(offer.max_offer).toBe(sure.offer.max_offer)
    })

    test('in a currency makes offers in it', async () => {
      const { organizationId, keys } = await service.newOrganization('Euro')
      await policyStore(service.app.db).change(
        organizationId,
        { currency: 'EUR' },
        OPERATOR,
        Date.now(),
        bundledExchange,
      )
      const appraisal = await waitUntil(
        async () => {
          const { data } = (await ask({ variant_id: PHONE, condition: 'Good' }, { key: keys.paid })).body
          return data.currency === 'EUR' && data
        },
        { describe: 'an offer in euros' },
      )
      expect(appraisal).toMatchObject({ currency: 'EUR', policy: { currency: 'EUR', min_profit: 1_200 } })
      const dollars = await ask({ variant_id: PHONE, condition: 'Good', currency: 'USD' }, { key: keys.paid })
      expect(dollars.body.data).toMatchObject({ currency: 'USD', policy: { currency: 'USD', min_profit: 1_500 } })
    })
  })

  test('old appraisals are deleted and subtracted from the totals', async () => {
    const { keys } = await service.newOrganization('Forgetful')
    const total = async () => (await service.ask('/api/appraisals', { key: keys.paid })).body.meta.total
    await ask({ variant_id: PHONE, condition: 'Good' }, { key: keys.paid })
    await ask({ variant_id: PHONE }, { key: keys.paid })
    const records = appraisalStore(service.app.db)
    await records.deleteAppraisalsBefore(Date.now() - 60_000)
    expect(await total()).toBe(2)
    expect(await records.deleteAppraisalsBefore(Date.now() + 60_000)).toBeGreaterThanOrEqual(2)
    expect(await total()).toBe(0)
  })

  test('people appraise as API clients do, with the tier of their organization', async () => {
    const { organizationId, keys } = await service.newOrganization('People')
    const owner = await member(service, organizationId, 'owner')
    const appraisal = await owner.post('/api/appraisals', { variant_id: PHONE, condition: 'Good' })
    expect(appraisal.status).toBe(200)
    const { appraisal_id: id } = appraisal.body.data
    expect((await owner.get(`/api/appraisals/${id}`)).body.data).toEqual(appraisal.body.data)
    expect((await service.ask(`/api/appraisals/${id}`, { key: keys.paid })).body.data).toEqual(appraisal.body.data)
    await service.app.auth.setTier(organizationId, 'paid', OPERATOR, Date.now())
    expect((await owner.post('/api/appraisals', { identifier: CLEAN })).status).toBe(403)
    expect((await owner.post('/api/appraisals', { variant_id: PHONE })).status).toBe(200)
  })

  test("labour is priced at the rate of the organization's market", async () => {
    const { organizationId, keys } = await service.newOrganization('Workshop in India')
    const labour = async () => {
      const { body } = await service.ask('/api/appraisals', { key: keys.paid, json: { variant_id: PHONE } })
      return body.data.policy.labour_per_hour
    }
    expect(await labour()).toBe(6_000)
    await service.app.auth.setMarket(organizationId, 'in', OPERATOR, Date.now())
    await waitUntil(async () => (await labour()) === 1_000, { describe: 'the labour rate of the new market' })
  })

  describe('rejected requests', () => {
    for (const [why, json, status, field] of [
      ['no field that names a device', {}, 400, 'variant_id'],
      ['an array', [], 400, 'body'],
      ['an unknown variant', { variant_id: 'no-such' }, 404, undefined],
      ['an unknown device', { device_id: 'no-such' }, 404, undefined],
      ['an unknown device beside a variant', { variant_id: PHONE, device_id: 'no-such' }, 404, undefined],
      ['a variant that is not text', { variant_id: 7 }, 400, 'variant_id'],
      ['an overlong variant', { variant_id: 'x'.repeat(301) }, 400, 'variant_id'],
      ['a device that is not text', { device_id: {} }, 400, 'device_id'],
      ['an empty text', { text: ' ' }, 400, 'text'],
      ['a text that is too long', { text: 'x'.repeat(4_001) }, 400, 'text'],
      ['an identifier that is a number', { identifier: 356938035643809 }, 400, 'identifier'],
      ['an impossible identifier', { identifier: '12' }, 400, 'identifier'],
      ['an unknown type of identifier', { identifier: CLEAN, identifier_type: 'sim' }, 400, 'identifier_type'],
      ['an unknown grade', { variant_id: PHONE, condition: 'Mint' }, 400, 'condition'],
      ['defects that are not a list', { variant_id: PHONE, defects: 'cracked_screen' }, 400, 'defects'],
      ['an unknown defect', { variant_id: PHONE, defects: ['rust'] }, 400, 'defects.0'],
      ['a hinge of a phone', { variant_id: PHONE, defects: ['cracked_back', 'hinge'] }, 400, 'defects.1'],
      ['a screen of a console', { device_id: 'sony-playstation-5', defects: ['cracked_screen'] }, 400, 'defects.0'],
      ['attributes that are a list', { variant_id: PHONE, attributes: ['x'] }, 400, 'attributes'],
      ['an attribute that is a number', { variant_id: PHONE, attributes: { storage: 128 } }, 400, 'attributes.storage'],
      ['a reference that is too long', { variant_id: PHONE, reference: 'x'.repeat(101) }, 400, 'reference'],
      ['a reference with a control character', { variant_id: PHONE, reference: 'a\u0000b' }, 400, 'reference'],
      ['a currency of four letters', { variant_id: PHONE, currency: 'EURO' }, 400, 'currency'],
      ['a policy that is not an object', { variant_id: PHONE, policy: 5 }, 400, 'policy'],
      ['a misspelt policy field', { variant_id: PHONE, policy: { margin: 5 } }, 400, 'policy'],
      [
        'a margin above the maximum',
        { variant_id: PHONE, policy: { target_margin_percent: 91 } },
        400,
        'policy.target_margin_percent',
      ],
      ['a negative profit', { variant_id: PHONE, policy: { min_profit: -1 } }, 400, 'policy.min_profit'],
      ['a fractional amount', { variant_id: PHONE, policy: { labour_per_hour: 1.5 } }, 400, 'policy.labour_per_hour'],
      [
        'a probability of one',
        { variant_id: PHONE, policy: { max_loss_probability: 1 } },
        400,
        'policy.max_loss_probability',
      ],
      [
        'an unknown action',
        { variant_id: PHONE, policy: { action_at_low_risk: 'shrug' } },
        400,
        'policy.action_at_low_risk',
      ],
      ['a rounding step of zero', { variant_id: PHONE, policy: { offer_rounding: 0 } }, 400, 'policy.offer_rounding'],
    ] as const) {
      test(`${why} is ${status}${field ? ` and names ${field}` : ''}`, async () => {
        const { status: actualStatus, body } = await ask(json)
        expect(actualStatus).toBe(status)
        if (field) expect(body.error.details[0].field).toBe(field)
      })
    }

    for (const [method, path, status, code] of [
      ['GET', '/api/appraisals/apr_0NOSUCH', 404, 'NOT_FOUND'],
      ['GET', '/api/appraisals/%00', 404, 'NOT_FOUND'],
      ['GET', '/api/appraisals/batch', 405, 'METHOD_NOT_ALLOWED'],
      ['DELETE', '/api/appraisals/apr_0NOSUCH', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/api/appraisals/apr_0NOSUCH', 405, 'METHOD_NOT_ALLOWED'],
      ['GET', '/api/appraisals/a/b', 404, 'NOT_FOUND'],
    ] as const) {
      test(`${method} ${path} is ${status}`, async () => {
        const response = await service.ask(path, { method, tier: 'paid' })
        expect(response.status).toBe(status)
        expect(response.body.error.code).toBe(code)
      })
    }
  })

  test('the defects and grades are public, and every repair of a defect exists', async () => {
    const { body } = await service.ask('/api/meta/defects', { tier: 'public' })
    expect(body.data).toEqual(DEFECTS)
    for (const { repairs } of DEFECTS) for (const kind of repairs) expect(isFaultKind(kind)).toBe(true)
  })

  test('defects and grades can be filtered by category or device', async () => {
    const codes = async (query: string) => {
      const { body } = await service.ask(`/api/meta/defects?${query}`, { tier: 'public' })
      return body.data.map(({ code }: { code: string }) => code)
    }
    expect(await codes('category=Game%20Console')).toEqual(await codes('category=console'))
    expect(await codes('category=console')).not.toContain('cracked_screen')
    expect(await codes('device_id=samsung-galaxy-z-flip5')).toContain('hinge')
    expect(await codes('device_id=samsung-galaxy-z-flip5')).not.toContain('headphone_jack')
    expect(await codes('category=phone')).toContain('headphone_jack')
    expect(await codes('category=')).toHaveLength(DEFECTS.length)
    const grades = await service.ask('/api/meta/conditions?category=console', { tier: 'public' })
    expect(grades.body.data[0]).toMatchObject({ name: 'Excellent', screen: null, battery_min_percent: null })
    const unknown = await service.ask('/api/meta/defects?category=toaster', { tier: 'public' })
    expect([unknown.status, unknown.body.error.details[0].field]).toEqual([400, 'category'])
    expect((await service.ask('/api/meta/defects?device_id=no-such', { tier: 'public' })).status).toBe(404)
  })

  test('a defect that the device cannot have is rejected with the valid ones', async () => {
    const { status, body } = await ask({ device_id: 'sony-playstation-5', defects: ['cracked_screen'] })
    expect(status).toBe(400)
    expect(body.error.message).toContain('disc_drive')
    expect(body.error.message).not.toContain('biometric_sensor')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalPreviewWire, AppraisalWire } from '../../src/contract/appraisal.ts'
import { addDays } from '../../src/lib/time.ts'
import { browserSession, member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const LISTED = '100000010000023'
const CLEAN = '100000010000015'

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(() => service.stop())

  const preview = async (request: object, lookupId: string | null = null): Promise<AppraisalPreviewWire> => {
    const { status, body } = await owner.post('/api/appraisals/preview', { lookup_id: lookupId, ...request })
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    return body.data
  }
  const lookUp = async (identifier: string): Promise<string> =>
    (await owner.post('/api/imei', { identifier })).body.data.lookup_id
  const save = async (request: object): Promise<AppraisalWire> =>
    (await owner.post('/api/appraisals', request)).body.data
  const historyTotal = async () => (await owner.get('/api/appraisals')).body.meta.total

  describe('a preview', () => {
    test('equals the appraisal, with all other grades in addition, and stores no record', async () => {
      const before = await historyTotal()
      const request = { variant_id: PHONE, condition: 'Good', defects: ['cracked_back'] }
      const shown = await preview(request)
      expect(await historyTotal()).toBe(before)
      const appraisal = await save(request)
      expect(shown.offer).toEqual(appraisal.offer)
      expect(shown.plans).toEqual(appraisal.plans)
      expect(shown.grades.map(({ condition }) => condition)).toEqual(['Excellent', 'Good', 'Fair', 'Poor'])
      expect(shown.grades[1]).toMatchObject({
        resale: appraisal.value[0]?.resale,
        max_offer: appraisal.offer.max_offer,
        recommended_offer: appraisal.offer.recommended_offer,
      })
    })

    test('uses an existing lookup, queries no source again and accepts no identifier', async () => {
      const listed = await preview({ condition: 'Good', variant_id: PHONE }, await lookUp(LISTED))
      expect(listed.offer).toMatchObject({ decision: 'reject', max_offer: 0 })
      const lookups = async () => (await owner.get('/api/imei?limit=1')).body.meta.total
      const before = await lookups()
      const sneaked = await preview({ condition: 'Good', variant_id: PHONE, identifier: LISTED })
      expect(sneaked.risk).toBeNull()
      expect(await lookups()).toBe(before)
    })

    test('with invalid values is rejected with the field', async () => {
      for (const [lookupId, request, status, field] of [
        [null, {}, 400, 'variant_id'],
        [null, { variant_id: PHONE, condition: 'Shiny' }, 400, 'condition'],
        [null, { variant_id: 'no-such' }, 404, undefined],
        ['lkp_0', { variant_id: PHONE }, 404, undefined],
      ] as const) {
        const response = await owner.post('/api/appraisals/preview', { lookup_id: lookupId, ...request })
        expect({ status: response.status, field: response.body.error.details?.[0]?.field }).toEqual({ status, field })
      }
    })

    test("of another organization's lookup is not found", async () => {
      const { organizationId } = await service.newOrganization('Curious')
      const stranger = await member(service, organizationId, 'owner')
      const request = { lookup_id: await lookUp(CLEAN), variant_id: PHONE }
      expect((await stranger.post('/api/appraisals/preview', request)).status).toBe(404)
    })
  })

  describe('a record', () => {
    test('stores the agreed price or that the deal was declined, and the storage while the color is unknown', async () => {
      const agreed = await save({ text: 'iphone 13 256gb', condition: 'Good', agreed_offer: 9_000 })
      expect(agreed).toMatchObject({
        agreed_offer: 9_000,
        declined: false,
        identity: {
          identified_by: 'text',
          variant_id: null,
          attributes: [{ attribute_name: 'storage', attribute_value: '256GB' }],
        },
      })
      expect(await save({ identifier: '356938035643809', declined: true })).toMatchObject({
        agreed_offer: null,
        declined: true,
        identity: { device_id: null },
        offer: { decision: 'identify' },
      })
      const both = { variant_id: PHONE, declined: true, agreed_offer: 1 }
      expect((await owner.post('/api/appraisals', both)).body.error.details).toEqual([
        expect.objectContaining({ field: 'agreed_offer' }),
      ])
    })

    test('of a storage size that never existed has no offer', async () => {
      expect(await save({ text: 'iPhone 13 64GB', condition: 'Good' })).toMatchObject({
        identity: { contradictions: [{ code: 'attribute_not_available' }] },
        offer: { decision: 'inspect', max_offer: 0 },
      })
    })
  })

  describe('the details of receipts', () => {
    test('are changed by owners, shown to members, checked, and the change is in the audit trail', async () => {
      const { organizationId } = await service.newOrganization('Printing')
      const boss = await member(service, organizationId, 'owner')
      const clerk = await member(service, organizationId, 'manager')
      const before = (await clerk.get('/api/manage/settings')).body.data.receipt
      expect(before).toMatchObject({ shop_name: '', valid_days: 7 })
      const details = {
        ...before,
        shop_name: 'Corner',
        address: 'Main St 1\nTown',
        vat_id: 'DE123',
        valid_days: 14,
        language: 'de',
      }
      expect((await clerk.send('PATCH', '/api/manage/settings', { receipt: details })).status).toBe(403)
      expect((await boss.send('PATCH', '/api/manage/settings', { receipt: details })).status).toBe(200)
      expect((await clerk.get('/api/manage/settings')).body.data.receipt).toEqual(details)
      for (const wrong of [
        { logo: 'data:image/svg+xml;base64,AAAA' },
        { valid_days: 400 },
        { language: 'nl' },
        { shop_name: 'a\u0000b' },
      ]) {
        expect((await boss.send('PATCH', '/api/manage/settings', { receipt: { ...details, ...wrong } })).status).toBe(
          400,
        )
      }
      const [newest] = (await boss.get('/api/manage/audit')).body.data
      expect(newest).toMatchObject({ action: 'organization.receipt_changed' })
      const seller = await member(service, organizationId, 'clerk')
      const shown = (await seller.get('/api/manage/settings')).body.data
      expect(shown.receipt).toEqual(details)
      expect({ policy: shown.policy, signOn: shown.sign_on }).toEqual({ policy: undefined, signOn: undefined })
    })
  })

  describe('the history', () => {
    test('is filtered by decision, device, reference and day, separately and combined', async () => {
      const { organizationId } = await service.newOrganization('Filtering')
      const clerk = await member(service, organizationId, 'manager')
      const make = (request: object) => clerk.post('/api/appraisals', request)
      await make({ variant_id: PHONE, condition: 'Good', reference: 'A-1' })
      await make({ variant_id: PHONE, condition: 'Good', identifier: LISTED, reference: 'A-2' })
      await make({ device_id: 'apple-iphone-13-mini', condition: 'Good', reference: 'A-1' })
      const found = async (query: string) => {
        const { data, meta } = (await clerk.get(`/api/appraisals?${query}`)).body
        expect(meta.total).toBe(data.length)
        return data.map((one: AppraisalWire) => `${one.reference} ${one.identity.device_id}`)
      }
      const today = new Date().toISOString().slice(0, 10)
      expect(await found('')).toEqual(['A-1 apple-iphone-13-mini', 'A-2 apple-iphone-13', 'A-1 apple-iphone-13'])
      expect(await found('decision=reject')).toEqual(['A-2 apple-iphone-13'])
      expect(await found('device_id=apple-iphone-13-mini')).toEqual(['A-1 apple-iphone-13-mini'])
      expect(await found('reference=A-1')).toHaveLength(2)
      expect(await found('reference=A-1&device_id=apple-iphone-13')).toHaveLength(1)
      expect(await found(`day=${today}`)).toHaveLength(3)
      expect(await found('day=2020-01-01')).toHaveLength(0)
      expect((await clerk.get('/api/appraisals?day=yesterday')).status).toBe(400)
      expect((await clerk.get(`/api/appraisals?day=${today}&time_zone=Mars/Base`)).status).toBe(400)
      // At any moment, one of them has another day than UTC.
      for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        const there = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now())
        expect(await found(`day=${there}&time_zone=${timeZone}`)).toHaveLength(3)
        expect(await found(`day=${addDays(there, 1)}&time_zone=${timeZone}`)).toHaveLength(0)
        expect(await found(`day=${addDays(there, -1)}&time_zone=${timeZone}`)).toHaveLength(0)
      }
      expect((await clerk.get('/api/appraisals/devices')).body.data).toEqual([
        { device_id: 'apple-iphone-13', device_name: 'iPhone 13', total: 2 },
        { device_id: 'apple-iphone-13-mini', device_name: 'iPhone 13 mini', total: 1 },
      ])
      const csv = (await clerk.get('/api/appraisals?format=csv&decision=reject')).text.trim().split('\n')
      expect(csv).toHaveLength(2)
      expect(csv[1]).toContain(',A-2,')
    })
  })

  describe('the buying policy', () => {
    test('is shown to members, changed by owners only, and the change is in the audit trail', async () => {
      const { organizationId } = await service.newOrganization('Careful')
      const boss = await member(service, organizationId, 'owner')
      const clerk = await member(service, organizationId, 'manager')
      const terms = { target_margin_percent: 20, action_at_medium_risk: 'reject' }
      expect((await clerk.send('PATCH', '/api/manage/settings', { policy: terms })).status).toBe(403)
      const changed = (await boss.send('PATCH', '/api/manage/settings', { policy: terms })).body.data.policy
      expect(changed.policy).toMatchObject(terms)
      expect(changed.own).toEqual(['target_margin_percent', 'action_at_medium_risk'])
      expect(changed.defaults.target_margin_percent).toBe(12)
      expect((await clerk.get('/api/manage/settings')).body.data.policy).toEqual(changed)
      const [entry] = (await boss.get('/api/manage/audit')).body.data
      expect(entry).toMatchObject({ action: 'organization.policy_changed', who: boss.email })
      const back = (await boss.send('PATCH', '/api/manage/settings', { policy: { target_margin_percent: null } })).body
        .data.policy
      expect(back.policy.target_margin_percent).toBe(12)
    })

    test('with invalid values is rejected with the field', async () => {
      for (const [terms, field] of [
        [{ target_margin_percent: 95 }, 'policy.target_margin_percent'],
        [{ action_at_low_risk: 'shrug' }, 'policy.action_at_low_risk'],
        [{ currency: 'PKR' }, 'policy.currency'],
        [{ margin: 3 }, 'policy'],
      ] as const) {
        const response = await owner.send('PATCH', '/api/manage/settings', { policy: terms })
        expect({ status: response.status, field: response.body.error.details[0].field }).toEqual({ status: 400, field })
      }
    })
  })

  describe('a sheet with a code', () => {
    const tokenIn = (address: string) => address.split('/').at(-1) ?? ''
    const share = async (appraisal: AppraisalWire, facts: readonly string[]) =>
      (await owner.post(`/api/appraisals/${appraisal.appraisal_id}/shares`, { facts })).body.data
    const visit = (token: string) => browserSession(service).get(`/verify/${token}`)

    test('shows only the chosen fields to anyone, and the identifier masked', async () => {
      const appraisal = await save({ variant_id: PHONE, condition: 'Good', identifier: CLEAN, reference: 'SHELF-77' })
      const few = await share(appraisal, ['device', 'identifier'])
      const token = tokenIn(few.url)
      expect(token).toMatch(/^[\w-]{22}$/)
      expect(few.url).not.toContain(CLEAN)
      const page = await visit(token)
      expect(page.status).toBe(200)
      expect(page.text).toContain('iPhone 13 128GB Midnight')
      expect(page.text).toContain('10000001•••••15')
      for (const hidden of [CLEAN, 'SHELF-77', 'Good', 'Offer', appraisal.appraisal_id, '<script']) {
        expect(page.text).not.toContain(hidden)
      }
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('x-robots-tag')).toBe('noindex')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      const all = await share(appraisal, ['device', 'identifier', 'grade', 'check', 'offer', 'reference'])
      const whole = (await visit(tokenIn(all.url))).text
      for (const text of ['SHELF-77', 'Good', 'Not blocked', 'sandbox', 'sample data']) expect(whole).toContain(text)
      expect(whole).not.toContain(CLEAN)
    })

    test('shows the time of the shop, with its time zone', async () => {
      const { appraisal_id, timestamp } = await save({ variant_id: PHONE, condition: 'Good' })
      const pageIn = async (zone: object) => {
        const shared = await owner.post(`/api/appraisals/${appraisal_id}/shares`, { facts: ['device'], ...zone })
        return (await visit(tokenIn(shared.body.data.url))).text
      }
      const india = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', timeStyle: 'short' })
      expect(await pageIn({ time_zone: 'Asia/Kolkata' })).toContain(`${india.format(new Date(timestamp))} GMT+5:30`)
      expect(await pageIn({})).toContain(`${timestamp.slice(11, 16)} UTC`)
    })

    test('shows the storage and the price of the receipt: agreed, or not bought', async () => {
      const text = { text: 'iphone 13 256gb', condition: 'Good' }
      const pageOf = async (appraisal: AppraisalWire) =>
        (await visit(tokenIn((await share(appraisal, ['device', 'offer'])).url))).text
      const agreed = await pageOf(await save({ ...text, agreed_offer: 9_400 }))
      for (const text of ['iPhone 13 256GB', 'Agreed price', '$94.00']) expect(agreed).toContain(text)
      expect(await pageOf(await save({ ...text, declined: true }))).toContain('Not bought')
    })

    test('is found by its code alone, of which the database stores only the hash', async () => {
      const { url } = await share(await save({ variant_id: PHONE }), ['device'])
      const rows = await service.app.db.query.selectFrom('appraisal_share').selectAll().execute()
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(tokenIn(url))
      expect(service.logged()).not.toContain(tokenIn(url))
    })

    test('that is withdrawn, unknown or malformed gives the same not-found response', async () => {
      const appraisal = await save({ variant_id: PHONE, condition: 'Good' })
      const { share: one, url } = await share(appraisal, ['device'])
      expect((await visit(tokenIn(url))).status).toBe(200)
      const { organizationId } = await service.newOrganization('Meddling')
      const stranger = await member(service, organizationId, 'owner')
      const shares = `/api/appraisals/${appraisal.appraisal_id}/shares`
      expect((await stranger.send('DELETE', `${shares}/${one.share_id}`)).status).toBe(404)
      expect((await stranger.post(shares, { facts: ['device'] })).status).toBe(404)
      expect((await stranger.get(shares)).status).toBe(404)
      expect((await owner.send('DELETE', `${shares}/${one.share_id}`)).status).toBe(200)
      expect((await owner.send('DELETE', `${shares}/${one.share_id}`)).status).toBe(404)
      const withdrawn = await visit(tokenIn(url))
      const unknown = await visit('AAAAAAAAAAAAAAAAAAAAAA')
      const malformed = await visit('%00/../etc')
      expect([withdrawn.status, unknown.status, malformed.status]).toEqual([404, 404, 404])
      expect(withdrawn.text).toBe(unknown.text)
      expect(malformed.text).toBe(unknown.text)
      const actions = (await owner.get('/api/manage/audit')).body.data.map((entry: { action: string }) => entry.action)
      expect(actions.slice(0, 2)).toEqual(['appraisal.share_revoked', 'appraisal.shared'])
      const listed = (await owner.get(shares)).body.data
      expect(listed).toMatchObject([{ share_id: one.share_id, facts: ['device'] }])
      expect(listed[0].created_by).toMatchObject({ kind: 'person', id: expect.stringMatching(/^acc_/) })
      expect(listed[0].revoked_at).not.toBeNull()
    })

    test('cannot be guessed: attempts per minute are limited', async () => {
      const tries = await Promise.all(Array.from({ length: 60 }, () => visit('BBBBBBBBBBBBBBBBBBBBBB')))
      const last = tries.filter(({ status }) => status === 429)
      expect(last.length).toBeGreaterThan(10)
      expect(last[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    })
  })
})

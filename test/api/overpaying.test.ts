import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { auditStore } from '../../src/auth/audit-store.ts'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { luhnDigit } from '../../src/identifier/check-digit.ts'
import { member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
/** IMEIs that no list has. */
const validImei = (unit: number): string => {
  const body = `35540062${String(unit).padStart(6, '0')}`
  return body + luhnDigit(body)
}

onDatabaseOfSuite((store) => {
  let service: TestService
  let clerk: Awaited<ReturnType<typeof member>>
  let manager: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    clerk = await member(service, service.organizationId, 'clerk')
    manager = await member(service, service.organizationId, 'manager')
  })
  afterAll(() => service.stop())

  const request = (more: object = {}) => ({ variant_id: PHONE, condition: 'Good', ...more })
  const appraise = async (more: object = {}): Promise<AppraisalWire> =>
    (await manager.post('/api/appraisals', request(more))).body.data
  const maximum = async () => (await appraise()).offer.max_offer ?? 0
  const bought = { status: 'bought', confirm_amount: true }

  /** Every way in which a caller without the right to approve could pay more than the calculation says. */
  const WAYS: Record<
    string,
    (price: number) => Promise<{ status: number; body: { data?: unknown; error?: unknown } }>
  > = {
    'the counter': (price) => clerk.post('/api/appraisals', request({ purchase: { price, confirm_amount: true } })),
    'an agreed offer': (price) => clerk.post('/api/appraisals', request({ agreed_offer: price, confirm_amount: true })),
    'an outcome': async (price) => {
      const { appraisal_id: id } = await appraise()
      return clerk.post(`/api/appraisals/${id}/outcome`, { ...bought, price })
    },
    'an outcome in another currency': async (price) => {
      const { appraisal_id: id } = await appraise()
      return clerk.post(`/api/appraisals/${id}/outcome`, { ...bought, price: price * 2, currency: 'EUR' })
    },
    'a corrected price': async (price) => {
      const { appraisal_id: id } = await appraise()
      await clerk.post(`/api/appraisals/${id}/outcome`, { ...bought, price: 1_000 })
      return clerk.post(`/api/appraisals/${id}/outcome`, { ...bought, price })
    },
    'a purchase': async (price) => {
      const { appraisal_id } = await appraise()
      return clerk.post('/api/purchases', { items: [{ appraisal_id, price }], confirm_amount: true })
    },
    'the total of a lot': async (price) => {
      const { appraisal_id } = await appraise()
      return clerk.post('/api/purchases', { items: [{ appraisal_id }], total: price, confirm_amount: true })
    },
    'a key without the right to manage': async (price) => {
      const { appraisal_id: id } = await appraise()
      return service.ask(`/api/appraisals/${id}/outcome`, { tier: 'paid', json: { ...bought, price } })
    },
    'a file of outcomes': async (price) => {
      const { appraisal_id } = await appraise()
      const json = { items: [{ appraisal_id, ...bought, price }] }
      const { status, body } = await service.ask('/api/appraisals/outcomes/batch', { tier: 'paid', json })
      const [item] = body.data
      return item.success ? { status, body: { data: item.result } } : { status: 403, body: { error: item.error } }
    },
  }

  for (const [name, buy] of Object.entries(WAYS)) {
    test(`a price above the maximum needs approval: ${name}`, async () => {
      const price = (await maximum()) + 100
      const { status, body } = await buy(price)
      const { reason_code: code } = body.error as { reason_code: string }
      expect([status, code]).toEqual([403, name === 'an agreed offer' ? 'offer_above_maximum' : 'price_above_maximum'])
    })

    test(`the maximum itself needs none: ${name}`, async () => {
      const price = name === 'an outcome in another currency' ? Math.floor((await maximum()) / 4) : await maximum()
      expect((await buy(price)).status).toBe(200)
    })
  }

  test('a device without a calculated price is bought with approval only', async () => {
    const { body } = await manager.post('/api/appraisals', { text: 'unknown thing xq-17', condition: 'Good' })
    const { appraisal_id: id } = body.data
    const unknown = await clerk.post(`/api/appraisals/${id}/outcome`, { ...bought, price: 100 })
    expect([unknown.status, unknown.body.error.reason_code]).toEqual([403, 'price_above_maximum'])
    expect((await manager.post(`/api/appraisals/${id}/outcome`, { ...bought, price: 100 })).status).toBe(200)
  })

  test('managers, and keys with the right to manage, pay what they decide', async () => {
    const price = (await maximum()) + 100
    const { appraisal_id: first } = await appraise()
    const { appraisal_id: second } = await appraise()
    expect((await manager.post(`/api/appraisals/${first}/outcome`, { ...bought, price })).status).toBe(200)
    const json = { ...bought, price }
    expect(
      (
        await service.ask(`/api/appraisals/${second}/outcome`, {
          key: await service.newBuyer(service.organizationId),
          json,
        })
      ).status,
    ).toBe(200)
  })

  test('a price that a manager saved may be paid by a clerk', async () => {
    const price = (await maximum()) + 100
    const { appraisal_id: id } = await appraise({ agreed_offer: price, confirm_amount: true })
    expect((await clerk.post(`/api/appraisals/${id}/outcome`, { ...bought, price })).status).toBe(200)
  })

  describe('approval at the screen', () => {
    test('buys with the credentials of a manager, and the audit trail names both', async () => {
      const { organizationId } = await service.newOrganization('Approving')
      const boss = await member(service, organizationId, 'manager')
      const person = await member(service, organizationId, 'clerk')
      const approval = { email: boss.email, password: PASSWORD }
      const price = (await maximum()) + 100
      for (const send of [
        (id: string, more: object) => person.post(`/api/appraisals/${id}/outcome`, { ...bought, price, ...more }),
        (id: string, more: object) =>
          person.post('/api/purchases', { items: [{ appraisal_id: id, price }], confirm_amount: true, ...more }),
      ]) {
        const { appraisal_id: id } = (await person.post('/api/appraisals', request())).body.data
        expect((await send(id, {})).status).toBe(403)
        const wrong = await send(id, { approval: { ...approval, password: 'wrong' } })
        expect(wrong.status).toBe(403)
        expect((await send(id, { approval })).status).toBe(200)
      }
      const { rows } = await auditStore(service.app.db).auditTrail(organizationId, { limit: 50 })
      const approvals = rows.filter(({ action }) => action === 'appraisal.approved')
      expect(approvals).toHaveLength(2)
      for (const { who } of approvals) expect(who).toBe(boss.email)
      expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    })
  })

  test('a device that is in stock is bought again by a clerk with approval only', async () => {
    const identifier = validImei(901)
    const { appraisal_id: first } = await appraise({ identifier })
    expect((await manager.post(`/api/appraisals/${first}/outcome`, { ...bought, price: 1_000 })).status).toBe(200)
    const { appraisal_id: second } = await appraise({ identifier })
    const again = (person: typeof clerk, more: object = {}) =>
      person.post(`/api/appraisals/${second}/outcome`, { ...bought, price: 1_000, ...more })
    expect((await again(clerk)).body.error.reason_code).toBe('in_stock')
    const confirmed = await again(clerk, { confirm_duplicate: true })
    expect([confirmed.status, confirmed.body.error.reason_code]).toEqual([403, 'approval_for_duplicate'])
    expect((await again(manager, { confirm_duplicate: true })).status).toBe(200)
  })

  test('a device that comes in several sizes is bought with its size, unless it does not work', async () => {
    const buy = (more: object) =>
      manager.post('/api/appraisals', {
        device_id: 'apple-iphone-13',
        condition: 'Good',
        purchase: { price: 1_000, confirm_amount: true },
        ...more,
      })
    const unknown = await buy({})
    expect([unknown.status, unknown.body.error.reason_code]).toEqual([400, 'storage_missing'])
    expect((await buy({ attributes: { storage: '256GB' } })).status).toBe(200)
    expect((await buy({ condition: undefined, defects: ['no_power'] })).status).toBe(200)
    const [item] = (await manager.get('/api/stock?limit=2')).body.data.slice(1)
    expect(item.device_name).toBe('iPhone 13 256GB')
  })

  test('an identifier that no source covers is never worse than none', async () => {
    const without = await appraise()
    for (const identifier of [validImei(902), 'C8QH6T96DPNG']) {
      const { offer, risk } = await appraise({ identifier })
      expect(risk?.blacklist_status).toBe('unknown')
      expect([offer.decision, offer.max_offer]).toEqual([without.offer.decision, without.offer.max_offer])
      expect(offer.reasons.map(({ code }) => code)).toContain('blacklist_not_checked')
    }
    const strict = { policy: { action_without_identifier: 'reject' } }
    expect((await appraise(strict)).offer.decision).toBe('reject')
    expect((await appraise({ identifier: validImei(903), ...strict })).offer.decision).toBe('inspect')
  })
})

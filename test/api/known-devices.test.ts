import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appraiseCommand } from '../../src/cli/appraise.ts'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { luhnDigit } from '../../src/identifier/check-digit.ts'
import { dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { runCommandOn } from '../support/command.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const TODAY = dayOf(Date.now())

/** IMEIs of a TAC that no list has, so that they can belong to any model. */
function validImei(serial: number): string {
  const digits = `35999977${String(serial).padStart(6, '0')}`
  return digits + luhnDigit(digits)
}

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: Awaited<ReturnType<typeof store.open>>
  let clerk: Awaited<ReturnType<typeof member>>
  let buyer: string
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
    buyer = await service.newBuyer(service.organizationId)
    clerk = await member(service, service.organizationId, 'clerk')
  })
  afterAll(() => service.stop())

  const appraise = async (more: object): Promise<AppraisalWire> => {
    const json = { variant_id: PHONE, condition: 'Good', ...more }
    const { body } = await service.ask('/api/appraisals', { key: buyer, json })
    return body.data
  }
  const record = (id: string, json: object) =>
    service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, json: { confirm_amount: true, ...json } })
  const lookUp = (json: object) => service.ask('/api/imei', { key: buyer, json })

  test('offers, bought or not, are found by IMEI, reference, model and stock number', async () => {
    const identifier = validImei(77)
    const { appraisal_id: id } = await appraise({ identifier, reference: 'Box 77-A' })
    const found = async (q: string) => {
      const { body } = await service.ask(`/api/appraisals?q=${encodeURIComponent(q)}`, { key: buyer })
      return body.data.some((appraisal: AppraisalWire) => appraisal.appraisal_id === id)
    }
    for (const q of [identifier, '77-a', 'iPhone 13 box', `${identifier} IPHONE`])
      expect([q, await found(q)]).toEqual([q, true])
    for (const q of [validImei(78), '100%', 'galaxy', `${identifier} galaxy`])
      expect([q, await found(q)]).toEqual([q, false])
    for (const q of [identifier.slice(0, 12), identifier.slice(-4), '128gb midn'])
      expect([q, await found(q)]).toEqual([q, true])
    await record(id, { status: 'bought', price: 20_000 })
    const { body } = await service.ask(`/api/stock?q=${identifier}`, { key: buyer })
    expect(await found(`#${body.data[0].number}`)).toBe(true)
    await service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, method: 'DELETE' })
  })

  test('a search has at most 10 words and 100 characters', async () => {
    for (const path of ['/api/appraisals', '/api/stock'])
      for (const [q, status] of [
        ['a '.repeat(10), 200],
        ['a-'.repeat(11), 400],
        ['# '.repeat(11), 400],
        ['a'.repeat(101), 400],
      ] as const) {
        const answer = await service.ask(`${path}?q=${encodeURIComponent(q)}`, { key: buyer })
        expect([path, q, answer.status]).toEqual([path, q, status])
      }
  })

  describe('a device that the organization knows', () => {
    test('is reported with its offers, purchase and sale, and one in stock must be inspected', async () => {
      const identifier = validImei(1)
      const first = await appraise({ identifier, agreed_offer: 14_000 })
      expect(first.identity.known_to_you).toEqual([])
      const second = await appraise({ identifier })
      expect(second.identity.known_to_you).toEqual([
        {
          appraisal_id: first.appraisal_id,
          status: 'offered',
          at: first.timestamp,
          date: TODAY,
          price: 14_000,
          currency: 'USD',
          by: first.created_by.name,
        },
      ])
      await clerk.post(`/api/appraisals/${first.appraisal_id}/outcome`, { status: 'bought', price: 14_400 })
      const third = await appraise({ identifier })
      expect(third.offer.decision).toBe('inspect')
      const [, inStock] = third.identity.known_to_you
      expect(inStock).toMatchObject({
        appraisal_id: first.appraisal_id,
        status: 'in_stock',
        price: 14_400,
        date: TODAY,
      })
      expect(third.offer.reasons).toContainEqual(
        expect.objectContaining({
          code: 'in_your_stock',
          message: `In your stock since ${TODAY}, bought by ${inStock?.by} for $144.00: check whether it is the same device.`,
        }),
      )
      expect(inStock?.by).toMatch(/^Person /)

      await record(first.appraisal_id, { status: 'sold', price: 20_000 })
      const fourth = await appraise({ identifier })
      expect(fourth.identity.known_to_you.at(-1)).toMatchObject({ status: 'sold', price: 20_000 })
      expect(fourth.offer.reasons.map(({ code }) => code)).toContain('sold_by_you')
      expect(fourth.offer.reasons.map(({ code }) => code)).not.toContain('in_your_stock')

      await service.ask(`/api/appraisals/${first.appraisal_id}/outcome`, { key: buyer, method: 'DELETE' })
      expect((await appraise({ identifier })).identity.known_to_you.at(-1)).toMatchObject({ status: 'offered' })
      await record(first.appraisal_id, { status: 'declined', declined_by: 'customer' })
      expect((await appraise({ identifier })).identity.known_to_you.at(-1)).toMatchObject({ status: 'declined' })
    })

    test('is found by every spelling of its number, its serial number and its second IMEI', async () => {
      const [first, second] = [validImei(2), validImei(3)]
      const { appraisal_id: id } = await appraise({ identifier: `${first} / ${second}` })
      await record(id, { status: 'bought', price: 14_000 })
      const spaced = `${second.slice(0, 2)}-${second.slice(2, 8)}-${second.slice(8, 14)}-${second.slice(14)}`
      for (const identifier of [first, second, spaced]) {
        expect((await appraise({ identifier })).identity.known_to_you).toContainEqual(
          expect.objectContaining({ appraisal_id: id, status: 'in_stock' }),
        )
      }
      const serial = await appraise({ identifier: 'C8QH6T96DPNG' })
      await record(serial.appraisal_id, { status: 'bought', price: 14_000 })
      expect((await appraise({ identifier: 'c8qh6t96dpng' })).identity.known_to_you).toMatchObject([
        { appraisal_id: serial.appraisal_id, status: 'in_stock' },
      ])
    })

    test('is reported in a batch, in the preview of the counter, by MCP and by a list on the command line', async () => {
      const identifier = validImei(4)
      const { appraisal_id: id } = await appraise({ identifier })
      await record(id, { status: 'bought', price: 14_000 })
      const known = expect.objectContaining({ appraisal_id: id, status: 'in_stock' })

      const items = [{ variant_id: PHONE, condition: 'Good', identifier }]
      const batch = await service.ask('/api/appraisals/batch', { key: buyer, json: { items } })
      expect(batch.body.data[0].result.identity.known_to_you).toContainEqual(known)

      const { lookup_id } = (await lookUp({ identifier })).body.data
      const preview = await clerk.post('/api/appraisals/preview', { variant_id: PHONE, condition: 'Good', lookup_id })
      expect(preview.body.data.identity.known_to_you).toContainEqual(known)
      expect(preview.body.data.offer.decision).toBe('inspect')
      expect(preview.body.data.offer.reasons.map(({ code }: { code: string }) => code)).toContain('in_your_stock')

      const client = await connectOverHttp(service.url, service.keys.enterprise, 'auto')
      const tool = await callTool(client, 'appraise_device', { variant_id: PHONE, condition: 'Good', identifier })
      await client.close()
      expect(JSON.stringify(tool)).toContain('in_your_stock')

      const file = join(opening.dataDir, 'known.csv')
      writeFileSync(file, `Model,Capacity,Grade,IMEI\niPhone 13,128GB,Good,${identifier}\n`)
      await runCommandOn(opening, appraiseCommand, [file])
      const { body } = await service.ask('/api/appraisals?limit=1', { key: buyer })
      expect(body.data[0].identity.known_to_you).toContainEqual(known)
    })

    test('is bought a second time only if that is confirmed, by every way to record it', async () => {
      const identifier = validImei(20)
      const purchase = { price: 14_000, confirm_amount: true }
      const first = await appraise({ identifier: `${identifier} / ${validImei(21)}`, purchase })
      expect(first.outcome?.status).toBe('bought')
      const advice = /in your stock since .* bought by .* for \$140\.00 .*"confirm_duplicate": true/

      const again = await appraise({ identifier })
      const outcome = await record(again.appraisal_id, { status: 'bought', price: 14_000 })
      expect([outcome.status, outcome.body.error.details[0].field]).toEqual([400, 'confirm_duplicate'])
      expect(outcome.body.error.message).toMatch(advice)

      const json = { variant_id: PHONE, condition: 'Good', identifier: validImei(21), purchase }
      const direct = await service.ask('/api/appraisals', { key: buyer, json })
      expect([direct.status, direct.body.error.details[0].field]).toEqual([400, 'purchase.confirm_duplicate'])

      const manager = await member(service, service.organizationId, 'manager')
      const row = { appraisal_id: again.appraisal_id, status: 'bought', price: 14_000, confirm_amount: true }
      const batch = await manager.post('/api/appraisals/outcomes/batch', { items: [row] })
      expect(batch.body.data[0].error.details[0].field).toBe('items[0].confirm_duplicate')

      const confirmed = { status: 'bought', price: 14_000, confirm_duplicate: true }
      expect((await record(again.appraisal_id, confirmed)).status).toBe(200)
      // A correction of a recorded purchase is none.
      expect((await record(first.appraisal_id, { status: 'bought', price: 14_100 })).status).toBe(200)
    })

    test('is bought again without a question after it was sold, and only once in one batch', async () => {
      const identifier = validImei(22)
      const { appraisal_id: id } = await appraise({ identifier, purchase: { price: 14_000, confirm_amount: true } })
      await record(id, { status: 'sold', price: 20_000 })
      const [second, third] = [await appraise({ identifier }), await appraise({ identifier })]
      const manager = await member(service, service.organizationId, 'manager')
      const items = [second, third].map(({ appraisal_id }) => ({
        appraisal_id,
        status: 'bought',
        price: 14_000,
        confirm_amount: true,
      }))
      const { body } = await manager.post('/api/appraisals/outcomes/batch', { items })
      expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, false])
      expect(body.data[1].error.message).toContain('bought by another item of this request')
    })

    test('is asked for when a sale is taken back after it was bought again', async () => {
      const identifier = validImei(23)
      const purchase = { price: 14_000, confirm_amount: true }
      const { appraisal_id: id } = await appraise({ identifier, purchase })
      await record(id, { status: 'sold', price: 20_000 })
      const again = await appraise({ identifier, purchase })
      expect(again.outcome?.status).toBe('bought')

      const unsold = await record(id, { status: 'bought', price: 14_000 })
      expect([unsold.status, unsold.body.error?.details[0].field]).toEqual([400, 'confirm_duplicate'])
      const manager = await member(service, service.organizationId, 'manager')
      const items = [{ appraisal_id: id, status: 'bought', price: 14_000 }]
      const batch = await manager.post('/api/appraisals/outcomes/batch', { items })
      expect(batch.body.data[0].error?.details[0].field).toBe('items[0].confirm_duplicate')

      await service.ask(`/api/appraisals/${again.appraisal_id}/outcome`, { key: buyer, method: 'DELETE' })
      expect((await record(id, { status: 'bought', price: 14_000 })).status).toBe(200)
      expect((await appraise({ identifier })).offer.decision).toBe('inspect')
    })

    test('is known to be in stock however often it was offered since', async () => {
      const identifier = validImei(24)
      const { appraisal_id: id } = await appraise({ identifier, purchase: { price: 14_000, confirm_amount: true } })
      for (let offers = 0; offers < 21; offers++) await appraise({ identifier })
      const last = await appraise({ identifier })
      expect(last.identity.known_to_you).toHaveLength(20)
      expect(last.identity.known_to_you.at(-1)).toMatchObject({ appraisal_id: id, status: 'in_stock' })
      expect(last.offer.decision).toBe('inspect')
      const { status, body } = await record(last.appraisal_id, { status: 'bought', price: 14_000 })
      expect([status, body.error?.details[0].field]).toEqual([400, 'confirm_duplicate'])
    })

    test('is not reported to another organization, even if both appraise it at the same moment', async () => {
      const identifier = validImei(5)
      await record((await appraise({ identifier })).appraisal_id, { status: 'bought', price: 14_000 })
      const { keys } = await service.newOrganization('Other shop')
      const json = { variant_id: PHONE, condition: 'Good', identifier }
      const [own, ofOther] = await Promise.all([
        appraise({ identifier }),
        service.ask('/api/appraisals', { key: keys.enterprise, json }),
      ])
      expect(own.identity.known_to_you.map(({ status }) => status)).toEqual(['in_stock'])
      expect(ofOther.body.data.identity.known_to_you).toEqual([])
    })
  })

  describe('a device with two SIM cards', () => {
    const STOLEN = '100000010000023'
    const CLEAN = '100000010000015'

    test('is looked up by both IMEIs, sent as one text or as two fields', async () => {
      const [first, second] = [validImei(6), validImei(7)]
      for (const json of [
        { identifier: `${first} / ${second}` },
        { identifier: `IMEI 1: ${first}\nIMEI 2: ${second}` },
        { identifier: first, second_identifier: second },
      ]) {
        const { status, body } = await lookUp(json)
        expect(status).toBe(200)
        expect(body.data).toMatchObject({ identifier: first, second_identifier: second, identifier_type: 'imei' })
      }
      const found = await service.ask(`/api/imei?identifier=${second}`, { key: buyer })
      expect(found.body.data).toHaveLength(3)
    })

    test('has the worse status of the two, and is clean only if both are', async () => {
      const stolen = (await lookUp({ identifier: CLEAN, second_identifier: STOLEN })).body.data
      expect(stolen).toMatchObject({ reported_lost_stolen: true, recommendation: 'reject', cleared_by: [] })
      const unknown = (await lookUp({ identifier: CLEAN, second_identifier: validImei(8) })).body.data
      expect(unknown).toMatchObject({ blacklist_status: 'unknown', cleared_by: [] })
      expect(unknown.risk_factors.map(({ code }: { code: string }) => code)).toContain('blacklist_unverified')
    })

    test('is rejected with the reason if the second number is no valid IMEI', async () => {
      for (const [second, message] of [
        ['490154203237510', 'an IMEI with the check digit 8'],
        ['C8QH6T96DPNG', 'an IMEI of 15 digits'],
      ]) {
        const { status, body } = await lookUp({ identifier: validImei(9), second_identifier: second })
        expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
        expect(body.error.message).toContain(message)
      }
      const three = [validImei(10), validImei(11), validImei(12)].join(' ')
      expect((await lookUp({ identifier: three })).body.error.message).toContain('this text holds 3 IMEIs')
    })
  })

  test('a product barcode is rejected with the advice to scan the IMEI', async () => {
    for (const answer of [
      await lookUp({ identifier: '0194252707234' }),
      await service.ask('/api/appraisals', { key: buyer, json: { identifier: '4006381333931' } }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.body.error.message).toContain('product barcode (EAN or UPC), the same on every box: scan the IMEI')
      expect(answer.body.error.reason_code).toBe('product_barcode')
    }
  })
})

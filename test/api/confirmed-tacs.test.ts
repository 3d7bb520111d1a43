import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { LookupResultWire } from '../../src/contract/lookups.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { imeiWithCheckDigit } from '../../src/identifier/imei.ts'
import { tacConfirmationStore } from '../../src/risk/tac-confirmation-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { runInProcess } from '../support/program.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13'
/** A TAC in no bundled list. */
const imei = (tac: string, unit: number) => imeiWithCheckDigit(tac + String(unit).padStart(6, '0'))

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  let other: { readonly organizationId: string; readonly keys: { readonly enterprise: string } }
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    other = await service.newOrganization('Another shop')
  })
  afterAll(() => service.stop())

  const lookUp = async (identifier: string, key?: string): Promise<LookupResultWire> =>
    (await service.ask('/api/imei', { tier: 'enterprise', json: { identifier }, ...(key ? { key } : {}) })).body.data
  const appraise = async (request: object, key?: string) => {
    const requestOptions = { tier: 'enterprise' as const, json: request, ...(key ? { key } : {}) }
    expect((await service.ask('/api/appraisals', requestOptions)).status).toBe(200)
  }
  const evidence = ({ risk_factors: factors }: LookupResultWire) =>
    factors.find(({ code }) => code === 'tac_confirmed')?.message

  test('the model of an appraised IMEI is stored for its TAC, for that organization only', async () => {
    const tac = '35990171'
    expect((await lookUp(imei(tac, 1))).device_match.matched_device_id).toBeNull()
    await appraise({ device_id: PHONE, identifier: imei(tac, 1) })
    // One device may be mixed up: it takes two.
    expect((await lookUp(imei(tac, 2))).device_match.matched_device_id).toBeNull()
    await appraise({ device_id: PHONE, identifier: imei(tac, 2) })
    const found = await lookUp(imei(tac, 3))
    expect(found.device_match).toMatchObject({ matched_device_id: PHONE, confidence: 90 })
    expect(evidence(found)).toBe(`TAC ${tac} confirmed as iPhone 13 by your organization (2 devices).`)
    expect(found.risk_factors.map(({ code }) => code)).not.toContain('tac_not_listed')
    expect((await lookUp(imei(tac, 2), other.keys.enterprise)).device_match.matched_device_id).toBeNull()
  })

  test('one unit counts once, another adds to the count', async () => {
    const tac = '35990172'
    await appraise({ device_id: PHONE, identifier: imei(tac, 1) })
    await appraise({ device_id: PHONE, identifier: imei(tac, 1) })
    await appraise({ text: 'iPhone 13 128GB', identifier: imei(tac, 2) })
    const found = await lookUp(imei(tac, 3))
    expect(found.device_match.confidence).toBe(90)
    expect(evidence(found)).toContain('your organization (2 devices)')
  })

  test('a list of IMEIs with models confirms them as well, and a mistyped IMEI confirms nothing', async () => {
    const tac = '35990173'
    const items = [
      { device_id: PHONE, identifier: imei(tac, 1) },
      { device_id: PHONE, identifier: imei(tac, 3) },
      { device_id: PHONE, identifier: `${imei('35990174', 1).slice(0, 14)}x` },
      { device_id: PHONE, identifier: imei('35990174', 1).replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) },
    ]
    await service.ask('/api/appraisals/batch', { tier: 'enterprise', json: { items } })
    expect((await lookUp(imei(tac, 2))).device_match.matched_device_id).toBe(PHONE)
    expect((await lookUp(imei('35990174', 2))).device_match.matched_device_id).toBeNull()
  })

  test('a lookup that states the model confirms its TAC; one with a contradiction or without a model does not', async () => {
    const [single, listed, twice, vague] = ['35990181', '35990182', '35990183', '35990184'] as const
    const json = { identifier: imei(single, 1), model: PHONE }
    const response = await service.ask('/api/imei', { tier: 'enterprise', json })
    expect(response.body.data.device_match.matched_device_id).toBeNull()
    expect((await lookUp(imei(single, 2))).device_match.matched_device_id).toBeNull()
    const items = [
      { identifier: imei(listed, 1), model: 'Apple iPhone 13 128GB Midnight' },
      { identifier: imei(listed, 2), model: 'iPhone 13' },
      { identifier: imei(twice, 1), model: PHONE },
      { identifier: imei(twice, 1), model: 'apple-iphone-14' },
      { identifier: imei(vague, 1), model: 'a phone with a good camera' },
    ]
    expect((await service.ask('/api/imei/batch', { tier: 'enterprise', json: { items } })).status).toBe(200)
    const found = await lookUp(imei(listed, 3))
    expect(found.device_match).toMatchObject({ matched_device_id: PHONE, confidence: 90 })
    expect(evidence(found)).toContain('your organization (2 devices)')
    for (const tac of [twice, vague]) expect((await lookUp(imei(tac, 2))).device_match.matched_device_id).toBeNull()
    const tooLong = { identifier: imei(single, 1), model: 'x'.repeat(401) }
    expect((await service.ask('/api/imei', { tier: 'enterprise', json: tooLong })).status).toBe(400)
  })

  test('a stated model that is not recognised is reported, alone and in a batch, without points', async () => {
    const unknown = { identifier: imei('35990189', 1), model: 'a phone with a good camera' }
    const reports = ({ risk_factors }: { risk_factors: { code: string; points: number }[] }) =>
      risk_factors.filter(({ code }) => code === 'stated_model_unknown').map(({ points }) => points)
    const alone = await service.ask('/api/imei', { tier: 'enterprise', json: unknown })
    expect(reports(alone.body.data)).toEqual([0])
    const items = [unknown, { ...unknown, model: PHONE }, { identifier: unknown.identifier }]
    const batch = await service.ask('/api/imei/batch', { tier: 'enterprise', json: { items } })
    const results = batch.body.data.map((item: { result: Parameters<typeof reports>[0] }) => reports(item.result))
    expect(results).toEqual([[0], [], []])
  })

  test('imported rows with an IMEI confirm its TAC, and undoing the import removes the confirmation', async () => {
    const tac = '35990185'
    const owner = await member(service, service.organizationId, 'owner')
    await appraise({ device_id: PHONE, identifier: imei(tac, 9) })
    const row = (unit: string, model = 'iPhone 13 128GB') => `${model},${unit},Good,400,USD,2026-01-05`
    const wrongDigit = imei('35990186', 1).replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
    const lines = [
      'model,imei,condition,sold_price,currency,date',
      row(imei(tac, 1)),
      row(imei(tac, 9)),
      row(wrongDigit),
    ]
    const csv = [...lines, row(imei('35990187', 1)), row(imei('35990187', 1), 'iPhone 14 128GB')].join('\n')
    const run = (...options: string[]) => importText(opening, 'observations', 'stock.csv', csv, options)
    expect((await run()).counts.tacs_learned).toBeUndefined()
    expect((await run('--organization', service.organizationId)).counts).toMatchObject({
      observations: 5,
      tacs_learned: 1,
    })
    const units = async () =>
      (await owner.get('/api/manage/tacs')).body.data.own.find((each: { tac: string }) => each.tac === tac)?.units
    expect(await units()).toBe(2)
    for (const unlearned of ['35990186', '35990187'])
      expect((await lookUp(imei(unlearned, 2))).device_match.matched_device_id).toBeNull()
    const [{ id }] = (await owner.get('/api/manage/imports')).body.data
    expect((await owner.send('POST', `/api/manage/imports/${id}/undo`)).status).toBe(200)
    // The appraisal's confirmation stays; only the imported unit is removed.
    expect(await units()).toBe(1)
  })

  test('two organizations that agree confirm a TAC for all', async () => {
    const tac = '35990175'
    const third = await service.newOrganization('A third shop')
    await appraise({ device_id: PHONE, identifier: imei(tac, 1) })
    expect((await lookUp(imei(tac, 9), third.keys.enterprise)).device_match.matched_device_id).toBeNull()
    await appraise({ device_id: PHONE, identifier: imei(tac, 2) }, other.keys.enterprise)
    const found = await lookUp(imei(tac, 9), third.keys.enterprise)
    expect(found.device_match).toMatchObject({ matched_device_id: PHONE, confidence: 80 })
    expect(evidence(found)).toBe(`TAC ${tac} confirmed as iPhone 13 by 2 organizations.`)
  })

  test('two organizations with an address in common count as one, except if that address belongs to the operator', async () => {
    const [tac, supported] = ['35990190', '35990191']
    const { keys: ofThird } = await service.newOrganization('A third shop')
    const newShop = async (email: string) => {
      const shop = await service.newOrganization('One of several')
      await member(service, shop.organizationId, 'owner', email)
      return shop.keys.enterprise
    }
    const { email: shared } = await member(service, other.organizationId, 'owner')
    for (const key of [other.keys.enterprise, await newShop(shared)])
      await appraise({ device_id: PHONE, identifier: imei(tac, 1) }, key)
    expect((await lookUp(imei(tac, 9), ofThird.enterprise)).device_match.matched_device_id).toBeNull()
    const { email: staff } = await member(service, service.organizationId, 'owner')
    for (const key of [await newShop(staff), await newShop(staff)])
      await appraise({ device_id: PHONE, identifier: imei(supported, 1) }, key)
    expect((await lookUp(imei(supported, 9), ofThird.enterprise)).device_match.matched_device_id).toBe(PHONE)
  })

  test('a batch confirms at most 20 units of a model', async () => {
    const tac = '35990192'
    const items = Array.from({ length: 30 }, (_, unit) => ({ identifier: imei(tac, unit + 1), model: PHONE }))
    const batch = () => service.ask('/api/imei/batch', { tier: 'enterprise', json: { items } })
    expect((await batch()).status).toBe(200)
    const units = async () =>
      (await tacConfirmationStore(service.app.db).list(service.organizationId)).find((row) => row.tac === tac)?.units
    expect(await units()).toBe(20)
    expect((await batch()).status).toBe(200)
    expect(await units()).toBe(20)
  })

  test("an owner sees the organization's confirmations and deletes one; a member cannot", async () => {
    const tac = '35990176'
    await appraise({ device_id: PHONE, identifier: imei(tac, 1) })
    const owner = await member(service, service.organizationId, 'owner')
    const someone = await member(service, service.organizationId, 'manager')
    const listed = (await someone.get('/api/manage/tacs')).body.data.own
    expect(listed.find((row: { tac: string }) => row.tac === tac)).toMatchObject({ device_id: PHONE, units: 1 })
    const path = `/api/manage/tacs/${tac}?device_id=${PHONE}`
    expect((await someone.send('DELETE', path)).status).toBe(403)
    expect((await owner.send('DELETE', path)).status).toBe(200)
    expect((await owner.send('DELETE', path)).status).toBe(404)
    expect((await lookUp(imei(tac, 2))).device_match.matched_device_id).toBeNull()
    const [newest] = (await owner.get('/api/manage/audit')).body.data
    expect(newest).toMatchObject({ action: 'tac.forgotten', subject: tac })
  })

  test('the operator sees all organizations, confirms a model for all and revokes it; others cannot', async () => {
    const tac = '35990188'
    await appraise({ device_id: PHONE, identifier: imei(tac, 1) }, other.keys.enterprise)
    const operator = await member(service, service.organizationId, 'owner')
    const owner = await member(service, other.organizationId, 'owner')
    const path = `/api/manage/tacs/${tac}`
    const removal = `${path}?device_id=${PHONE}&scope=all`
    const body = { device_id: PHONE }
    const listed = async () =>
      (await operator.get('/api/manage/tacs')).body.data.all.find((each: { tac: string }) => each.tac === tac)
    expect(await listed()).toMatchObject({ organizations: 1, units: 1, confirmed_for_all: false })
    expect((await owner.get('/api/manage/tacs')).body.data.all).toBeNull()
    expect((await owner.send('PUT', path, body)).status).toBe(403)
    expect((await owner.send('DELETE', removal)).status).toBe(403)
    expect((await operator.send('PUT', path, body)).status).toBe(200)
    expect(await listed()).toMatchObject({ organizations: 1, units: 1, confirmed_for_all: true })
    expect((await lookUp(imei(tac, 2))).device_match).toMatchObject({ matched_device_id: PHONE, confidence: 90 })
    expect((await operator.send('DELETE', removal)).status).toBe(200)
    expect((await lookUp(imei(tac, 2))).device_match.matched_device_id).toBeNull()
    const actions = (await operator.get('/api/manage/audit')).body.data.slice(0, 2)
    expect(actions).toMatchObject([{ action: 'tac.forgotten' }, { action: 'tac.confirmed', subject: tac }])
  })

  test('the operator confirms for all on the command line and revokes it', async () => {
    const tac = '35990177'
    const environment = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url }
    const path = `/api/manage/tacs/${tac}`
    const run = (...args: string[]) => runInProcess(['api', ...args], environment)
    const forget = () => run('DELETE', path, `device_id=${PHONE}`, 'scope=all')
    expect((await run('PUT', path, `device_id=${PHONE}`)).code).toBe(0)
    const listed = await run('GET', '/api/manage/tacs')
    expect(JSON.parse(listed.stdout).all).toContainEqual(expect.objectContaining({ tac, device_id: PHONE }))
    const found = await lookUp(imei(tac, 1))
    expect(found.device_match).toMatchObject({ matched_device_id: PHONE, confidence: 90 })
    expect(evidence(found)).toBe(`TAC ${tac} confirmed as iPhone 13 by the operator.`)
    expect((await forget()).code).toBe(0)
    expect((await forget()).code).toBe(1)
    expect((await run('PUT', '/api/manage/tacs/123', `device_id=${PHONE}`)).code).toBe(1)
    const { confirmations } = tacConfirmationStore(service.app.db)
    expect((await confirmations([tac])).size).toBe(0)
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { ecbXml, serveEcbRates } from '../support/ecb.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const TODAY = dayOf(Date.now())
const PHONE = 'apple-iphone-13-128gb-midnight'

onDatabaseOfSuite((store) => {
  let service: TestService
  let respond: () => Response
  const ecb = serveEcbRates(() => respond())
  beforeAll(async () => {
    service = await startService(await store.open(), {}, { ecbRatesUrl: ecb.url })
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
  })
  afterAll(async () => {
    await service.stop()
    await ecb.stop()
  })

  test('an owner of the operating organization updates the rates, and prices use them at once', async () => {
    respond = () => new Response(ecbXml(TODAY, { USD: 1.25, CHF: 1 }), { headers: { 'Content-Type': 'text/xml' } })
    const owner = await member(service, service.organizationId, 'owner')
    const before = (await owner.get('/api/manage/rates')).body.data
    expect(before.find((rate: { currency: string }) => rate.currency === 'CHF').source).toBe('ecb')
    const { status, body } = await owner.send('POST', '/api/manage/rates/update')
    expect(status).toBe(200)
    expect(body.data).toContainEqual({
      currency: 'CHF',
      rate: 0.8,
      date: TODAY,
      stale: false,
      source: 'imported',
    })
    const priced = await service.ask(`/api/pricing?variant_id=${PHONE}&currency=CHF`, { tier: 'paid' })
    expect(priced.body.data.exchange_rate).toEqual({ rate: 0.8, date: TODAY, stale: false, source: 'imported' })
    const [run] = (await owner.get('/api/manage/imports')).body.data
    expect(run).toMatchObject({ format: 'rates', file: 'feed ecb', state: 'done' })
  })

  test('a source that fails is a clear error and changes nothing', async () => {
    respond = () => new Response('down', { status: 500 })
    const owner = await member(service, service.organizationId, 'owner')
    const before = (await owner.get('/api/manage/rates')).body.data
    const { status, body } = await owner.send('POST', '/api/manage/rates/update')
    expect({ status, message: body.error.message }).toEqual({
      status: 503,
      message: 'The feed ecb responded with status 500.',
    })
    expect((await owner.get('/api/manage/rates')).body.data).toEqual(before)
  })

  test('members and other organizations see the rates but cannot update them', async () => {
    const other = await service.newOrganization('Other')
    const clerk = await member(service, service.organizationId, 'manager')
    const stranger = await member(service, other.organizationId, 'owner')
    for (const person of [clerk, stranger]) {
      expect((await person.get('/api/manage/rates')).status).toBe(200)
      expect((await person.send('POST', '/api/manage/rates/update')).status).toBe(403)
    }
  })
})

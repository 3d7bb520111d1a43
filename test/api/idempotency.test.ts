import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpoints } from '../../src/contract/endpoints.ts'
import { hashBody } from '../../src/records/idempotency.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

test('every POST takes an Idempotency-Key or can be repeated without harm', () => {
  const unclear = endpoints.filter(
    ({ method, idempotency, isIdempotent }) => method === 'POST' && idempotency === null && !isIdempotent,
  )
  expect(unclear.map(({ route }) => route)).toEqual([])
})

onDatabaseOfSuite((store) => {
  let service: TestService
  let operatorKey: string
  beforeAll(async () => {
    service = await startService(await store.open())
    const newKey = { tier: 'enterprise', name: 'Operator', expiresAt: null, rights: ['operate'] } as const
    operatorKey = (await service.app.auth.createKey(service.organizationId, newKey, OPERATOR, Date.now())).secret
  })
  afterAll(() => service.stop())

  const createOrganization = (idempotencyKey: string, name: string) =>
    service.ask('/api/manage/organizations', {
      key: operatorKey,
      json: { name },
      headers: { 'Idempotency-Key': idempotencyKey },
    })
  const organizationsNamed = async (name: string) =>
    (await service.app.auth.organizations()).filter((organization) => organization.name === name)

  test('the same key and body create one organization', async () => {
    const first = await createOrganization('once', 'Once')
    const second = await createOrganization('once', 'Once')
    expect(first.headers.get('Idempotency-Replayed')).toBeNull()
    expect(second.headers.get('Idempotency-Replayed')).toBe('true')
    expect(second.body.data).toEqual(first.body.data)
    expect(await organizationsNamed('Once')).toHaveLength(1)
  })

  test('requests at the same time create one organization', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => createOrganization('together', 'Together')))
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await organizationsNamed('Together')).toHaveLength(1)
  })

  test('the same key with another body is rejected', async () => {
    await createOrganization('other-body', 'First body')
    const { status, body } = await createOrganization('other-body', 'Second body')
    expect({ status, field: body.error.details[0].field }).toEqual({ status: 400, field: 'Idempotency-Key' })
    expect(await organizationsNamed('Second body')).toEqual([])
  })

  test('of requests at the same moment with one key and different bodies one is served', async () => {
    const bodies: Record<string, (n: number) => object> = {
      '/api/imei': (n) => ({ identifier: '490154203237518', reference: `R-${n}` }),
      '/api/appraisals': (n) => ({ text: 'iPhone 13 128GB', condition: 'Good', reference: `R-${n}` }),
      '/api/appraisals/batch': (n) => ({ items: [{ text: `iPhone 13 128GB R-${n}` }] }),
      '/api/lists': (n) => ({ name: `List ${n}`, header: ['Model'] }),
    }
    for (const [path, bodyOf] of Object.entries(bodies)) {
      const headers = { 'Idempotency-Key': `different-${path}` }
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) => service.ask(path, { tier: 'enterprise', json: bodyOf(n), headers })),
      )
      const served = responses.filter(({ status }) => status === 200)
      expect([path, served.length]).toEqual([path, 1])
      expect(served[0]?.headers.get('Idempotency-Replayed')).toBeNull()
      for (const { status, body } of responses.filter((response) => response !== served[0]))
        expect([status, body.error.details[0].field]).toEqual([400, 'Idempotency-Key'])
    }
  })

  test('a request that failed can be repeated with the same key', async () => {
    const send = (body: object) =>
      service.ask('/api/manage/organizations', {
        key: operatorKey,
        json: { name: 'After a failure', market: 'nowhere', ...body },
        headers: { 'Idempotency-Key': 'failed' },
      })
    expect((await send({})).status).toBe(400)
    expect((await send({})).status).toBe(400)
    expect((await send({ market: 'de' })).status).toBe(200)
  })

  test('a request that a killed process began is not run again', async () => {
    const body = { name: 'Interrupted' }
    const request = { key: 'killed', bodyHash: hashBody('POST /api/manage/organizations', body) }
    await recordStore(service.app.db).beginClaim(service.organizationId, request, Date.now())
    const { status, body: response } = await createOrganization('killed', body.name)
    expect(status).toBe(400)
    expect(response.error.message).toContain('check whether it took effect')
    expect(await organizationsNamed(body.name)).toEqual([])
  })

  test('a session has the rule too', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const request = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
    const create = () => owner.send('POST', '/api/appraisals', request, { 'Idempotency-Key': 'page' })
    const [first, second] = [await create(), await create()]
    expect(second.headers.get('Idempotency-Replayed')).toBe('true')
    expect(second.body.data.appraisal_id).toBe(first.body.data.appraisal_id)
  })

  test('a repeated request never shows a secret again', async () => {
    const create = () =>
      service.ask('/api/manage/keys', {
        key: operatorKey,
        json: { name: 'Shown once', tier: 'public' },
        headers: { 'Idempotency-Key': 'secret' },
      })
    const [first, second] = [await create(), await create()]
    expect(first.body.data.secret).toStartWith('pk_')
    expect(second.headers.get('Idempotency-Replayed')).toBe('true')
    expect(second.body.data).toEqual({ key: first.body.data.key })
  })

  test('a repeated invitation or password reset never shows its link again', async () => {
    const clerk = await member(service, service.organizationId, 'clerk')
    const members = (await service.ask('/api/manage/members', { key: operatorKey })).body.data
    const { id } = members.find(({ email }: { email: string }) => email === clerk.email)
    for (const [path, json] of [
      ['/api/manage/invitations', { email: 'once@example.test', role: 'clerk' }],
      [`/api/manage/members/${id}/link`, undefined],
    ] as const) {
      const create = () =>
        service.ask(path, {
          key: operatorKey,
          method: 'POST',
          ...(json ? { json } : {}),
          headers: { 'Idempotency-Key': `link ${path}` },
        })
      const [first, second] = [await create(), await create()]
      const { link, ...rest } = first.body.data
      expect(link).toContain('/dashboard/join#')
      expect(second.headers.get('Idempotency-Replayed')).toBe('true')
      expect(second.body.data).toEqual(rest)
    }
  })

  test('a change that needs no key rejects the header instead of ignoring it', async () => {
    const { status, body } = await service.ask('/api/manage/settings', {
      key: operatorKey,
      method: 'PATCH',
      json: {},
      headers: { 'Idempotency-Key': 'ignored' },
    })
    expect({ status, field: body.error.details[0].field }).toEqual({ status: 400, field: 'Idempotency-Key' })
  })
})

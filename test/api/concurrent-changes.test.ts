import { afterAll, beforeAll, expect, test } from 'bun:test'
import { KEY_RIGHTS } from '../../src/contract/tiers.ts'
import { onBothDatabases } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const DEVICE = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }

onBothDatabases((store) => {
  let service: TestService
  let key: string
  beforeAll(async () => {
    service = await startService(await store.open())
    const newKey = { tier: 'enterprise', name: 'Many hands', expiresAt: null, rights: KEY_RIGHTS } as const
    key = (await service.app.auth.createKey(service.organizationId, newKey, OPERATOR, Date.now())).secret
  })
  afterAll(() => service.stop())

  const send = (method: string, path: string, json?: unknown) => service.ask(path, { key, method, json })
  const statusesOf = async (requests: readonly ReturnType<typeof send>[]) =>
    (await Promise.all(requests)).map(({ status }) => status)
  const accepted = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length

  test('terms of the buying policy that are changed at the same moment are all stored', async () => {
    const terms = { target_margin_percent: 21, min_profit: 1234, min_confidence: 33, clerk_offer_limit: 55_555 }
    const requests = Object.entries(terms).map(([name, value]) =>
      send('PATCH', '/api/manage/settings', { policy: { [name]: value } }),
    )
    expect(await statusesOf(requests)).toEqual([200, 200, 200, 200])
    const { body } = await send('GET', '/api/manage/settings')
    expect(body.data.policy.policy).toMatchObject(terms)
  })

  test('words that are taught at the same moment are all learnt', async () => {
    const list = (await send('POST', '/api/lists', { name: 'Words', header: ['Model', 'Grade'] })).body.data.id
    const words = Array.from({ length: 10 }, (_, at) => `kratzer${String.fromCharCode(97 + at)}`)
    const teach = (word: string) => send('PATCH', `/api/lists/${list}`, { words: [{ word, condition: 'Fair' }] })
    expect(accepted(await statusesOf(words.map(teach)))).toBe(10)
    const { body } = await send('GET', `/api/lists/${list}`)
    expect(body.data.words.map(({ word }: { word: string }) => word).sort()).toEqual(words)
  })

  test('of invitations to one address at the same moment the last one counts', async () => {
    const invite = () => send('POST', '/api/manage/invitations', { email: 'invited@shop.example', role: 'clerk' })
    expect(accepted(await statusesOf(Array.from({ length: 6 }, invite)))).toBe(6)
    const { body } = await send('GET', '/api/manage/invitations')
    expect(body.data).toHaveLength(1)
  })

  test('limits hold for requests at the same moment', async () => {
    const { appraisal_id: id } = (await send('POST', '/api/appraisals', DEVICE)).body.data
    const shares = Array.from({ length: 30 }, () => send('POST', `/api/appraisals/${id}/shares`, { facts: ['device'] }))
    expect(accepted(await statusesOf(shares))).toBe(20)
    const webhooks = Array.from({ length: 30 }, (_, at) =>
      send('POST', '/api/manage/webhooks', { url: `https://shop.example/${at}` }),
    )
    const created = accepted(await statusesOf(webhooks))
    const { body } = await send('GET', '/api/manage/webhooks')
    expect([created, body.data.length]).toEqual([20, 20])
  })

  test('rows that are sent while their list is removed leave nothing behind', async () => {
    const list = (await send('POST', '/api/lists', { name: 'Removed', header: ['Model', 'Grade'] })).body.data.id
    const rows = Array.from({ length: 40 }, (_, at) => ({ line: at + 2, cells: ['iPhone 13 128GB Midnight', 'Good'] }))
    const sent = send('PATCH', `/api/lists/${list}`, { rows })
    const removed = await send('DELETE', `/api/lists/${list}`)
    expect([removed.status, [200, 404].includes((await sent).status)]).toEqual([200, true])
    const left = await service.app.db.query
      .selectFrom('device_list_row')
      .select('line')
      .where('list_id', '=', list)
      .execute()
    expect(left).toEqual([])
  })

  test('a row that is changed by several requests at the same moment leaves one offer', async () => {
    const list = (await send('POST', '/api/lists', { name: 'Edited', header: ['Model', 'Grade'] })).body.data.id
    // Rows of a list are not among the offers of the day.
    const total = async () => (await service.app.db.query.selectFrom('appraisal').select('id').execute()).length
    const before = await total()
    const change = () =>
      send('PATCH', `/api/lists/${list}`, { rows: [{ line: 2, cells: ['iPhone 13 128GB', 'Good'] }] })
    expect(await statusesOf(Array.from({ length: 5 }, change))).toEqual([200, 200, 200, 200, 200])
    expect((await total()) - before).toBe(1)
  })

  test('a line that is sent twice in one request is rejected', async () => {
    const list = (await send('POST', '/api/lists', { name: 'Twice', header: ['Model', 'Grade'] })).body.data.id
    const row = { line: 2, cells: ['iPhone 13 128GB Midnight', 'Good'] }
    const { status, body } = await send('PATCH', `/api/lists/${list}`, { rows: [row, row] })
    expect([status, body.error.details[0].field]).toEqual([400, 'rows'])
    expect(body.error.message).toContain('each line once')
  })
})

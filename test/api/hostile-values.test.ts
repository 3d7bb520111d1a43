import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Endpoint, endpoints, examplePath } from '../../src/contract/endpoints.ts'
import { KEY_RIGHTS } from '../../src/contract/tiers.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

/** Values that databases, dates and numbers take differently. */
const HOSTILE: readonly unknown[] = [
  'a\u0000b',
  '\ud800',
  'x'.repeat(3_000),
  '9'.repeat(30),
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  '',
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  null,
  [],
  {},
]
const HOSTILE_PARAMETERS = ['a\u0000b', 'x'.repeat(3_000), '9'.repeat(30), '2026-02-30', '-1']

/** The body once for each of its fields and each hostile value of it; of a list, its first item. */
function* withHostileValues(body: unknown): Generator<unknown> {
  if (body === undefined) return
  yield* HOSTILE
  if (Array.isArray(body)) {
    const [first, ...others] = body
    for (const changed of withHostileValues(first)) yield [changed, ...others]
  } else if (typeof body === 'object' && body !== null)
    for (const [name, value] of Object.entries(body))
      for (const changed of withHostileValues(value)) yield { ...body, [name]: changed }
}

const parameterNames = ({ query }: Endpoint) => ('shape' in query ? Object.keys(query.shape as object) : [])

/** They ask another server. */
const ASKS_OTHERS = new Set(['updateRates', 'testSource', 'runFeed', 'sendTestMail'])

onDatabaseOfSuite((store) => {
  let service: TestService
  let key: string
  beforeAll(async () => {
    service = await startService(await store.open())
    const newKey = { tier: 'enterprise', name: 'Hostile', expiresAt: null, rights: KEY_RIGHTS } as const
    key = (await service.app.auth.createKey(service.organizationId, newKey, OPERATOR, Date.now())).secret
  })
  afterAll(() => service.stop())

  const send = (method: string, path: string, json?: unknown) => service.ask(path, { key, method, json })
  const create = async (path: string, json: unknown): Promise<string> => {
    const { status, body } = await send('POST', path, json)
    expect({ path, status }).toEqual({ path, status: 200 })
    const { id, appraisal_id, key: made, webhook } = body.data
    return id ?? appraisal_id ?? (made ?? webhook).id
  }
  const newAppraisal = () =>
    create('/api/appraisals', { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' })
  async function newPurchase(): Promise<string> {
    const id = await newAppraisal()
    await send('POST', `/api/appraisals/${id}/outcome`, { status: 'bought', price: 12_000 })
    return id
  }

  /** A record of this service for each kind of id in the examples. */
  const NEW_RECORDS: Readonly<Record<string, () => Promise<string>>> = {
    lkp: async () => (await send('POST', '/api/imei', { identifier: '490154203237518' })).body.data.lookup_id,
    apr: newPurchase,
    list: () =>
      create('/api/lists', { name: 'Lot.csv', header: ['text', 'condition'], columns: ['text', 'condition'] }),
    wat: () => create('/api/watches', { variant_id: 'apple-iphone-13-128gb-midnight', threshold_percent: 5 }),
    key: () => create('/api/manage/keys', { name: 'Other', tier: 'public' }),
    whk: () => create('/api/manage/webhooks', { url: 'https://receiver.example/hook' }),
    org: async () => (await service.newOrganization('Other')).organizationId,
    upl: () => create('/api/manage/uploads', { format: 'observations', file: 'prices.csv', bytes: 9 }),
  }
  async function ownPath(endpoint: Endpoint): Promise<string> {
    const [id = '', kind = ''] = /([a-z]+)_[0-9A-Za-z]{17,}/.exec(examplePath(endpoint)) ?? []
    const record = await NEW_RECORDS[kind]?.()
    return record ? examplePath(endpoint).replace(id, record) : examplePath(endpoint)
  }

  test('no value of any parameter or field of any request is an error of the service', async () => {
    const failures: string[] = []
    for (const endpoint of endpoints) {
      const { id, method } = endpoint
      if (ASKS_OTHERS.has(id)) continue
      const path = await ownPath(endpoint)
      const { body } = endpoint.examples[0]
      const requests = [
        ...[...withHostileValues(body)].map((changed) => ({ url: path, body: changed })),
        ...parameterNames(endpoint).flatMap((name) =>
          HOSTILE_PARAMETERS.map((value) => ({
            url: `${path}?${name}=${encodeURIComponent(value)}`,
            body,
          })),
        ),
      ]
      for (const { url, body } of requests) {
        const { status } = await send(method, url, body)
        if (status >= 500) failures.push(`${method} ${url} ${JSON.stringify(body)?.slice(0, 300)}: ${status}`)
      }
    }
    expect(failures).toEqual([])
  })
})

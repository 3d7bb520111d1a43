import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type Endpoint, endpoints, examplePath } from '../../src/contract/endpoints.ts'
import { KEY_RIGHTS } from '../../src/contract/tiers.ts'
import { member } from '../support/browser-session.ts'
import { onBothDatabases } from '../support/databases.ts'
import { OPERATOR, startService, type TestResponse, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

/** Tables that count or log requests, or hold what the service does by itself. */
const NOT_OF_REQUESTS =
  /^(idempotency|usage_|request_log|change$|setting$|session|source_cache|job|upload_part|search|webhook_delivery)/
const DEVICE = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
const CREATES = endpoints.filter(({ idempotency }) => idempotency !== null)

/** Two processes on one database, and every operation that takes an idempotency key. */
onBothDatabases((store) => {
  let services: readonly [TestService, TestService]
  let key: string
  let otherKey: string
  beforeAll(async () => {
    const opening = await store.open()
    services = [await startService(opening), await startService(opening)]
    const [first, second] = services
    const newKey = { tier: 'enterprise', name: 'Repeats', expiresAt: null, rights: KEY_RIGHTS } as const
    key = (await first.app.auth.createKey(first.organizationId, newKey, OPERATOR, Date.now())).secret
    const { organizationId } = await first.newOrganization('Neighbour')
    otherKey = (await first.app.auth.createKey(organizationId, newKey, OPERATOR, Date.now())).secret
    await waitUntil(async () => (await second.ask('/api/appraisals', { key: otherKey })).status === 200, {
      describe: 'the keys are known to the second process',
    })
  })
  afterAll(() => Promise.all(services.map((service) => service.stop())))

  const send = (at: 0 | 1, path: string, json?: unknown, idempotencyKey?: string, by = key) =>
    services[at].ask(path, {
      key: by,
      method: 'POST',
      ...(json === undefined ? {} : { json }),
      ...(idempotencyKey ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
    })
  const create = async (path: string, json: unknown) => {
    const { status, body } = await send(0, path, json)
    expect({ path, status }).toEqual({ path, status: 200 })
    return body.data
  }
  const createAppraisal = async (): Promise<string> => (await create('/api/appraisals', DEVICE)).appraisal_id
  const NEW_RECORDS: Readonly<Record<string, () => Promise<string>>> = {
    apr: createAppraisal,
    whk: async () => (await create('/api/manage/webhooks', { url: 'https://receiver.example/hook' })).webhook.id,
    key: async () => (await create('/api/manage/keys', { name: 'Rotated', tier: 'public' })).key.id,
    mem: async () => {
      const clerk = await member(services[0], services[0].organizationId, 'clerk')
      const members = (await services[0].ask('/api/manage/members', { key })).body.data
      return members.find(({ email }: { email: string }) => email === clerk.email).id
    },
  }
  /** A request that creates something new: ids of examples are replaced by those of records of this service. */
  async function newRequest({ id, examples, ...endpoint }: Endpoint, number: number) {
    const path = examplePath({ id, examples, ...endpoint } as Endpoint)
    const kind = id === 'createMemberLink' ? 'mem' : /\/([a-z]+)_[0-9A-Za-z]{17,}/.exec(path)?.[1]
    const record = kind ? await NEW_RECORDS[kind]?.() : undefined
    const ownPath = record ? path.replace(/[a-z]+_[0-9A-Za-z]{17,}/, record) : path
    const text = JSON.stringify(examples[0].body ?? null)
    const body = JSON.parse(
      text.includes('apr_') ? text.replaceAll(/apr_[0-9A-Z]{26}/g, await createAppraisal()) : text,
    )
    if (typeof body?.email === 'string') body.email = `repeated-${number}@shop.example`
    return { path: ownPath, body: body ?? undefined }
  }

  /** The same request with another body; undefined if it has none. */
  function changed(body: Readonly<Record<string, unknown>> | undefined): unknown {
    const fields = { identifier: '356938035643809', condition: 'Poor', price: 12_345, email: 'changed@shop.example' }
    for (const [name, value] of Object.entries(fields)) if (body?.[name]) return { ...body, [name]: value }
    for (const name of ['name', 'url', 'note', 'file']) if (body?.[name]) return { ...body, [name]: `${body[name]}x` }
    const [list] = Object.entries(body ?? {}).filter(([, value]) => Array.isArray(value) && value.length > 0)
    return list && { ...body, [list[0]]: [...(list[1] as unknown[]), (list[1] as unknown[])[0]] }
  }

  async function countRows(): Promise<Record<string, number>> {
    const { db } = services[0].app
    const names =
      db.admin.dialect === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`
        : sql<{
            name: string
          }>`select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`
    const counts: Record<string, number> = {}
    for (const { name } of (await names.execute(db.query)).rows) {
      if (NOT_OF_REQUESTS.test(name)) continue
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db.query)
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  }
  const isReplay = ({ headers }: TestResponse) => headers.get('Idempotency-Replayed') === 'true'

  let number = 0
  for (const endpoint of CREATES) {
    const { route, secretFields, idempotency } = endpoint
    test(`${route}: six requests at the same moment through two processes take effect once`, async () => {
      const { path, body } = await newRequest(endpoint, ++number)
      const idempotencyKey = `once-${number}`
      const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => send(at as 0 | 1, path, body, idempotencyKey)))
      const statuses = [...new Set(answers.map(({ status }) => status))]
      const [first, ...others] = answers.filter((answer) => answer.status === 200 && !isReplay(answer))
      if (!first) {
        // The example cannot take effect here, such as a backup with PostgreSQL; then it does not in any of them.
        expect(answers.filter(({ status }) => status === 200 || status >= 500)).toEqual([])
        return
      }
      expect(others).toHaveLength(0)
      // Another process may still be running the operation: the response then says so.
      expect(statuses.filter((status) => status !== 200)).toEqual(
        idempotency === 'recorded' && statuses.includes(400) ? [400] : [],
      )
      const withoutSecrets = Object.fromEntries(
        Object.entries(first.body.data).filter(([name]) => !secretFields.includes(name)),
      )
      const expected = Array.isArray(first.body.data) ? first.body.data : withoutSecrets

      const before = await countRows()
      for (const at of [0, 1] as const) {
        const again = await send(at, path, body, idempotencyKey)
        expect({ status: again.status, isReplay: isReplay(again) }).toEqual({ status: 200, isReplay: true })
        expect(again.body.data).toEqual(expected)
        const other = changed(body)
        if (other === undefined) continue
        const rejected = await send(at, path, other, idempotencyKey)
        expect({ other, status: rejected.status, field: rejected.body.error?.details[0].field }).toEqual({
          other,
          status: 400,
          field: 'Idempotency-Key',
        })
      }
      expect(await countRows()).toEqual(before)
      // The key of one organization means nothing in another.
      const elsewhere = await send(1, path, body, idempotencyKey, otherKey)
      expect(isReplay(elsewhere)).toBe(false)
    })
  }

  test('a change that takes no idempotency key rejects one before it takes effect', async () => {
    const before = await countRows()
    const accepted: string[] = []
    for (const endpoint of endpoints) {
      if (endpoint.method === 'GET' || endpoint.idempotency !== null) continue
      const [example] = endpoint.examples
      const { status, body } = await services[0].ask(`${examplePath(endpoint)}?${new URLSearchParams(example.query)}`, {
        key,
        method: endpoint.method,
        ...(example.body === undefined ? {} : { json: example.body }),
        headers: { 'Idempotency-Key': 'anything' },
      })
      if (status !== 400 || body.error.details[0].field !== 'Idempotency-Key') accepted.push(endpoint.route)
    }
    expect(accepted).toEqual([])
    expect(await countRows()).toEqual(before)
  })

  test('of requests that two processes would answer alike, one is the first and the others repeat it', async () => {
    const unknown = { items: [{ appraisal_id: 'apr_01KXBSMZ00HJMNPQRSTVWXYZ12', status: 'bought', price: 10_000 }] }
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all(
        ([0, 1, 0, 1] as const).map((at) => send(at, '/api/appraisals/outcomes/batch', unknown, `alike-${round}`)),
      )
      expect(answers.map(isReplay).sort()).toEqual([false, true, true, true])
    }
  })

  test('a clerk who repeats a request of an owner sees no margins', async () => {
    const [service] = services
    const [owner, clerk] = [
      await member(service, service.organizationId, 'owner'),
      await member(service, service.organizationId, 'clerk'),
    ]
    const ask = (person: typeof owner) =>
      person.send('POST', '/api/appraisals', DEVICE, { 'Idempotency-Key': 'of two people' })
    const [first, second] = [await ask(owner), await ask(clerk)]
    expect(second.headers.get('Idempotency-Replayed')).toBe('true')
    const { appraisal_id: id } = second.body.data
    expect(id).toBe(first.body.data.appraisal_id)
    const { body } = await clerk.get(`/api/appraisals/${id}`)
    expect(second.body.data).toEqual(body.data)
    expect(second.body.data).not.toEqual(first.body.data)
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { idLowerBound, sortableIdShape } from '../../src/lib/id.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const TODAY = dayOf(Date.now())
const OWN = 29_000
const REASON = 'moves_own_price'

type Shop = Awaited<ReturnType<TestService['newShop']>> & { readonly till: string }

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  let db: Database
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, { SAMPLE_DATA: 'off' })
    db = await openDatabase(opening)
  })
  afterAll(async () => {
    await db.close()
    await service.stop()
  })

  const pricing = async ({ buyer }: Shop, type = 'both') =>
    (await service.ask(`/api/pricing?variant_id=${PHONE}&pricing_type=${type}`, { key: buyer })).body.data
  const priceOf = async (shop: Shop): Promise<number> => (await pricing(shop)).resale.current.Good

  const row = (id: string, cents: number, more: object = {}) => ({
    ...{
      listing_id: id,
      variant_id: PHONE,
      condition: 'Good',
      observed_at: TODAY,
      side: 'sold',
      amount: Math.round(cents),
    },
    ...more,
  })
  const contribute = async ({ till }: Shop, rows: object[]) =>
    (await service.ask('/api/observations', { key: till, json: { observations: rows } })).body.data
  const csv = (rows: readonly (readonly [string, number])[]) =>
    [
      'listing_id,variant_id,condition,price,currency,date,side',
      ...rows.map(([id, cents]) => `${id},${PHONE},Good,${(cents / 100).toFixed(2)},USD,${TODAY},sold`),
    ].join('\n')

  /** Lets all prices and deals of an organization have arrived two days ago. */
  async function age({ organizationId }: Shop): Promise<void> {
    const before = Date.now() - 2 * DAY_MS
    await db.transaction(async (tx) => {
      const runs = await tx
        .selectFrom('observation')
        .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
        .select('import_id')
        .distinct()
        .where('organization_id', '=', organizationId)
        .execute()
      for (const { import_id } of runs)
        await tx
          .updateTable('observation_import')
          .set({ run_id: `${idLowerBound(sortableIdShape('imp'), before)}${import_id}` })
          .where('id', '=', import_id ?? 0)
          .execute()
      await tx
        .updateTable('appraisal_outcome')
        .set({ updated_at: before })
        .where('organization_id', '=', organizationId)
        .execute()
    })
  }

  let shops = 0
  async function newShop(): Promise<Shop> {
    const shop = await service.newShop(`Shop ${++shops}`)
    const key = { tier: 'public', name: 'till', expiresAt: null, rights: ['contribute'] } as const
    const { secret } = await service.app.auth.createKey(shop.organizationId, key, OPERATOR, Date.now())
    return { ...shop, till: secret }
  }
  /** A shop whose offers rest on its own prices. */
  async function settledShop(): Promise<Shop> {
    const shop = await newShop()
    const rows = Array.from({ length: 20 }, (_, at) => row(`old-${at}`, OWN * (0.97 + at * 0.003)))
    expect((await contribute(shop, rows)).accepted).toBe(20)
    await age(shop)
    const isServed = async () => (await pricing(shop)).data_points === 20
    await waitUntil(isServed, { describe: 'the own prices' })
    return shop
  }
  const many = (count: number, factor: number, more: object = {}) =>
    Array.from({ length: count }, (_, at) => row(`new-${factor}-${at}`, OWN * factor, more))

  async function deal({ buyer }: Shop, price: number, more: object = {}) {
    const appraised = await service.ask('/api/appraisals', {
      key: buyer,
      json: { variant_id: PHONE, condition: 'Good' },
    })
    const path = `/api/appraisals/${appraised.body.data.appraisal_id}/outcome`
    await service.ask(path, {
      key: buyer,
      json: { status: 'bought', price: Math.round(OWN * 0.6), confirm_amount: true },
    })
    return service.ask(path, { key: buyer, json: { status: 'sold', price: Math.round(price), ...more } })
  }

  test('the first list of a shop counts at once, however far it is from the estimate', async () => {
    const shop = await newShop()
    const results = await contribute(shop, many(20, 1.6))
    expect(results).toMatchObject({ accepted: 20, rejected: 0 })
    await waitUntil(async () => (await pricing(shop)).data_points >= 20, { describe: 'the own prices' })
    expect((await pricing(shop)).source_count).toBe(1)
    const [own, ...others] = (await pricing(shop)).sources
    expect(own).toMatchObject({ kind: 'own', name: null, side: 'resale', observations: 20, weight: 100 })
    // Of a list of today, its price is what the page explains the difference with.
    expect(own.good / (OWN * 1.6)).toBeWithin(0.99, 1.01)
    expect(others).toEqual([])
    const inEuros = (await service.ask(`/api/pricing?variant_id=${PHONE}&currency=EUR`, { key: shop.buyer })).body.data
    expect(inEuros.sources[0].good / own.good).toBeCloseTo(inEuros.exchange_rate.rate, 2)
    expect(await pricing(shop, 'buyback')).toMatchObject({ source_count: 0, sources: [] })
    expect(await pricing(await newShop())).toMatchObject({ source_count: 0, sources: [] })
  })

  for (const factor of [1.6, 0.5])
    test(`own prices: one request, many requests and deals of a day with ${factor} times the price move it by less than a third`, async () => {
      const shop = await settledShop()
      const before = await priceOf(shop)
      const results = await contribute(shop, many(30, factor))
      expect(results).toMatchObject({ accepted: 2, rejected: 28, rejected_by: { [REASON]: 28 } })
      expect(results.results[2].detail).toMatch(/your own prices say \$2\d\d/)
      for (let at = 0; at < 10; at++)
        expect((await contribute(shop, [row(`single-${at}`, OWN * factor)])).accepted).toBe(0)
      const refused = await deal(shop, OWN * factor)
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'price'])
      expect(refused.body.error.message).toContain('near your own prices of this device ($2')
      expect(refused.body.error.message).toContain('"confirm_amount": true')
      const isServed = async () => (await pricing(shop)).data_points >= 22
      await waitUntil(isServed, { describe: 'the two prices that count' })
      expect(Math.abs((await priceOf(shop)) / before - 1)).toBeLessThan(1 / 3)

      // A confirmation counts, and so do later prices of that level.
      expect((await contribute(shop, many(5, factor * 1.02, { confirm_amount: true }))).accepted).toBe(5)
      expect((await contribute(shop, [row('later', OWN * factor)])).accepted).toBe(1)
      expect((await deal(shop, OWN * factor)).status).toBe(200)
    })

  test('own prices from deals alone limit the deals of a day', async () => {
    const shop = await newShop()
    for (let at = 0; at < 4; at++) expect((await deal(shop, OWN)).status).toBe(200)
    await age(shop)
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) statuses.push((await deal(shop, OWN * 1.6)).status)
    expect(statuses).toEqual([200, 200, 400, 400])
    expect((await deal(shop, OWN * 1.6, { confirm_amount: true })).status).toBe(200)
  })

  test('a file that moves own prices is limited by the command, also when it replaces the same listings twice a day', async () => {
    const shop = await settledShop()
    const run = (factor: number, ...options: string[]) =>
      importText(
        opening,
        'observations',
        'list.csv',
        csv(Array.from({ length: 20 }, (_, at) => [`file-${at}`, OWN * factor] as const)),
        ['--organization', shop.organizationId, ...options],
      )
    expect((await run(1, '--confirm-amounts')).counts).toMatchObject({ observations: 20 })
    await age(shop)
    expect((await run(1.6, '--dry-run')).counts).toMatchObject({ observations: 2 })
    expect((await run(1.25)).counts).toMatchObject({ observations: 20 })
    // Measured from yesterday, not from an hour ago.
    const second = await run(1.25 * 1.25)
    expect(second.counts).toMatchObject({ observations: 2 })
    expect(second.stderr + JSON.stringify(second.counts)).toContain(REASON)
    expect((await run(1.25 * 1.25, '--confirm-amounts')).counts).toMatchObject({ observations: 20 })
  })
  /** Common prices: a file uploaded in the page and a feed import into the market of everyone. */
  const COMMON = { organizationId: '' } as Shop

  test('an upload of the page and a feed that move prices are held until they are confirmed', async () => {
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    const owner = await member(service, service.organizationId, 'owner')
    const stopLeading = service.app.startLeading()
    let list = ''
    const publisher = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(list) })
    const listOf = (factor: number, name: string) =>
      csv(Array.from({ length: 20 }, (_, at) => [`${name}-${at}`, OWN * factor] as const))

    async function upload(text: string, options: object) {
      const bytes = Buffer.byteLength(text)
      const created = await owner.post('/api/manage/uploads', { format: 'observations', file: 'list.csv', bytes })
      const path = `/api/manage/uploads/${created.body.data.id}`
      await owner.post(`${path}/parts`, { at: 0, content: Buffer.from(text).toString('base64') })
      const settled = () =>
        waitUntil(async () => !['checking', 'running', undefined].includes((await owner.get(path)).body.data?.state), {
          describe: 'the upload',
          everyMs: 150,
        })
      // A step that meets the limit of requests is asked again.
      const step = (body: object) =>
        waitUntil(async () => (await owner.send('PATCH', path, body)).status === 200, {
          describe: 'the step of the upload',
          everyMs: 150,
        })
      const state = async () => waitUntil(async () => (await owner.get(path)).body.data, { describe: 'the upload' })
      await step({ action: 'check', options: { source: 'market', ...options } })
      await settled()
      const checked = await state()
      await step({ action: 'run' })
      await settled()
      return { checked, run: (await state()).run }
    }
    async function feed(text: string, options: object) {
      list = text
      const url = `http://127.0.0.1:${publisher.port}/prices.csv`
      const body = { format: 'observations', url, options: { source: 'market', ...options } }
      expect((await owner.send('PUT', '/api/manage/service/feeds/market', body)).status).toBe(200)
      // Too many questions are refused: the next one is answered.
      const newest = async () => (await owner.get('/api/manage/imports')).body.data?.[0]
      const before = (await newest())?.id
      await owner.send('POST', '/api/manage/service/feeds/market/run')
      await waitUntil(
        async () => ![before, undefined].includes((await newest())?.id) && (await newest())?.state !== 'unfinished',
        {
          describe: 'the feed',
          everyMs: 150,
        },
      )
      return newest()
    }

    try {
      const first = await upload(listOf(1, 'a'), {})
      expect(first.run.counts).toMatchObject({ observations: 20, rejected: 0 })
      await age(COMMON)

      const raised = await upload(listOf(1.6, 'b'), {})
      expect(raised.checked.preview).toMatchObject({
        counts: { observations: 2, rejected: 18 },
        rejected_by: { [REASON]: 18 },
      })
      expect(raised.run).toMatchObject({ counts: { observations: 2 }, rejected_by: { [REASON]: 18 } })
      expect(await feed(listOf(1.6, 'c'), {})).toMatchObject({
        counts: { observations: 0, rejected: 20 },
        rejected_by: { [REASON]: 20 },
      })
      expect(await feed(listOf(1.6, 'c'), { 'confirm-amounts': true })).toMatchObject({
        counts: { observations: 20, rejected: 0 },
      })
      const confirmed = await upload(listOf(1.6, 'd'), { 'confirm-amounts': 'yes' })
      expect(confirmed.run.counts).toMatchObject({ observations: 20, rejected: 0 })
    } finally {
      publisher.stop(true)
      await stopLeading()
    }
  })
})

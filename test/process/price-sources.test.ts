import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/database.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { CLIENT, listingsOf, type MarketItem, startMarketplace, status } from '../support/marketplace.ts'
import { filledDataDir, runInProcess, runProgram } from '../support/program.ts'
import { storeFeeds } from '../support/stored-entries.ts'

const PHONE = 'Apple iPhone 13 128GB Midnight Unlocked'
/** The price of one phone must be plausible. */
const CENTS = 29_000

let market: ReturnType<typeof startMarketplace>
beforeEach(() => {
  market = startMarketplace(listingsOf(PHONE, 5, CENTS))
})
afterEach(() => void market.stop())

const ebay = (more: object = {}, api: object = {}) => ({
  name: 'ebay-us',
  template: { name: 'ebay', market: 'US', client_id: CLIENT.id, base_url: market.url },
  api: { oauth: { client_secret: CLIENT.secret }, requests_per_second: 50, requests_per_run: 3, ...api },
  retries: 1,
  retry_pause_ms: 1,
  ...more,
})

/** A new service with one price source, in which only the iPhone 13 was appraised. */
async function withSource(feed: object, settings: Record<string, string> = {}) {
  const dataDir = filledDataDir('small')
  const opening = { url: '', dataDir }
  await storeFeeds(opening, [feed as Record<string, unknown>])
  const inDatabase = async <Result>(use: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>) => {
    const db = await openDatabase(opening)
    try {
      return await use(db)
    } finally {
      await db.close()
    }
  }
  await inDatabase((db) =>
    db.transaction((tx) =>
      tx
        .insertInto('appraised_device')
        .values({ organization_id: 'org_test', device_id: 'apple-iphone-13', total: 3 })
        .execute(),
    ),
  )
  const environment = { DATA_DIR: dataDir, SAMPLE_DATA: 'off', ...settings }
  return {
    dataDir,
    environment,
    inDatabase,
    change: (next: object) => storeFeeds(opening, [next as Record<string, unknown>]),
    async run(...args: string[]) {
      const { code, stdout, stderr } = await runInProcess(['import', 'feed', 'ebay-us', '--json', ...args], environment)
      return { code, stderr, result: stdout.startsWith('{') ? JSON.parse(stdout) : null }
    },
    feed: () => inDatabase((db) => db.query.selectFrom('feed').selectAll().executeTakeFirstOrThrow()),
    prices: () =>
      inDatabase((db) =>
        db.query
          .selectFrom('observation')
          .innerJoin('observation_terms', 'observation_terms.id', 'terms_id')
          .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
          .innerJoin('observation_source', 'observation_source.id', 'source_id')
          .select(['listing_id', 'cents', 'state', 'side', 'grade', 'observed_at', 'listed_at', 'market', 'name'])
          .select(['device_id', 'configuration'])
          .orderBy('listing_id')
          .execute(),
      ),
    queries: () => inDatabase((db) => db.query.selectFrom('feed_query').selectAll().orderBy('device_id').execute()),
    /** Lets everything have happened some days ago. */
    age: (days: number) =>
      inDatabase((db) =>
        db.transaction(async (tx) => {
          await tx
            .updateTable('feed_query')
            .set(({ eb }) => ({ fetched_at: eb('fetched_at', '-', days * DAY_MS) }))
            .execute()
          await tx
            .updateTable('observation')
            .set(({ eb }) => ({ observed_at: eb('observed_at', '-', days * DAY_MS) }))
            .execute()
        }),
      ),
    left: () => (existsSync(join(dataDir, 'feeds')) ? readdirSync(join(dataDir, 'feeds')) : []),
  }
}

describe('a marketplace', () => {
  test('gives asking prices as of today, of appraised devices first, and nothing about sellers', async () => {
    const source = await withSource(ebay())
    const { code, result, stderr } = await source.run()
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(result).toMatchObject({ feed: 'ebay-us', outcome: 'imported', rows: 5, observations: 5, rejected: 0 })
    expect(market.queries()[0]).toBe('iPhone 13')
    expect(market.searches).toHaveLength(3)
    const [first] = market.searches
    expect(first?.searchParams.get('category_ids')).toBe('9355')
    expect(first?.searchParams.get('filter')).toContain('conditionIds:{1000|1500|')
    expect(first?.searchParams.get('filter')).not.toContain('7000')
    const prices = await source.prices()
    expect(prices).toHaveLength(5)
    expect(prices[0]).toMatchObject({
      name: 'ebay-us',
      device_id: 'apple-iphone-13',
      configuration: '128gb',
      cents: 27_550,
      side: 'ask',
      state: 'active',
      market: 'us',
      observed_at: Date.parse(dayOf(Date.now())),
      // A listing of many devices may be years old: its age does not count as the time to sell one.
      listed_at: null,
    })
    expect(await source.queries()).toHaveLength(3)
    const files = readdirSync(source.dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes('a-seller-of-the-test'), name).toBe(false)
    }
    expect(source.left()).toEqual([])
  })

  test('is asked about other devices at the next run, and about fresh ones not at all', async () => {
    const source = await withSource(ebay({}, { requests_per_run: 2 }))
    await source.run()
    await source.run()
    expect(new Set(market.queries()).size).toBe(4)
    expect(market.queries()[0]).toBe('iPhone 13')
    // A device that was appraised is due after a day, the others after a week.
    await source.age(2)
    await source.change(ebay({}, { requests_per_run: 1 }))
    await source.run()
    expect(market.queries().at(-1)).toBe('iPhone 13')
  })

  test('leaves out bundles, parts, accessories and titles that name no single device', async () => {
    market.offer([
      ...listingsOf(PHONE, 2, CENTS),
      ...[
        'Apple iPhone 13 case silicone',
        'Apple iPhone 13 128GB LCD screen replacement part',
        'Apple iPhone 13 empty box only',
        'Lot of 10 Apple iPhone 13 128GB',
        'Apple iPhone 12 / 13 / 14 128GB all colors',
        'Apple iPhone 13 128GB iCloud locked',
      ].map((title, at) => ({ itemId: `v1|junk${at}|0`, title, price: '199.00' })),
    ])
    const source = await withSource(ebay({}, { requests_per_run: 1 }))
    expect((await source.run()).result).toMatchObject({ rows: 8, observations: 2, rejected: 6 })
  })

  test('counts one price for several sizes for the smallest, and says so', async () => {
    const title = 'Apple iPhone 13 128GB 256GB 512GB all colors'
    market.offer([...listingsOf(PHONE, 2, CENTS), { itemId: 'v1|sizes|0', title, price: '199.00' }])
    const source = await withSource(ebay({}, { requests_per_run: 1 }))
    expect((await source.run()).result).toMatchObject({ observations: 3, remarks: { smallest_of_sizes: 1 } })
  })

  test('ends listings that are gone, and only those of devices whose results were all read', async () => {
    const source = await withSource(ebay({}, { requests_per_run: 1 }))
    await source.run()
    await source.age(2)
    market.offer(listingsOf(PHONE, 3, CENTS))
    await source.run()
    const states = async () => (await source.prices()).map(({ state }) => state)
    expect(await states()).toEqual(['active', 'active', 'active', 'gone', 'gone'])
    const [seen, , , gone] = await source.prices()
    expect((seen?.observed_at ?? 0) - (gone?.observed_at ?? 0)).toBe(2 * DAY_MS)

    // More results than were read: what is missing may still be listed.
    await source.age(2)
    market.offer(listingsOf(PHONE, 1, CENTS), 1_000_000)
    await source.run()
    expect(await states()).toEqual(['active', 'active', 'active', 'gone', 'gone'])

    // A listing that comes back is active again.
    await source.age(2)
    market.offer(listingsOf(PHONE, 5, CENTS))
    await source.run()
    expect(await states()).toEqual(['active', 'active', 'active', 'active', 'active'])
  })

  test('with a million results is read as far as its paging allows', async () => {
    market.offer(listingsOf(PHONE, 450, CENTS), 1_000_000)
    const source = await withSource(ebay({}, { requests_per_run: 2 }))
    expect((await source.run()).result).toMatchObject({ rows: 400 })
    expect(market.searches.map((url) => url.searchParams.get('offset'))).toEqual(['0', '200'])
  })

  test('that repeats listings on two pages gives one price each', async () => {
    market.offer([...listingsOf(PHONE, 200, CENTS), ...listingsOf(PHONE, 150, CENTS)])
    const source = await withSource(ebay())
    expect((await source.run()).result).toMatchObject({ rows: 350, written: 200 })
    expect(await source.prices()).toHaveLength(200)
  })

  test('holds prices that move by more than a third on average until they are confirmed', async () => {
    const source = await withSource(ebay({}, { requests_per_run: 1 }))
    market.offer(listingsOf(PHONE, 30, CENTS))
    await source.run()
    await source.age(2)
    market.offer(listingsOf(PHONE, 30, CENTS * 1.8))
    const held = await source.run()
    expect(held.code).toBe(1)
    expect(held.stderr).toContain('more than 33 %; nothing was imported')
    expect(await source.feed()).toMatchObject({ outcome: 'failed', failure: expect.stringContaining('33 %') })
    await source.change(ebay({ options: { 'max-change': '100%' } }, { requests_per_run: 1 }))
    expect((await source.run()).result).toMatchObject({ observations: 30 })
  })
})

describe('tokens', () => {
  test('are fetched once and renewed when the service no longer accepts them', async () => {
    const source = await withSource(ebay())
    market.onSearch((count) => {
      if (count === 2) market.revokeTokens()
    })
    expect((await source.run()).code).toBe(0)
    expect(market.tokensIssued()).toBe(2)
  })

  test('that expire are renewed before they are sent', async () => {
    market.expireTokensAfter(1)
    const source = await withSource(ebay())
    expect((await source.run()).code).toBe(0)
    expect(market.tokensIssued()).toBe(3)
  })

  test('are not asked for again and again with a wrong secret, which is shown nowhere', async () => {
    const source = await withSource(ebay({}, { oauth: { client_secret: 'wrong-secret-of-the-test' } }))
    const { code, stderr } = await source.run()
    expect(code).toBe(1)
    expect(stderr).toContain(
      'The price service ebay-us rejected the client id or the client secret (no token: status 401).',
    )
    expect(market.searches).toHaveLength(0)
    const shown = await runInProcess(['status', '--json'], source.environment)
    expect(shown.stdout).toContain('rejected the client id')
    expect(shown.stdout + stderr).not.toContain('wrong-secret')
  })
})

describe('a service in trouble', () => {
  test('that fails once is asked again', async () => {
    market.failNext(status(503), null)
    const source = await withSource(ebay())
    expect(await source.run()).toMatchObject({ code: 0, result: { observations: 5 } })
  })

  test('that keeps failing ends the run; the prices before it count, and the rest is asked later', async () => {
    market.failNext(null, status(500), status(502))
    const source = await withSource(ebay())
    const { code, stderr } = await source.run()
    expect(code).toBe(1)
    expect(stderr).toContain('The price service ebay-us did not answer: status 502.')
    expect(await source.prices()).toHaveLength(5)
    expect(await source.queries()).toHaveLength(1)
    expect(await source.feed()).toMatchObject({ outcome: 'failed', failures: 1 })
    expect((await source.run()).code).toBe(0)
    expect(await source.queries()).toHaveLength(4)
  })

  test('that asks to wait a moment is asked again after it; a longer wait ends the run and holds the next', async () => {
    market.failNext(status(429, { 'Retry-After': '0' }), null)
    const source = await withSource(ebay({}, { requests_per_run: 2 }))
    expect((await source.run()).code).toBe(0)
    market.failNext(status(429, { 'Retry-After': '3600' }))
    expect(await source.run()).toMatchObject({ code: 1 })
    const { waits_until: waitsUntil } = await source.feed()
    expect(Math.abs((waitsUntil ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    const sent = market.searches.length
    const held = await source.run()
    expect(held.stderr).toContain('asked to wait until')
    expect(market.searches).toHaveLength(sent)
  })

  test('that is slow is not waited for', async () => {
    market.failNext(async () => {
      await Bun.sleep(30_000)
      return new Response('{}')
    })
    const source = await withSource(ebay({ retries: 0 }, { request_timeout_ms: 2_000 }))
    const { stderr } = await source.run()
    expect(stderr).toContain('The price service ebay-us did not answer: no response in time.')
  })

  for (const [what, body, sentence] of [
    ['no JSON', '<html>maintenance</html>', 'the response is not JSON'],
    ['another list', '{"total":3,"items":[]}', 'the response has no list itemSummaries'],
    ['another price', '{"total":1,"itemSummaries":[{"itemId":"1","title":"iPhone","cost":3}]}', 'has price.value'],
    ['a list that is none', '{"total":1,"itemSummaries":{"0":{}}}', 'the response has no list itemSummaries'],
    ['a bare value', '7', 'the response is not a list'],
  ] as const) {
    test(`whose response has ${what} is an error that says so`, async () => {
      market.failNext(() => new Response(body))
      const source = await withSource(ebay({ retries: 0 }))
      const { code, stderr } = await source.run()
      expect(code).toBe(1)
      expect(stderr).toContain(sentence)
      expect(await source.prices()).toEqual([])
      expect(await source.queries()).toEqual([])
    })
  }

  test('whose items are partly unusable gives the others', async () => {
    const items = [
      { itemId: 'v1|a|0', title: PHONE, price: { value: 289, currency: 'USD' }, conditionId: '3000' },
      { itemId: 'v1|b|0', title: PHONE, price: { value: '$1,289.00 each' }, conditionId: '3000' },
      { itemId: 'v1|c|0', title: PHONE, conditionId: '3000' },
      { title: PHONE, price: { value: '280.00', currency: 'USD' } },
      { itemId: 'v1|d|0', title: PHONE, price: { value: '28900.00', currency: 'USD' }, conditionId: '3000' },
      { itemId: 'v1|e|0', title: PHONE, price: { value: '285.00', currency: 'usd' }, conditionId: '9999' },
      null,
    ]
    market.failNext(() => Response.json({ total: items.length, itemSummaries: items }))
    const source = await withSource(ebay({}, { requests_per_run: 1 }))
    const { result } = await source.run()
    expect(result).toMatchObject({ rows: 4, observations: 1, rejected: 3 })
    expect((await source.prices()).map(({ listing_id, cents }) => [listing_id, cents])).toEqual([['v1|a|0', 28_900]])
  })

  test('never gets more requests than its budget of the day', async () => {
    const source = await withSource(ebay({}, { requests_per_day: 4 }))
    for (let run = 0; run < 3; run++) expect((await source.run()).code).toBe(0)
    expect(market.searches).toHaveLength(4)
    expect(await source.feed()).toMatchObject({ requests: 4, outcome: 'unchanged' })
  })
})

test('a run that is killed continues without asking again', async () => {
  const source = await withSource(ebay({}, { requests_per_run: 8 }))
  const job = 'imp_0f246810c52148df3'
  await source.inDatabase((db) =>
    db.transaction((tx) =>
      tx
        .insertInto('job')
        .values({
          ...{ id: job, kind: 'feed', subject: 'ebay-us', format: 'observations', file: 'feed ebay-us' },
          ...{ organization_id: null, state: 'queued', attempts: 0, is_cancel_requested: 0, rows_read: 0 },
          ...{ percent: null, note: null, result: '{}', created_at: Date.now(), started_at: null, finished_at: null },
        })
        .execute(),
    ),
  )
  const fifth = Promise.withResolvers<void>()
  market.onSearch((count) => {
    if (count === 5) fifth.resolve()
  })
  const stalled = Promise.withResolvers<Response>()
  market.failNext(null, null, null, null, () => stalled.promise)
  const killed = Bun.spawn([join(import.meta.dir, '../../bin/device-intelligence'), '--run-job', job], {
    env: { ...process.env, ...source.environment },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await fifth.promise
  killed.kill('SIGKILL')
  await killed.exited
  stalled.resolve(new Response('{}'))
  expect(await source.prices()).toEqual([])

  const resumed = await runProgram(['--run-job', job], source.environment)
  expect(resumed).toMatchObject({ code: 0 })
  expect(await source.prices()).toHaveLength(5)
  expect(await source.queries()).toHaveLength(8)
  // Four were complete before the kill; the fifth is asked again.
  expect(market.searches).toHaveLength(9)
  expect(new Set(market.queries()).size).toBe(8)
  expect(source.left()).toEqual([])
})

describe('another price service', () => {
  const list: readonly MarketItem[] = listingsOf(PHONE, 5, CENTS)
  const pages = (request: Request): Response => {
    const url = new URL(request.url)
    if (request.headers.get('x-api-key') !== 'key-of-the-test') return new Response('who?', { status: 403 })
    const after = Number(url.searchParams.get('after') ?? 0)
    const data = list.slice(after, after + 2).map((item) => ({
      ref: Number(item.itemId.replace(/\D/g, '')),
      product: { name: item.title },
      amount_cents: Math.round(Number(item.price) * 100),
      state: 'refurb-A',
      kind: 'SOLD',
      day: '2026-10-01',
    }))
    return Response.json({ data, next: after + 2 < list.length ? after + 2 : null })
  }
  const definition = (url: string) => ({
    name: 'ebay-us',
    format: 'observations',
    url: `${url}/prices?after={cursor}`,
    headers: { 'X-Api-Key': 'key-of-the-test' },
    options: { source: 'dealer', currency: 'USD', market: 'US' },
    api: {
      paging: { size: 2, max_pages: 10, next: 'next' },
      items: 'data',
      fields: {
        id: 'ref',
        title: 'product.name',
        price: 'amount_cents',
        condition: 'state',
        side: 'kind',
        date: 'day',
      },
      price_unit: 'cents',
      conditions: { 'refurb-A': 'Excellent' },
      requests_per_second: 50,
    },
  })

  test('is read page by page with its key, cents and sold prices', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: pages })
    try {
      const source = await withSource(definition(`http://127.0.0.1:${server.port}`))
      expect((await source.run()).result).toMatchObject({ rows: 5, observations: 5 })
      const [price] = await source.prices()
      expect(price).toMatchObject({
        ...{ name: 'dealer', cents: 27_550, side: 'sold', grade: 'Excellent', market: 'us' },
        observed_at: Date.parse('2026-10-01'),
      })
    } finally {
      server.stop(true)
    }
  })
})

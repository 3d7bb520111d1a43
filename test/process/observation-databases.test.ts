import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import type { ImportContext } from '../../src/import/importer.ts'
import { forgetObservations } from '../../src/import/prices/observation-removal-store.ts'
import { pricingStore } from '../../src/pricing/markets/pricing-store.ts'
import { openDimensionTable } from '../../src/pricing/observations/dimension-store.ts'
import { onBothDatabases } from '../support/databases.ts'
import { sampleDevice } from '../support/device.ts'
import { runImporter } from '../support/run-importer.ts'
import { OPERATOR } from '../support/service.ts'

const NOW = Date.UTC(2026, 5, 1)
const HEAD = 'source,side,variant_id,condition,amount,currency,date,listing_id,lock,listed_on'
/** The prices of these tests are far from what the devices cost. */
const RIGHT_AMOUNTS = { unit: '1' }
const PHONES = [1, 2, 3, 4, 5].map((number) =>
  sampleDevice('Maker', `Phone ${number}`, {
    variants: [{ listCents: 80_000 }, { id: `extra-${number}`, listCents: 90_000 }],
  }),
)
const [FIRST, SECOND] = PHONES.map(({ id, variants }) => ({ deviceId: id, variantId: variants[0]?.id ?? '' })) as [
  { deviceId: string; variantId: string },
  { deviceId: string; variantId: string },
]

onBothDatabases((store) => {
  let opening: DatabaseOptions
  let db: Database
  beforeAll(async () => {
    opening = await store.openEmpty()
    db = await openDatabase(opening)
    await seedCatalogue(db, { version: 'observations', devices: () => PHONES })
  })
  afterAll(() => db.close())

  const run = (lines: readonly string[], more: Partial<ImportContext> = {}) =>
    runImporter(db, 'observations', [HEAD, ...lines].join('\n'), { now: () => NOW, options: RIGHT_AMOUNTS, ...more })
  const observationsOf = (deviceId: string) => pricingStore(db).observationsOf(deviceId, 0)

  test('an observation is read back with every field unchanged', async () => {
    await run([
      `shop,Ask,${FIRST.variantId},Very Good,"1,299.50",usd,2026-05-20,L1,Verizon,2026-05-01`.replace('1,299', '299'),
    ])
    expect(await observationsOf(FIRST.deviceId)).toEqual([
      {
        source: 'shop',
        market: 'us',
        side: 'ask',
        deviceId: FIRST.deviceId,
        variantId: expect.any(String),
        exactVariantId: FIRST.variantId,
        grade: 'Good',
        label: 'very good',
        lock: 'verizon',
        cents: 29_950,
        observedAt: Date.UTC(2026, 4, 20),
        listingId: 'L1',
        state: 'active',
        listedAt: Date.UTC(2026, 4, 1),
      },
    ])
  })

  test('undoing an import restores the prices from before it, whatever was imported since', async () => {
    const row = (amount: number, day: number, listing: string, { variantId } = FIRST) =>
      `undo,sold,${variantId},good,${amount},USD,2026-05-0${day},${listing},,`
    const stored = async () =>
      [...(await observationsOf(FIRST.deviceId)), ...(await observationsOf(SECOND.deviceId))]
        .filter(({ source }) => source === 'undo')
        .sort((a, b) => (a.listingId < b.listingId ? -1 : 1))
    const forget = (importId: string) => forgetObservations(db, { importId }, OPERATOR, NOW)
    await run([row(300, 1, 'a'), row(310, 1, 'b')], { runId: 'undo-1' })
    const first = await stored()
    // Another price, another device, a new listing, and a listing twice in one file.
    await run([row(350, 2, 'a'), row(355, 3, 'a'), row(320, 2, 'b', SECOND), row(330, 2, 'c')], { runId: 'undo-2' })
    const second = await stored()
    expect(second).not.toEqual(first)
    expect(await forget('undo-2')).toMatchObject({ observations: 3, restored: 2, devices: 2 })
    expect(await stored()).toEqual(first)

    await run([row(350, 2, 'a'), row(320, 2, 'b', SECOND), row(330, 2, 'c')], { runId: 'undo-3' })
    await run([row(370, 4, 'a'), row(380, 4, 'd')], { runId: 'undo-4' })
    expect(await forget('undo-3')).toMatchObject({ observations: 2, restored: 1 })
    expect((await stored()).map(({ listingId, cents }) => [listingId, cents])).toEqual([
      ['a', 37_000],
      ['b', 31_000],
      ['d', 38_000],
    ])
    await forget('undo-4')
    expect(await stored()).toEqual(first)
    await forget('undo-1')
    expect(await stored()).toEqual([])
    expect(await db.query.selectFrom('replaced_observation').selectAll().execute()).toEqual([])
  })

  test('prices of defective devices are separate from those of working grades', async () => {
    const states = ['damaged', 'for parts or not working', 'no power']
    await run(states.map((word, at) => `dealer,quote,${SECOND.variantId},${word},${90 - at},USD,2026-05-20,d${at},,`))
    const store = pricingStore(db)
    expect(await observationsOf(SECOND.deviceId)).toEqual([])
    expect(await store.sampleOf([SECOND.deviceId], 0)).toEqual([])
    const defective = await store.pricesOf(SECOND.deviceId, 0)
    expect(defective.map(({ grade, label, cents }) => [grade, label, cents])).toEqual([
      ['damaged', 'damaged', 9_000],
      ['broken', 'for parts or not working', 8_900],
      ['dead', 'no power', 8_800],
    ])
  })

  test('thousands of rows of many sources are written once; a second import writes nothing', async () => {
    const lines = Array.from({ length: 7_000 }, (_, at) => {
      const phone = PHONES[at % 3]?.variants[0]?.id
      return `many-${at % 5},sold,${phone},${['good', 'fair', 'mint'][at % 3]},${300 + (at % 90)},USD,2026-04-${10 + (at % 20)},${at % 2 ? `n${at}` : ''},lock ${at % 40},`
    })
    const first = await run(lines)
    expect(first).toMatchObject({ rows: 7_000, observations: 7_000, written: 7_000, devices: 3, rejectedBy: {} })
    const second = await run(lines)
    expect(second).toMatchObject({ written: 0, remarks: { unchanged: 7_000 } })
    const dry = await run(lines, { dryRun: true })
    expect(dry).toMatchObject({ written: 0, remarks: { unchanged: 7_000 } })
    const some = await pricingStore(db).sampleOf([SECOND.deviceId, 'nobody-knows'], 0)
    expect(some.length).toBeGreaterThan(20)
    expect(new Set(some.map((row) => row.deviceId))).toEqual(new Set([SECOND.deviceId]))
  })

  test('the newest of repeated listings counts, in one file or in two, in any order', async () => {
    const row = (amount: number, day: number, listing: string) =>
      `twice,sold,${FIRST.variantId},good,${amount},USD,2026-05-0${day},${listing},,`
    const ran = await run([row(310, 3, 'a'), row(300, 1, 'a'), row(320, 2, 'b')])
    expect(ran).toMatchObject({ written: 2, remarks: { listing_repeated: 1 } })
    expect(await run([row(290, 1, 'b')])).toMatchObject({
      written: 0,
      remarks: { older_than_stored: 1 },
    })
    expect(await run([row(330, 2, 'b')])).toMatchObject({ written: 1 })
    const prices = (await observationsOf(FIRST.deviceId)).filter(({ source }) => source === 'twice')
    expect(prices.map(({ listingId, cents }) => [listingId, cents])).toEqual([
      ['a', 31_000],
      ['b', 33_000],
    ])
  })

  test('a listing that turns out to be another device moves to it, and both changes are announced', async () => {
    const row = (variantId: string, day: number) => `moves,sold,${variantId},good,400,USD,2026-05-0${day},m,,`
    await run([row(FIRST.variantId, 1)])
    const { revision } = await pricingStore(db).observedSince(-1)
    await run([row(SECOND.variantId, 2)])
    const changed = await pricingStore(db).observedSince(revision)
    expect(changed.deviceIds.toSorted()).toEqual([FIRST.deviceId, SECOND.deviceId].toSorted())
    const sources = async (deviceId: string) => (await observationsOf(deviceId)).map(({ source }) => source)
    expect(await sources(FIRST.deviceId)).not.toContain('moves')
    expect(await sources(SECOND.deviceId)).toContain('moves')
  })

  test('an interrupted import says so, announces the rows it wrote, and running it again gives the same result', async () => {
    const stopping = new AbortController()
    const lines = Array.from(
      { length: 4_000 },
      (_, at) => `stop,sold,${FIRST.variantId},good,300,USD,2026-05-01,s${at},,`,
    )
    const progress = { at: () => stopping.abort(), clear: () => {} }
    const stopped = run(lines, { signal: stopping.signal, progress })
    await expect(stopped).rejects.toThrow('import the same again to finish')
    await run(lines)
    const { count } = await db.query
      .selectFrom('observation')
      .innerJoin('observation_source', 'observation_source.id', 'source_id')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('name', '=', 'stop')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(4_000)
  })

  test('each source is read, however many newer rows another source has', async () => {
    const third = PHONES[2] as (typeof PHONES)[number]
    const line = (source: string, day: string, at: number) =>
      `${source},sold,${third.variants[0]?.id},good,300,USD,${day},${source}-${at},,`
    await run([
      ...Array.from({ length: 600 }, (_, at) => line('old', '2026-03-01', at)),
      ...Array.from({ length: 1_500 }, (_, at) => line('flood', '2026-05-30', at)),
    ])
    const count = (rows: readonly { source: string }[], source: string) =>
      rows.filter((row) => row.source === source).length
    const read = await observationsOf(third.id)
    expect(count(read, 'old')).toBeGreaterThan(400)
    expect(count(read, 'flood')).toBe(count(read, 'old'))
    const sampled = await pricingStore(db).sampleOf([third.id], 0)
    expect([count(sampled, 'old'), count(sampled, 'flood')]).toEqual([64, 64])
  })

  test('all prices of a group are read, however many other groups the device has', async () => {
    const fourth = PHONES[3] as (typeof PHONES)[number]
    const line = (lock: string, country: string, at: number) =>
      `market,ask,${fourth.variants[0]?.id},used,300,USD,2026-05-01,${lock}-${country}-${at},${lock},,${country}`
    const lines = [
      ...Array.from({ length: 300 }, (_, at) => line('', 'kr', at)),
      ...Array.from({ length: 300 }, (_, at) => line('', 'us', at)),
      ...Array.from({ length: 120 }, (_, at) => line(`lock ${at}`, 'kr', 0)),
    ]
    await runImporter(db, 'observations', [`${HEAD},country`, ...lines].join('\n'), {
      now: () => NOW,
      options: RIGHT_AMOUNTS,
    })
    const used = (rows: readonly { lock: string; market: string }[], market: string) =>
      rows.filter((row) => row.lock === '' && row.market === market).length
    const read = await observationsOf(fourth.id)
    expect([used(read, 'kr'), used(read, 'us')]).toEqual([300, 300])
    const sampled = Object.groupBy(await pricingStore(db).sampleOf([fourth.id], 0), ({ market }) => market)
    expect([sampled.kr?.length, sampled.us?.length]).toEqual([128, 128])
  })

  test('a fit samples the prices of one day evenly, whatever the order of their ids', async () => {
    const fifth = PHONES[4] as (typeof PHONES)[number]
    const idOf = (at: number) => `ad-${String(at).padStart(3, '0')}`
    await run(
      Array.from({ length: 400 }, (_, at) => `ads,ask,${fifth.variants[0]?.id},used,300,USD,2026-05-01,${idOf(at)},,`),
    )
    const sampled = await pricingStore(db).sampleOf([fifth.id], 0)
    const late = sampled.filter(({ listingId }) => listingId >= idOf(200)).length
    expect(sampled.length).toBe(128)
    expect(late / sampled.length).toBeGreaterThan(0.35)
    expect(late / sampled.length).toBeLessThan(0.65)
  })

  test('two processes that insert the same new names concurrently use the same ids', async () => {
    const other = await openDatabase(opening)
    const rows = Array.from({ length: 2_500 }, (_, at) => ({ name: `met at once ${at}`, organization_id: '' }))
    const [one, two] = [db, other].map((each) =>
      openDimensionTable(each, 'observation_source', ['name', 'organization_id']),
    )
    await Promise.all([one?.insertMissing(rows), two?.insertMissing(rows.toReversed())])
    for (const row of rows) {
      expect(one?.idOf(row)).toBeNumber()
      expect(two?.idOf(row)).toBe(one?.idOf(row) as number)
    }
    await other.close()
  })
})

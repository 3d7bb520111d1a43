import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Device } from '../../src/catalog/device.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { streamDevices } from '../../src/import/catalogue/registry-store.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import type { ImportContext } from '../../src/import/importer.ts'
import { pricingStore } from '../../src/pricing/markets/pricing-store.ts'
import { onBothDatabases } from '../support/databases.ts'
import { sampleDevice } from '../support/device.ts'
import { runImporter } from '../support/run-importer.ts'

const NOW = Date.UTC(2026, 5, 1)
const HEAD = 'source,side,make,model,storage,ram,condition,amount,currency,date,listing_id'

const size = (storage: string, color: string, ram = '') => ({
  listCents: 60_000,
  attributes: [
    ...(ram ? [{ name: 'ram', value: ram }] : []),
    { name: 'storage', value: storage },
    { name: 'color', value: color },
  ],
})
const galaxy = (...variants: ReturnType<typeof size>[]): Device =>
  sampleDevice('Samsung', 'Galaxy S21', { releasedOn: '2021-01-29', variants })
const GALAXY = galaxy(size('128GB', 'Gray'), size('256GB', 'Gray'), size('256GB', 'Pink'))
const OTHERS = [
  sampleDevice('Samsung', 'Galaxy S21 Ultra', {
    releasedOn: '2021-01-29',
    variants: [size('128GB', 'Black'), size('512GB', 'Black')],
  }),
  sampleDevice('Apple', 'MacBook Air (M1, 2020)', {
    releasedOn: '2020-11-17',
    category: 'Laptop',
    variants: [size('256GB', 'Gold', '8GB'), size('512GB', 'Gold', '8GB')],
  }),
  sampleDevice('Samsung', 'Galaxy S24 Ultra', { releasedOn: '2024-01-31', variants: [size('1TB', 'Black')] }),
  sampleDevice('Xiaomi', 'Redmi Note 12', {
    releasedOn: '2023-01-05',
    variants: [size('64GB', 'Blue', '4GB'), size('128GB', 'Blue', '6GB'), size('256GB', 'Blue', '12GB')],
  }),
]

onBothDatabases((store) => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase(await store.openEmpty())
    await seedCatalogue(db, { version: 'first', devices: () => [GALAXY, ...OTHERS] })
  })
  afterAll(() => db.close())

  const run = (lines: readonly string[], more: Partial<ImportContext> = {}) =>
    runImporter(db, 'observations', [HEAD, ...lines].join('\n'), {
      now: () => NOW,
      options: { 'add-variants': 'yes' },
      ...more,
    })
  const row = (make: string, model: string, storage: string, ram = '', condition = 'good', amount = 400) =>
    `shop,ask,${make},${model},${storage},${ram},${condition},${amount},USD,2026-05-20,`

  async function variantsOf(deviceId: string) {
    for await (const device of streamDevices(db)) if (device.id === deviceId) return device.variants
    return []
  }
  const idsOf = async (deviceId: string) => (await variantsOf(deviceId)).map(({ id }) => id)
  async function everything() {
    const devices = []
    for await (const device of streamDevices(db)) devices.push(device)
    return devices
  }
  const catalogueCounter = async () =>
    (await db.query.selectFrom('change').select('counter').where('topic', '=', 'catalogue').executeTakeFirst())?.counter

  const NEW = [row('Samsung', 'Galaxy S21', '512GB'), row('', 'Samsung Galaxy S21 512GB pink unlocked', '', '', 'fair')]

  test('a dry run lists the sizes it would add and adds none', async () => {
    const before = await everything()
    const ran = await run(NEW, { dryRun: true })
    expect(ran).toMatchObject({ rows: 2, observations: 2, written: 0, variants_added: 1 })
    expect(ran.added).toEqual([['samsung-galaxy-s21-512gb', 2]])
    expect(await everything()).toEqual(before)
  })

  test('without the option no size is added', async () => {
    const before = await everything()
    const ran = await run(NEW, { options: {} })
    expect(ran).toMatchObject({ observations: 0, rejectedBy: { storage_not_of_model: 2 } })
    expect(await everything()).toEqual(before)
  })

  test('a configuration of a computer, built to order, is added without the option', async () => {
    const laptop = (storage: string, ram: string) => row('Apple', '"MacBook Air (M1, 2020)"', storage, ram)
    const ran = await run([laptop('1TB', '16GB'), laptop('500GB', '16GB'), laptop('333GB', '16GB')], {
      options: {},
      dryRun: true,
    })
    expect(ran).toMatchObject({ observations: 2, variants_added: 2, rejectedBy: { storage_not_sold: 1 } })
  })

  test('a size of a known device is added once, with its market as origin, and its rows count', async () => {
    const counter = await catalogueCounter()
    const ran = await run(NEW)
    expect(ran).toMatchObject({ rows: 2, observations: 2, written: 2, variants_added: 1, rejectedBy: {} })
    expect(ran.added).toEqual([['samsung-galaxy-s21-512gb', 2]])
    expect((await variantsOf(GALAXY.id)).at(-1)).toMatchObject({
      id: 'samsung-galaxy-s21-512gb',
      attributes: [{ name: 'storage', value: '512GB' }],
      listCents: 0,
      disabled: false,
      source: 'market:shop',
    })
    expect(Number(await catalogueCounter())).toBeGreaterThan(Number(counter))
    const seen = await pricingStore(db).observationsOf(GALAXY.id, 0)
    expect(seen.map(({ variantId, grade }) => [variantId, grade])).toEqual([
      ['512gb', 'Good'],
      ['512gb', 'Fair'],
    ])
    const after = await everything()
    expect(await run(NEW)).toMatchObject({ written: 0, variants_added: 0, added: [], remarks: { unchanged: 2 } })
    expect(await everything()).toEqual(after)
  })

  test('a pair of memory and storage is added if both distinguish the variants of the device', async () => {
    const ran = await run([row('Xiaomi', 'Redmi Note 12', '128GB', '8GB'), row('', 'Redmi Note 12 4GB 128GB', '')])
    expect(ran.added.map(([id]) => id).toSorted()).toEqual([
      'xiaomi-redmi-note-12-4gb-128gb',
      'xiaomi-redmi-note-12-8gb-128gb',
    ])
    const vague = await run([row('Xiaomi', 'Redmi Note 12', '512GB')])
    expect(vague.rejectedBy).toEqual({ storage_missing: 1 })
  })

  test('doubtful, implausible and invalid rows add nothing', async () => {
    const before = await everything()
    const ran = await run([
      row('Samsung', 'Galaxy S22', '512GB'),
      row('Samsung', 'Galaxy S21', '300GB'),
      // The line got a terabyte only three years later, and never had 8 GB.
      row('Samsung', 'Galaxy S21', '1TB'),
      row('Samsung', 'Galaxy S21', '8GB'),
      row('', 'Samsung Galxay S21 64GB', ''),
      row('Samsung', 'Galaxy S21', '64GB', '', 'splendid'),
      row('Samsung', 'Galaxy S21', '64GB', '', 'good', 40_000),
      row('Xiaomi', 'Redmi Note 12', '128GB', '7GB'),
    ])
    expect(ran).toMatchObject({ observations: 0, variants_added: 0 })
    expect(ran.rejectedBy).toEqual({
      unknown_model: 1,
      storage_not_sold: 1,
      storage_unlikely: 2,
      storage_not_of_model: 1,
      condition_unknown: 1,
      amount_implausible: 1,
      memory_not_sold: 1,
    })
    expect(await everything()).toEqual(before)
  })

  test('a new version of the bundled catalogue keeps an added size until it contains that size itself', async () => {
    await seedCatalogue(db, { version: 'second', devices: () => [GALAXY, ...OTHERS] })
    expect(await idsOf(GALAXY.id)).toEqual([...GALAXY.variants.map(({ id }) => id), 'samsung-galaxy-s21-512gb'])
    const grown = galaxy(size('128GB', 'Gray'), size('256GB', 'Gray'), size('256GB', 'Pink'), size('512GB', 'Gray'))
    await seedCatalogue(db, { version: 'third', devices: () => [grown, ...OTHERS] })
    expect(await idsOf(GALAXY.id)).toEqual(grown.variants.map(({ id }) => id))
    expect(await run(NEW)).toMatchObject({ variants_added: 0, observations: 2 })
  })
})

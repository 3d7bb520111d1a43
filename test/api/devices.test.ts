import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bundledCatalogueVersion, bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { catalogueStore } from '../../src/catalog/catalogue-store.ts'
import { type Device, deviceIdFor } from '../../src/catalog/device.ts'
import { openDatabase } from '../../src/db/database.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { sampleDevice } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

type Listed = {
  id: string
  release_date: string | null
  release_date_precision: string | null
  category: { name: string }
  make: { name: string }
  status: string
}

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.openFull())
  })
  afterAll(() => service.stop())

  const get = (query = '', headers: Record<string, string> = {}) =>
    service.ask(`/api/devices${query}`, { tier: 'public', headers })
  const idsOf = async (query: string): Promise<string[]> => (await get(query)).body.data.map((each: Listed) => each.id)

  test('a device has every field of the document', async () => {
    const { status, body } = await get('?search=iphone+13+mini&limit=1')
    expect(status).toBe(200)
    const [device] = body.data
    expect({ ...device, variants: device.variants.slice(0, 1), technical_specifications: {} }).toEqual({
      id: 'apple-iphone-13-mini',
      name: 'iPhone 13 mini',
      slug: 'apple-iphone-13-mini',
      category: { name: 'Smartphone', thumbnail: `${service.url}/thumbnails/categories/smartphone.svg` },
      make: { name: 'Apple', thumbnail: `${service.url}/thumbnails/makes/apple.svg` },
      model_numbers: ['A2481', 'A2626', 'A2628', 'A2629', 'A2630'],
      technical_specifications: {},
      release_date: '2021-09-24',
      release_date_precision: 'day',
      thumbnail: `${service.url}/thumbnails/devices/apple-iphone-13-mini.svg`,
      status: 'discontinued',
      model_identifiers: ['iPhone14,4'],
      variants: [
        {
          id: expect.stringMatching(/^apple-iphone-13-mini-128gb-/),
          sku: expect.any(String),
          price: 69_900,
          price_source: 'list',
          list_prices: [
            { market: 'us', currency: 'USD', amount: 69_900 },
            { market: 'gb', currency: 'GBP', amount: 67_900 },
            { market: 'de', currency: 'EUR', amount: 79_900 },
          ],
          name: expect.any(String),
          part_numbers: expect.any(Array),
          model_numbers: expect.any(Array),
          thumbnail: expect.stringContaining(`${service.url}/thumbnails/variants/apple-iphone-13-mini-128gb-`),
          attributes: [
            { attribute_name: 'storage', attribute_value: '128GB' },
            { attribute_name: 'color', attribute_value: expect.any(String) },
          ],
          disabled: false,
        },
      ],
    })
    expect(body.meta).toEqual({ page: 1, limit: 1, total: 1, total_pages: 1, has_next: false, has_prev: false })
  })

  let pages: Promise<readonly Listed[]> | undefined
  async function readAllPages(): Promise<readonly Listed[]> {
    const listed: Listed[] = []
    for (let page = 1; ; page++) {
      const { body } = await get(`?limit=100&page=${page}`)
      listed.push(...body.data)
      if (!body.meta.has_next) return listed
    }
  }
  const allDevices = () => {
    pages ??= readAllPages()
    return pages
  }

  test('all pages together are the registry, each device once, newest first, then by slug', async () => {
    const listed = await allDevices()
    expect(new Set(listed.map((each) => each.id)).size).toBe(bundledDevices().length)
    const key = (each: Listed) => `${each.release_date ?? '0000'}`
    for (let at = 1; at < listed.length; at++) {
      const before = listed[at - 1] as Listed
      const after = listed[at] as Listed
      expect(key(before) > key(after) || (key(before) === key(after) && before.id < after.id)).toBe(true)
    }
  })

  test('the precision of a release date is stated: day, month or year', async () => {
    const precisions = new Map((await allDevices()).map((each) => [each.id, each.release_date_precision]))
    const known = bundledDevices().map(({ id, releasePrecision }) => [id, releasePrecision] as const)
    expect(precisions).toEqual(new Map(known))
    expect(new Set(precisions.values())).toEqual(new Set(['day', 'month', 'year']))
  })

  describe('an invalid page or limit means the default, never an error', () => {
    for (const sent of [
      '1e309',
      '-1',
      '0x10',
      '%20',
      '1.5',
      '99999999999999999999',
      'abc',
      '0',
      '%00',
      '%zz',
      '1%20',
    ]) {
      test(`page=${sent}`, async () => expect((await get(`?page=${sent}`)).body.meta.page).toBe(1))
    }
    for (const sent of ['1e309', '-1', '0x10', '%201%20', '1.5', 'abc', '0', '']) {
      test(`limit=${sent}`, async () => expect((await get(`?limit=${sent}`)).body.meta.limit).toBe(20))
    }
    test('page[]=2', async () => expect((await get('?page[]=2')).body.meta.page).toBe(1))
    test('the first of repeated parameters counts', async () =>
      expect((await get('?page=2&page=3')).body.meta.page).toBe(2))
    test('a limit over the maximum is the maximum', async () => {
      const { body } = await get('?limit=101')
      expect(body.meta.limit).toBe(100)
      expect(body.data).toHaveLength(100)
    })
  })

  test('a page past the end is empty with correct totals', async () => {
    const { status, body } = await get('?page=9007199254740991')
    expect(status).toBe(200)
    expect(body.data).toEqual([])
    expect(body.meta).toMatchObject({ has_next: false, has_prev: true, total: bundledDevices().length })
  })

  test('filters: exact category and make ignoring case, status case-sensitive', async () => {
    const tablets = (await get('?category=TABLET&limit=100')).body
    expect(tablets.data.every((each: Listed) => each.category.name === 'Tablet')).toBe(true)
    expect(tablets.meta.total).toBe(bundledDevices().filter((each) => each.category === 'Tablet').length)
    expect((await get('?category=tab')).body.meta.total).toBe(0)
    const samsung = (await get('?make=samsung&status=active&limit=100')).body.data as Listed[]
    expect(samsung.every((each) => each.make.name === 'Samsung' && each.status === 'active')).toBe(true)
    expect((await get('?status=retired')).body.meta).toMatchObject({ total: 0, total_pages: 0 })
    expect((await get('?status=&make=')).body.meta.total).toBe(bundledDevices().length)
  })

  describe('search', () => {
    for (const [why, sent, first] of [
      ['a whole name before longer ones', 'iphone 14', 'apple-iphone-14'],
      ['words by their beginning', 'sams gal s24 ult', 'samsung-galaxy-s24-ultra'],
      ['a typing error', 'ihpone 13 mini', 'apple-iphone-13-mini'],
      ['two typing errors in one search', 'samsng galxy s24 ultra', 'samsung-galaxy-s24-ultra'],
      ['a model number', 'a2628', 'apple-iphone-13-mini'],
      ['a model identifier', 'iPhone14,4', 'apple-iphone-13-mini'],
      ['the slug', 'apple-iphone-13-mini', 'apple-iphone-13-mini'],
    ] as const) {
      test(`${why}: ${sent}`, async () => expect((await idsOf(`?search=${encodeURIComponent(sent)}`))[0]).toBe(first))
    }
    test('every word must match', async () => expect(await idsOf('?search=apple+galaxy')).toEqual([]))
    for (const sent of ['%00', '%ff%fe', '%ED%A0%80', '.*', '%5B(', `${'a'.repeat(3000)}`, '%zz', '🙂', '"%27--']) {
      test(`${sent.slice(0, 12)} is searched as plain text`, async () =>
        expect((await get(`?search=${sent}`)).status).toBe(200))
    }
    test('a term over 100 characters is truncated', async () => {
      const blanks = '+'.repeat(60)
      expect(await idsOf(`?search=iphone+13+mini${blanks}${'+'.repeat(60)}galaxy`)).toEqual(['apple-iphone-13-mini'])
    })
  })

  test('the same query has the same ETag and gives 304 to a caller that has it', async () => {
    const first = await get('?limit=3&make=Apple')
    const again = await get('?make=apple&limit=3&page=1')
    const tag = first.headers.get('etag') ?? ''
    expect(again.headers.get('etag')).toBe(tag)
    expect((await get('?limit=3&make=Apple', { 'If-None-Match': tag })).status).toBe(304)
    expect((await get('?limit=4&make=Apple', { 'If-None-Match': tag })).status).toBe(200)
  })

  for (const encoding of ['gzip', 'br']) {
    test(`${encoding} carries the same response`, async () => {
      const plain = await get('?limit=5', { 'Accept-Encoding': 'identity' })
      const packed = await get('?limit=5', { 'Accept-Encoding': encoding })
      expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'))
      expect(packed.body.data).toEqual(plain.body.data)
    })
  }

  test('HEAD returns the headers of GET without its body', async () => {
    const { status, text, headers } = await service.ask('/api/devices', { tier: 'public', method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('etag')).toBe((await get()).headers.get('etag'))
  })

  test('every thumbnail link returns a drawing, without a key', async () => {
    const { text } = await get('?search=galaxy+z+fold&limit=2')
    const links = new Set([...text.matchAll(/"thumbnail":"([^"]+)"/g)].map((match) => match[1] ?? ''))
    expect(links.size).toBeGreaterThan(4)
    for (const link of [...links].slice(0, 12)) {
      const drawing = await fetch(link)
      expect(drawing.headers.get('content-type')).toStartWith('image/svg+xml')
      expect(await drawing.text()).toStartWith('<svg ')
      const again = await fetch(link, { headers: { 'If-None-Match': drawing.headers.get('etag') ?? '' } })
      expect(again.status).toBe(304)
    }
    expect((await fetch(`${service.url}/thumbnails/devices/no-such.svg`)).status).toBe(404)
  })

  describe('a change in the database', () => {
    const fresh = sampleDevice('Testmake', 'Freshly Written', { releasedOn: '2031-01-01' })
    const waitFor = async (query: string, isExpected: (ids: string[]) => boolean) => {
      await waitUntil(async () => isExpected(await idsOf(query)), { describe: `the change in ${query}` })
    }
    /** As another process would write it: rows and an announcement in one transaction. */
    async function write(device: Device): Promise<void> {
      const { db } = service.app
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'catalogue')
        const { modelNumbers, modelIdentifiers, specifications } = device
        const row = {
          id: device.id,
          make: device.make,
          category: device.category,
          name: device.name,
          released_on: device.releasedOn,
          release_precision: device.releasePrecision,
          status: device.status,
          document: JSON.stringify({ modelNumbers, modelIdentifiers, specifications }),
          source: 'own',
          provenance: '{}',
          revision,
        }
        await db.insertMany(tx, 'device', [row], { conflictColumns: ['id'] })
      })
    }

    test('is served: a new device, a changed one and a removed one', async () => {
      expect(deviceIdFor(fresh.make, fresh.name)).toBe(fresh.id)
      await write(fresh)
      await waitFor('?limit=1', (ids) => ids[0] === fresh.id)
      await write({ ...fresh, name: 'Renamed Zyzzyva' })
      await waitFor('?search=zyzzyva', (ids) => ids[0] === fresh.id)
      const { db } = service.app
      await db.transaction(async (tx) => {
        await db.announceChange(tx, 'catalogue')
        await tx.deleteFrom('device').where('id', '=', fresh.id).execute()
      })
      await waitFor('?search=zyzzyva', (ids) => ids.length === 0)
    })

    test('that cannot be read is skipped and logged, and the rest is served', async () => {
      const { db, catalogue } = service.app
      await write(fresh)
      await catalogue.refresh()
      for (const document of ['{"modelNumbers":', '{"modelNumbers":5}']) {
        await db.transaction(async (tx) => {
          const revision = await db.announceChange(tx, 'catalogue')
          await tx.updateTable('device').set({ document, revision }).where('id', '=', fresh.id).execute()
        })
        await catalogue.refresh()
        expect((await get()).status).toBe(200)
        expect(service.logged()).toContain(fresh.id)
      }
      await db.transaction(async (tx) => {
        await db.announceChange(tx, 'catalogue')
        await tx.deleteFrom('device').where('id', '=', fresh.id).execute()
      })
      await catalogue.refresh()
      expect(catalogue.registry().findDevice(fresh.id)).toBeUndefined()
    })

    test('before a start: changes are served, and unreadable rows are skipped and logged', async () => {
      const opening = await store.open()
      const db = await openDatabase(opening)
      await seedCatalogue(db, { version: bundledCatalogueVersion(), devices: bundledDevices })
      const total = await catalogueStore(db).count()
      const [spoilt, renamed] = ['apple-iphone-13', 'apple-iphone-14']
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'catalogue')
        const set = (id: string, change: object) =>
          tx
            .updateTable('device')
            .set({ revision, ...change })
            .where('id', '=', id)
            .execute()
        await set(spoilt, { document: '{"modelNumbers":' })
        await set(renamed, { name: 'Renamed Zyzzyva' })
      })
      await db.close()
      await using later = await startService(opening)
      const get = (path: string) => later.ask(path, { tier: 'public' })
      expect((await get('/api/devices?search=zyzzyva')).body.data.map(({ id }: Listed) => id)).toEqual([renamed])
      expect((await get(`/api/devices/${spoilt}`)).status).toBe(404)
      expect((await get(`/api/devices/${renamed}`)).body.data.name).toBe('Renamed Zyzzyva')
      await later.app.catalogue.refresh()
      expect(later.logged()).toContain(spoilt)
      expect((await get('/api/devices?limit=1')).body.meta.total).toBe(total - 1)
    })

    test('without new content leaves the registry and cached responses unchanged', async () => {
      const before = service.app.catalogue.registry()
      const { db } = service.app
      await db.transaction((tx) => db.announceChange(tx, 'catalogue'))
      await service.app.catalogue.refresh()
      expect(service.app.catalogue.registry()).toBe(before)
    })
  })
})

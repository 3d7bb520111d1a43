import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { onSqlite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

type Listed = {
  id: string
  release_date: string | null
  release_date_precision: string | null
  category: { name: string }
  make: { name: string }
  status: string
}

onSqlite((store) => {
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

  test('the precision of a release date is stated: day, month or year, and null without a date', async () => {
    const precisions = new Map((await allDevices()).map((each) => [each.id, each.release_date_precision]))
    const known = bundledDevices().map(({ id, releasePrecision }) => [id, releasePrecision] as const)
    expect(precisions).toEqual(new Map(known))
    expect(new Set(precisions.values())).toEqual(new Set(['day', 'month', 'year', null]))
    const dated = (await allDevices()).filter(({ release_date }) => release_date !== null)
    expect(new Set(dated.map((each) => each.release_date_precision))).toEqual(new Set(['day', 'month', 'year']))
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
})

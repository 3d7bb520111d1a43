import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { onSqlite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

type Listed = {
  id: string
  sku: string
  disabled: boolean
  price: number
  device: { id: string; make: { name: string }; category: { name: string } }
  attributes: { attribute_name: string; attribute_value: string }[]
}

onSqlite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.openFull())
  })
  afterAll(() => service.stop())

  const get = (query = '') => service.ask(`/api/variants${query}`, { tier: 'public' })
  const list = async (query: string): Promise<Listed[]> => (await get(query)).body.data
  const total = async (query: string): Promise<number> => (await get(query)).body.meta.total
  const value = (variant: Listed, name: string) =>
    variant.attributes.find((attribute) => attribute.attribute_name === name)?.attribute_value
  const bundledVariants = bundledDevices().flatMap((device) => device.variants)

  test("the document's own example: the variants of a device with one storage", async () => {
    const { status, body } = await get('?device_id=apple-iphone-13&storage=256GB')
    expect(status).toBe(200)
    expect(body.data.length).toBeGreaterThan(3)
    for (const variant of body.data as Listed[]) {
      expect(value(variant, 'storage')).toBe('256GB')
      expect(variant.device).toEqual({
        id: 'apple-iphone-13',
        name: 'iPhone 13',
        slug: 'apple-iphone-13',
        make: { name: 'Apple', thumbnail: `${service.url}/thumbnails/makes/apple.svg` },
        category: { name: 'Smartphone', thumbnail: `${service.url}/thumbnails/categories/smartphone.svg` },
      } as unknown as Listed['device'])
      expect(variant.price).toBe(79_900 + 10_000)
    }
    expect(body.meta).toMatchObject({ page: 1, limit: 20, total: body.data.length, total_pages: 1 })
  })

  test('variants are in the order of their devices, then in that of the catalogue', async () => {
    const listed = await list('?limit=100')
    const devices = (await service.ask('/api/devices?limit=100', { tier: 'public' })).body.data
    const expected = devices.flatMap((device: { variants: { id: string }[] }) => device.variants.map(({ id }) => id))
    expect(listed.map((variant) => variant.id)).toEqual(expected.slice(0, 100))
  })

  test('all pages together are all variants, each once', async () => {
    const ids = new Set<string>()
    for (let page = 1; ; page++) {
      const { body } = await get(`?limit=100&page=${page}`)
      for (const variant of body.data) ids.add(variant.id)
      if (!body.meta.has_next) break
    }
    expect(ids.size).toBe(bundledVariants.length)
  })

  describe('filters', () => {
    test('attributes ignore case and spaces in name and value', async () => {
      const plain = await total('?storage=256GB')
      expect(plain).toBe(
        bundledVariants.filter((each) =>
          each.attributes.some(({ name, value }) => name === 'storage' && value === '256GB'),
        ).length,
      )
      expect(await total('?storage=256+gb')).toBe(plain)
      expect(await total('?STORAGE=%20256%20Gb%20')).toBe(plain)
    })

    test('can be combined', async () => {
      const listed = await list('?make=apple&category=smartphone&storage=512gb&color=gold')
      expect(listed.length).toBeGreaterThan(0)
      for (const variant of listed) {
        expect(variant.device.make.name).toBe('Apple')
        expect([value(variant, 'storage'), value(variant, 'color')]).toEqual(['512GB', 'Gold'])
      }
    })

    test('a SKU finds its variant', async () => {
      const [some] = await list('?device_id=samsung-galaxy-s24-ultra&limit=1')
      const found = await list(`?sku=${encodeURIComponent(some?.sku.toLowerCase() ?? '')}`)
      expect(found.map((variant) => variant.id)).toEqual([some?.id ?? ''])
    })

    test('disabled variants are listed, and can be selected or excluded', async () => {
      const off = await total('?disabled=true')
      expect(off).toBe(bundledVariants.filter((variant) => variant.disabled).length)
      expect((await total('?disabled=false')) + off).toBe(bundledVariants.length)
      expect(await total('?disabled=perhaps')).toBe(0)
    })

    for (const [why, query] of [
      ['an unknown device', '?device_id=no-such'],
      ['an unknown attribute value', '?storage=7GB'],
      ['a common attribute that no variant has', '?carrier=nobody'],
      ['an unknown SKU', '?sku=nothing'],
      ['a shortened make', '?make=app'],
    ] as const) {
      test(`${why} gives an empty list`, async () => {
        const { status, body } = await get(query)
        expect([status, body.data, body.meta.total, body.meta.total_pages]).toEqual([200, [], 0, 0])
      })
    }

    test('unknown and empty parameters are ignored', async () => {
      expect(await total('?no_such_thing=1&device_id=&storage=&__proto__=x&constructor=y')).toBe(bundledVariants.length)
    })
  })

  test('search matches words of the variant and of its device together', async () => {
    const [best] = await list('?search=iphone+13+pro+256gb+graphite')
    expect(best?.id).toBe('apple-iphone-13-pro-256gb-graphite')
    const [forgiven] = await list('?search=iphone+13+pro+256gb+grahpite')
    expect(forgiven?.id).toBe('apple-iphone-13-pro-256gb-graphite')
    expect(await list('?search=iphone+13+nosuchcolor')).toEqual([])
  })

  for (const sent of [
    'page=1e309',
    'page=-1',
    'page=0x10',
    'page=1.5',
    'limit=0',
    'limit=1e3',
    'page=99999999999999999999',
  ]) {
    test(`${sent} means the default`, async () =>
      expect((await get(`?${sent}`)).body.meta).toMatchObject({ page: 1, limit: 20 }))
  }

  test('a client with a current copy gets 304', async () => {
    const tag = (await get('?limit=2')).headers.get('etag') ?? ''
    const again = await service.ask('/api/variants?limit=2', { tier: 'public', headers: { 'If-None-Match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { onSqlite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

type Counted = { name: string; thumbnail: string; device_count: number; variant_count: number }

onSqlite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.openFull(), { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service.stop())

  const get = (path: string, headers: Record<string, string> = {}) => service.ask(path, { tier: 'public', headers })

  test('a device by id equals the device in the list', async () => {
    const { status, body, headers } = await get('/api/devices/apple-iphone-13')
    const listed = await get('/api/devices?search=iphone+13&limit=20')
    expect(status).toBe(200)
    expect(body.data).toEqual(listed.body.data.find(({ id }: { id: string }) => id === 'apple-iphone-13'))
    expect(body.meta).toBeUndefined()
    const again = await get('/api/devices/apple-iphone-13', { 'If-None-Match': headers.get('ETag') ?? '' })
    expect(again.status).toBe(304)
  })

  test('a variant by id equals the variant in the list, with its device', async () => {
    const { body } = await get('/api/variants/apple-iphone-13-128gb-midnight')
    const listed = await get('/api/variants?device_id=apple-iphone-13&storage=128GB&color=midnight')
    expect([body.data]).toEqual(listed.body.data)
    expect(body.data.device.id).toBe('apple-iphone-13')
  })

  test('a console has no price with a carrier lock', async () => {
    const path = '/api/pricing?variant_id=sony-playstation-5-825gb-white&lock=locked'
    const { status, body } = await service.ask(path, { tier: 'paid' })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('has no carrier lock')])
  })

  describe('an unknown id is 404 with the nearest ids', () => {
    for (const [path, nearest] of [
      ['/api/devices/iphone-13', 'apple-iphone-13'],
      ['/api/devices/apple-iphnoe-13', 'apple-iphone-13'],
      ['/api/devices/Apple-iPhone-13', 'apple-iphone-13'],
      ['/api/devices/samsung-galaxy-s23-ultra-5g', 'samsung-galaxy-s23-ultra'],
      ['/api/variants/apple-iphone-13-128gb-midnihgt', 'apple-iphone-13-128gb-midnight'],
      ['/api/variants/apple-iphone-13-64gb-midnight', 'apple-iphone-13-128gb-midnight'],
      ['/api/variants/iphone-13-128gb-midnight', 'apple-iphone-13-128gb-midnight'],
    ] as const) {
      test(`${path} names ${nearest}`, async () => {
        const { status, body } = await get(path)
        expect(status).toBe(404)
        expect(body.error.nearest_ids[0]).toBe(nearest)
        expect(body.error.nearest_ids.length).toBeLessThanOrEqual(5)
        expect(body.error.message).toContain(nearest)
      })
    }

    test('or without ids if none is similar', async () => {
      const { status, body } = await get('/api/devices/qqqqqq-zzzzzz')
      expect(status).toBe(404)
      expect(body.error.nearest_ids).toBeUndefined()
    })

    test('also for a price request', async () => {
      const { status, body } = await service.ask('/api/pricing?variant_id=apple-iphone-13-64gb-midnight', {
        tier: 'paid',
      })
      expect(status).toBe(404)
      expect(body.error.nearest_ids[0]).toBe('apple-iphone-13-128gb-midnight')
    })
  })

  for (const kind of ['categories', 'makes'] as const) {
    test(`the ${kind} have the counts of the lists, each once and sorted by name`, async () => {
      const { body } = await get(`/api/meta/${kind}`)
      const counted: Counted[] = body.data
      const names = counted.map(({ name }) => name.toLowerCase())
      expect(names).toEqual([...new Set(names)].sort())
      const whole = await get('/api/devices?limit=1')
      expect(counted.reduce((sum, each) => sum + each.device_count, 0)).toBe(whole.body.meta.total)
      const [first] = counted.toSorted((a, b) => b.device_count - a.device_count)
      const filter = `${kind === 'makes' ? 'make' : 'category'}=${encodeURIComponent(first?.name ?? '')}`
      expect((await get(`/api/devices?${filter}`)).body.meta.total).toBe(first?.device_count)
      expect((await get(`/api/variants?${filter}`)).body.meta.total).toBe(first?.variant_count)
      expect((await fetch(first?.thumbnail ?? '')).status).toBe(200)
    })
  }

  describe('a parameter that the endpoint does not know', () => {
    test('is ignored and listed in ignored_parameters', async () => {
      const { status, body } = await get('/api/devices?serach=iphone&limit=2')
      const plain = await get('/api/devices?limit=2')
      expect(status).toBe(200)
      expect(body.data).toEqual(plain.body.data)
      expect(body.meta).toEqual({ ...plain.body.meta, ignored_parameters: ['serach'] })
      expect(plain.body.meta.ignored_parameters).toBeUndefined()
    })

    test('is also named in responses without pages and in cached responses', async () => {
      for (const _ of [1, 2, 3]) {
        const { body } = await get('/api/match?text=iphone+13&mkae=Apple')
        expect(body.meta).toEqual({ ignored_parameters: ['mkae'] })
      }
      expect((await get('/api/match?text=iphone+13')).body.meta).toBeUndefined()
    })

    test('gives the response its own ETag, and the compressed response is the same', async () => {
      const one = await get('/api/devices?serach=x')
      const other = await get('/api/devices')
      expect(one.headers.get('ETag')).not.toBe(other.headers.get('ETag'))
      const same = await get('/api/devices?serach=x', { 'If-None-Match': one.headers.get('ETag') ?? '' })
      expect(same.status).toBe(304)
    })

    test('is also named if it is a field of a body', async () => {
      const request = { text: 'iPhone 13 128GB', conditio: 'Good' }
      const ask = (json: object, query = '') => service.ask(`/api/appraisals${query}`, { tier: 'enterprise', json })
      expect((await ask(request)).body.meta).toEqual({ ignored_parameters: ['conditio'] })
      expect((await ask(request, '?marke=us')).body.meta).toEqual({ ignored_parameters: ['marke', 'conditio'] })
      expect((await ask({ text: 'iPhone 13 128GB', condition: 'Good' })).body.meta).toBeUndefined()
    })

    test('is named with its path if it is inside another field or in an item of a batch', async () => {
      const device = { text: 'iPhone 13 128GB', condition: 'Good' }
      const send = (path: string, json: object, method = 'POST') =>
        service.ask(path, { tier: 'enterprise', json, method })
      const ignored = async (...request: Parameters<typeof send>) =>
        (await send(...request)).body.meta?.ignored_parameters
      const { id } = (await send('/api/lists', { name: 'List', header: ['text'] })).body.data
      const rows = [{ line: 2, cells: ['iPhone 13'], change: { condition: 'Good', defect: 'cracked_screen' } }]
      expect(await ignored(`/api/lists/${id}`, { rows }, 'PATCH')).toEqual(['rows[].change.defect'])
      const items = [device, { ...device, conditio: 'Good' }, { ...device, conditio: 'Fair' }]
      expect(await ignored('/api/appraisals/batch', { items })).toEqual(['items[].conditio'])
      expect(await ignored('/api/imei/batch', { items: [{ identifier: '490154203237518', type: 'imei' }] })).toEqual([
        'items[].type',
      ])
      expect(await ignored('/api/appraisals/batch', { items: [device, 'text', null] })).toBeUndefined()
    })

    test('is any but an attribute of the catalogue', async () => {
      expect((await get('/api/variants?colors=red&limit=1')).body.meta.ignored_parameters).toEqual(['colors'])
      expect((await get('/api/variants?size=45mm&limit=1')).body.meta.ignored_parameters).toBeUndefined()
      expect((await get('/api/devices?fields=id&limit=1')).body.meta.ignored_parameters).toEqual(['fields'])
    })
  })
})

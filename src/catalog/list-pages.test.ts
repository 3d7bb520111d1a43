import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sampleDevice } from '../../test/support/device.ts'
import { registryWith } from '../../test/support/registry.ts'
import { listDevices, listVariants } from '../contract/device-endpoints.ts'
import { parseCount } from '../contract/paging.ts'
import {
  deviceListPage,
  type ListPage,
  parseDeviceListQuery,
  parseVariantListQuery,
  requestKey,
  variantListPage,
} from './list-pages.ts'

const attributes = (storage: string, color: string, size?: string) => ({
  attributes: [
    { name: 'storage', value: storage },
    { name: 'color', value: color },
    ...(size ? [{ name: 'Case Size', value: size }] : []),
  ],
})
const registry = await registryWith(
  [
    sampleDevice('Acme', 'Phone', {
      releasedOn: '2024-01-01',
      variants: [attributes('256GB', 'Midnight Green'), attributes('512 GB', 'Black'), attributes('1TB', 'Black')],
    }),
    sampleDevice('Acme', 'Watch', {
      category: 'Smart Watch',
      status: 'discontinued',
      releasedOn: '2023-01-01',
      variants: [{ ...attributes('32GB', 'Black', '45 mm'), sku: 'W-45', disabled: true, listCents: 0 }],
    }),
    sampleDevice('Bolt', 'Tab', { category: 'Tablet', releasedOn: null, variants: [attributes('256 gb', 'Rosé')] }),
  ],
  'https://devices.example',
)

type Parameters = Record<string, string>
const sent = (parameters: Parameters) =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
function devices(parameters: Parameters = {}) {
  return shown(deviceListPage(registry, parseDeviceListQuery(listDevices.query.parse(sent(parameters)))))
}
function variants(parameters: Parameters = {}) {
  return shown(variantListPage(registry, variantRequest(parameters)))
}
function variantRequest(parameters: Parameters) {
  return parseVariantListQuery(listVariants.query.parse(sent(parameters)), registry)
}
function shown({ data, meta }: ListPage) {
  const list = JSON.parse(new TextDecoder().decode(data)) as { id: string }[]
  return { ids: list.map((each) => each.id), list, meta }
}

describe('page and limit', () => {
  for (const text of ['0', '-1', '1.5', 'abc', '', ' 1 ', '0x10', '1e309', '1e2', '+3', '٣', 'NaN', '000']) {
    test(`"${text}" means the default`, () => {
      expect(parseCount(text, 7)).toBe(7)
      expect(parseCount(text, 7, 100)).toBe(7)
    })
  }

  test('an out-of-range page number means the first page', () => expect(parseCount('9'.repeat(20), 1)).toBe(1))
  test('more than the maximum means the maximum', () => {
    expect(parseCount('101', 20, 100)).toBe(100)
    expect(parseCount('9'.repeat(400), 20, 100)).toBe(100)
    expect(parseCount('100', 20, 100)).toBe(100)
  })

  test('meta contains the applied values', () => {
    expect(devices({ page: '2', limit: '2' }).meta).toEqual({
      page: 2,
      limit: 2,
      total: 3,
      total_pages: 2,
      has_next: false,
      has_prev: true,
    })
    expect(devices({ page: '1', limit: '2' }).meta).toMatchObject({ has_next: true, has_prev: false })
  })

  test('a page past the end is empty with correct totals', () => {
    const { ids, meta } = devices({ page: '9007199254740991', limit: '2' })
    expect(ids).toEqual([])
    expect(meta).toMatchObject({ total: 3, total_pages: 2, has_next: false, has_prev: true })
  })

  test('without any match there are no pages', () => {
    expect(devices({ search: 'nothing', page: '3' }).meta).toMatchObject({
      total: 0,
      total_pages: 0,
      has_next: false,
      has_prev: false,
    })
  })
})

describe('devices', () => {
  test('are filtered by exact category and make, ignoring case', () => {
    expect(devices({ category: 'SMART WATCH' }).ids).toEqual(['acme-watch'])
    expect(devices({ category: 'smart' }).ids).toEqual([])
    expect(devices({ make: 'acme' }).ids).toEqual(['acme-phone', 'acme-watch'])
    expect(devices({ make: 'acme', category: 'Tablet' }).ids).toEqual([])
  })

  test('are filtered by status, and another value matches nothing', () => {
    expect(devices({ status: 'discontinued' }).ids).toEqual(['acme-watch'])
    expect(devices({ status: 'broken' }).ids).toEqual([])
  })

  test('are searched and filtered together', () => {
    expect(devices({ search: 'acme', status: 'active' }).ids).toEqual(['acme-phone'])
  })

  test('have every field of the document, in its order', () => {
    expect(Object.keys(devices().list[0] as object)).toEqual([
      'id',
      'name',
      'slug',
      'category',
      'make',
      'model_numbers',
      'technical_specifications',
      'release_date',
      'release_date_precision',
      'thumbnail',
      'status',
      'model_identifiers',
      'variants',
    ])
  })
})

describe('variants', () => {
  test('are listed with their device, including disabled ones', () => {
    const { ids, list } = variants()
    expect(ids).toHaveLength(5)
    expect(list[3]).toMatchObject({
      disabled: true,
      device: {
        id: 'acme-watch',
        name: 'Watch',
        slug: 'acme-watch',
        make: { name: 'Acme', thumbnail: 'https://devices.example/thumbnails/makes/acme.svg' },
        category: { name: 'Smart Watch', thumbnail: 'https://devices.example/thumbnails/categories/smart-watch.svg' },
      },
    })
  })

  for (const [why, parameters, ids] of [
    ['storage', { storage: '256GB' }, ['acme-phone-256gb-midnight-green', 'bolt-tab-256-gb-rose']],
    ['a value in another case and spacing', { storage: '512gb' }, ['acme-phone-512-gb-black']],
    ['a name in another case and spacing', { STORAGE: '1 tb' }, ['acme-phone-1tb-black']],
    ['a value of several words', { color: 'midnightgreen' }, ['acme-phone-256gb-midnight-green']],
    ['a name of several words', { case_size: '45MM' }, ['acme-watch-32gb-black-45-mm']],
    ['two attributes', { color: 'black', storage: '1TB' }, ['acme-phone-1tb-black']],
    ['an unknown value of an attribute', { storage: '3TB' }, []],
    ['a common attribute that no variant has', { carrier: 'Any' }, []],
    ['device_id', { device_id: 'bolt-tab' }, ['bolt-tab-256-gb-rose']],
    ['device_id and attribute', { device_id: 'acme-phone', color: 'Black', storage: '1TB' }, ['acme-phone-1tb-black']],
    ['an unknown device_id', { device_id: 'no-such' }, []],
    ['make', { make: 'BOLT' }, ['bolt-tab-256-gb-rose']],
    ['category', { category: 'tablet' }, ['bolt-tab-256-gb-rose']],
    ['sku', { sku: 'w-45' }, ['acme-watch-32gb-black-45-mm']],
    ['disabled', { disabled: 'true' }, ['acme-watch-32gb-black-45-mm']],
    ['another value of disabled', { disabled: 'maybe' }, []],
    ['search and attribute', { search: 'acme phone', storage: '1TB' }, ['acme-phone-1tb-black']],
    ['search and device_id', { search: 'black', device_id: 'acme-watch' }, ['acme-watch-32gb-black-45-mm']],
  ] as const) {
    test(`are filtered by ${why}`, () => expect(variants(parameters as unknown as Parameters).ids).toEqual([...ids]))
  }

  test('only enabled ones are selected by disabled=false', () =>
    expect(variants({ disabled: 'false' }).ids).toHaveLength(4))
  test('an unknown parameter is ignored', () => expect(variants({ colour_of_money: 'green' }).ids).toHaveLength(5))
  test('an empty parameter is absent', () => expect(variants({ storage: '', device_id: '' }).ids).toHaveLength(5))
})

test('requests that mean the same have the same key, others do not', () => {
  const key = (parameters: Parameters) => requestKey(variantRequest(parameters))
  expect(key({ storage: '256 gb', page: 'x', color: 'Black' })).toBe(key({ color: 'black', Storage: '256GB' }))
  expect(key({ make: 'a' })).not.toBe(key({ category: 'a' }))
  expect(key({ sku: 'a' })).not.toBe(key({ device_id: 'a' }))
  expect(key({ search: 'a b' })).not.toBe(key({ search: 'ab' }))
})

test('any request gets a consistent page', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 130 }),
    fc.constantFrom(
      'acme',
      'Phone',
      'black',
      '256 gb',
      'true',
      '1',
      '2',
      '-1',
      '1e309',
      'W-45',
      'smart watch',
      'phnoe',
    ),
  )
  const name = fc.oneof(
    fc.constantFrom('page', 'limit', 'search', 'make', 'category', 'status', 'sku', 'disabled', 'device_id'),
    fc.constantFrom('storage', 'COLOR', 'case size', '__proto__', 'constructor', ''),
    fc.string({ unit: 'binary', maxLength: 10 }),
  )
  fc.assert(
    fc.property(fc.dictionary(name, anything, { maxKeys: 6, noNullPrototype: true }), (parameters) => {
      for (const { list, meta } of [devices(parameters), variants(parameters)]) {
        const { page, limit, total, total_pages, has_next, has_prev } = meta
        expect(page >= 1 && limit >= 1 && limit <= 100).toBe(true)
        expect(total_pages).toBe(Math.ceil(total / limit))
        expect(list.length).toBe(Math.max(0, Math.min(limit, total - (page - 1) * limit)))
        expect([has_next, has_prev]).toEqual([page < total_pages, page > 1 && total > 0])
      }
    }),
    { numRuns: 500 },
  )
})

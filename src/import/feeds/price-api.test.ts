import { describe, expect, test } from 'bun:test'
import { pageUrl, priceApiSchema, searchText } from './price-api.ts'
import { readPricePage } from './price-response.ts'
import { expandTemplate } from './price-templates.ts'

const FIELDS = { id: 'id', title: 'name', price: 'price.amount', currency: 'price.currency', condition: 'grade' }
const api = (more: object = {}) => priceApiSchema.parse({ fields: FIELDS, ...more })
const QUERY = { deviceId: 'x', text: 'Pixel 7 & co', category: 'Smartphone' }
const FIRST = { page: 0, cursor: '' }

describe('the address of a page', () => {
  test('has the device, category and page in their places, encoded', () => {
    const template = 'https://a.example/s?q={query}&c={category}&n={limit}&o={offset}&p={page}'
    const definition = api({ paging: { size: 50 }, categories: { Smartphone: '9355' } })
    expect(pageUrl(template, definition, QUERY, { page: 2, cursor: '' })).toBe(
      'https://a.example/s?q=Pixel%207%20%26%20co&c=9355&n=50&o=100&p=3',
    )
  })

  test('leaves out what has no value', () => {
    const url = (template: string) => pageUrl(template, api(), QUERY, FIRST)
    expect(url('https://a.example/s?c={category}&after={cursor}&n={limit}')).toBe('https://a.example/s?n=100')
    expect(url('https://a.example/s?n={limit}&c={category}')).toBe('https://a.example/s?n=100')
    expect(url('https://a.example/s?after={cursor}')).toBe('https://a.example/s')
  })
})

test('a device is searched for by its name, without operators of searches', () => {
  expect(['iPhone 13', 'Phone (1)', 'Galaxy S21 5G', 'OnePlus 7'].map((name) => searchText({ name }))).toEqual([
    ...['iPhone 13', 'Phone 1', 'Galaxy S21', 'OnePlus 7'],
  ])
})

describe('a response', () => {
  const item = { id: 7, name: 'Pixel 7 128GB', price: { amount: '289.00', currency: 'eur' }, grade: 'A', seller: 'x' }
  const read = (body: unknown, more: object = {}) => readPricePage(api({ items: 'data', ...more }), body, '2026-11-01')

  test('gives listings with nothing but the fields of the definition', () => {
    const { listings, items } = read({ data: [item] }, { conditions: { A: 'Excellent' } })
    expect(items).toBe(1)
    expect(listings).toEqual([
      {
        ...{ listing_id: '7', title: 'Pixel 7 128GB', price: '289.00', price_cents: '', currency: 'EUR' },
        ...{ condition: 'Excellent', date: '2026-11-01', listed_on: '', side: '', country: '' },
      },
    ])
  })

  test('leaves out filtered items and items without id, title or price', () => {
    const skip = [{ path: 'type', values: ['auction'] }]
    const data = [item, { ...item, type: 'auction' }, { ...item, id: null }, null, 'text', { ...item, price: {} }]
    expect(read({ data }, { skip }).listings).toHaveLength(1)
    expect(read({ data: [{ ...item, type: ['auction', 'fixed'] }] }, { skip }).listings).toEqual([])
  })

  test('cannot refer to the prototype, and control characters do not get into a title', () => {
    const fields = { ...FIELDS, currency: 'constructor.name' }
    const { listings } = read({ data: [{ ...item, name: 'Pixel\u0000 7\n128GB' }] }, { fields })
    expect(listings[0]).toMatchObject({ currency: '', title: 'Pixel  7 128GB' })
  })

  test('without a list is an error, unless the service states that there is nothing', () => {
    const paging = { total: 'count' }
    expect(read({ count: 0 }, { paging })).toEqual({ listings: [], items: 0, total: 0, cursor: '' })
    for (const body of [{}, { count: 3 }, { data: {} }, [], null, 'data'])
      expect(() => read(body, { paging })).toThrow('the response')
    expect(() => read({ data: [{ id: 1, name: 'x' }] })).toThrow('no item of the response has price.amount')
  })
})

test('the template of eBay makes a valid definition for every country', () => {
  for (const market of ['US', 'GB', 'DE', 'FR', 'IT', 'ES', 'AU', 'CA'] as const) {
    const { url, api: definition, options } = expandTemplate({ name: 'ebay', market, client_id: 'shop' })
    const oauth = { ...definition.oauth, client_secret: 'secret' }
    expect(priceApiSchema.safeParse({ ...definition, oauth }).error).toBeUndefined()
    expect(definition.headers).toEqual({ 'X-EBAY-C-MARKETPLACE-ID': `EBAY_${market}` })
    expect(options).toEqual({ source: `ebay-${market.toLowerCase()}`, side: 'ask', market })
    const filled = new URL(pageUrl(url, priceApiSchema.parse({ ...definition, oauth }), QUERY, { page: 1, cursor: '' }))
    expect(filled.searchParams.get('filter')).toContain(`itemLocationCountry:${market}`)
    expect(filled.searchParams.get('offset')).toBe('200')
  }
})

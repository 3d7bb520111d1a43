import { describe, expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { registryWith } from '../../../test/support/registry.ts'
import { parseSearchTerm, type SearchTerm } from './search-term.ts'

const DEVICES = [
  sampleDevice('Apple', 'iPhone 14', { releasedOn: '2022-09-16', modelNumbers: ['A2649', 'A2882'] }),
  sampleDevice('Apple', 'iPhone 14 Plus', { releasedOn: '2022-10-07', modelIdentifiers: ['iPhone14,8'] }),
  sampleDevice('Apple', 'iPhone 14 Pro Max', {
    releasedOn: '2022-09-16',
    variants: [
      {
        attributes: [
          { name: 'storage', value: '128GB' },
          { name: 'color', value: 'Deep Purple' },
        ],
        partNumbers: ['MQ9T3'],
      },
      {
        attributes: [
          { name: 'storage', value: '256GB' },
          { name: 'color', value: 'Gold' },
        ],
        sku: 'IP14PM-256-GLD',
      },
    ],
  }),
  sampleDevice('Apple', 'Watch Ultra', { category: 'Smartwatch', releasedOn: '2022-09-23' }),
  sampleDevice('Samsung', 'Galaxy S24 Ultra', { releasedOn: '2024-01-31', modelNumbers: ['SM-S928B'] }),
  sampleDevice('Samsung', 'Galaxy S9+', { releasedOn: '2018-03-16' }),
  sampleDevice('Samsung', 'Galaxy Watch6', { category: 'Smartwatch', releasedOn: '2023-08-11' }),
  sampleDevice('OnePlus', 'OnePlus2', { releasedOn: '2015-08-11' }),
  sampleDevice('OnePlus', '12', { releasedOn: '2024-01-23' }),
  sampleDevice('Nokia', 'Émile 3', { releasedOn: null }),
  sampleDevice('Watchmaker', 'Model One', { category: 'Phone', releasedOn: '2025-01-01' }),
]
const registry = await registryWith(DEVICES)

function term(text: string): SearchTerm {
  const read = parseSearchTerm(text)
  if (!read) throw new Error('a blank term')
  return read
}
const find = (text: string): string[] =>
  registry.searchDevices(term(text)).matches.map((number) => registry.deviceAt(number).name)
const findVariants = (text: string): string[] =>
  registry.searchVariants(term(text)).matches.map((key) => registry.variantAt(key).variant.id)

describe('words', () => {
  test('every word must be a prefix of a word in name, make, category or slug', () => {
    expect(find('apple iph 14 pl')).toEqual(['iPhone 14 Plus'])
    expect(find('samsung smartw')).toEqual(['Galaxy Watch6'])
    expect(find('apple galaxy')).toEqual([])
    expect(find('apple-iphone-14-plus')).toEqual(['iPhone 14 Plus'])
  })

  test('case and accents are ignored', () => {
    expect(find('EMILE')).toEqual(['Émile 3'])
    expect(find('émïle')).toEqual(['Émile 3'])
  })

  test('a plus sign is a word, as in the slug', () => {
    expect(find('s9+')).toEqual(['Galaxy S9+'])
    expect(find('s9 plus')).toEqual(['Galaxy S9+'])
  })

  test('a word in the middle of another does not match', () => {
    expect(find('hone 14')).toEqual([])
  })

  test('text without a letter or digit finds nothing', () => {
    expect(find('!!!')).toEqual([])
    expect(find('\u0000\ud800')).toEqual([])
  })
})

describe('the best match comes first', () => {
  test('a fully matched name comes before a longer one, even if that is newer', () => {
    expect(find('iphone 14')).toEqual(['iPhone 14', 'iPhone 14 Plus', 'iPhone 14 Pro Max'])
    expect(find('apple iphone 14')[0]).toBe('iPhone 14')
  })

  test('a whole word comes before a prefix, a name before a make before a category', () => {
    expect(find('watch')).toEqual(['Watch Ultra', 'Galaxy Watch6', 'Model One'])
    expect(find('ultra')).toEqual(['Watch Ultra', 'Galaxy S24 Ultra'])
  })

  test('equal matches are in list order: newest first, then by slug', () => {
    expect(find('smartphone')).toEqual([
      'Galaxy S24 Ultra',
      '12',
      'iPhone 14 Plus',
      'iPhone 14',
      'iPhone 14 Pro Max',
      'Galaxy S9+',
      'OnePlus2',
      'Émile 3',
    ])
  })
})

describe('typing errors', () => {
  for (const [why, typed] of [
    ['a letter missing', 'galxy s24'],
    ['a letter too many', 'gallaxy s24'],
    ['a wrong letter', 'gakaxy s24'],
    ['two letters swapped', 'glaaxy s24'],
    ['one in each word', 'samsnug galaxi s24'],
    ['the first letter wrong', 'halaxy s24'],
    ['in a beginning', 'smasu s24'],
    ['the first letter missing', 'alaxy s24'],
  ] as const) {
    test(`${why}: ${typed}`, () => expect(find(typed)).toEqual(['Galaxy S24 Ultra']))
  }

  test('are not corrected in words of four letters, nor twice in one word', () => {
    expect(find('utra s24')).toEqual([])
    expect(find('glxay s24')).toEqual([])
    expect(find('gakaxi s24')).toEqual([])
  })

  test('are not tried if something matches as typed', () => {
    expect(find('watch')).not.toContain('Émile 3')
    expect(find('watchm')).toEqual(['Model One'])
  })

  test('include a missing blank', () => {
    expect(find('iphone14')).toEqual(['iPhone 14', 'iPhone 14 Plus', 'iPhone 14 Pro Max'])
    expect(find('galaxys24')).toEqual(['Galaxy S24 Ultra'])
    expect(find('oneplus12')).toEqual(['12'])
    expect(find('oneplus3')[0]).toBe('OnePlus2')
  })
})

describe('codes given exactly', () => {
  for (const [what, code, name] of [
    ['model number', 'A2649', 'iPhone 14'],
    ['model number in lower case', 'sm-s928b', 'Galaxy S24 Ultra'],
    ['model identifier', 'iPhone14,8', 'iPhone 14 Plus'],
    ['part number', 'MQ9T3', 'iPhone 14 Pro Max'],
    ['part number with its region', 'mq9t3ll/a', 'iPhone 14 Pro Max'],
    ['SKU', 'IP14PM-256-GLD', 'iPhone 14 Pro Max'],
    ['model number beside words', 'samsung SM-S928B', 'Galaxy S24 Ultra'],
  ] as const) {
    test(`${what} ${code}`, () => expect(find(code)[0]).toBe(name))
  }

  test('a prefix of a code does not match', () => expect(find('SM-S928')).toEqual([]))
  test('a code beside a word that does not fit finds nothing', () => expect(find('apple SM-S928B')).toEqual([]))
})

describe('variants', () => {
  test('words of the variant and of its device count together', () => {
    expect(findVariants('iphone 14 pro gold')).toEqual(['apple-iphone-14-pro-max-256gb-gold'])
    expect(findVariants('128gb purple')).toEqual(['apple-iphone-14-pro-max-128gb-deep-purple'])
    expect(findVariants('iphone 14 pro prple')).toEqual(['apple-iphone-14-pro-max-128gb-deep-purple'])
  })

  test("a variant's code finds it alone, a device's code all its variants", () => {
    expect(findVariants('MQ9T3')).toEqual(['apple-iphone-14-pro-max-128gb-deep-purple'])
    expect(findVariants('SM-S928B')).toEqual(['samsung-galaxy-s24-ultra-64gb'])
  })
})

test('a term is truncated to 100 characters, and a blank one is null', () => {
  expect(parseSearchTerm('   ')).toBeNull()
  expect(parseSearchTerm(undefined)).toBeNull()
  expect(term('a'.repeat(400)).words).toEqual(['a'.repeat(100)])
})

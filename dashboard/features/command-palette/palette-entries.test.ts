import { expect, test } from 'bun:test'
import '../../i18n.ts'
import { findPaletteEntries } from './palette-entries.ts'

const PAGES = [
  { to: '/dashboard/keys', name: 'API keys' },
  { to: '/dashboard/usage', name: 'Usage' },
]
const DEVICES = [{ id: 'apple-iphone-13', name: 'iPhone 13', make: { name: 'Apple', thumbnail: '/apple.svg' } }]

test('without input every page is offered', () => {
  expect(findPaletteEntries('', PAGES, []).map(({ text }) => text)).toEqual(['API keys', 'Usage'])
})

test('input finds pages by name and devices from the search', () => {
  expect(findPaletteEntries('key', PAGES, []).map(({ to }) => to)).toEqual(['/dashboard/keys'])
  expect(findPaletteEntries('iphone 13', PAGES, DEVICES)).toEqual([
    { to: '/dashboard/devices/apple-iphone-13', text: 'Apple iPhone 13', kind: 'Apple' },
  ])
})

test('an identifier is offered for a check and is never in a URL path', () => {
  const entries = findPaletteEntries('35 209900 176148 1', PAGES, DEVICES)
  expect(entries.map(({ kind }) => kind)).toEqual(['IMEI', 'Lookup history'])
  for (const { to } of entries)
    expect(new URL(to, 'http://x').pathname + new URL(to, 'http://x').search).not.toMatch(/\d/)
})

test('a lookup is found by its id', () => {
  expect(findPaletteEntries('lkp_01ABC', PAGES, DEVICES).map(({ to }) => to)).toEqual(['/dashboard/lookups/lkp_01ABC'])
})

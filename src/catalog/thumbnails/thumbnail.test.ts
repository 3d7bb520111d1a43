import { describe, expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { registryWith } from '../../../test/support/registry.ts'
import { bundledDevices } from '../bundled-catalogue-service.ts'
import { drawShape, shapeFor } from './shapes.ts'
import { drawThumbnail, initialsOf, shadeForColor } from './thumbnail.ts'

const registry = await registryWith(
  [
    sampleDevice('Acme', 'Phone <1> & "co"', {
      variants: [{ attributes: [{ name: 'color', value: 'Jetblack' }] }],
    }),
    sampleDevice('Big Sur', 'Ear\u0000bud \ud800 with a name that goes on for much longer than any card', {
      id: 'big-sur-earbud',
      category: 'Earbuds',
    }),
  ],
  'https://devices.example',
)

test('every thumbnail link of a device and its variants is drawn as well-formed XML', async () => {
  const links: string[] = []
  for (const number of registry.selectDevices({}, { offset: 0, limit: 10 }).keys) {
    const wire = new TextDecoder().decode(registry.deviceJson(number))
    links.push(...[...wire.matchAll(/"thumbnail":"https:\/\/devices\.example([^"]+)"/g)].map((match) => match[1] ?? ''))
  }
  expect(links).toHaveLength(8)
  for (const link of links) {
    const svg = drawThumbnail(registry, link) ?? ''
    expect(svg).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"')
    expect(svg).not.toContain('<1>')
    expect(svg).not.toMatch(/[^\P{Cc}\n]/u)
    // Well-formed: every element is closed, and every ampersand is escaped.
    expect(svg.match(/<[a-z]/g)?.length).toBe((svg.match(/<\/[a-z]/g)?.length ?? 0) + (svg.match(/\/>/g)?.length ?? 0))
    expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
    expect(svg).not.toMatch(/href|url\(|<script/)
  }
})

describe('there is no drawing at', () => {
  for (const path of [
    '/thumbnails/devices/no-such.svg',
    '/thumbnails/devices/acme-phone-1-and-co.png',
    '/thumbnails/makes/constructor.svg',
    '/thumbnails/devices/../makes/acme.svg',
    '/thumbnails/',
    '/thumbnails/devices/.svg',
    `/thumbnails/devices/${'a'.repeat(5000)}.svg`,
  ]) {
    test(path.slice(0, 60), () => expect(drawThumbnail(registry, path)).toBeNull())
  }
})

test('drawing is deterministic', () => {
  const path = '/thumbnails/makes/acme.svg'
  expect(drawThumbnail(registry, path)).toBe(drawThumbnail(registry, path))
})

test('makers are shown by their initials', () => {
  expect(['Apple', 'OnePlus', 'Big Sur', 'HTC', 'b&o play', '小米'].map(initialsOf)).toEqual([
    'A',
    'OP',
    'BS',
    'H',
    'BP',
    '小',
  ])
})

test('a variant is drawn in the color of its name', () => {
  expect(shadeForColor('Midnight Green')).toBe(shadeForColor('green'))
  expect(shadeForColor('Jetblack')).toBe(shadeForColor('Black'))
  expect(shadeForColor('(PRODUCT)RED')).toBe(shadeForColor('red'))
  expect(shadeForColor('Blue Titanium')).toBe(shadeForColor('blue'))
  expect(shadeForColor('Titanium')).not.toBeNull()
  expect(shadeForColor('constructor')).toBeNull()
})

test('every category of the bundled catalogue and of imports has its own shape', () => {
  const named = [...new Set(bundledDevices().map(({ category }) => category)), 'Graphics Card', 'Fitness Tracker']
  const categories = [...new Set(named)]
  const shapes = new Map(categories.map((category) => [category, shapeFor(category)]))
  expect([...shapes].filter(([, shape]) => shape === 'box')).toEqual([])
  expect(new Set(shapes.values()).size).toBe(categories.length)
})

test('every shape is drawn inside its card, well-formed', () => {
  for (const shape of ['band', 'card', 'boombox', 'actioncam', 'phone-disc', 'flip', 'drone'] as const) {
    const drawn = drawShape(shape, { body: '#777777', glass: '#222222', ink: '#222222', mark: '#eeeeee' })
    expect(drawn.match(/<[a-z]/g)?.length, shape).toBe(drawn.match(/\/>/g)?.length ?? 0)
    for (const [, x, y, width, height] of drawn.matchAll(
      /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      expect(Number(x) + Number(width), shape).toBeLessThanOrEqual(270)
      expect(Number(y) + Number(height), shape).toBeLessThanOrEqual(230)
    }
  }
})

test('the shape follows the category, and the name if the category has several shapes', () => {
  expect(shapeFor('Smartphone')).toBe('phone')
  expect(shapeFor('Headphones')).toBe('headphones')
  expect(shapeFor('Smartphone', 'Galaxy Z Fold5')).toBe('foldable')
  expect(shapeFor('Smartphone', 'Galaxy Z Flip5', 'Samsung')).toBe('flip')
  expect(shapeFor('Game Console', 'Steam Deck')).toBe('handheld')
  expect(shapeFor('Something else')).toBe('box')
})

test('a phone has the camera layout of its family', () => {
  const shape = (make: string, name: string) => shapeFor('Smartphone', name, make)
  expect(shape('Apple', 'iPhone 15 Pro Max')).toBe('phone-triple')
  expect(shape('Apple', 'iPhone 13 mini')).toBe('phone-diagonal')
  expect(shape('Apple', 'iPhone 16')).toBe('phone-pill')
  expect(shape('Apple', 'iPhone 16e')).toBe('phone-single')
  expect(shape('Apple', 'iPhone SE (2nd generation)')).toBe('phone-single')
  expect(shape('Google', 'Pixel 8a')).toBe('phone-bar')
  expect(shape('Samsung', 'Galaxy S23 Ultra')).toBe('phone-column')
  expect(shape('Xiaomi', 'Xiaomi 14')).toBe('phone-disc')
  expect(shape('Acme', 'Phone 1')).toBe('phone')
})

test('a device has the color of its first variant with a known color', () => {
  expect(drawThumbnail(registry, '/thumbnails/devices/acme-phone-1-and-co.svg')).toContain(
    shadeForColor('Black') ?? '-',
  )
})

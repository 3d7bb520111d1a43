import { describe, expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { atOnce } from '../slices.ts'
import { devicesOnBoard } from './onboard.ts'
import { buildSnapshot } from './snapshot.ts'
import { initials, thumbnail } from './thumbnail.ts'
import { shadeOf } from './thumbnail-color.ts'
import { drawShape, shapeOf } from './thumbnail-shape.ts'

const snapshot = atOnce(
  buildSnapshot(
    null,
    {
      changed: [
        sampleDevice('Acme', 'Phone <1> & "co"', {
          variants: [{ attributes: [{ name: 'color', value: 'Jetblack' }] }],
        }),
        sampleDevice('Big Sur', 'Ear\u0000bud \ud800 with a name that goes on for much longer than any card', {
          id: 'big-sur-earbud',
          category: 'Earbuds',
        }),
      ],
    },
    'https://devices.example',
  ),
)

test('every thumbnail a device and its variants link to is drawn, as XML that can be read', async () => {
  const links: string[] = []
  for (let place = 0; place < snapshot.devices.length; place++) {
    const wire = new TextDecoder().decode(snapshot.devices.bytes(place))
    links.push(...[...wire.matchAll(/"thumbnail":"https:\/\/devices\.example([^"]+)"/g)].map((match) => match[1] ?? ''))
  }
  expect(links).toHaveLength(8)
  for (const link of links) {
    const svg = thumbnail(snapshot, link) ?? ''
    expect(svg).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"')
    expect(svg).not.toContain('<1>')
    expect(svg).not.toMatch(/[^\P{Cc}\n]/u)
    // Well-formed: every element that opens also closes, and no ampersand stands alone.
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
    test(path.slice(0, 60), () => expect(thumbnail(snapshot, path)).toBeNull())
  }
})

test('the same thing always looks the same', () => {
  const path = '/thumbnails/makes/acme.svg'
  expect(thumbnail(snapshot, path)).toBe(thumbnail(snapshot, path))
})

test('makers are shown by their initials', () => {
  expect(['Apple', 'OnePlus', 'Big Sur', 'HTC', 'b&o play', '小米'].map(initials)).toEqual([
    'A',
    'OP',
    'BS',
    'H',
    'BP',
    '小',
  ])
})

test('a variant is drawn in the color its name tells', () => {
  expect(shadeOf('Midnight Green')).toBe(shadeOf('green'))
  expect(shadeOf('Jetblack')).toBe(shadeOf('Black'))
  expect(shadeOf('(PRODUCT)RED')).toBe(shadeOf('red'))
  expect(shadeOf('constructor')).toBeNull()
})

test('every category on board, and those that come with more devices, has a shape of its own', () => {
  const named = [...new Set(devicesOnBoard().map(({ category }) => category)), 'Graphics Card', 'Fitness Tracker']
  const categories = [...new Set(named)]
  const shapes = new Map(categories.map((category) => [category, shapeOf(category)]))
  expect([...shapes].filter(([, shape]) => shape === 'box')).toEqual([])
  expect(new Set(shapes.values()).size).toBe(categories.length)
})

test('every shape is drawn inside its card, well-formed', () => {
  for (const shape of ['band', 'card', 'boombox', 'actioncam', 'phone', 'drone'] as const) {
    const drawn = drawShape(shape, { body: '#777777', glass: '#eeeeee', ink: '#222222' })
    expect(drawn.match(/<[a-z]/g)?.length, shape).toBe(drawn.match(/\/>/g)?.length ?? 0)
    for (const [, x, y, width, height] of drawn.matchAll(
      /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      expect(Number(x) + Number(width), shape).toBeLessThanOrEqual(270)
      expect(Number(y) + Number(height), shape).toBeLessThanOrEqual(230)
    }
  }
})

test('a shape follows the category, and the name where the category holds several', () => {
  expect(shapeOf('Smartphone')).toBe('phone')
  expect(shapeOf('Headphones')).toBe('headphones')
  expect(shapeOf('Smartphone', 'Galaxy Z Fold5')).toBe('foldable')
  expect(shapeOf('Game Console', 'Steam Deck')).toBe('handheld')
  expect(shapeOf('Something else')).toBe('box')
})

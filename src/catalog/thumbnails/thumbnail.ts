import shades from '../../../data/aliases/color-shades.json' with { type: 'json' }
import { escapeHtml } from '../../lib/html.ts'
import type { Device, Variant } from '../device.ts'
import type { Registry } from '../registry.ts'
import { splitWords } from '../search/search-term.ts'
import { drawShape, type Paint, shapeFor } from './shapes.ts'

type ThumbnailRegistry = Pick<Registry, 'findDevice' | 'findVariant' | 'findLabel'>

const PATH = /^\/thumbnails\/(categories|makes|devices|variants)\/([a-z0-9-]{1,300})\.svg$/

/** Approximate shades of the makers' color words. */
const SHADE_BY_COLOR: ReadonlyMap<string, string> = new Map(Object.entries(shades))

/**
 * The drawing at a path under `/thumbnails/`, or null if there is none: the shape of a device family, or the initials of
 * a make. It depends on the path and the registry alone.
 */
export function drawThumbnail(registry: ThumbnailRegistry, path: string): string | null {
  const [, kind, id = ''] = PATH.exec(path) ?? []
  const name = kind === 'categories' || kind === 'makes' ? registry.findLabel(kind, id) : undefined
  if (name !== undefined) return kind === 'makes' ? drawMake(name) : drawInShade({ category: name }, name, null)
  const device = kind === 'devices' ? registry.findDevice(id) : undefined
  if (device) return drawDevice(device)
  const entry = kind === 'variants' ? registry.findVariant(id) : undefined
  return entry ? drawVariant(entry.device, entry.variant) : null
}

function drawMake(name: string): string {
  const hue = hueOf(name)
  const letters = initialsOf(name)
  const size = letters.length > 1 ? 92 : 116
  return drawCard(
    name,
    `<circle cx="160" cy="160" r="96" fill="hsl(${hue} 42% 42%)"/>` +
      `<text x="160" y="${160 + size * 0.36}" font-size="${size}" font-weight="700" fill="#ffffff" text-anchor="middle" ` +
      `font-family="${FONT}">${escapeXml(letters)}</text>`,
  )
}

/** In the color of the first variant whose color is known. */
function drawDevice(device: Device): string {
  const shade = device.variants.map(shadeOf).find((found) => found !== null)
  return drawInShade(device, `${device.make} ${device.name}`, shade)
}

/** In the color the variant is sold in, if its name tells. */
function drawVariant(device: Device, variant: Variant): string {
  return drawInShade(device, `${device.make} ${device.name}, ${variant.name}`, shadeOf(variant))
}

function drawInShade(
  { category, name, make }: Pick<Device, 'category'> & Partial<Device>,
  title: string,
  shade: string | null | undefined,
): string {
  const shape = drawShape(shapeFor(category, name, make), paintFor(shade ?? NEUTRAL_SHADE))
  // Shapes are drawn around (160, 136).
  return drawCard(title, `<g transform="translate(160 160) scale(1.42) translate(-160 -136)">${shape}</g>`)
}

function shadeOf({ attributes }: Variant): string | null {
  const color = attributes.find(({ name }) => name.toLowerCase() === 'color')
  return color ? shadeForColor(color.value) : null
}

/** Of devices whose color is unknown. */
const NEUTRAL_SHADE = '#aab1ba'

const paintFor = (body: string): Paint => ({
  body,
  glass: '#212936',
  ink: isDark(body) ? '#9aa3ae' : '#3d444d',
  mark: '#dfe6ee',
})

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif'

/**
 * A square with the same calm background for all drawings. Colors are attributes; only the dark theme is a style, so that
 * a page which forbids styles still shows the light one.
 */
function drawCard(title: string, drawing: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320" role="img">` +
    `<title>${escapeXml(title)}</title>` +
    `<style>@media (prefers-color-scheme:dark){.g{fill:#3b444f}}</style>` +
    `<rect class="g" width="320" height="320" rx="36" fill="#eef1f4"/>${drawing}</svg>\n`
  )
}

/** "OnePlus" is OP and "Nothing" is N: the capitals of the name, two at most. */
export function initialsOf(make: string): string {
  const words = make.split(/[\s_-]+/).filter(Boolean)
  const letters =
    words.length > 1
      ? words.map((word) => Array.from(word)[0] ?? '')
      : Array.from(make).filter((letter, index) => index === 0 || (/\p{Lu}/u.test(letter) && /\p{Ll}/u.test(make)))
  return letters.slice(0, 2).join('').toUpperCase() || '?'
}

function hueOf(text: string): number {
  let hash = 2_166_136_261
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619)
  // Neighbouring names differ only in their last letters, so the last bits are mixed.
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return ((hash ^ (hash >>> 13)) >>> 0) % 360
}

function isDark(shade: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(shade.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 < 90
}

/** Escapes markup and replaces characters that XML does not allow. */
const escapeXml = (text: string) => escapeHtml(text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD'))

/**
 * The last color word decides, and a material only without one: "Blue Titanium" is blue. Joined names such as Jetblack or
 * Icyblue are recognised by their ending.
 */
export function shadeForColor(color: string): string | null {
  const isMaterial = (word: string) => word === 'titanium'
  const words = splitWords(color).reverse()
  const endings = words.flatMap((word) => /(?:black|blue|silver|white|green|gray|red|gold|pink)$/.exec(word) ?? [])
  const candidates = [...words.filter((word) => !isMaterial(word)), ...words.filter(isMaterial), ...endings]
  return SHADE_BY_COLOR.get(candidates.find((word) => SHADE_BY_COLOR.has(word)) ?? '') ?? null
}

import type { Device, Variant } from '../device.ts'
import type { CatalogueSnapshot } from '../snapshot.ts'
import { shadeForColor } from './color-shades.ts'
import { drawShape, type Paint, shapeFor } from './shapes.ts'

/** What a thumbnail is looked up in. */
type ThumbnailRegistry = Pick<CatalogueSnapshot, 'findDevice' | 'findVariant' | 'makes' | 'categories'>

const PATH = /^\/thumbnails\/(categories|makes|devices|variants)\/([a-z0-9-]{1,300})\.svg$/

/**
 * The drawing at a path under `/thumbnails/`, or null where there is none. The same path gives the same drawing for as
 * long as the registry says the same. Drawn by us: shapes of a kind of thing, initials for makers, nobody's logo.
 */
export function drawThumbnail(registry: ThumbnailRegistry, path: string): string | null {
  const [, kind, id = ''] = PATH.exec(path) ?? []
  if (kind === 'categories') {
    const name = registry.categories.get(id)
    return name === undefined ? null : drawCategory(name)
  }
  if (kind === 'makes') {
    const name = registry.makes.get(id)
    return name === undefined ? null : drawMake(name)
  }
  if (kind === 'devices') {
    const device = registry.findDevice(id)
    return device ? drawDevice(device) : null
  }
  if (kind === 'variants') {
    const found = registry.findVariant(id)
    return found ? drawVariant(found.device, found.variant) : null
  }
  return null
}

function drawCategory(name: string): string {
  const hue = hueOf(name)
  const paint = { body: `hsl(${hue} 38% 58%)`, glass: `hsl(${hue} 45% 90%)`, ink: `hsl(${hue} 40% 26%)` }
  return drawCard(hue, name, drawShape(shapeFor(name), paint), [name])
}

function drawMake(name: string): string {
  const hue = hueOf(name)
  const letters = initialsOf(name)
  const size = letters.length > 1 ? 76 : 96
  return drawCard(
    hue,
    name,
    `<circle cx="160" cy="136" r="76" fill="hsl(${hue} 42% 42%)"/>` +
      `<text x="160" y="${136 + size * 0.36}" font-size="${size}" font-weight="700" fill="#ffffff" text-anchor="middle" ` +
      `font-family="${FONT}">${escapeXml(letters)}</text>`,
    [name],
  )
}

function drawDevice(device: Device): string {
  const hue = hueOf(device.id)
  const paint: Paint = { body: `hsl(${hue} 30% 52%)`, glass: `hsl(${hue} 48% 91%)`, ink: `hsl(${hue} 38% 22%)` }
  return drawCard(hue, `${device.make} ${device.name}`, drawShape(shapeFor(device.category, device.name), paint), [
    device.name,
  ])
}

/** In the color the variant is sold in, where its name tells. */
function drawVariant(device: Device, variant: Variant): string {
  const hue = hueOf(device.id)
  const color = variant.attributes.find((attribute) => attribute.name.toLowerCase() === 'color')?.value ?? ''
  const paint: Paint = {
    body: shadeForColor(color) ?? `hsl(${hue} 30% 52%)`,
    glass: `hsl(${hue} 30% 24%)`,
    ink: `hsl(${hue} 20% ${isDark(shadeForColor(color)) ? 62 : 30}%)`,
  }
  return drawCard(
    hue,
    `${device.make} ${device.name}, ${variant.name}`,
    drawShape(shapeFor(device.category, device.name), paint),
    [device.name, variant.attributes.map((attribute) => attribute.value).join(' · ')],
  )
}

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif'

/**
 * A square with a soft ground in the thing's own tint. Colors are attributes; only the dark theme is a style, so that a
 * page which forbids styles still shows the light one.
 */
function drawCard(hue: number, title: string, drawing: string, lines: readonly string[]): string {
  const [first = '', second = ''] = lines
  const named = wrapText(first, second ? 1 : 2)
  const firstY = named.length > 1 || second ? 262 : 274
  const rows = [
    ...named.map((text, row) => drawCaption(text, firstY + row * 26, fontSizeFor(text, 22), 600, hue)),
    ...(second ? [drawCaption(truncate(second, 40), 288, fontSizeFor(second, 16), 400, hue)] : []),
  ]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320" role="img">` +
    `<title>${escapeXml(title)}</title>` +
    `<style>@media (prefers-color-scheme:dark){.g{fill:hsl(${hue} 18% 17%)}.t{fill:hsl(${hue} 24% 90%)}.s{fill:hsl(${hue} 16% 24%)}}</style>` +
    `<rect class="g" width="320" height="320" rx="36" fill="hsl(${hue} 44% 95%)"/>` +
    `<ellipse class="s" cx="160" cy="136" rx="122" ry="108" fill="hsl(${hue} 42% 89%)"/>` +
    `${drawing}${rows.join('')}</svg>\n`
  )
}

function drawCaption(text: string, y: number, size: number, weight: number, hue: number): string {
  return (
    `<text class="t" x="160" y="${y}" font-size="${size}" font-weight="${weight}" text-anchor="middle" ` +
    `fill="hsl(${hue} 42% 20%)" font-family="${FONT}">${escapeXml(text)}</text>`
  )
}

/** The size at which a text is no wider than its card; letters are about six tenths of it wide. */
function fontSizeFor(text: string, largest: number): number {
  return Math.max(12, Math.min(largest, Math.floor(288 / (0.6 * Math.max(1, text.length)))))
}

/** A name on at most so many lines of about 24 characters, broken between words. */
function wrapText(name: string, maxLines: number): string[] {
  if (name.length <= 24 || maxLines === 1) return [truncate(name, 32)]
  const middle = name.lastIndexOf(' ', 24)
  const at = middle > 6 ? middle : 24
  return [name.slice(0, at).trim(), truncate(name.slice(at).trim(), 26)]
}

function truncate(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

/** "OnePlus" is OP and "Nothing" is N: the capitals of the name, two at most. */
export function initialsOf(make: string): string {
  const spoken = make.split(/[\s_-]+/).filter(Boolean)
  const letters =
    spoken.length > 1
      ? spoken.map((word) => Array.from(word)[0] ?? '')
      : Array.from(make).filter((letter, place) => place === 0 || (/\p{Lu}/u.test(letter) && /\p{Ll}/u.test(make)))
  return letters.slice(0, 2).join('').toUpperCase() || '?'
}

/** The same text always has the same tint. */
function hueOf(text: string): number {
  let hash = 2_166_136_261
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619)
  // Neighbouring names differ in their last letters only; the last bits are mixed before they choose.
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return ((hash ^ (hash >>> 13)) >>> 0) % 360
}

function isDark(shade: string | null): boolean {
  if (!shade) return false
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(shade.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 < 90
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for XML: markup escaped, and what XML cannot hold replaced. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

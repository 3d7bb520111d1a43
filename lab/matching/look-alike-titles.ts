/** Names that differ from a catalogue name by one token. Whether such a device exists is decided by the catalogue. */
import type { Device } from '../../src/catalog/device.ts'
import { BUNDLED_ALIASES } from '../../src/catalog/matching/aliases.ts'
import { splitPieces } from '../../src/catalog/matching/title-lexicon.ts'
import type { LabelledTitle } from './match-score.ts'

/**
 * Not changed, because the title would still name the same device: what a code identifies ("XPS 13 9310 Turbo"), words of
 * board makers ("RTX 3060 Turbo"), a word said twice, makes that titles name as component or shop, and chips and ports.
 */
const hasCode = ({ name }: Device) =>
  /\d{4}|\d{2}[A-Z]{2}|[A-Za-z]\d{3}|\d-\d|\d+-[a-z]{2}\d/.test(name.replaceAll(/\(?\b20\d\d\)?/g, ''))
const isGraphicsCard = ({ category }: Device) => /graphics/i.test(category)

const SUFFIXES = ['s', 'x', 'a', 'e', 't', 'r']
const WORDS = ['Pro', 'Lite', 'Ultra', 'Neo', 'Turbo', 'FE', 'Prime', 'Max']

/** Networks, years and "2-in-1" are no model numbers. */
const MODEL_NUMBER = /(?<![\d.]|\bM|Thunderbolt )\d{1,4}(?![\d.]|g\b|-in-|-inch|mm)/gi
const isYear = (digits: string) => digits.length === 4 && (digits.startsWith('19') || digits.startsWith('20'))

const fullName = ({ make, name }: Device) =>
  name.toLowerCase().startsWith(make.toLowerCase()) ? name : `${make} ${name}`

const keyOf = (text: string) =>
  splitPieces(text)
    .filter((piece) => !/^(?:generation|gen|st|nd|rd|th|wireless)$/.test(piece))
    .join('')

/** A name with its last model number changed by `step`, or null if it has none. */
function withOtherNumber(name: string, step: number): string | null {
  const number = [...name.matchAll(MODEL_NUMBER)].filter(([digits]) => !isYear(digits)).at(-1)
  if (!number || Number(number[0]) + step < 1) return null
  const other = Number(number[0]) + step
  const rest = name.slice(number.index + number[0].length)
  return name.slice(0, number.index) + other + rest.replace(/^(?:st|nd|rd|th)\b/, ordinalSuffix(other))
}

const ordinalSuffix = (value: number) => ['th', 'st', 'nd', 'rd'][value > 3 ? 0 : value] ?? 'th'

/** "Redmi 5A" as "Redmi A5". */
function withSwappedPieces(name: string): string | null {
  const swapped = name.replace(/\b([A-Za-z]{1,2})(\d{1,3})\b|\b(\d{1,3})([A-Za-z]{1,2})\b/, (text, a, b, c, d) =>
    /^\d+(?:g|st|nd|rd|th)$/i.test(text) ? text : a ? b + a : d + c,
  )
  return swapped === name ? null : swapped
}

function withSuffix(name: string, letter: string): string | null {
  const number = [...name.matchAll(/(?<!Thunderbolt )\b[A-Za-z]{0,2}\d{1,3}(?=\s|$)/g)].at(-1)
  return number
    ? `${name.slice(0, number.index + number[0].length)}${letter}${name.slice(number.index + number[0].length)}`
    : null
}

/** `count` look-alikes spread evenly over the catalogue; the expected id is `-` unless the changed name is a device as well. */
export function lookAlikeTitles(devices: readonly Device[], count: number): LabelledTitle[] {
  const idByKey = new Map<string, string>()
  for (const device of devices) {
    const names = [device.name, ...(BUNDLED_ALIASES.devices[device.id]?.names ?? [])]
    for (const name of names) idByKey.set(keyOf(fullName({ ...device, name })), device.id)
  }
  // "Galaxy M15" is the "Galaxy M15 5G" unless there are both.
  for (const [key, id] of [...idByKey]) if (!idByKey.has(key.replace('5g', ''))) idByKey.set(key.replace('5g', ''), id)
  const notMakes = new Set(BUNDLED_ALIASES.makes.componentsAndShops.map((make) => make.toLowerCase()))
  const makes = [...new Set(devices.map((device) => device.make))].filter((make) => !notMakes.has(make.toLowerCase()))
  const changes = [
    (device: Device) => withOtherNumber(fullName(device), 1),
    (device: Device, at: number) =>
      hasCode(device) ? null : withSuffix(fullName(device), SUFFIXES[at % SUFFIXES.length] as string),
    (device: Device) => (hasCode(device) ? null : withSwappedPieces(fullName(device))),
    (device: Device) => withOtherNumber(fullName(device), -1),
    (device: Device, at: number) => {
      const word = WORDS[at % WORDS.length] as string
      return hasCode(device) || isGraphicsCard(device) || device.name.includes(word)
        ? null
        : // Before what ends many names: "(2020)", "5G", "15-inch", "Gen 2".
          fullName(device).replace(/(?= \(| 5G$| \d[\d.]*-inch| \d+mm$| Gen \d+$|$)/, ` ${word}`)
    },
    (device: Device, at: number) => {
      const other = makes[(makes.indexOf(device.make) + 1 + (at % (makes.length - 1))) % makes.length] as string
      const { owners } = BUNDLED_ALIASES.makes
      const isRelated = owners[device.make]?.includes(other) || owners[other]?.includes(device.make)
      const isMakeInName = device.name.toLowerCase().startsWith(device.make.toLowerCase())
      return isGraphicsCard(device) || isMakeInName || isRelated ? null : `${other} ${device.name}`
    },
  ]
  const titles = new Map<string, LabelledTitle>()
  const step = Math.max(1, Math.floor(devices.length / count))
  for (let round = 0; round < changes.length && titles.size < count; round++) {
    for (let at = round; at < devices.length && titles.size < count; at += step) {
      const text = changes[(at + round) % changes.length]?.(devices[at] as Device, at)
      if (text && !titles.has(text)) titles.set(text, { listing: { text }, expected: idByKey.get(keyOf(text)) ?? '-' })
    }
  }
  return [...titles.values()]
}

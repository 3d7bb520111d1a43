/** Parses the name of a device like a title. */
import type { Device } from '../device.ts'
import { CHIP_SERIES } from './chips.ts'
import { emptyTitleFacts, type TitleFacts } from './title-facts.ts'
import type { TitleLexicon } from './title-lexicon.ts'
import { readNumbers } from './title-numbers.ts'
import { resolvePhrases } from './token-phrases.ts'
import { foldTitle, tokenize } from './tokens.ts'
import { parseGigabytes } from './variant-choice.ts'

export type NamePiece = {
  readonly text: string
  readonly isNumber: boolean
  readonly isOptional: boolean
  readonly isColor: boolean
}

export type ParsedName = { readonly pieces: readonly NamePiece[]; readonly facts: TitleFacts }

/** Every word of a name except the make counts, even words that are ordinary in titles. */
export function parseDeviceName(name: string, make: string, lexicon: TitleLexicon): ParsedName {
  const tokens = resolvePhrases(tokenize(foldTitle(name), lexicon.findAt), lexicon, null)
  const facts = emptyTitleFacts(tokens)
  readNumbers(facts, {
    isApple: make === 'apple',
    hasLenses: false,
    isModelToken: (token) => !token.isConsumed && !token.isSymbol && token.word?.role !== 'noise',
    isNameNumber: () => true,
  })
  const pieces: NamePiece[] = []
  for (const token of tokens) {
    if (token.isConsumed || (token.isSymbol && token.text !== '+')) continue
    const { word } = token
    if (word?.make === make || word?.partOfYear || word?.unit === 'generation') continue
    const isColor = word?.role === 'color'
    pieces.push({
      text: token.text === '+' ? 'plus' : token.text,
      isNumber: token.isNumber,
      isOptional: word?.isOptional === true || isColor,
      isColor,
    })
  }
  return { pieces, facts }
}

/** Concatenates pieces; only two adjacent numbers are kept apart. */
export function joinPieces(pieces: readonly { readonly text: string; readonly isNumber: boolean }[]): string {
  let key = ''
  let wasNumber = false
  for (const piece of pieces) {
    key += wasNumber && piece.isNumber ? `.${piece.text}` : piece.text
    wasNumber = piece.isNumber
  }
  return key
}

/** Facts that distinguish devices of the same name. */
export type ModelFacts = {
  readonly year: number | null
  readonly month: number | null
  readonly generation: number | null
  readonly inches: readonly number[]
  readonly millimeters: readonly number[]
  readonly chips: readonly string[]
  /** Chips in the name: a title with another chip means another device. */
  readonly nameChips: readonly string[]
  /** Phone chip series it is sold with; empty if unknown. */
  readonly chipSeries: readonly string[]
  readonly batteryMah: number | null
  readonly ports: number | null
  /** Storage sizes it is sold with, in gigabytes. */
  readonly storages: readonly number[]
  /** Lowest launch price in US cents; null if unknown. */
  readonly listCents: number | null
  /** Memory of a graphics card, which distinguishes cards of the same name. */
  readonly memories: readonly number[]
  /** Amounts in the name. */
  readonly nameAmounts: readonly number[]
  /** Facts stated in the name itself: other devices have the same name without them. */
  readonly inName: {
    readonly year: boolean
    readonly generation: boolean
    readonly inches: boolean
    readonly chip: boolean
    readonly network: boolean
  }
  readonly partOfYear: string | null
}

export function modelFacts(device: Device, { facts: nameFacts }: ParsedName, generation: number | null): ModelFacts {
  const [nameYear] = [...nameFacts.years, ...nameFacts.otherYears]
  const released = device.releasedOn
  const display = device.specifications.display ?? ''
  const displayInches = [...display.matchAll(/(\d{1,2}(?:\.\d{1,2})?)-inch/g)].map((match) => Number(match[1]))
  return {
    year: nameYear ?? (released ? Number(released.slice(0, 4)) : null),
    month: released && device.releasePrecision !== 'year' ? Number(released.slice(5, 7)) : null,
    generation: nameFacts.generation ?? generation,
    inches: nameFacts.inches.length > 0 ? [...nameFacts.inches, ...displayInches] : displayInches,
    millimeters: nameFacts.millimeters.length > 0 ? nameFacts.millimeters : findMillimeters(device),
    chips: findChips(device, nameFacts),
    nameChips: nameFacts.chips,
    chipSeries: CHIP_SERIES.filter((series) => device.specifications.chip?.toLowerCase().includes(series)),
    batteryMah: Number(/([\d,]+) ?mAh/.exec(device.specifications.battery ?? '')?.[1]?.replace(',', '')) || null,
    ports: nameFacts.ports,
    storages: findStorages(device),
    listCents: lowestPrice(device),
    nameAmounts: nameFacts.memoryAmounts.map(({ gigabytes }) => gigabytes),
    memories: /graphics/i.test(device.category) ? findGigabytes(device.specifications.memory ?? '') : [],
    partOfYear: nameFacts.partOfYear,
    inName: {
      year: nameYear !== undefined,
      generation: nameFacts.generation !== null,
      inches: nameFacts.inches.length > 0,
      chip: nameFacts.chips.length > 0,
      network: nameFacts.networkGeneration === 5,
    },
  }
}

const findGigabytes = (text: string) => [...text.matchAll(/(\d+) ?GB/gi)].map((match) => Number(match[1]))

function findStorages({ variants }: Device): number[] {
  const sizes = new Set<number>()
  for (const { attributes } of variants) {
    for (const { name, value } of attributes) if (name === 'storage') sizes.add(parseGigabytes(value) ?? 0)
  }
  return [...sizes]
}

function lowestPrice({ variants }: Device): number | null {
  const prices = variants
    .map((variant) => variant.listCents || (variant.announcedCents ?? 0))
    .filter((cents) => cents > 0)
  return prices.length > 0 ? Math.min(...prices) : null
}

function findMillimeters(device: Device): number[] {
  const sizes = new Set<number>()
  for (const { attributes } of device.variants) {
    for (const { name, value } of attributes)
      if (name === 'size' && value.endsWith('mm')) sizes.add(Number.parseInt(value, 10))
  }
  return [...sizes]
}

/** "Apple M1 Pro or M1 Max" is m1 pro and m1 max. */
function findChips(device: Device, nameFacts: TitleFacts): string[] {
  const texts = [device.specifications.chip ?? '']
  for (const { attributes } of device.variants)
    for (const { name, value } of attributes) if (name === 'chip') texts.push(value)
  const chips = new Set(nameFacts.chips)
  for (const text of texts) {
    for (const match of text.toLowerCase().matchAll(/\b([ami]\d{1,2}[xz]?)\b(?: (pro|max|ultra)\b)?/g)) {
      chips.add(match[2] ? `${match[1]} ${match[2]}` : (match[1] as string))
    }
  }
  for (const text of texts) for (const match of text.matchAll(/core ultra (\d)/gi)) chips.add(`ultra ${match[1]}`)
  if (texts.some((text) => /core m\d/i.test(text))) for (const chip of ['m3', 'm5', 'm7', 'i5', 'i7']) chips.add(chip)
  // The Core M of 2015 has no number; the entry keeps an Apple M2 from matching.
  if (texts.some((text) => /core m\b/i.test(text))) chips.add('core m')
  return [...chips]
}

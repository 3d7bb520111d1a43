import { bytesColumn, type Column, floatColumn, setByte, setFloat } from './column.ts'
import type { Device, Variant } from './device.ts'
import { closeSpan, idOf, type Lexicon, openLexicon, put } from './lexicon.ts'
import { type Place, weightOf } from './search.ts'
import { foldAttributeName, foldCode, foldValue, words } from './words.ts'

/** The words and codes of the rows of a process, shared by its snapshots. */
export type Lexicons = {
  readonly deviceWords: Lexicon
  readonly deviceCodes: Lexicon
  readonly variantWords: Lexicon
  readonly variantCodes: Lexicon
  readonly attributes: Lexicon
  /** Where the lists of each row lie in them. */
  readonly devices: DeviceSpans
  readonly variants: VariantSpans
  /** Makes and categories repeat from device to device; each is read once. */
  readonly labels: Map<string, Label>
  /** So do attributes: by name, then by value. */
  readonly attributeLabels: Map<string, Map<string, Label>>
}

/** Spans by row; zero, which is an empty one, where nothing was read. */
export type DeviceSpans = {
  readonly isRead: Column<Uint8Array>
  readonly words: Column<Float64Array>
  readonly codes: Column<Float64Array>
  /** Distinct words in the name. */
  readonly nameWords: Column<Uint8Array>
}

export type VariantSpans = {
  readonly words: Column<Float64Array>
  readonly codes: Column<Float64Array>
  readonly attributes: Column<Float64Array>
  readonly nameWords: Column<Uint8Array>
}

/** `words` and `id` are numbers of the lexicons a label is used with. */
type Label = { readonly words: readonly number[]; readonly id: number }

export function openLexicons(): Lexicons {
  return {
    deviceWords: openLexicon(),
    deviceCodes: openLexicon(),
    variantWords: openLexicon(),
    variantCodes: openLexicon(),
    attributes: openLexicon(),
    devices: { isRead: bytesColumn(), words: floatColumn(), codes: floatColumn(), nameWords: bytesColumn() },
    variants: { words: floatColumn(), codes: floatColumn(), attributes: floatColumn(), nameWords: bytesColumn() },
    labels: new Map(),
    attributeLabels: new Map(),
  }
}

/** An attribute as one key: its folded name, a blank and its folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

/** Puts the words and codes of a device and its variants into the lexicons; `row` and `firstVariant` are their rows. */
export function readWords(lexicons: Lexicons, device: Device, row: number, firstVariant: number): void {
  const { deviceWords, deviceCodes, devices } = lexicons
  const from = deviceWords.used
  const name = words(device.name)
  weigh(deviceWords, from, idsOf(deviceWords, name), 'name')
  const nameWords = Math.min(deviceWords.used - from, 255)
  weigh(deviceWords, from, labelOf(device.make, lexicons).words, 'make')
  weigh(deviceWords, from, labelOf(device.category, lexicons).words, 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const further = device.id.split('-').filter((word) => word && !name.includes(word))
  weigh(deviceWords, from, idsOf(deviceWords, further), 'slug')
  const codesFrom = deviceCodes.used
  for (const code of device.modelNumbers) put(deviceCodes, codesFrom, idOf(deviceCodes, foldCode(code)), 0)
  for (const code of device.modelIdentifiers) put(deviceCodes, codesFrom, idOf(deviceCodes, foldCode(code)), 0)
  setByte(devices.nameWords, row, nameWords)
  setFloat(devices.words, row, closeSpan(deviceWords, from))
  setFloat(devices.codes, row, closeSpan(deviceCodes, codesFrom))
  for (const [at, variant] of device.variants.entries()) {
    readVariantWords(lexicons, variant, firstVariant + at, nameWords)
  }
}

function readVariantWords(lexicons: Lexicons, variant: Variant, row: number, deviceNameWords: number): void {
  const { variantWords, variantCodes, attributes, variants } = lexicons
  const wordsFrom = variantWords.used
  const codesFrom = variantCodes.used
  const attributesFrom = attributes.used
  weigh(variantWords, wordsFrom, idsOf(variantWords, words(variant.name)), 'name')
  setByte(variants.nameWords, row, Math.min(deviceNameWords + variantWords.used - wordsFrom, 255))
  for (const { name, value } of variant.attributes) {
    const label = attributeLabel(name, value, lexicons)
    weigh(variantWords, wordsFrom, label.words, 'category')
    put(attributes, attributesFrom, label.id, 0)
  }
  const sku = foldCode(variant.sku)
  // A SKU that only repeats the id is found by the id: it need not be kept a second time.
  if (sku && sku !== variant.id.toUpperCase()) put(variantCodes, codesFrom, idOf(variantCodes, sku), 0)
  for (const code of variant.partNumbers) put(variantCodes, codesFrom, idOf(variantCodes, foldCode(code)), 0)
  for (const code of variant.modelNumbers) put(variantCodes, codesFrom, idOf(variantCodes, foldCode(code)), 0)
  setFloat(variants.words, row, closeSpan(variantWords, wordsFrom))
  setFloat(variants.codes, row, closeSpan(variantCodes, codesFrom))
  setFloat(variants.attributes, row, closeSpan(attributes, attributesFrom))
}

function labelOf(name: string, { labels, deviceWords }: Lexicons): Label {
  const known = labels.get(name)
  if (known) return known
  const label = { words: idsOf(deviceWords, words(name)), id: -1 }
  labels.set(name, label)
  return label
}

function attributeLabel(name: string, value: string, lexicons: Lexicons): Label {
  const { attributeLabels, variantWords, attributes } = lexicons
  let values = attributeLabels.get(name)
  if (!values) {
    values = new Map()
    attributeLabels.set(name, values)
  }
  const known = values.get(value)
  if (known) return known
  const label = { words: idsOf(variantWords, words(value)), id: idOf(attributes, attributeKey(name, value)) }
  values.set(value, label)
  return label
}

function idsOf(lexicon: Lexicon, list: readonly string[]): number[] {
  return list.map((word) => idOf(lexicon, word))
}

function weigh(lexicon: Lexicon, from: number, ids: readonly number[], place: Place): void {
  for (let position = 0; position < ids.length; position++) {
    put(lexicon, from, ids[position] as number, weightOf(place, position))
  }
}

import type { Device, Variant } from './device.ts'
import { closeSpan, idOf, type Lexicon, openLexicon, put, type Span } from './lexicon.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from './present.ts'
import { type Place, weightOf } from './search.ts'
import { foldAttributeName, foldCode, foldName, foldValue, words } from './words.ts'

/** A device with everything that is worked out about it once. Snapshots share it until the device changes. */
export type DeviceEntry = {
  readonly device: Device
  readonly variants: readonly VariantEntry[]
  readonly makeKey: string
  readonly categoryKey: string
  readonly words: Span
  readonly codes: Span
  readonly nameWords: number
  /** Made when first asked for: of a large registry most devices are never shown. */
  bytes: Uint8Array | null
}

export type VariantEntry = {
  readonly variant: Variant
  readonly device: Device
  readonly makeKey: string
  readonly categoryKey: string
  readonly words: Span
  readonly codes: Span
  readonly attributes: Span
  readonly nameWords: number
  bytes: Uint8Array | null
}

/** The words and codes of all snapshots of a process. */
export type Lexicons = {
  readonly deviceWords: Lexicon
  readonly deviceCodes: Lexicon
  readonly variantWords: Lexicon
  readonly variantCodes: Lexicon
  readonly attributes: Lexicon
  /** Makes and categories repeat from device to device; each is read once. */
  readonly labels: Map<string, Label>
  /** So do attributes: by name, then by value. */
  readonly attributeLabels: Map<string, Map<string, Label>>
}

/** `words` and `id` are numbers of the lexicons a label is used with. */
type Label = { readonly key: string; readonly words: readonly number[]; readonly id: number }

export function openLexicons(): Lexicons {
  return {
    deviceWords: openLexicon(),
    deviceCodes: openLexicon(),
    variantWords: openLexicon(),
    variantCodes: openLexicon(),
    attributes: openLexicon(),
    labels: new Map(),
    attributeLabels: new Map(),
  }
}

/** An attribute as one key: its folded name, a blank and its folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

export function makeEntry(device: Device, lexicons: Lexicons): DeviceEntry {
  const { deviceWords, deviceCodes } = lexicons
  const make = labelOf(device.make, lexicons)
  const category = labelOf(device.category, lexicons)
  const from = deviceWords.used
  const name = words(device.name)
  weigh(deviceWords, from, idsOf(deviceWords, name), 'name')
  const nameWords = Math.min(deviceWords.used - from, 255)
  weigh(deviceWords, from, make.words, 'make')
  weigh(deviceWords, from, category.words, 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const further = device.id.split('-').filter((word) => word && !name.includes(word))
  weigh(deviceWords, from, idsOf(deviceWords, further), 'slug')
  const codesFrom = deviceCodes.used
  for (const code of device.modelNumbers) put(deviceCodes, codesFrom, idOf(deviceCodes, foldCode(code)), 0)
  for (const code of device.modelIdentifiers) put(deviceCodes, codesFrom, idOf(deviceCodes, foldCode(code)), 0)
  return {
    device,
    variants: device.variants.map((variant) => makeVariantEntry(variant, device, make, category, nameWords, lexicons)),
    makeKey: make.key,
    categoryKey: category.key,
    words: closeSpan(deviceWords, from),
    codes: closeSpan(deviceCodes, codesFrom),
    nameWords,
    bytes: null,
  }
}

function makeVariantEntry(
  variant: Variant,
  device: Device,
  make: Label,
  category: Label,
  deviceNameWords: number,
  lexicons: Lexicons,
): VariantEntry {
  const { variantWords, variantCodes, attributes } = lexicons
  const wordsFrom = variantWords.used
  const codesFrom = variantCodes.used
  const attributesFrom = attributes.used
  weigh(variantWords, wordsFrom, idsOf(variantWords, words(variant.name)), 'name')
  const nameWords = Math.min(deviceNameWords + variantWords.used - wordsFrom, 255)
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
  return {
    variant,
    device,
    makeKey: make.key,
    categoryKey: category.key,
    words: closeSpan(variantWords, wordsFrom),
    codes: closeSpan(variantCodes, codesFrom),
    attributes: closeSpan(attributes, attributesFrom),
    nameWords,
    bytes: null,
  }
}

function labelOf(name: string, { labels, deviceWords }: Lexicons): Label {
  const known = labels.get(name)
  if (known) return known
  const label = { key: foldName(name), words: idsOf(deviceWords, words(name)), id: -1 }
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
  const key = attributeKey(name, value)
  const label = { key, words: idsOf(variantWords, words(value)), id: idOf(attributes, key) }
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

const encoder = new TextEncoder()

export function deviceBytes(entry: DeviceEntry, baseUrl: BaseUrl): Uint8Array {
  entry.bytes ??= encoder.encode(JSON.stringify(presentDevice(entry.device, baseUrl)))
  return entry.bytes
}

export function variantBytes(entry: VariantEntry, baseUrl: BaseUrl): Uint8Array {
  entry.bytes ??= encoder.encode(JSON.stringify(presentVariantInContext(entry.variant, entry.device, baseUrl)))
  return entry.bytes
}

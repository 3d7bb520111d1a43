import type { Device, Variant } from './device.ts'
import { closeSpan, idOf, type Lexicon, openLexicon, put, type Span } from './lexicon.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from './present.ts'
import { type Place, weightOf } from './search.ts'
import { foldAttributeName, foldCode, foldName, foldValue, words } from './words.ts'

/**
 * A device with everything that is worked out about it once. Snapshots share it until the device changes. Its words and
 * codes are read when an index is made; lists and look-ups by id do without.
 */
export type DeviceEntry = {
  readonly device: Device
  readonly variants: readonly VariantEntry[]
  readonly makeKey: string
  readonly categoryKey: string
  words: Span
  codes: Span
  nameWords: number
  /** Made when first asked for: of a large registry most devices are never shown. */
  bytes: Uint8Array | null
}

export type VariantEntry = {
  readonly variant: Variant
  readonly device: Device
  readonly makeKey: string
  readonly categoryKey: string
  words: Span
  codes: Span
  attributes: Span
  nameWords: number
  bytes: Uint8Array | null
}

/** The words and codes of all snapshots of a process. */
export type Lexicons = {
  readonly deviceWords: Lexicon
  readonly deviceCodes: Lexicon
  readonly variantWords: Lexicon
  readonly variantCodes: Lexicon
  readonly attributes: Lexicon
  /** Makes and categories repeat from device to device; each is folded and read once. */
  readonly keys: Map<string, string>
  readonly labels: Map<string, Label>
  /** So do attributes: by name, then by value. */
  readonly attributeLabels: Map<string, Map<string, Label>>
}

/** `words` and `id` are numbers of the lexicons a label is used with. */
type Label = { readonly words: readonly number[]; readonly id: number }

/** The span of what was not read yet. */
const UNREAD: Span = -1

export function openLexicons(): Lexicons {
  return {
    deviceWords: openLexicon(),
    deviceCodes: openLexicon(),
    variantWords: openLexicon(),
    variantCodes: openLexicon(),
    attributes: openLexicon(),
    keys: new Map(),
    labels: new Map(),
    attributeLabels: new Map(),
  }
}

/** An attribute as one key: its folded name, a blank and its folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

export function makeEntry(device: Device, lexicons: Lexicons): DeviceEntry {
  const makeKey = keyOf(device.make, lexicons)
  const categoryKey = keyOf(device.category, lexicons)
  return {
    device,
    variants: device.variants.map((variant) => ({
      variant,
      device,
      makeKey,
      categoryKey,
      words: UNREAD,
      codes: UNREAD,
      attributes: UNREAD,
      nameWords: 0,
      bytes: null,
    })),
    makeKey,
    categoryKey,
    words: UNREAD,
    codes: UNREAD,
    nameWords: 0,
    bytes: null,
  }
}

/** Puts the words and codes of a device and its variants into the lexicons, once. */
export function readWords(entry: DeviceEntry, lexicons: Lexicons): void {
  if (entry.words !== UNREAD) return
  const { device } = entry
  const { deviceWords, deviceCodes } = lexicons
  const from = deviceWords.used
  const name = words(device.name)
  weigh(deviceWords, from, idsOf(deviceWords, name), 'name')
  entry.nameWords = Math.min(deviceWords.used - from, 255)
  weigh(deviceWords, from, labelOf(device.make, lexicons).words, 'make')
  weigh(deviceWords, from, labelOf(device.category, lexicons).words, 'category')
  // Most of the slug repeats the name; comparing a few words is cheaper than looking each up.
  const further = device.id.split('-').filter((word) => word && !name.includes(word))
  weigh(deviceWords, from, idsOf(deviceWords, further), 'slug')
  const codesFrom = deviceCodes.used
  for (const code of device.modelNumbers) put(deviceCodes, codesFrom, idOf(deviceCodes, foldCode(code)), 0)
  for (const code of device.modelIdentifiers) put(deviceCodes, codesFrom, idOf(deviceCodes, foldCode(code)), 0)
  entry.words = closeSpan(deviceWords, from)
  entry.codes = closeSpan(deviceCodes, codesFrom)
  for (const variant of entry.variants) readVariantWords(variant, entry.nameWords, lexicons)
}

function readVariantWords(entry: VariantEntry, deviceNameWords: number, lexicons: Lexicons): void {
  const { variant } = entry
  const { variantWords, variantCodes, attributes } = lexicons
  const wordsFrom = variantWords.used
  const codesFrom = variantCodes.used
  const attributesFrom = attributes.used
  weigh(variantWords, wordsFrom, idsOf(variantWords, words(variant.name)), 'name')
  entry.nameWords = Math.min(deviceNameWords + variantWords.used - wordsFrom, 255)
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
  entry.words = closeSpan(variantWords, wordsFrom)
  entry.codes = closeSpan(variantCodes, codesFrom)
  entry.attributes = closeSpan(attributes, attributesFrom)
}

function keyOf(name: string, { keys }: Lexicons): string {
  let key = keys.get(name)
  if (key === undefined) {
    key = foldName(name)
    keys.set(name, key)
  }
  return key
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

const encoder = new TextEncoder()

export function deviceBytes(entry: DeviceEntry, baseUrl: BaseUrl): Uint8Array {
  entry.bytes ??= encoder.encode(JSON.stringify(presentDevice(entry.device, baseUrl)))
  return entry.bytes
}

export function variantBytes(entry: VariantEntry, baseUrl: BaseUrl): Uint8Array {
  entry.bytes ??= encoder.encode(JSON.stringify(presentVariantInContext(entry.variant, entry.device, baseUrl)))
  return entry.bytes
}

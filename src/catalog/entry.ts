import type { Device, DeviceStatus, Variant } from './device.ts'
import { closeSpan, idOf, type Lexicon, openLexicon, put, type Span } from './lexicon.ts'
import { type PackedDevice, packDevice, unpackDevice } from './packed-device.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from './present.ts'
import { type Place, weightOf } from './search.ts'
import { foldAttributeName, foldCode, foldName, foldValue, words } from './words.ts'

/** So many devices are kept as objects, as they came; those of larger registries as texts. */
const MOST_AS_OBJECTS = 20_000

/** The span of what was not read yet. */
const UNREAD: Span = -1

/**
 * A device with everything that is worked out about it once. Snapshots share it until the device changes. Its words and
 * codes are read when an index is made; lists and look-ups by id do without. A class, because there are very many of them
 * and `device` is made from a text where it is not held.
 */
export class DeviceEntry {
  readonly id: string
  readonly releasedOn: string | null
  readonly status: DeviceStatus
  readonly make: string
  readonly category: string
  readonly makeKey: string
  readonly categoryKey: string
  /** A number of its own for its id, the same in all snapshots. */
  readonly key: number
  readonly variants: readonly VariantEntry[]
  private readonly held: Device | string
  words: Span = UNREAD
  codes: Span = UNREAD
  nameWords = 0
  /** Made when first asked for: of a large registry most devices are never shown. */
  bytes: Uint8Array | null = null

  constructor(device: Device | PackedDevice, held: Device | string, lexicons: Lexicons) {
    const make = labelled(device.make, lexicons)
    const category = labelled(device.category, lexicons)
    this.id = device.id
    this.releasedOn = device.releasedOn
    this.status = device.status
    this.make = make.name
    this.category = category.name
    this.makeKey = make.key
    this.categoryKey = category.key
    this.key = keyOf(lexicons.deviceKeys, device.id)
    this.variants = (device.variants as readonly { id: string; disabled: boolean }[]).map(
      ({ id, disabled }, at) => new VariantEntry(this, at, keyOf(lexicons.variantKeys, id), disabled),
    )
    this.held = held
  }

  get device(): Device {
    const held = this.held
    return typeof held === 'string' ? unpackDevice({ ...this.facts(), text: held }) : held
  }

  /** The same for other lexicons, with nothing read yet. */
  anew(lexicons: Lexicons): DeviceEntry {
    const { device } = this
    return new DeviceEntry(device, typeof this.held === 'string' ? this.held : device, lexicons)
  }

  private facts() {
    const { id, make, category, status, releasedOn } = this
    return { id, make, category, status, releasedOn }
  }
}

export class VariantEntry {
  readonly owner: DeviceEntry
  private readonly at: number
  readonly key: number
  readonly disabled: boolean
  words: Span = UNREAD
  codes: Span = UNREAD
  attributes: Span = UNREAD
  nameWords = 0
  bytes: Uint8Array | null = null

  constructor(owner: DeviceEntry, at: number, key: number, disabled: boolean) {
    this.owner = owner
    this.at = at
    this.key = key
    this.disabled = disabled
  }

  get device(): Device {
    return this.owner.device
  }
  get variant(): Variant {
    return this.owner.device.variants[this.at] as Variant
  }
  get makeKey(): string {
    return this.owner.makeKey
  }
  get categoryKey(): string {
    return this.owner.categoryKey
  }
}

/** The words and codes of all snapshots of a process. */
export type Lexicons = {
  readonly deviceWords: Lexicon
  readonly deviceCodes: Lexicon
  readonly variantWords: Lexicon
  readonly variantCodes: Lexicon
  readonly attributes: Lexicon
  /** Numbers of the ids of devices and of variants. */
  readonly deviceKeys: Map<string, number>
  readonly variantKeys: Map<string, number>
  /** Makes and categories repeat from device to device; each is folded and read once. */
  readonly names: Map<string, { readonly name: string; readonly key: string }>
  readonly labels: Map<string, Label>
  /** So do attributes: by name, then by value. */
  readonly attributeLabels: Map<string, Map<string, Label>>
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
    deviceKeys: new Map(),
    variantKeys: new Map(),
    names: new Map(),
    labels: new Map(),
    attributeLabels: new Map(),
  }
}

/** An attribute as one key: its folded name, a blank and its folded value. */
export function attributeKey(name: string, value: string): string {
  return `${foldAttributeName(name)} ${foldValue(value)}`
}

export function makeEntry(device: Device | PackedDevice, lexicons: Lexicons): DeviceEntry {
  if ('text' in device) return new DeviceEntry(device, device.text, lexicons)
  if (lexicons.deviceKeys.size < MOST_AS_OBJECTS) return new DeviceEntry(device, device, lexicons)
  return new DeviceEntry(device, packDevice(device).text, lexicons)
}

/** Whether a registry of so many devices is read as texts from the beginning. */
export const isLarge = (devices: number) => devices > MOST_AS_OBJECTS

export const isRead = ({ words }: VariantEntry) => words !== UNREAD

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
  entry.variants.forEach((variant, at) => {
    readVariantWords(variant, device.variants[at] as Variant, entry.nameWords, lexicons)
  })
}

function readVariantWords(entry: VariantEntry, variant: Variant, deviceNameWords: number, lexicons: Lexicons): void {
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

function labelled(name: string, { names }: Lexicons): { readonly name: string; readonly key: string } {
  let known = names.get(name)
  if (known === undefined) {
    known = { name, key: foldName(name) }
    names.set(name, known)
  }
  return known
}

function keyOf(keys: Map<string, number>, id: string): number {
  let key = keys.get(id)
  if (key === undefined) {
    key = keys.size
    keys.set(id, key)
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

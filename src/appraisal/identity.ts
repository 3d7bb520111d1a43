import type { Attribute, Device, Variant } from '../catalog/device.ts'
import { BUNDLED_ALIASES } from '../catalog/matching/aliases.ts'
import type { MatchRejection } from '../catalog/matching/rejection.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import type { Condition } from '../contract/condition-grades.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { foldText } from '../lib/fold-text.ts'
import { affectsPrice } from '../pricing/price-attributes.ts'
import { gigabytesFromText } from '../text/sizes.ts'

export type Contradiction = {
  readonly code: string
  readonly message: string
  /** No offer is made until it is resolved, because it is unclear which device would be bought. */
  readonly withholdsOffer: boolean
}
export type IdentityCandidate = {
  readonly device: Device
  readonly variant: Variant | null
  readonly confidence: number
}
export type UnresolvedAttribute = {
  readonly name: string
  readonly values: readonly string[]
  readonly affectsPrice: boolean
}

/** Result of matching a text: a device, or candidates. */
export type TextMatch = {
  readonly device: Device | null
  /** Variants of the device that match the text; empty if it names none. */
  readonly variants: readonly Variant[]
  /** Attributes that the text states, whether or not the device has them. */
  readonly attributes: readonly Attribute[]
  readonly confidence: number
  readonly candidates: readonly IdentityCandidate[]
  /** Why the text names no device; none if several devices fit. */
  readonly rejection: MatchRejection | null
  /** Grade that single words of the text state, such as "mint". */
  readonly condition: Condition | null
  readonly conditionWords: readonly string[]
  /** Words for a device that does not work or is sold for parts. */
  readonly defectWords: readonly string[]
  /** Words for a wanted ad. */
  readonly wantedWords: readonly string[]
  /** Words that no list and no name in the catalogue has. */
  readonly unmatchedWords: readonly string[]
}

export type DeviceIdentity = {
  readonly device: Device | null
  /** Variants that match the request; one if the variant is known, none if the device is not. */
  readonly variants: readonly Variant[]
  readonly confidence: number
  readonly identifiedBy: 'variant_id' | 'device_id' | 'text' | 'identifier' | null
  /** Attributes that tell variants of the device apart and that all matching variants share. */
  readonly attributes: readonly Attribute[]
  readonly unresolvedAttributes: readonly UnresolvedAttribute[]
  readonly contradictions: readonly Contradiction[]
  readonly candidates: readonly IdentityCandidate[]
}

export type DeviceLookup = {
  findDevice(id: string): Device | undefined
  findVariant(id: string): { readonly device: Device; readonly variant: Variant } | undefined
}

export type DeviceReference = Pick<AppraisalRequestWire, 'variant_id' | 'device_id' | 'text' | 'attributes'>

/** Below this the model of an identifier is a guess and not reported as a contradiction. */
const MIN_CONTRADICTING_CONFIDENCE = 50
const ID_CONFIDENCE = 100

/** Identifies the device by the most reliable field of the request; the other fields can only contradict it. */
export function identify(
  request: DeviceReference,
  registry: DeviceLookup,
  text: TextMatch | null,
  lookup: Pick<LookupResultWire, 'device_match'> | null,
): DeviceIdentity {
  const variant = findOrThrow(request.variant_id, (id) => registry.findVariant(id), 'Variant')
  const device = findOrThrow(request.device_id, (id) => registry.findDevice(id), 'Device')
  const match = lookup?.device_match
  const isStated = variant || device || text?.device
  const matchedDevice = isStated || !match?.matched_device_id ? undefined : registry.findDevice(match.matched_device_id)
  const contradictions: Contradiction[] = []
  const addContradiction: AddContradiction = (code, message, withholdsOffer = false) =>
    void contradictions.push({ code, message, withholdsOffer })

  const identified = bestIdentification(variant, device, text, matchedDevice, match?.confidence ?? 0)
  if (!identified) {
    const candidates = text?.candidates ?? []
    return {
      device: null,
      variants: [],
      confidence: 0,
      identifiedBy: null,
      attributes: [],
      unresolvedAttributes: [],
      contradictions,
      candidates,
    }
  }
  if (variant && device && variant.device.id !== device.id) {
    addContradiction('variant_device_mismatch', `The variant belongs to ${variant.device.name}, not to ${device.name}.`)
  }
  if (text?.device && text.device.id !== identified.device.id) {
    addContradiction('text_device_mismatch', `The text names ${text.device.name}, not ${identified.device.name}.`)
  }
  const statedAttributes = text?.device?.id === identified.device.id ? text.attributes : []
  const attributes = withStatedSizes(request.attributes ?? {}, statedAttributes)
  const matchingVariants = filterByAttributes(identified.device, identified.variants, attributes, addContradiction)
  const variants = attributes.color ? matchingVariants : filterByColorWord(matchingVariants, statedAttributes)
  const identity: DeviceIdentity = {
    device: identified.device,
    variants,
    confidence: identified.confidence,
    identifiedBy: identified.identifiedBy,
    attributes: resolvedAttributes(variants, enabledVariants(identified.device)),
    unresolvedAttributes: unresolvedAttributes(variants),
    contradictions,
    candidates: [],
  }
  return lookup ? compareWithLookup(identity, lookup) : identity
}

/** An identity with what the identifier says about it: another model contradicts a stated one. */
export function compareWithLookup(
  identity: DeviceIdentity,
  { device_match: match }: Pick<LookupResultWire, 'device_match'>,
): DeviceIdentity {
  const { device, contradictions } = identity
  const isSame = match.matched_device_id === null || match.matched_device_id === device?.id
  if (!device || isSame || match.confidence < MIN_CONTRADICTING_CONFIDENCE) return identity
  const message = `The identifier belongs to ${match.matched_device_name} (${match.confidence} % confidence), not to ${device.name}.`
  return {
    ...identity,
    confidence: Math.min(identity.confidence, 100 - match.confidence),
    contradictions: [...contradictions, { code: 'identifier_device_mismatch', message, withholdsOffer: false }],
  }
}

function findOrThrow<T>(id: string | undefined, find: (id: string) => T | undefined, kind: string): T | undefined {
  if (id === undefined) return undefined
  const entity = find(id)
  if (!entity) throw notFound(`${kind} ${excerpt(id)}`)
  return entity
}

type IdentifiedDevice = {
  readonly device: Device
  readonly variants: readonly Variant[]
  readonly identifiedBy: NonNullable<DeviceIdentity['identifiedBy']>
  readonly confidence: number
}

function bestIdentification(
  variant: { readonly device: Device; readonly variant: Variant } | undefined,
  device: Device | undefined,
  text: TextMatch | null,
  matchedDevice: Device | undefined,
  matchConfidence: number,
): IdentifiedDevice | undefined {
  // The text may name the variant of a device given by its id.
  const variantsOf = (candidate: Device) =>
    text?.device?.id === candidate.id && text.variants.length > 0 ? text.variants : enabledVariants(candidate)
  if (variant) {
    return {
      device: variant.device,
      variants: [variant.variant],
      identifiedBy: 'variant_id',
      confidence: ID_CONFIDENCE,
    }
  }
  if (device) return { device, variants: variantsOf(device), identifiedBy: 'device_id', confidence: ID_CONFIDENCE }
  if (text?.device) {
    const { device: named, confidence } = text
    return { device: named, variants: variantsOf(named), identifiedBy: 'text', confidence }
  }
  if (!matchedDevice) return undefined
  const variants = enabledVariants(matchedDevice)
  return { device: matchedDevice, variants, identifiedBy: 'identifier', confidence: matchConfidence }
}

/** Disabled variants count only if there are no others. */
function enabledVariants({ variants }: Device): readonly Variant[] {
  const enabled = variants.filter(({ disabled }) => !disabled)
  return enabled.length > 0 ? enabled : variants
}

type AddContradiction = (code: string, message: string, withholdsOffer?: boolean) => void

const normalize = (text: string) => text.toLowerCase().replace(/\s+/g, '')
const attributeValue = ({ attributes }: Variant, name: string) =>
  attributes.find((attribute) => normalize(attribute.name) === normalize(name))?.value

/** Attributes of the request, and the sizes that the text states beside them. */
function withStatedSizes(
  attributes: Readonly<Record<string, string>>,
  statedAttributes: readonly Attribute[],
): Readonly<Record<string, string>> {
  const requestedNames = new Set(Object.keys(attributes).map(normalize))
  const sizes = statedAttributes.filter(
    ({ name }) => (name === 'storage' || name === 'ram') && !requestedNames.has(name),
  )
  return { ...Object.fromEntries(sizes.map(({ name, value }) => [name, value])), ...attributes }
}

/** An attribute value that no variant has is reported as a contradiction and otherwise ignored. */
function filterByAttributes(
  device: Device,
  variants: readonly Variant[],
  attributes: Readonly<Record<string, string>>,
  addContradiction: AddContradiction,
): readonly Variant[] {
  let remaining = variants
  for (const [name, value] of Object.entries(attributes)) {
    if (value === '') continue
    const matching = withValue(remaining, name, value)
    if (matching.length > 0) {
      remaining = matching
      continue
    }
    const available = [...new Set(remaining.flatMap((variant) => attributeValue(variant, name) ?? []))]
    const choices = available.length > 0 ? ` Available: ${available.join(', ')}.` : ''
    addContradiction(
      'attribute_not_available',
      `${device.name} is not available with ${excerpt(name)} "${excerpt(value)}".${choices}`,
      normalize(name) === 'storage',
    )
  }
  return remaining
}

/** The variants with a value: sizes are compared as amounts, colors also by their words in other languages. */
function withValue(variants: readonly Variant[], name: string, value: string): readonly Variant[] {
  const fits = (test: (own: string) => boolean) =>
    variants.filter((variant) => test(attributeValue(variant, name) ?? ''))
  const equal = fits((own) => normalize(own) === normalize(value))
  if (equal.length > 0) return equal
  const gigabytes = /^(?:storage|ram)$/i.test(name) ? gigabytesFromText(value) : null
  if (gigabytes !== null) return fits((own) => gigabytesFromText(own) === gigabytes)
  const color = normalize(name) === 'color' ? COLOR_BY_WORD.get(foldText(value).trim()) : undefined
  if (color === undefined) return []
  const pattern = COLOR_NAMES[color] ?? new RegExp(`\\b${color}\\b`, 'i')
  return fits((own) => pattern.test(own))
}

const COLOR_BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(BUNDLED_ALIASES.words.colors).flatMap(([color, words]) =>
    [color, ...words].map((word) => [foldText(word), color] as const),
  ),
)

/** Basic colour words that sellers use for the colour names of manufacturers. */
const COLOR_NAMES: Readonly<Record<string, RegExp>> = {
  black: /black|midnight|obsidian|onyx/i,
  white: /white|starlight|snow|porcelain/i,
  gray: /gr[ae]y|graphite/i,
  red: /red|crimson|scarlet/i,
}

/** Narrows the variants to the colour that a word of the text means, if exactly one colour fits. */
function filterByColorWord(variants: readonly Variant[], statedAttributes: readonly Attribute[]): readonly Variant[] {
  const word = statedAttributes.find(({ name }) => name === 'color')?.value.toLowerCase()
  const pattern = word === undefined ? undefined : COLOR_NAMES[word]
  if (!pattern) return variants
  const matching = variants.filter((variant) => pattern.test(attributeValue(variant, 'color') ?? ''))
  return new Set(matching.map((variant) => attributeValue(variant, 'color'))).size === 1 ? matching : variants
}

function valuesByAttribute(variants: readonly Variant[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>()
  for (const { attributes } of variants) {
    for (const { name, value } of attributes) values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  return values
}

/** Whether the storage determines the memory, so that the question is not needed. */
const followsFromStorage = (name: string, variants: readonly Variant[]) =>
  name === 'ram' &&
  [...Map.groupBy(variants, (variant) => attributeValue(variant, 'storage')).values()].every(
    (group) => new Set(group.map((variant) => attributeValue(variant, name))).size === 1,
  )

const storageFirst = (a: { readonly name: string }, b: { readonly name: string }) =>
  Number(b.name === 'storage') - Number(a.name === 'storage')

function resolvedAttributes(matching: readonly Variant[], all: readonly Variant[]): Attribute[] {
  const allValues = valuesByAttribute(all)
  return [...valuesByAttribute(matching)]
    .flatMap(([name, [value, ...others]]) => {
      const isShared = others.length === 0 && matching.every((variant) => attributeValue(variant, name) !== undefined)
      const differs =
        allValues.get(name)?.size !== 1 || all.some((variant) => attributeValue(variant, name) === undefined)
      return isShared && differs && value !== undefined && !followsFromStorage(name, all) ? [{ name, value }] : []
    })
    .sort(storageFirst)
}

function unresolvedAttributes(variants: readonly Variant[]): UnresolvedAttribute[] {
  if (variants.length < 2) return []
  return [...valuesByAttribute(variants)]
    .filter(([name, values]) => values.size > 1 && !followsFromStorage(name, variants))
    .map(([name, values]) => ({ name, values: [...values], affectsPrice: affectsPrice(name) }))
    .sort(storageFirst)
}

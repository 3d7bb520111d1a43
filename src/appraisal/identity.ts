import type { Device, Variant } from '../catalog/device.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { affectsPrice } from '../pricing/price-attributes.ts'

export type Contradiction = { readonly code: string; readonly message: string }
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
  readonly confidence: number
  readonly candidates: readonly IdentityCandidate[]
}

export type DeviceIdentity = {
  readonly device: Device | null
  /** Variants that match the request; one if the variant is known, none if the device is not. */
  readonly variants: readonly Variant[]
  readonly confidence: number
  readonly identifiedBy: 'variant_id' | 'device_id' | 'text' | 'identifier' | null
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
  named: DeviceReference,
  registry: DeviceLookup,
  text: TextMatch | null,
  lookup: Pick<LookupResultWire, 'device_match'> | null,
): DeviceIdentity {
  const variant = findOrThrow(named.variant_id, (id) => registry.findVariant(id), 'Variant')
  const device = findOrThrow(named.device_id, (id) => registry.findDevice(id), 'Device')
  const match = lookup?.device_match
  const matched = match?.matched_device_id ? registry.findDevice(match.matched_device_id) : undefined
  const contradictions: Contradiction[] = []
  const against = (code: string, message: string) => void contradictions.push({ code, message })

  const found = bestIdentification(variant, device, text, matched, match?.confidence ?? 0)
  if (!found) {
    const candidates = text?.candidates ?? []
    return {
      device: null,
      variants: [],
      confidence: 0,
      identifiedBy: null,
      unresolvedAttributes: [],
      contradictions,
      candidates,
    }
  }
  if (variant && device && variant.device.id !== device.id) {
    against('variant_device_mismatch', `The variant belongs to ${variant.device.name}, not to ${device.name}.`)
  }
  if (text?.device && text.device.id !== found.device.id) {
    against('text_device_mismatch', `The text names ${text.device.name}, not ${found.device.name}.`)
  }
  const isAnother = match?.matched_device_id != null && match.matched_device_id !== found.device.id
  const isSure = (match?.confidence ?? 0) >= MIN_CONTRADICTING_CONFIDENCE
  if (match && isAnother && isSure) {
    const { matched_device_name: name, confidence } = match
    against(
      'identifier_device_mismatch',
      `The identifier belongs to ${name} (${confidence} % confidence), not to ${found.device.name}.`,
    )
  }
  const variants = filterByAttributes(found.variants, named.attributes ?? {}, against)
  return {
    device: found.device,
    variants,
    confidence: isAnother && isSure ? Math.min(found.confidence, 100 - (match?.confidence ?? 0)) : found.confidence,
    identifiedBy: found.identifiedBy,
    unresolvedAttributes: unresolvedAttributes(variants),
    contradictions,
    candidates: [],
  }
}

function findOrThrow<T>(id: string | undefined, look: (id: string) => T | undefined, what: string): T | undefined {
  if (id === undefined) return undefined
  const found = look(id)
  if (!found) throw notFound(`${what} ${excerpt(id)}`)
  return found
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
  matched: Device | undefined,
  matchConfidence: number,
): IdentifiedDevice | undefined {
  if (variant)
    return {
      device: variant.device,
      variants: [variant.variant],
      identifiedBy: 'variant_id',
      confidence: ID_CONFIDENCE,
    }
  if (device) {
    // The text may name the variant of a device given by its id.
    const said = text?.device?.id === device.id && text.variants.length > 0 ? text.variants : enabledVariants(device)
    return { device, variants: said, identifiedBy: 'device_id', confidence: ID_CONFIDENCE }
  }
  if (text?.device) {
    const said = text.variants.length > 0 ? text.variants : enabledVariants(text.device)
    return { device: text.device, variants: said, identifiedBy: 'text', confidence: text.confidence }
  }
  if (matched)
    return {
      device: matched,
      variants: enabledVariants(matched),
      identifiedBy: 'identifier',
      confidence: matchConfidence,
    }
  return undefined
}

/** Disabled variants count only if there are no others. */
function enabledVariants({ variants }: Device): readonly Variant[] {
  const enabled = variants.filter(({ disabled }) => !disabled)
  return enabled.length > 0 ? enabled : variants
}

const normalize = (text: string) => text.toLowerCase().replace(/\s+/g, '')

/** An attribute value that no variant has is reported as a contradiction and otherwise ignored. */
function filterByAttributes(
  variants: readonly Variant[],
  attributes: Readonly<Record<string, string>>,
  against: (code: string, message: string) => void,
): readonly Variant[] {
  let left = variants
  for (const [name, value] of Object.entries(attributes)) {
    if (value === '') continue
    const having = left.filter((variant) =>
      variant.attributes.some(
        (own) => normalize(own.name) === normalize(name) && normalize(own.value) === normalize(value),
      ),
    )
    if (having.length > 0) left = having
    else against('attribute_not_available', `No matching variant has ${excerpt(name)} "${excerpt(value)}".`)
  }
  return left
}

function unresolvedAttributes(variants: readonly Variant[]): UnresolvedAttribute[] {
  if (variants.length < 2) return []
  const values = new Map<string, Set<string>>()
  for (const { attributes } of variants) {
    for (const { name, value } of attributes) values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  return [...values]
    .filter(([, each]) => each.size > 1)
    .map(([name, each]) => ({ name, values: [...each], affectsPrice: affectsPrice(name) }))
}

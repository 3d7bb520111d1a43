import type { Device, Variant } from './device.ts'

/** How rows name their origin when they came with the program. */
export const ON_BOARD = 'on-board'
/** An operator's own file; it outranks what is on board. */
const OPERATOR = 'own'

export type HeldVariant = Variant & { readonly source: string; readonly provenance: string }

/** A device as the store holds it: with the source of the record, and of each fact that came from elsewhere. */
export type HeldDevice = Omit<Device, 'variants'> & {
  readonly source: string
  readonly provenance: Readonly<Record<string, string>>
  readonly variants: readonly HeldVariant[]
}

/**
 * A device on board meets what the store holds of it. What is on board replaces what an earlier version brought and
 * what lesser sources said; what an operator said stays, and so does what other sources added.
 */
export function adopt(device: Device, held: HeldDevice | undefined): HeldDevice {
  const variants = device.variants.map((variant) => ({ ...variant, source: ON_BOARD, provenance: '{}' }))
  if (!held) return { ...device, source: ON_BOARD, provenance: {}, variants }

  const originOf = (fact: string) => held.provenance[fact] ?? held.source
  const provenance: Record<string, string> = {}
  /** Ours, unless an operator said otherwise. */
  function settle<Value>(fact: string, ours: Value, theirs: Value): Value {
    if (originOf(fact) !== OPERATOR) return ours
    provenance[fact] = OPERATOR
    return theirs
  }
  /** Ours first, then what others than an earlier version on board had added. */
  function gather(fact: string, ours: readonly string[], theirs: readonly string[]): readonly string[] {
    const known = new Set(ours)
    const added = theirs.filter((value) => !known.has(value) && originOf(`${fact}:${value}`) !== ON_BOARD)
    for (const value of added) provenance[`${fact}:${value}`] = originOf(`${fact}:${value}`)
    return added.length ? [...ours, ...added] : ours
  }
  const specifications: Record<string, string> = { ...device.specifications }
  for (const [name, value] of Object.entries(held.specifications)) {
    const origin = originOf(`specification:${name}`)
    const isOurs = Object.hasOwn(device.specifications, name)
    if (origin === OPERATOR || (!isOurs && origin !== ON_BOARD)) {
      specifications[name] = value
      provenance[`specification:${name}`] = origin
    }
  }
  const keepsDate = originOf('released') === OPERATOR || (device.releasedOn === null && held.releasedOn !== null)
  if (keepsDate && originOf('released') !== ON_BOARD) provenance.released = originOf('released')
  const ownIds = new Set(variants.map((variant) => variant.id))
  const corrected = new Map(held.variants.filter((each) => each.source === OPERATOR).map((each) => [each.id, each]))
  return {
    id: device.id,
    name: settle('name', device.name, held.name),
    make: device.make,
    category: settle('category', device.category, held.category),
    modelNumbers: gather('model_number', device.modelNumbers, held.modelNumbers),
    modelIdentifiers: gather('model_identifier', device.modelIdentifiers, held.modelIdentifiers),
    specifications,
    releasedOn: keepsDate ? held.releasedOn : device.releasedOn,
    releasePrecision: keepsDate ? held.releasePrecision : device.releasePrecision,
    status: settle('status', device.status, held.status),
    source: ON_BOARD,
    provenance,
    variants: [
      ...variants.map((variant) => corrected.get(variant.id) ?? variant),
      // Variants that lesser sources made up for want of real ones go; an operator's stay.
      ...held.variants.filter((variant) => !ownIds.has(variant.id) && variant.source === OPERATOR),
    ],
  }
}

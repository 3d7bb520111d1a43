/** A draft meets what the registry knows: the better source wins fact by fact, and who said it is kept. */
import { type Attribute, type Device, type Variant, variantId } from '../catalog/device.ts'
import { UNKNOWN_ANDROID } from './category.ts'
import type { DeviceDraft, Provenance, VariantDraft } from './draft.ts'
import { outranks, rankOf } from './origins.ts'
import { slugOf } from './slugs.ts'

export type KnownVariant = Variant & { readonly source: string; readonly provenance: Provenance }
export type KnownDevice = Omit<Device, 'variants'> & {
  readonly source: string
  readonly provenance: Provenance
  readonly variants: readonly KnownVariant[]
}

export type Merged = {
  readonly device: KnownDevice
  /** Facts where a better source already says otherwise. */
  readonly overruled: number
  /** Variants left out because the device has better ones. */
  readonly variantsLeftOut: number
}

/** `claimVariantId` settles ids that would belong to two devices. */
export function mergeDevice(
  id: string,
  known: KnownDevice | undefined,
  draft: DeviceDraft,
  claimVariantId: (wanted: string, device: string) => string = (wanted) => wanted,
): Merged {
  const provenance: Record<string, string> = { ...known?.provenance }
  const recordSource = known?.source ?? draft.source
  let overruled = 0
  let changed = known === undefined

  const says = (fact: string): string =>
    fact === 'category' && draft.categoryInferred ? 'inferred' : (draft.provenance?.[fact] ?? draft.source)
  const remember = (fact: string, origin: string) => {
    changed = true
    if (origin !== recordSource) provenance[fact] = origin
    else if (provenance[fact] !== undefined) delete provenance[fact]
  }
  function settle<Value>(
    fact: string,
    held: Value | null | undefined,
    said: Value | null | undefined,
  ): Value | undefined {
    if (said === undefined || said === null) return held ?? undefined
    const origin = says(fact)
    if (held === undefined || held === null) {
      remember(fact, origin)
      return said
    }
    const heldOrigin = provenance[fact] ?? recordSource
    if (held === said) {
      if (rankOf(origin) > rankOf(heldOrigin)) remember(fact, origin)
      return held
    }
    if (!outranks(origin, heldOrigin)) {
      overruled++
      return held
    }
    remember(fact, origin)
    return said
  }
  /** Lists only grow: that one source leaves a number out does not make it wrong. */
  function gather(fact: string, held: readonly string[], said: readonly string[] | undefined): readonly string[] {
    const all = new Set(held)
    for (const value of said ?? []) {
      if (value === '' || all.has(value)) continue
      all.add(value)
      remember(`${fact}:${value}`, says(`${fact}:${value}`))
    }
    return all.size === held.length ? held : [...all]
  }

  const name = settle('name', known?.name, draft.name) ?? draft.name
  const category = settle('category', known?.category, draft.category) ?? UNKNOWN_ANDROID
  const status = settle('status', known?.status, draft.status) ?? 'active'
  const releasedBefore = known?.releasedOn ?? null
  const releasedOn = settle('released', releasedBefore, draft.releasedOn) ?? null
  const releasePrecision =
    releasedOn === releasedBefore && known
      ? known.releasePrecision
      : releasedOn === null
        ? null
        : (draft.releasePrecision ?? 'day')
  const specifications: Record<string, string> = { ...known?.specifications }
  for (const [key, value] of Object.entries(draft.specifications ?? {})) {
    if (value === '') continue
    const settled = settle(`specification:${key}`, specifications[key], value)
    if (settled !== undefined) specifications[key] = settled
  }
  const device: KnownDevice = {
    id,
    name,
    make: known?.make ?? draft.make,
    category,
    modelNumbers: gather('model_number', known?.modelNumbers ?? [], draft.modelNumbers),
    modelIdentifiers: gather('model_identifier', known?.modelIdentifiers ?? [], draft.modelIdentifiers),
    specifications,
    releasedOn,
    releasePrecision,
    status,
    source: recordSource,
    provenance,
    variants: [],
  }
  const merged = mergeVariants(device, known?.variants ?? [], draft, claimVariantId)
  // Nothing new is the usual case of a second import: the very same object says so without a comparison.
  const settled =
    known && !changed && merged.variants === known.variants ? known : { ...device, variants: merged.variants }
  return { device: settled, overruled: overruled + merged.overruled, variantsLeftOut: merged.variantsLeftOut }
}

type MergedVariants = {
  readonly variants: readonly KnownVariant[]
  readonly overruled: number
  readonly variantsLeftOut: number
}

function mergeVariants(
  device: KnownDevice,
  held: readonly KnownVariant[],
  draft: DeviceDraft,
  claimVariantId: (wanted: string, device: string) => string,
): MergedVariants {
  const variants = [...held]
  let changed = false
  const bestRank = held.reduce((best, variant) => Math.max(best, rankOf(variant.source)), 0)
  const placeById = new Map<string, number>()
  const placeByAttributes = new Map<string, number>()
  const remember = (variant: KnownVariant, at: number) => {
    placeById.set(variant.id, at)
    placeByAttributes.set(attributesKey(variant.attributes), at)
  }
  if (draft.variants?.length) variants.forEach(remember)
  let overruled = 0
  let variantsLeftOut = 0
  for (const said of draft.variants ?? []) {
    const source = said.source ?? draft.source
    const at = (said.id ? placeById.get(said.id) : placeByAttributes.get(attributesKey(said.attributes))) ?? -1
    const before = variants[at]
    if (!before && !said.id && rankOf(source) < bestRank) {
      variantsLeftOut++
      continue
    }
    if (before && !outranks(source, before.source)) {
      overruled++
      continue
    }
    const id = before?.id ?? said.id ?? claimVariantId(variantId(device.id, said.attributes), device.id)
    const variant = settleVariant(id, device, before, said, source)
    if (before && sameVariant(before, variant)) continue
    changed = true
    if (before) variants[at] = variant
    else remember(variant, variants.push(variant) - 1)
  }
  return { variants: changed ? variants : held, overruled, variantsLeftOut }
}

function settleVariant(
  id: string,
  device: KnownDevice,
  before: KnownVariant | undefined,
  said: VariantDraft,
  source: string,
): KnownVariant {
  const listCents = said.listCents ?? before?.listCents ?? 0
  return {
    id,
    sku: said.sku || before?.sku || id.toUpperCase(),
    name: said.name || before?.name || [device.name, ...said.attributes.map((attribute) => attribute.value)].join(' '),
    listCents,
    // Nobody's price is not a free device: without one the variant is listed, but out of use.
    disabled: said.disabled ?? before?.disabled ?? said.listCents === undefined,
    partNumbers: union(before?.partNumbers, said.partNumbers),
    modelNumbers: union(before?.modelNumbers, said.modelNumbers),
    attributes: said.attributes,
    source,
    provenance: before?.provenance ?? {},
  }
}

function sameVariant(a: KnownVariant, b: KnownVariant): boolean {
  return (
    a.sku === b.sku &&
    a.name === b.name &&
    a.listCents === b.listCents &&
    a.disabled === b.disabled &&
    a.source === b.source &&
    a.partNumbers === b.partNumbers &&
    a.modelNumbers === b.modelNumbers &&
    a.attributes.length === b.attributes.length &&
    a.attributes.every((one, at) => one.name === b.attributes[at]?.name && one.value === b.attributes[at].value)
  )
}

function union(held: readonly string[] = [], said: readonly string[] = []): readonly string[] {
  if (said.every((value) => held.includes(value))) return held
  if (held.length === 0 && said.length === 1) return said
  return [...new Set([...held, ...said])]
}

function attributesKey(attributes: readonly Attribute[]): string {
  return attributes.map((attribute) => `${attribute.name}=${slugOf(attribute.value) || attribute.value}`).join('\n')
}

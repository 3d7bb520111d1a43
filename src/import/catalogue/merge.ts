/** A draft meets what the registry knows: the better source wins fact by fact, and who said it is kept. */
import { type Attribute, type Device, type Variant, variantId } from '../../catalog/device.ts'
import { UNKNOWN_ANDROID } from './category.ts'
import type { DeviceDraft, Provenance, VariantDraft } from './draft.ts'
import { nameKey } from './names.ts'
import { outranks, rankOf } from './origins.ts'
import { slugOf } from './slugs.ts'

/** Begins the facts of a record that are other names of it. */
export const ALSO_NAMED = 'also_named:'

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
  // Copied only when something changes: most of a second import changes nothing.
  let provenance = (known?.provenance ?? {}) as Record<string, string>
  const recordSource = known?.source ?? draft.source
  let overruled = 0
  let changed = known === undefined

  const isOtherName = known !== undefined && nameKey(draft.make, known.name) !== nameKey(draft.make, draft.name)
  const says = (fact: string): string =>
    fact === 'category' && draft.categoryInferred ? 'inferred' : (draft.provenance?.[fact] ?? draft.source)
  const remember = (fact: string, origin: string) => {
    if (!changed || provenance === known?.provenance) provenance = { ...provenance }
    changed = true
    if (origin !== recordSource || fact.startsWith(ALSO_NAMED)) provenance[fact] = origin
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
    // Of two records in one list that are one device here, the first one's facts stay.
    if (isOtherName ? rankOf(origin) <= rankOf(heldOrigin) : !outranks(origin, heldOrigin)) {
      overruled++
      return held
    }
    remember(fact, origin)
    return said
  }
  /** Lists only grow: that one source leaves a number out does not make it wrong. */
  function gather(fact: string, held: readonly string[], said: readonly string[] | undefined): readonly string[] {
    if (!said || said.length === 0) return held
    if (!known && !draft.provenance && said.length === 1 && said[0] !== '') return said
    if (said.length * held.length <= 64 && said.every((value) => held.includes(value))) return held
    const all = new Set(held)
    for (const value of said) {
      if (value === '' || all.has(value)) continue
      all.add(value)
      remember(`${fact}:${value}`, says(`${fact}:${value}`))
    }
    return all.size === held.length ? held : [...all]
  }

  const name = settle('name', known?.name, draft.name) ?? draft.name
  // What others call it is kept, so that the next list with that name finds it at once and the same list finds it again.
  const recall = (other: string, origin: string) => {
    if (provenance[`${ALSO_NAMED}${other}`] === undefined && nameKey(draft.make, other) !== nameKey(draft.make, name)) {
      remember(`${ALSO_NAMED}${other}`, origin)
    }
  }
  if (known && isOtherName) {
    recall(known.name, known.provenance.name ?? known.source)
    recall(draft.name, draft.source)
  }
  for (const [fact, origin] of Object.entries(draft.provenance ?? {})) {
    if (fact.startsWith(ALSO_NAMED)) recall(fact.slice(ALSO_NAMED.length), origin)
  }
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
  let specifications = known?.specifications ?? {}
  for (const [key, value] of Object.entries(draft.specifications ?? {})) {
    if (value === '') continue
    const settled = settle(`specification:${key}`, specifications[key], value)
    if (settled !== undefined && settled !== specifications[key]) specifications = { ...specifications, [key]: settled }
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
  if (!draft.variants?.length) return { variants: held, overruled: 0, variantsLeftOut: 0 }
  let variants = held as KnownVariant[]
  const bestRank = held.reduce((best, variant) => Math.max(best, rankOf(variant.source)), 0)
  const findPlace = placeFinder(held, draft.variants)
  let overruled = 0
  let variantsLeftOut = 0
  for (const said of draft.variants) {
    const source = said.source ?? draft.source
    const at = findPlace(variants, said)
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
    if (variants === held) variants = [...held]
    if (before) variants[at] = variant
    else variants.push(variant)
  }
  return { variants, overruled, variantsLeftOut }
}

/**
 * Where the variant a draft speaks of stands among those there are, −1 for a new one: by id where it is given, otherwise
 * by attributes. A device with many variants gets an index, the others are looked through.
 */
function placeFinder(held: readonly KnownVariant[], drafts: readonly VariantDraft[]) {
  if (held.length * drafts.length <= 16 && drafts.length <= 4) {
    return (variants: readonly KnownVariant[], said: VariantDraft) =>
      said.id
        ? variants.findIndex((variant) => variant.id === said.id)
        : variants.findIndex((variant) => sameAttributes(variant.attributes, said.attributes))
  }
  const placeById = new Map<string, number>()
  const placeByAttributes = new Map<string, number>()
  let indexed = 0
  return (variants: readonly KnownVariant[], said: VariantDraft) => {
    for (; indexed < variants.length; indexed++) {
      const variant = variants[indexed] as KnownVariant
      placeById.set(variant.id, indexed)
      placeByAttributes.set(attributesKey(variant.attributes), indexed)
    }
    return (said.id ? placeById.get(said.id) : placeByAttributes.get(attributesKey(said.attributes))) ?? -1
  }
}

function sameAttributes(a: readonly Attribute[], b: readonly Attribute[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, value }, at) => {
      const other = b[at] as Attribute
      return (
        name === other.name &&
        (value === other.value || (slugOf(value) !== '' && slugOf(value) === slugOf(other.value)))
      )
    })
  )
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

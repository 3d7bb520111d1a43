/** Merges the variants of a draft into those of a device: the better source wins, variant by variant. */
import { type Attribute, type Variant, variantIdFor } from '../../catalog/device.ts'
import { memoizedSlug } from '../../catalog/slugs.ts'
import type { DeviceDraft, Provenance, VariantDraft } from './device-draft.ts'
import { isMarketOrigin, originRank, outranks } from './fact-origins.ts'

export type SourcedVariant = Variant & { readonly source: string; readonly provenance: Provenance }

type MergedVariants = {
  readonly variants: readonly SourcedVariant[]
  readonly overruled: number
  readonly variantsLeftOut: number
}

export function mergeVariants(
  device: { readonly id: string; readonly name: string },
  existing: readonly SourcedVariant[],
  draft: DeviceDraft,
  claimVariantId: (wanted: string, device: string) => string,
): MergedVariants {
  if (!draft.variants?.length) return { variants: existing, overruled: 0, variantsLeftOut: 0 }
  let variants = existing as SourcedVariant[]
  // A size from a price list does not count for the rank of the device's sources.
  const bestRank = existing.reduce(
    (best, { source }) => (isMarketOrigin(source) ? best : Math.max(best, originRank(source))),
    0,
  )
  const findPlace = createPositionFinder(existing, draft.variants)
  let overruled = 0
  let variantsLeftOut = 0
  for (const said of draft.variants) {
    const source = said.source ?? draft.source
    const at = findPlace(variants, said)
    const before = variants[at]
    if (!before && !said.id && !isMarketOrigin(source) && originRank(source) < bestRank) {
      variantsLeftOut++
      continue
    }
    if (before && !outranks(source, before.source)) {
      overruled++
      continue
    }
    const id = before?.id ?? said.id ?? claimVariantId(variantIdFor(device.id, said.attributes), device.id)
    const variant = mergeVariant(id, device, before, said, source)
    if (before && isSameVariant(before, variant)) continue
    if (variants === existing) variants = [...existing]
    if (before) variants[at] = variant
    else variants.push(variant)
  }
  if (variants !== existing) variants = dropReplacedMarketVariants(variants)
  if (draft.isComplete && existing.length > 0) variants = sortLikeDrafts(draft.variants, variants)
  return { variants, overruled, variantsLeftOut }
}

/** A size that was added from a price list is removed as soon as a list has it with its colors and price. */
function dropReplacedMarketVariants(variants: SourcedVariant[]): SourcedVariant[] {
  const isSeen = ({ source }: SourcedVariant) => isMarketOrigin(source)
  if (!variants.some(isSeen)) return variants
  const listed = variants.filter((variant) => !isSeen(variant))
  return variants.filter((variant) => !isSeen(variant) || !listed.some((other) => hasAllAttributes(other, variant)))
}

const hasAllAttributes = (other: Variant, { attributes }: Variant) =>
  attributes.every(({ name, value }) =>
    other.attributes.some((one) => one.name === name && memoizedSlug(one.value) === memoizedSlug(value)),
  )

/** In the order of the drafts, then the others. */
function sortLikeDrafts(drafts: readonly VariantDraft[], variants: readonly SourcedVariant[]): SourcedVariant[] {
  const places = new Map(drafts.map((said, at) => [said.id, at]))
  const placeOf = (variant: SourcedVariant) => places.get(variant.id) ?? drafts.length
  return variants.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/**
 * Where the variant a draft speaks of stands among those there are, −1 for a new one: by id where it is given, otherwise
 * by attributes. A device with many variants gets an index, the others are looked through.
 */
function createPositionFinder(held: readonly SourcedVariant[], drafts: readonly VariantDraft[]) {
  if (held.length * drafts.length <= 16 && drafts.length <= 4) {
    return (variants: readonly SourcedVariant[], said: VariantDraft) =>
      said.id
        ? variants.findIndex((variant) => variant.id === said.id)
        : variants.findIndex((variant) => hasSameAttributes(variant.attributes, said.attributes))
  }
  const placeById = new Map<string, number>()
  const placeByAttributes = new Map<string, number>()
  const goesByAttributes = drafts.some((said) => !said.id)
  let indexed = 0
  return (variants: readonly SourcedVariant[], said: VariantDraft) => {
    for (; indexed < variants.length; indexed++) {
      const variant = variants[indexed] as SourcedVariant
      placeById.set(variant.id, indexed)
      if (goesByAttributes) placeByAttributes.set(attributesKey(variant.attributes), indexed)
    }
    return (said.id ? placeById.get(said.id) : placeByAttributes.get(attributesKey(said.attributes))) ?? -1
  }
}

export function hasSameAttributes(a: readonly Attribute[], b: readonly Attribute[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, value }, at) => {
      const other = b[at] as Attribute
      return (
        name === other.name &&
        (value === other.value || (memoizedSlug(value) !== '' && memoizedSlug(value) === memoizedSlug(other.value)))
      )
    })
  )
}

function mergeVariant(
  id: string,
  device: { readonly name: string },
  before: SourcedVariant | undefined,
  draft: VariantDraft,
  source: string,
): SourcedVariant {
  const listCents = draft.listCents ?? before?.listCents ?? 0
  const announcedCents = draft.announcedCents ?? before?.announcedCents
  const listPrices = draft.listPrices ?? before?.listPrices
  return {
    id,
    sku: draft.sku || before?.sku || id.toUpperCase(),
    name:
      draft.name || before?.name || [device.name, ...draft.attributes.map((attribute) => attribute.value)].join(' '),
    listCents,
    ...(announcedCents === undefined ? {} : { announcedCents }),
    ...(listPrices === undefined ? {} : { listPrices }),
    disabled: draft.disabled ?? before?.disabled ?? false,
    partNumbers: union(before?.partNumbers, draft.partNumbers),
    modelNumbers: union(before?.modelNumbers, draft.modelNumbers),
    attributes: draft.attributes,
    source,
    provenance: before?.provenance ?? {},
  }
}

function isSameListPrices(a: Variant['listPrices'], b: Variant['listPrices']): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function isSameVariant(a: SourcedVariant, b: SourcedVariant): boolean {
  return (
    a.sku === b.sku &&
    a.name === b.name &&
    a.listCents === b.listCents &&
    a.announcedCents === b.announcedCents &&
    isSameListPrices(a.listPrices, b.listPrices) &&
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
  return held.length === 0 ? withoutDuplicates(said) : [...new Set([...held, ...said])]
}

/** Distinct values without empty ones; returns the same list if nothing changes, which is the usual case. */
export function withoutDuplicates(values: readonly string[]): readonly string[] {
  const all = new Set(values)
  const wasEmpty = all.delete('')
  return all.size === values.length && !wasEmpty ? values : [...all]
}

function attributesKey(attributes: readonly Attribute[]): string {
  return attributes
    .map((attribute) => `${attribute.name}=${memoizedSlug(attribute.value) || attribute.value}`)
    .join('\n')
}

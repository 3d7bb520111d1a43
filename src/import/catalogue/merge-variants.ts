/** Merges the variants of a draft into those of a device: the better source wins, variant by variant. */
import { type Attribute, memoizedSlug, type Variant, variantIdFor } from '../../catalog/device.ts'
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
  const findPosition = createPositionFinder(draft.variants)
  let overruled = 0
  let variantsLeftOut = 0
  for (const variantDraft of draft.variants) {
    const source = variantDraft.source ?? draft.source
    const at = findPosition(variants, variantDraft)
    const existingVariant = variants[at]
    if (!existingVariant && !variantDraft.id && !isMarketOrigin(source) && originRank(source) < bestRank) {
      variantsLeftOut++
      continue
    }
    if (existingVariant && !outranks(source, existingVariant.source)) {
      overruled++
      continue
    }
    const id =
      existingVariant?.id ??
      variantDraft.id ??
      claimVariantId(variantIdFor(device.id, variantDraft.attributes), device.id)
    const variant = mergeVariant(id, device, existingVariant, variantDraft, source)
    if (existingVariant && Bun.deepEquals(existingVariant, variant)) continue
    if (variants === existing) variants = [...existing]
    if (existingVariant) variants[at] = variant
    else variants.push(variant)
  }
  if (variants !== existing) variants = dropReplacedMarketVariants(variants)
  if (draft.isComplete && existing.length > 0) variants = sortLikeDrafts(draft.variants, variants)
  return { variants, overruled, variantsLeftOut }
}

/** A size that was added from a price list is removed as soon as a list has it with its colors and price. */
function dropReplacedMarketVariants(variants: SourcedVariant[]): SourcedVariant[] {
  const isMarketVariant = ({ source }: SourcedVariant) => isMarketOrigin(source)
  if (!variants.some(isMarketVariant)) return variants
  const otherVariants = variants.filter((variant) => !isMarketVariant(variant))
  return variants.filter(
    (variant) => !isMarketVariant(variant) || !otherVariants.some((other) => hasAllAttributes(other, variant)),
  )
}

const hasAllAttributes = (other: Variant, { attributes }: Variant) =>
  attributes.every(({ name, value }) =>
    other.attributes.some(
      (attribute) => attribute.name === name && memoizedSlug(attribute.value) === memoizedSlug(value),
    ),
  )

/** In the order of the drafts, then the others. */
function sortLikeDrafts(drafts: readonly VariantDraft[], variants: readonly SourcedVariant[]): SourcedVariant[] {
  const positions = new Map(drafts.map((variantDraft, at) => [variantDraft.id, at]))
  const positionOf = (variant: SourcedVariant) => positions.get(variant.id) ?? drafts.length
  return variants.toSorted((a, b) => positionOf(a) - positionOf(b))
}

/** Finds the position of a draft's variant by id, or by attributes if it has no id; −1 if it is new. */
function createPositionFinder(drafts: readonly VariantDraft[]) {
  const positionById = new Map<string, number>()
  const positionByAttributes = new Map<string, number>()
  const usesAttributes = drafts.some((draft) => !draft.id)
  let indexed = 0
  return (variants: readonly SourcedVariant[], draft: VariantDraft) => {
    for (; indexed < variants.length; indexed++) {
      const variant = variants[indexed] as SourcedVariant
      positionById.set(variant.id, indexed)
      if (usesAttributes) positionByAttributes.set(attributesKey(variant.attributes), indexed)
    }
    return (draft.id ? positionById.get(draft.id) : positionByAttributes.get(attributesKey(draft.attributes))) ?? -1
  }
}

function mergeVariant(
  id: string,
  device: { readonly name: string },
  existing: SourcedVariant | undefined,
  draft: VariantDraft,
  source: string,
): SourcedVariant {
  const listCents = draft.listCents ?? existing?.listCents ?? 0
  const announcedCents = draft.announcedCents ?? existing?.announcedCents
  const listPrices = draft.listPrices ?? existing?.listPrices
  return {
    id,
    sku: draft.sku || existing?.sku || id.toUpperCase(),
    name:
      draft.name || existing?.name || [device.name, ...draft.attributes.map((attribute) => attribute.value)].join(' '),
    listCents,
    ...(announcedCents === undefined ? {} : { announcedCents }),
    ...(listPrices === undefined ? {} : { listPrices }),
    disabled: draft.disabled ?? existing?.disabled ?? false,
    partNumbers: union(existing?.partNumbers, draft.partNumbers),
    modelNumbers: union(existing?.modelNumbers, draft.modelNumbers),
    attributes: draft.attributes,
    source,
    provenance: existing?.provenance ?? {},
  }
}

function union(existing: readonly string[] = [], added: readonly string[] = []): readonly string[] {
  if (added.every((value) => existing.includes(value))) return existing
  return existing.length === 0 ? withoutDuplicates(added) : [...new Set([...existing, ...added])]
}

/** Distinct values without empty ones; returns the same list if nothing changes, which is the usual case. */
export function withoutDuplicates(values: readonly string[]): readonly string[] {
  const all = new Set(values)
  const wasEmpty = all.delete('')
  return all.size === values.length && !wasEmpty ? values : [...all]
}

/** Equal for attributes that differ only in spelling. */
export function attributesKey(attributes: readonly Attribute[]): string {
  return attributes
    .map((attribute) => `${attribute.name}=${memoizedSlug(attribute.value) || attribute.value}`)
    .join('\n')
}

/** Merges a draft into a device of the catalogue: the better source wins fact by fact, and its origin is stored. */
import type { Device } from '../../catalog/device.ts'
import { UNKNOWN_CATEGORY } from './category-rules.ts'
import type { DeviceDraft, Provenance } from './device-draft.ts'
import { originRank, outranks } from './fact-origins.ts'
import { mergeVariants, type SourcedVariant, withoutDuplicates } from './merge-variants.ts'
import { normalizeName } from './names.ts'

/** Prefix of facts that are other names of the device. */
export const ALIAS_FACT_PREFIX = 'also_named:'

export type SourcedDevice = Omit<Device, 'variants'> & {
  readonly source: string
  readonly provenance: Provenance
  readonly variants: readonly SourcedVariant[]
}

/** The device before the merge, possibly without the earlier facts of the draft's source. */
type ExistingFacts = { readonly [fact in keyof SourcedDevice]?: SourcedDevice[fact] | undefined } & Pick<
  SourcedDevice,
  'source' | 'provenance' | 'variants'
>

type MergeResult = {
  readonly device: SourcedDevice
  /** Facts that differ from a better source. */
  readonly overruled: number
  /** Variants left out because the device has better ones. */
  readonly variantsLeftOut: number
}

/** `claimVariantId` resolves ids that two devices would share. */
export function mergeDevice(
  id: string,
  existing: SourcedDevice | undefined,
  draft: DeviceDraft,
  claimVariantId: (wanted: string, device: string) => string = (wanted) => wanted,
): MergeResult {
  const held: ExistingFacts | undefined =
    existing && draft.isComplete ? withoutSource(existing, draft.source) : existing
  // Copied only when something changes: most of a second import changes nothing.
  let provenance = (held?.provenance ?? {}) as Record<string, string>
  const recordSource = held?.source ?? draft.source
  let overruled = 0
  let changed = held === undefined || draft.isComplete === true

  // All facts of a new device are the draft's own, so none has to be compared.
  const isFirst = held === undefined && draft.provenance === undefined
  const isOtherName =
    held?.name !== undefined && normalizeName(draft.make, held.name) !== normalizeName(draft.make, draft.name)
  const originOf = (fact: string): string =>
    fact === 'category' && draft.categoryInferred ? 'inferred' : (draft.provenance?.[fact] ?? draft.source)
  const remember = (fact: string, origin: string) => {
    if (provenance === held?.provenance) provenance = { ...provenance }
    changed = true
    if (origin !== recordSource || fact.startsWith(ALIAS_FACT_PREFIX)) provenance[fact] = origin
    else if (provenance[fact] !== undefined) delete provenance[fact]
  }
  function settle<Value>(
    fact: string,
    before: Value | null | undefined,
    stated: Value | null | undefined,
  ): Value | undefined {
    if (stated === undefined || stated === null) return before ?? undefined
    const origin = originOf(fact)
    if (before === undefined || before === null) {
      remember(fact, origin)
      return stated
    }
    const originBefore = provenance[fact] ?? recordSource
    if (before === stated) {
      if (originRank(origin) > originRank(originBefore)) remember(fact, origin)
      return before
    }
    // If a list has two records of one device, the first one's facts stay.
    if (isOtherName ? originRank(origin) <= originRank(originBefore) : !outranks(origin, originBefore)) {
      overruled++
      return before
    }
    remember(fact, origin)
    return stated
  }
  /** Lists only grow: a number that one source omits is not wrong. */
  function gather(fact: string, before: readonly string[], said: readonly string[] | undefined): readonly string[] {
    if (!said || said.length === 0) return before
    if (isFirst) return withoutDuplicates(said)
    if (said.length * before.length <= 64 && said.every((value) => before.includes(value))) return before
    const all = new Set(before)
    for (const value of said) {
      if (value === '' || all.has(value)) continue
      all.add(value)
      remember(`${fact}:${value}`, originOf(`${fact}:${value}`))
    }
    if (draft.isComplete) return [...new Set([...said, ...before])]
    return all.size === before.length ? before : [...all]
  }

  const name = settle('name', held?.name, draft.name) ?? draft.name
  // Other names are stored, so that later lists with that name find the device.
  const recall = (other: string, origin: string) => {
    if (
      provenance[`${ALIAS_FACT_PREFIX}${other}`] === undefined &&
      normalizeName(draft.make, other) !== normalizeName(draft.make, name)
    ) {
      remember(`${ALIAS_FACT_PREFIX}${other}`, origin)
    }
  }
  if (held?.name !== undefined && isOtherName) {
    recall(held.name, held.provenance.name ?? held.source)
    recall(draft.name, draft.source)
  }
  for (const [fact, origin] of Object.entries(draft.provenance ?? {})) {
    if (fact.startsWith(ALIAS_FACT_PREFIX)) recall(fact.slice(ALIAS_FACT_PREFIX.length), origin)
  }
  const category = settle('category', held?.category, draft.category) ?? UNKNOWN_CATEGORY
  const status = settle('status', held?.status, draft.status) ?? 'active'
  const releasedOn = settle('released', held?.releasedOn, draft.releasedOn) ?? null
  // The precision comes from the same source as the day: a better source may know the exact day.
  const isDraftsDay = releasedOn === draft.releasedOn && (provenance.released ?? recordSource) === originOf('released')
  const precisionSaid = releasedOn !== null && isDraftsDay ? (draft.releasePrecision ?? 'day') : undefined
  const releasePrecision = precisionSaid ?? held?.releasePrecision ?? null
  if (releasePrecision !== (held?.releasePrecision ?? null)) changed = true
  let specifications = held?.specifications ?? {}
  const specified: Record<string, string> = {}
  for (const [name, value] of Object.entries(draft.specifications ?? {})) {
    if (value === '') continue
    const settled = isFirst ? value : settle(`specification:${name}`, specifications[name], value)
    if (settled !== undefined && (draft.isComplete || settled !== specifications[name])) specified[name] = settled
  }
  // A complete draft determines the order; otherwise new facts come last.
  if (draft.isComplete) specifications = { ...specified, ...specifications, ...specified }
  else if (Object.keys(specified).length > 0) specifications = { ...specifications, ...specified }
  const device: SourcedDevice = {
    id,
    name,
    make: held?.make ?? draft.make,
    category,
    modelNumbers: gather('model_number', held?.modelNumbers ?? [], draft.modelNumbers),
    modelIdentifiers: gather('model_identifier', held?.modelIdentifiers ?? [], draft.modelIdentifiers),
    specifications,
    releasedOn,
    releasePrecision,
    status,
    source: recordSource,
    provenance,
    variants: [],
  }
  const merged = mergeVariants(device, held?.variants ?? [], draft, claimVariantId)
  // A repeated import usually changes nothing: the same object is returned, which needs no comparison.
  const settled =
    existing && !changed && merged.variants === existing.variants ? existing : { ...device, variants: merged.variants }
  return { device: settled, overruled: overruled + merged.overruled, variantsLeftOut: merged.variantsLeftOut }
}

/** The device without the facts of this source; every remaining fact has its origin in the provenance. */
function withoutSource(device: SourcedDevice, source: string): ExistingFacts {
  const provenance: Record<string, string> = {}
  const isOthers = (fact: string) => {
    const origin = device.provenance[fact] ?? device.source
    if (origin === source) return false
    provenance[fact] = origin
    return true
  }
  for (const fact of Object.keys(device.provenance)) if (fact.startsWith(ALIAS_FACT_PREFIX)) isOthers(fact)
  const keepsDay = device.releasedOn !== null && isOthers('released')
  return {
    name: isOthers('name') ? device.name : undefined,
    category: isOthers('category') ? device.category : undefined,
    status: isOthers('status') ? device.status : undefined,
    releasedOn: keepsDay ? device.releasedOn : null,
    releasePrecision: keepsDay ? device.releasePrecision : null,
    modelNumbers: device.modelNumbers.filter((number) => isOthers(`model_number:${number}`)),
    modelIdentifiers: device.modelIdentifiers.filter((identifier) => isOthers(`model_identifier:${identifier}`)),
    specifications: Object.fromEntries(
      Object.entries(device.specifications).filter(([name]) => isOthers(`specification:${name}`)),
    ),
    source,
    provenance,
    variants: device.variants.filter((variant) => originRank(variant.source) > originRank(source)),
  }
}

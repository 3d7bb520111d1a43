/** Merges a draft into a device of the catalogue: the better source wins fact by fact, and its origin is stored. */
import type { Device } from '../../catalog/device.ts'
import type { DeviceDraft, Provenance } from './device-draft.ts'
import { originRank, outranks } from './fact-origins.ts'
import { mergeVariants, type SourcedVariant, withoutDuplicates } from './merge-variants.ts'
import { normalizeName } from './names.ts'

/** Of a device whose category no file states. */
const UNKNOWN_CATEGORY = 'Other'

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
  const base: ExistingFacts | undefined =
    existing && draft.isComplete ? withoutSource(existing, draft.source) : existing
  // Copied only when something changes: most of a second import changes nothing.
  let provenance = (base?.provenance ?? {}) as Record<string, string>
  const recordSource = base?.source ?? draft.source
  let overruled = 0
  let changed = base === undefined || draft.isComplete === true

  // All facts of a new device are the draft's own, so none has to be compared.
  const isFirst = base === undefined && draft.provenance === undefined
  const isOtherName =
    base?.name !== undefined && normalizeName(draft.make, base.name) !== normalizeName(draft.make, draft.name)
  const originOf = (fact: string): string => draft.provenance?.[fact] ?? draft.source
  const setOrigin = (fact: string, origin: string) => {
    if (provenance === base?.provenance) provenance = { ...provenance }
    changed = true
    if (origin !== recordSource || fact.startsWith(ALIAS_FACT_PREFIX)) provenance[fact] = origin
    else if (provenance[fact] !== undefined) delete provenance[fact]
  }
  function resolveFact<Value>(
    fact: string,
    existingValue: Value | null | undefined,
    draftValue: Value | null | undefined,
  ): Value | undefined {
    if (draftValue === undefined || draftValue === null) return existingValue ?? undefined
    const origin = originOf(fact)
    if (existingValue === undefined || existingValue === null) {
      setOrigin(fact, origin)
      return draftValue
    }
    const existingOrigin = provenance[fact] ?? recordSource
    if (existingValue === draftValue) {
      if (originRank(origin) > originRank(existingOrigin)) setOrigin(fact, origin)
      return existingValue
    }
    // If a list has two records of one device, the first one's facts stay.
    if (isOtherName ? originRank(origin) <= originRank(existingOrigin) : !outranks(origin, existingOrigin)) {
      overruled++
      return existingValue
    }
    setOrigin(fact, origin)
    return draftValue
  }
  /** Lists only grow: a number that one source omits is not wrong. */
  function mergeList(
    fact: string,
    existingValues: readonly string[],
    draftValues: readonly string[] | undefined,
  ): readonly string[] {
    if (!draftValues || draftValues.length === 0) return existingValues
    if (isFirst) return withoutDuplicates(draftValues)
    if (
      draftValues.length * existingValues.length <= 64 &&
      draftValues.every((value) => existingValues.includes(value))
    )
      return existingValues
    const all = new Set(existingValues)
    for (const value of draftValues) {
      if (value === '' || all.has(value)) continue
      all.add(value)
      setOrigin(`${fact}:${value}`, originOf(`${fact}:${value}`))
    }
    if (draft.isComplete) return [...new Set([...draftValues, ...existingValues])]
    return all.size === existingValues.length ? existingValues : [...all]
  }

  const name = resolveFact('name', base?.name, draft.name) ?? draft.name
  // Other names are stored, so that later lists with that name find the device.
  const addAlias = (alias: string, origin: string) => {
    if (
      provenance[`${ALIAS_FACT_PREFIX}${alias}`] === undefined &&
      normalizeName(draft.make, alias) !== normalizeName(draft.make, name)
    ) {
      setOrigin(`${ALIAS_FACT_PREFIX}${alias}`, origin)
    }
  }
  if (base?.name !== undefined && isOtherName) {
    addAlias(base.name, base.provenance.name ?? base.source)
    addAlias(draft.name, draft.source)
  }
  for (const [fact, origin] of Object.entries(draft.provenance ?? {})) {
    if (fact.startsWith(ALIAS_FACT_PREFIX)) addAlias(fact.slice(ALIAS_FACT_PREFIX.length), origin)
  }
  const knownCategory = base?.category === UNKNOWN_CATEGORY ? undefined : base?.category
  const category = resolveFact('category', knownCategory, draft.category) ?? UNKNOWN_CATEGORY
  const status = resolveFact('status', base?.status, draft.status) ?? 'active'
  const releasedOn = resolveFact('released', base?.releasedOn, draft.releasedOn) ?? null
  // The precision comes from the same source as the day: a better source may know the exact day.
  const isDraftDate = releasedOn === draft.releasedOn && (provenance.released ?? recordSource) === originOf('released')
  const draftPrecision = releasedOn !== null && isDraftDate ? (draft.releasePrecision ?? 'day') : undefined
  const releasePrecision = draftPrecision ?? base?.releasePrecision ?? null
  if (releasePrecision !== (base?.releasePrecision ?? null)) changed = true
  let specifications = base?.specifications ?? {}
  const newSpecifications: Record<string, string> = {}
  for (const [name, value] of Object.entries(draft.specifications ?? {})) {
    if (value === '') continue
    const resolvedValue = isFirst ? value : resolveFact(`specification:${name}`, specifications[name], value)
    if (resolvedValue !== undefined && (draft.isComplete || resolvedValue !== specifications[name]))
      newSpecifications[name] = resolvedValue
  }
  // A complete draft determines the order; otherwise new facts come last.
  if (draft.isComplete) specifications = { ...newSpecifications, ...specifications, ...newSpecifications }
  else if (Object.keys(newSpecifications).length > 0) specifications = { ...specifications, ...newSpecifications }
  const device: SourcedDevice = {
    id,
    name,
    make: base?.make ?? draft.make,
    category,
    modelNumbers: mergeList('model_number', base?.modelNumbers ?? [], draft.modelNumbers),
    modelIdentifiers: mergeList('model_identifier', base?.modelIdentifiers ?? [], draft.modelIdentifiers),
    specifications,
    releasedOn,
    releasePrecision,
    status,
    source: recordSource,
    provenance,
    variants: [],
  }
  const merged = mergeVariants(device, base?.variants ?? [], draft, claimVariantId)
  // A repeated import usually changes nothing: the same object is returned, which needs no comparison.
  const result =
    existing && !changed && merged.variants === existing.variants ? existing : { ...device, variants: merged.variants }
  return { device: result, overruled: overruled + merged.overruled, variantsLeftOut: merged.variantsLeftOut }
}

/** The device without the facts of this source; every remaining fact has its origin in the provenance. */
function withoutSource(device: SourcedDevice, source: string): ExistingFacts {
  const provenance: Record<string, string> = {}
  const keepFact = (fact: string) => {
    const origin = device.provenance[fact] ?? device.source
    if (origin === source) return false
    provenance[fact] = origin
    return true
  }
  for (const fact of Object.keys(device.provenance)) if (fact.startsWith(ALIAS_FACT_PREFIX)) keepFact(fact)
  const keepsDate = device.releasedOn !== null && keepFact('released')
  return {
    name: keepFact('name') ? device.name : undefined,
    category: keepFact('category') ? device.category : undefined,
    status: keepFact('status') ? device.status : undefined,
    releasedOn: keepsDate ? device.releasedOn : null,
    releasePrecision: keepsDate ? device.releasePrecision : null,
    modelNumbers: device.modelNumbers.filter((number) => keepFact(`model_number:${number}`)),
    modelIdentifiers: device.modelIdentifiers.filter((identifier) => keepFact(`model_identifier:${identifier}`)),
    specifications: Object.fromEntries(
      Object.entries(device.specifications).filter(([name]) => keepFact(`specification:${name}`)),
    ),
    source,
    provenance,
    variants: device.variants.filter((variant) => originRank(variant.source) > originRank(source)),
  }
}

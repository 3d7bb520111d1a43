/** The catalogue during an import: finds the device of a draft and free ids. */

import { memoizedSlug } from '../../catalog/device.ts'
import type { DeviceDraft } from './device-draft.ts'
import { normalizeMake } from './makes.ts'
import { ALIAS_FACT_PREFIX, type SourcedDevice } from './merge-device.ts'
import { isLatin, normalizeName, normalizeNameWithoutNetwork } from './names.ts'

export type ImportRegistry = {
  readonly get: (id: string) => SourcedDevice | undefined
  /** The spelling the registry uses for a make. */
  readonly spellingOfMake: (key: string) => string | undefined
  /** The id of the draft's device: an existing one, or a free one for a new device. */
  readonly identify: (draft: DeviceDraft) => { readonly id: string; readonly collided: boolean }
  readonly findByModel: (make: string, model: string) => readonly string[]
  /** By the common part of a model number; the letters after it differ by country and carrier. */
  readonly findByModelFamily: (make: string, model: string) => readonly string[]
  /**
   * By build codename or similar; hardware sold under several names shares one. A codename of only one other make counts
   * too: carriers put their own brand on a maker's device.
   */
  readonly findByIdentifier: (make: string, identifier: string) => readonly string[]
  readonly findByName: (make: string, name: string) => string | undefined
  readonly put: (device: SourcedDevice) => void
  readonly claimVariantId: (wantedId: string, device: string) => string
}

export function createImportRegistry(devices: Iterable<SourcedDevice>): ImportRegistry {
  const byId = new Map<string, SourcedDevice>()
  const makes = new Map<string, string>()
  const idByName = new Map<string, string>()
  const idsByModel = new Map<string, string[]>()
  const idsByModelFamily = new Map<string, string[]>()
  /** Built on first use: few lists have codenames. */
  let idsByIdentifier: Map<string, string[]> | undefined
  const variantOwner = new Map<string, string>()

  const put = (device: SourcedDevice) => {
    byId.set(device.id, device)
    const make = normalizeMake(device.make)
    makes.getOrInsert(make, device.make)
    idByName.getOrInsert(`${make}\n${normalizeName(device.make, device.name)}`, device.id)
    for (const fact in device.provenance) {
      if (!fact.startsWith(ALIAS_FACT_PREFIX)) continue
      const alias = fact.slice(ALIAS_FACT_PREFIX.length)
      idByName.getOrInsert(`${make}\n${normalizeName(device.make, alias)}`, device.id)
    }
    for (const model of device.modelNumbers) {
      addId(idsByModel, modelKey(make, model), device.id)
      const family = modelFamily(model)
      if (family) addId(idsByModelFamily, modelKey(make, family), device.id)
    }
    if (idsByIdentifier) addIdentifiers(idsByIdentifier, device)
    for (const variant of device.variants) variantOwner.set(variant.id, device.id)
  }
  for (const device of devices) put(device)

  const findByModel = (make: string, model: string) => idsByModel.get(modelKey(normalizeMake(make), model)) ?? []
  function findByModelFamily(make: string, model: string): readonly string[] {
    const family = modelFamily(model)
    return family ? (idsByModelFamily.get(modelKey(normalizeMake(make), family)) ?? []) : []
  }
  /** Devices of a make with that identifier; of all makes when the key is empty. */
  function idsWithIdentifier(make: string, identifier: string): readonly string[] {
    if (!idsByIdentifier) {
      idsByIdentifier = new Map()
      for (const device of byId.values()) addIdentifiers(idsByIdentifier, device)
    }
    return idsByIdentifier.get(modelKey(make, identifier)) ?? []
  }
  function findByIdentifier(make: string, identifier: string): readonly string[] {
    const idsOfMake = idsWithIdentifier(normalizeMake(make), identifier)
    if (idsOfMake.length > 0) return idsOfMake
    const idsOfAnyMake = idsWithIdentifier('', identifier)
    return idsOfAnyMake.length === 1 ? idsOfAnyMake : []
  }
  const findByName = (make: string, name: string) =>
    idByName.get(`${normalizeMake(make)}\n${normalizeName(make, name)}`)

  /**
   * A device that shares model numbers with the draft and whose name differs only in the network word, or whose numbers
   * are conclusive.
   */
  function findTwin(draft: DeviceDraft): string | undefined {
    const namesake = draft.modelNumbersAreUnique ? findNamesake(draft) : undefined
    if (namesake) return namesake
    const votes = new Map<string, number>()
    const models = draft.modelNumbers ?? []
    for (const model of models) {
      for (const id of findByModel(draft.make, model)) votes.set(id, (votes.get(id) ?? 0) + 1)
    }
    const draftName = normalizeNameWithoutNetwork(draft.make, draft.name)
    let best: string | undefined
    let bestVotes = 0
    for (const [id, count] of votes) {
      if (draft.identifiersMustAgree && !shareIdentifier(draft.modelIdentifiers, byId.get(id)?.modelIdentifiers))
        continue
      const sameName = normalizeNameWithoutNetwork(draft.make, byId.get(id)?.name ?? '') === draftName
      const hasMostNumbers = draft.modelNumbersAreUnique && count * 2 > models.length && isOfOtherSource(id, draft)
      if ((sameName || hasMostNumbers) && count > bestVotes) {
        best = id
        bestVotes = count
      }
    }
    if (best || !draft.modelNumbersAreUnique) return best
    for (const identifier of draft.modelIdentifiers ?? []) {
      const [only, ...others] = idsWithIdentifier(normalizeMake(draft.make), identifier)
      if (only !== undefined && others.length === 0 && isOfOtherSource(only, draft)) return only
    }
    return undefined
  }

  /** Two devices of the same list are never merged: the list distinguishes them. */
  function isOfOtherSource(id: string, draft: DeviceDraft): boolean {
    return byId.get(id)?.source !== draft.source
  }

  /** A device of any make with the same codename and name: brand and maker may both sell it. */
  function findNamesake(draft: DeviceDraft): string | undefined {
    const draftName = normalizeName(draft.make, draft.name)
    for (const identifier of draft.modelIdentifiers ?? []) {
      const namesakes = idsWithIdentifier('', identifier).filter((id) => {
        const holder = byId.get(id)
        return holder && normalizeName(holder.make, holder.name) === draftName
      })
      if (namesakes.length === 1) return namesakes[0]
    }
    return undefined
  }

  function identify(draft: DeviceDraft) {
    if (draft.id) return { id: draft.id, collided: false }
    const existingId = findByName(draft.make, draft.name) ?? findTwin(draft)
    if (existingId) return { id: existingId, collided: false }
    const make = normalizeMake(draft.make)
    let collided = false
    for (const id of candidateIds(draft)) {
      const holder = byId.get(id)
      if (!holder) return { id, collided }
      const sameName = normalizeName(holder.make, holder.name) === normalizeName(draft.make, draft.name)
      if (normalizeMake(holder.make) === make && (sameName || (isLatin(holder.name) && isLatin(draft.name)))) {
        return { id, collided: false }
      }
      collided = true
    }
    throw new Error(`no free id for ${draft.make} ${draft.name}`)
  }

  function claimVariantId(wantedId: string, device: string): string {
    for (let count = 1; ; count++) {
      const id = count === 1 ? wantedId : `${wantedId}-${count}`
      if (!variantOwner.has(id)) {
        variantOwner.set(id, device)
        return id
      }
    }
  }

  return {
    get: (id) => byId.get(id),
    spellingOfMake: (key) => makes.get(key),
    identify,
    findByModel,
    findByModelFamily,
    findByIdentifier,
    findByName,
    put,
    claimVariantId,
  }
}

/** Whether two lists share an identifier, or one of them is empty. */
function shareIdentifier(identifiers: readonly string[] = [], others: readonly string[] = []): boolean {
  return (
    identifiers.length === 0 || others.length === 0 || identifiers.some((identifier) => others.includes(identifier))
  )
}

function addIdentifiers(ids: Map<string, string[]>, device: SourcedDevice): void {
  const make = normalizeMake(device.make)
  for (const identifier of device.modelIdentifiers) {
    addId(ids, modelKey(make, identifier), device.id)
    addId(ids, modelKey('', identifier), device.id)
  }
}

function addId(idsByKey: Map<string, string[]>, key: string, id: string): void {
  const ids = idsByKey.getOrInsertComputed(key, () => [])
  if (!ids.includes(id)) ids.push(id)
}

/** Only Samsung's numbers show it: SM-A205F, SM-A205FN and SM-A205U are one phone. */
function modelFamily(model: string): string | undefined {
  return /^SM-[A-Z]\d{3}/i.exec(model)?.[0]
}

function modelKey(make: string, model: string): string {
  return `${make}\n${model.toUpperCase()}`
}

/** Candidate ids: make and name; with a model number if the name is not in Latin script; numbered. */
function* candidateIds(draft: DeviceDraft): Generator<string> {
  const make = memoizedSlug(draft.make) || 'make'
  const name = memoizedSlug(draft.name)
  const baseId = name === make || name.startsWith(`${make}-`) ? name : [make, name].filter(Boolean).join('-')
  const model = memoizedSlug([...(draft.modelNumbers ?? [])].sort()[0] ?? '')
  if (name && isLatin(draft.name)) yield baseId
  if (model) yield `${baseId}-${model}`
  for (let count = 2; count < 1000; count++) yield `${baseId}${model ? `-${model}` : ''}-${count}`
}

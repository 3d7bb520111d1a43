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
    for (const variant of device.variants) variantOwner.set(variant.id, device.id)
  }
  for (const device of devices) put(device)

  const findByModel = (make: string, model: string) => idsByModel.get(modelKey(normalizeMake(make), model)) ?? []
  function findByModelFamily(make: string, model: string): readonly string[] {
    const family = modelFamily(model)
    return family ? (idsByModelFamily.get(modelKey(normalizeMake(make), family)) ?? []) : []
  }
  const findByName = (make: string, name: string) =>
    idByName.get(`${normalizeMake(make)}\n${normalizeName(make, name)}`)

  /** The device that shares most model numbers with the draft and whose name differs only in the network word. */
  function findTwin(draft: DeviceDraft): string | undefined {
    const votes = new Map<string, number>()
    for (const model of draft.modelNumbers ?? []) {
      for (const id of findByModel(draft.make, model)) votes.set(id, (votes.get(id) ?? 0) + 1)
    }
    const draftName = normalizeNameWithoutNetwork(draft.make, draft.name)
    let best: string | undefined
    let bestVotes = 0
    for (const [id, count] of votes) {
      const sameName = normalizeNameWithoutNetwork(draft.make, byId.get(id)?.name ?? '') === draftName
      if (sameName && count > bestVotes) {
        best = id
        bestVotes = count
      }
    }
    return best
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
    findByName,
    put,
    claimVariantId,
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

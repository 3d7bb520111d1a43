import { LRUCache } from 'lru-cache'
import type { Device, DeviceRegistry } from '../catalog/device.ts'
import type { RepairWire } from '../contract/repair.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { SLICE_MS, yieldToEventLoop } from '../lib/event-loop.ts'
import { dayNumber } from '../lib/time.ts'
import type { FaultKind, PartKind } from './fault-kinds.ts'
import { type BookedPart, fitOwnPartCosts, lnMiddle, type OwnPartCosts } from './own-part-costs.ts'
import { presentRepairs } from './present.ts'
import { listPricedRepairs, type PricedRepair } from './priced-repair.ts'
import {
  type BundledRepairData,
  type FindRepairProfile,
  type ImportedRepairData,
  indexRepairData,
} from './repair-fact-index.ts'
import type { RepairMarket } from './repair-market.ts'
import type { ResaleByGrade } from './repair-metrics.ts'

export type MaybePromise<T> = T | Promise<T>
export type RepairResponse<ReadyResponse> = { readonly deviceId: string; readonly response: ReadyResponse }

export type RepairService<ReadyResponse> = {
  /** Synchronous if the response or its prices are cached; undefined for an unknown device. */
  findByDevice(id: string): MaybePromise<RepairResponse<ReadyResponse> | undefined>
  findByVariant(id: string): MaybePromise<RepairResponse<ReadyResponse> | undefined>
  /** The response as an object, for responses that are built per request. */
  findWire(query: {
    readonly deviceId?: string | undefined
    readonly variantId?: string | undefined
    /** US cents; the rate of the service by default. */
    readonly labourCentsPerHour?: number
    readonly ownCosts?: OwnPartCosts | null
  }): Promise<RepairWire | undefined>
  /** Labour rate of cached responses, US cents. */
  labourCentsPerHour(): number
  /** The repairs of a variant with a known cost; undefined for an unknown variant. */
  pricedRepairs(variantId: string, ownCosts?: OwnPartCosts | null): ReadonlyMap<FaultKind, PricedRepair> | undefined
  /** What booked costs say about the costs of parts; null if they are too few. */
  learnOwnCosts(booked: readonly BookedCost[]): OwnPartCosts | null
  /** Input data changed: rebuilds responses in the background and serves the old ones meanwhile. */
  invalidate(): void
  /** Resolves when all changes before the call are served. */
  refresh(): Promise<void>
  close(): void
}

/** What an organization paid for a part of a device, in US cents. */
export type BookedCost = { readonly deviceId: string; readonly part: PartKind; readonly cents: number }

export type RepairServiceOptions<ReadyResponse> = {
  readonly bundled: BundledRepairData
  readonly registry: () => DeviceRegistry
  readonly readImported: () => Promise<ImportedRepairData>
  /** Undefined if the prices of a device are cached; otherwise resolves when they are. */
  readonly preparePrices: (deviceId: string) => Promise<void> | undefined
  /** Resale prices of a variant; null if there are none. */
  readonly resaleOf: (variantId: string) => ResaleByGrade | null
  /** Cost of labour and parts in the market of the service; call `invalidate` when it changes. */
  readonly market: () => RepairMarket
  readonly toResponse: (data: RepairWire) => ReadyResponse
  readonly now: () => number
  /** Reports changes of imported facts. */
  readonly reloadOnChange: ReloadOnChange
  /** One response takes about 6 kB with its compressed forms. */
  readonly maxCachedResponses?: number
}

const MAX_CACHED_RESPONSES = 2_000
/** Minimum interval between rebuilds; a rebuild also runs at most half of the time. */
const MIN_REBUILD_INTERVAL_MS = 250

type CacheGeneration<ReadyResponse> = {
  /** Prices change daily, so a generation is valid for one day. */
  readonly day: number
  readonly labourCentsPerHour: number
  readonly profileOf: FindRepairProfile
  readonly learnOwnCosts: RepairService<ReadyResponse>['learnOwnCosts']
  readonly registry: DeviceRegistry
  readonly responses: LRUCache<string, RepairResponse<ReadyResponse>>
  readonly pricedRepairs: LRUCache<string, ReadonlyMap<FaultKind, PricedRepair>>
}

/**
 * Caches responses of requested devices. When prices, facts or the catalogue change, a new generation of the cache is built beside
 * the old one from the same keys, so that a caller waits only for a response that was never requested.
 */
export async function openRepairService<ReadyResponse>(
  options: RepairServiceOptions<ReadyResponse>,
): Promise<RepairService<ReadyResponse>> {
  const maxEntries = options.maxCachedResponses ?? MAX_CACHED_RESPONSES
  let generation = await createGeneration()
  let minIntervalMs = MIN_REBUILD_INTERVAL_MS

  async function createGeneration(): Promise<CacheGeneration<ReadyResponse>> {
    const day = dayNumber(options.now())
    const { labourCentsPerHour, partCostFactor } = options.market()
    const costs = { ...options.bundled.costs, marketFactor: partCostFactor }
    const imported = await options.readImported()
    const registry = options.registry()
    const usualProfileOf = indexRepairData({ ...options.bundled, costs, ...imported })
    // Prices of hundreds of devices are not calculated for the limit of their parts.
    const listedParts = listedCosts(imported).flatMap(measurePart(usualProfileOf, registry, () => null))
    const measure = measurePart(usualProfileOf, registry, options.resaleOf)
    const fromLists = fitOwnPartCosts(listedParts)
    const profileOf: FindRepairProfile = (device, variant, goodCents, ownCosts) =>
      usualProfileOf(device, variant, goodCents, ownCosts ?? fromLists)
    return {
      learnOwnCosts: (booked) =>
        booked.length > 0 ? fitOwnPartCosts([...listedParts, ...booked.flatMap(measure)]) : null,
      day,
      labourCentsPerHour,
      profileOf,
      registry,
      responses: new LRUCache({ max: maxEntries }),
      pricedRepairs: new LRUCache({ max: maxEntries }),
    }
  }

  function deviceOf(registry: DeviceRegistry, key: string): Device | undefined {
    const id = key.slice(1)
    return key.startsWith('v') ? registry.findVariant(id)?.device : registry.findDevice(id)
  }

  function wireOf(
    cacheGeneration: CacheGeneration<ReadyResponse>,
    key: string,
    labourCentsPerHour = cacheGeneration.labourCentsPerHour,
    ownCosts: OwnPartCosts | null = null,
  ): RepairWire | undefined {
    const { profileOf, registry } = cacheGeneration
    const device = deviceOf(registry, key)
    if (!device) return undefined
    const variant = key.startsWith('v') ? (registry.findVariant(key.slice(1))?.variant ?? null) : null
    const deviceResale = medianResale(device, options.resaleOf)
    const resale = variant ? options.resaleOf(variant.id) : deviceResale
    const profile = profileOf(device, variant, lowestGood(device, options.resaleOf), ownCosts)
    return presentRepairs(device, variant, profile, resale, labourCentsPerHour)
  }

  function buildResponse(
    cacheGeneration: CacheGeneration<ReadyResponse>,
    key: string,
  ): RepairResponse<ReadyResponse> | undefined {
    const wire = wireOf(cacheGeneration, key)
    return wire && { deviceId: wire.device_id, response: options.toResponse(wire) }
  }

  async function rebuild(): Promise<void> {
    const startedAt = performance.now()
    const next = await createGeneration()
    let sliceStart = performance.now()
    // Least recently used first, so that the new cache has the same order.
    for (const key of [...generation.responses.rkeys()]) {
      const device = deviceOf(next.registry, key)
      if (!device) continue
      await options.preparePrices(device.id)
      const response = buildResponse(next, key)
      if (response) next.responses.set(key, response)
      if (performance.now() - sliceStart < SLICE_MS) continue
      await yieldToEventLoop()
      if (reloader.isClosed()) return
      sliceStart = performance.now()
    }
    generation = next
    minIntervalMs = Math.max(MIN_REBUILD_INTERVAL_MS, performance.now() - startedAt)
  }

  const reloader = options.reloadOnChange(rebuild, { minIntervalMs: () => minIntervalMs })

  function find(key: string): MaybePromise<RepairResponse<ReadyResponse> | undefined> {
    if (generation.day !== dayNumber(options.now())) reloader.invalidate()
    const cached = generation.responses.get(key)
    if (cached) return cached
    const device = deviceOf(generation.registry, key)
    if (!device) return undefined
    const pricesReady = options.preparePrices(device.id)
    if (!pricesReady) return buildAndCache(key)
    // If prices cannot be read, the response is built without them and not cached.
    return pricesReady.then(
      () => buildAndCache(key),
      () => buildResponse(generation, key),
    )
  }

  function buildAndCache(key: string): RepairResponse<ReadyResponse> | undefined {
    const { responses } = generation
    const response = buildResponse(generation, key)
    if (!response) return undefined
    responses.set(key, response)
    return response
  }

  return {
    findByDevice: (id) => find(`d${id}`),
    findByVariant: (id) => find(`v${id}`),
    labourCentsPerHour: () => generation.labourCentsPerHour,
    async findWire({ deviceId, variantId, labourCentsPerHour, ownCosts }) {
      const key = variantId === undefined ? `d${deviceId}` : `v${variantId}`
      const device = deviceOf(generation.registry, key)
      if (device) await options.preparePrices(device.id)
      return wireOf(generation, key, labourCentsPerHour, ownCosts)
    },
    learnOwnCosts: (booked) => generation.learnOwnCosts(booked),
    pricedRepairs(variantId, ownCosts = null) {
      const { pricedRepairs: cache, registry, profileOf } = generation
      const cached = ownCosts === null ? cache.get(variantId) : undefined
      if (cached) return cached
      const match = registry.findVariant(variantId)
      if (!match) return undefined
      const goodCents = lowestGood(match.device, options.resaleOf)
      if (ownCosts) return listPricedRepairs(profileOf(match.device, match.variant, goodCents, ownCosts))
      const repairs = listPricedRepairs(profileOf(match.device, match.variant, goodCents))
      // Prices that are loaded later limit the cost of parts.
      if (goodCents !== null) cache.set(variantId, repairs)
      return repairs
    },
    invalidate: reloader.invalidate,
    refresh: reloader.refresh,
    close: reloader.close,
  }
}

/** More change what the parts of a family cost by little. */
const MAX_LISTED = 1_000

/** Costs of parts that imported lists state for devices: they move the estimates of the other devices of their family. */
function listedCosts({ importedFacts }: Pick<ImportedRepairData, 'importedFacts'>): BookedCost[] {
  return importedFacts
    .filter(({ level }) => level === 'device')
    .flatMap(({ subject, repairs }) =>
      repairs.flatMap(({ parts }) =>
        parts.flatMap(({ kind, cost }) =>
          cost && cost.minCents > 0 ? [{ deviceId: subject, part: kind, cents: Math.exp(lnMiddle(cost)) }] : [],
        ),
      ),
    )
    .slice(0, MAX_LISTED)
}

/** Measures a cost against the usual one of the part. */
function measurePart(profileOf: FindRepairProfile, registry: DeviceRegistry, resaleOf: ResaleOf) {
  return ({ deviceId, part, cents }: BookedCost): BookedPart[] => {
    const device = registry.findDevice(deviceId)
    if (!device || cents <= 0) return []
    const { estimateCost, family } = profileOf(device, null, lowestGood(device, resaleOf))
    const usual = estimateCost(part)
    return usual ? [{ part, family, deviceId, ln: Math.log(cents) - lnMiddle(usual.value) }] : []
  }
}

type ResaleOf = (variantId: string) => ResaleByGrade | null

/**
 * The resale prices of a device are those of its variant with the median Good price. Disabled variants count only if there are
 * no others, as for a device that was never listed in dollars.
 */
export function medianResale({ variants }: Pick<Device, 'variants'>, resaleOf: ResaleOf): ResaleByGrade | null {
  const enabled = variants.filter((variant) => !variant.disabled)
  const priced = (enabled.length > 0 ? enabled : variants)
    .flatMap(({ id }) => {
      const resale = resaleOf(id)
      return resale ? [{ id, resale }] : []
    })
    .sort((a, b) => a.resale.goodCents - b.resale.goodCents || (a.id < b.id ? -1 : 1))
  return priced[(priced.length - 1) >> 1]?.resale ?? null
}

/** The Good price of the cheapest variant: no part costs more in any variant. */
function lowestGood({ variants }: Pick<Device, 'variants'>, resaleOf: ResaleOf): number | null {
  const cents = variants.flatMap(({ id }) => resaleOf(id)?.goodCents ?? [])
  return cents.length > 0 ? Math.min(...cents) : null
}

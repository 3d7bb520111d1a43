import { LRUCache } from 'lru-cache'
import type { Device, DeviceRegistry } from '../catalog/device.ts'
import type { RepairWire } from '../contract/repair.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { SLICE_MS, yieldToEventLoop } from '../lib/event-loop.ts'
import { dayNumber } from '../lib/time.ts'
import type { FaultKind } from './fault-kinds.ts'
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
export type RepairResponse<Answer> = { readonly deviceId: string; readonly response: Answer }

export type RepairService<Answer> = {
  /** At once where the answer or its prices are at hand; undefined when there is no such device. */
  findByDevice(id: string): MaybePromise<RepairResponse<Answer> | undefined>
  findByVariant(id: string): MaybePromise<RepairResponse<Answer> | undefined>
  /** The answer before it is bytes, for one that is made per call. */
  findWire(of: {
    readonly deviceId?: string | undefined
    readonly variantId?: string | undefined
  }): Promise<RepairWire | undefined>
  /** The repairs of a variant whose cost is known, for whoever reckons with them; undefined when there is no such variant. */
  pricedRepairs(variantId: string): ReadonlyMap<FaultKind, PricedRepair> | undefined
  /** Something the answers rest on has changed: they are made anew in the background, old ones are served meanwhile. */
  invalidate(): void
  /** Resolves when everything that changed before the call is served. */
  refresh(): Promise<void>
  close(): void
}

export type RepairServiceOptions<Answer> = {
  readonly bundled: BundledRepairData
  readonly registry: () => DeviceRegistry
  readonly readImported: () => Promise<ImportedRepairData>
  /** Undefined when the prices of a device are at hand; otherwise resolves when they are. */
  readonly preparePrices: (deviceId: string) => Promise<void> | undefined
  /** The pricing engine's own numbers for a variant; null when it has none. */
  readonly resaleOf: (variantId: string) => ResaleByGrade | null
  /** Cost of labour and parts in the market of the service; call `invalidate` when it changes. */
  readonly market: () => RepairMarket
  /** Makes an answer of the JSON of its data. */
  readonly toResponse: (json: string) => Answer
  readonly now: () => number
  /** Follows the imported facts. */
  readonly reloadOnChange: ReloadOnChange
  /** Answers kept ready; one weighs about 6 kB with its compressed forms. */
  readonly maxCachedResponses?: number
}

const MAX_CACHED_RESPONSES = 2_000
/** While changes follow each other, answers are made anew no more often than this, and at most half of the time. */
const MIN_REBUILD_INTERVAL_MS = 250

type CacheGeneration<Answer> = {
  /** Prices sink from day to day, so an edition is of a day. */
  readonly day: number
  readonly labourCentsPerHour: number
  readonly profileOf: FindRepairProfile
  readonly registry: DeviceRegistry
  readonly responses: LRUCache<string, RepairResponse<Answer>>
  readonly pricedRepairs: LRUCache<string, ReadonlyMap<FaultKind, PricedRepair>>
}

/**
 * Ready answers for the devices people ask about. A new edition is made beside the old one whenever prices, facts or the
 * catalogue change, starting with what was asked for before; a caller only waits for an answer nobody asked for yet.
 */
export async function openRepairService<Answer>(options: RepairServiceOptions<Answer>): Promise<RepairService<Answer>> {
  const most = options.maxCachedResponses ?? MAX_CACHED_RESPONSES
  let edition = await newEdition()
  let restMs = MIN_REBUILD_INTERVAL_MS

  async function newEdition(): Promise<CacheGeneration<Answer>> {
    const day = dayNumber(options.now())
    const { labourCentsPerHour, partCostFactor } = options.market()
    const costs = { ...options.bundled.costs, marketFactor: partCostFactor }
    const pictureOf = indexRepairData({ ...options.bundled, costs, ...(await options.readImported()) })
    return {
      day,
      labourCentsPerHour,
      profileOf: pictureOf,
      registry: options.registry(),
      responses: new LRUCache({ max: most }),
      pricedRepairs: new LRUCache({ max: most }),
    }
  }

  function deviceOf(registry: DeviceRegistry, key: string): Device | undefined {
    const id = key.slice(1)
    return key.startsWith('v') ? registry.findVariant(id)?.device : registry.findDevice(id)
  }

  function wireOf(edition: CacheGeneration<Answer>, key: string): RepairWire | undefined {
    const { profileOf: pictureOf, registry } = edition
    const device = deviceOf(registry, key)
    if (!device) return undefined
    const variant = key.startsWith('v') ? (registry.findVariant(key.slice(1))?.variant ?? null) : null
    const resale = variant ? options.resaleOf(variant.id) : medianResale(device, options.resaleOf)
    return presentRepairs(device, variant, pictureOf(device, variant), resale, edition.labourCentsPerHour)
  }

  function make(of: CacheGeneration<Answer>, key: string): RepairResponse<Answer> | undefined {
    const wire = wireOf(of, key)
    return wire && { deviceId: wire.device_id, response: options.toResponse(JSON.stringify(wire)) }
  }

  async function renew(): Promise<void> {
    const startedAt = performance.now()
    const next = await newEdition()
    let since = performance.now()
    // From the longest unasked to the newest, so that the successor remembers the same order.
    for (const key of [...edition.responses.rkeys()]) {
      const device = deviceOf(next.registry, key)
      if (!device) continue
      await options.preparePrices(device.id)
      const made = make(next, key)
      if (made) next.responses.set(key, made)
      if (performance.now() - since < SLICE_MS) continue
      await yieldToEventLoop()
      if (following.isClosed()) return
      since = performance.now()
    }
    edition = next
    restMs = Math.max(MIN_REBUILD_INTERVAL_MS, performance.now() - startedAt)
  }

  const following = options.reloadOnChange(renew, { minIntervalMs: () => restMs })

  function find(key: string): MaybePromise<RepairResponse<Answer> | undefined> {
    if (edition.day !== dayNumber(options.now())) following.invalidate()
    const kept = edition.responses.get(key)
    if (kept) return kept
    const device = deviceOf(edition.registry, key)
    if (!device) return undefined
    const waiting = options.preparePrices(device.id)
    if (!waiting) return makeAndKeep(key)
    // Prices that cannot be read now are no reason to refuse what is known; the answer is not kept.
    return waiting.then(
      () => makeAndKeep(key),
      () => make(edition, key),
    )
  }

  function makeAndKeep(key: string): RepairResponse<Answer> | undefined {
    const { responses: answers } = edition
    const made = make(edition, key)
    if (!made) return undefined
    answers.set(key, made)
    return made
  }

  return {
    findByDevice: (id) => find(`d${id}`),
    findByVariant: (id) => find(`v${id}`),
    async findWire({ deviceId, variantId }) {
      const key = variantId === undefined ? `d${deviceId}` : `v${variantId}`
      const device = deviceOf(edition.registry, key)
      if (device) await options.preparePrices(device.id)
      return wireOf(edition, key)
    },
    pricedRepairs(variantId) {
      const { pricedRepairs: known, registry, profileOf: pictureOf } = edition
      const kept = known.get(variantId)
      if (kept) return kept
      const found = registry.findVariant(variantId)
      if (!found) return undefined
      const made = listPricedRepairs(pictureOf(found.device, found.variant))
      known.set(variantId, made)
      return made
    },
    invalidate: following.invalidate,
    refresh: following.refresh,
    close: following.close,
  }
}

/**
 * A device stands for its middle variant: of those with a price, the one in the middle of their Good prices. Disabled ones
 * count only where there are no others: of a device that was never listed in dollars all are.
 */
export function medianResale(
  { variants }: Pick<Device, 'variants'>,
  resaleOf: (variantId: string) => ResaleByGrade | null,
): ResaleByGrade | null {
  const enabled = variants.filter((variant) => !variant.disabled)
  const priced = (enabled.length > 0 ? enabled : variants)
    .flatMap(({ id }) => {
      const resale = resaleOf(id)
      return resale ? [{ id, resale }] : []
    })
    .sort((a, b) => a.resale.goodCents - b.resale.goodCents || (a.id < b.id ? -1 : 1))
  return priced[(priced.length - 1) >> 1]?.resale ?? null
}

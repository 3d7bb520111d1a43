import { LRUCache } from 'lru-cache'
import type { Device, Registry } from '../catalog/device.ts'
import type { RepairWire } from '../contract/repair.ts'
import type { Follow } from '../follow.ts'
import { SLICE_MS, yieldToRequests } from '../in-slices.ts'
import { dayNumber } from '../time.ts'
import type { Resale } from './derive.ts'
import { type Imported, indexFacts, type OnBoard, type PictureOf } from './fact-index.ts'
import type { FaultKind } from './kind.ts'
import { presentRepairs } from './present.ts'
import { type KnownRepair, knownRepairs } from './repair-option.ts'

export type MaybeSoon<T> = T | Promise<T>
export type RepairAnswer<Answer> = { readonly deviceId: string; readonly answer: Answer }

export type RepairAnswers<Answer> = {
  /** At once where the answer or its prices are at hand; undefined when there is no such device. */
  ofDevice(id: string): MaybeSoon<RepairAnswer<Answer> | undefined>
  ofVariant(id: string): MaybeSoon<RepairAnswer<Answer> | undefined>
  /** The answer before it is bytes, for one that is made per call. */
  presented(of: {
    readonly deviceId?: string | undefined
    readonly variantId?: string | undefined
  }): Promise<RepairWire | undefined>
  /** The repairs of a variant whose cost is known, for whoever reckons with them; undefined when there is no such variant. */
  knownOf(variantId: string): ReadonlyMap<FaultKind, KnownRepair> | undefined
  /** Something the answers rest on has changed: they are made anew in the background, old ones are served meanwhile. */
  changed(): void
  /** Resolves when everything that changed before the call is served. */
  refresh(): Promise<void>
  close(): void
}

export type RepairAnswersOptions<Answer> = {
  readonly onBoard: OnBoard
  readonly registry: () => Registry
  readonly readImported: () => Promise<Imported>
  /** Undefined when the prices of a device are at hand; otherwise resolves when they are. */
  readonly preparePrices: (deviceId: string) => Promise<void> | undefined
  /** The pricing engine's own numbers for a variant; null when it has none. */
  readonly resaleOf: (variantId: string) => Resale | null
  /** What an hour of a technician's work costs. */
  readonly labourCentsPerHour: number
  /** Makes an answer of the JSON of its data. */
  readonly ready: (json: string) => Answer
  readonly now: () => number
  /** Follows the imported facts. */
  readonly follow: Follow
  /** Answers kept ready; one weighs about 6 kB with its compressed forms. */
  readonly mostAnswers?: number
}

const MOST_ANSWERS = 2_000
/** While changes follow each other, answers are made anew no more often than this, and at most half of the time. */
const REST_MS = 250

type Edition<Answer> = {
  /** Prices sink from day to day, so an edition is of a day. */
  readonly day: number
  readonly pictureOf: PictureOf
  readonly registry: Registry
  readonly answers: LRUCache<string, RepairAnswer<Answer>>
  readonly known: LRUCache<string, ReadonlyMap<FaultKind, KnownRepair>>
}

/**
 * Ready answers for the devices people ask about. A new edition is made beside the old one whenever prices, facts or the
 * catalogue change, starting with what was asked for before; a caller only waits for an answer nobody asked for yet.
 */
export async function openRepairAnswers<Answer>(options: RepairAnswersOptions<Answer>): Promise<RepairAnswers<Answer>> {
  const most = options.mostAnswers ?? MOST_ANSWERS
  let edition = await newEdition()
  let restMs = REST_MS

  async function newEdition(): Promise<Edition<Answer>> {
    const day = dayNumber(options.now())
    const pictureOf = indexFacts({ ...options.onBoard, ...(await options.readImported()) })
    return {
      day,
      pictureOf,
      registry: options.registry(),
      answers: new LRUCache({ max: most }),
      known: new LRUCache({ max: most }),
    }
  }

  function deviceOf(registry: Registry, key: string): Device | undefined {
    const id = key.slice(1)
    return key.startsWith('v') ? registry.findVariant(id)?.device : registry.findDevice(id)
  }

  function wireOf({ pictureOf, registry }: Edition<Answer>, key: string): RepairWire | undefined {
    const device = deviceOf(registry, key)
    if (!device) return undefined
    const variant = key.startsWith('v') ? (registry.findVariant(key.slice(1))?.variant ?? null) : null
    const resale = variant ? options.resaleOf(variant.id) : medianResale(device, options.resaleOf)
    return presentRepairs(device, variant, pictureOf(device, variant), resale, options.labourCentsPerHour)
  }

  function make(of: Edition<Answer>, key: string): RepairAnswer<Answer> | undefined {
    const wire = wireOf(of, key)
    return wire && { deviceId: wire.device_id, answer: options.ready(JSON.stringify(wire)) }
  }

  async function renew(): Promise<void> {
    const startedAt = performance.now()
    const next = await newEdition()
    let since = performance.now()
    // From the longest unasked to the newest, so that the successor remembers the same order.
    for (const key of [...edition.answers.rkeys()]) {
      const device = deviceOf(next.registry, key)
      if (!device) continue
      await options.preparePrices(device.id)
      const made = make(next, key)
      if (made) next.answers.set(key, made)
      if (performance.now() - since < SLICE_MS) continue
      await yieldToRequests()
      if (following.isClosed()) return
      since = performance.now()
    }
    edition = next
    restMs = Math.max(REST_MS, performance.now() - startedAt)
  }

  const following = options.follow(renew, { restMs: () => restMs })

  function find(key: string): MaybeSoon<RepairAnswer<Answer> | undefined> {
    if (edition.day !== dayNumber(options.now())) following.changed()
    const kept = edition.answers.get(key)
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

  function makeAndKeep(key: string): RepairAnswer<Answer> | undefined {
    const { answers } = edition
    const made = make(edition, key)
    if (!made) return undefined
    answers.set(key, made)
    return made
  }

  return {
    ofDevice: (id) => find(`d${id}`),
    ofVariant: (id) => find(`v${id}`),
    async presented({ deviceId, variantId }) {
      const key = variantId === undefined ? `d${deviceId}` : `v${variantId}`
      const device = deviceOf(edition.registry, key)
      if (device) await options.preparePrices(device.id)
      return wireOf(edition, key)
    },
    knownOf(variantId) {
      const { known, registry, pictureOf } = edition
      const kept = known.get(variantId)
      if (kept) return kept
      const found = registry.findVariant(variantId)
      if (!found) return undefined
      const made = knownRepairs(pictureOf(found.device, found.variant))
      known.set(variantId, made)
      return made
    },
    changed: following.changed,
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
  resaleOf: (variantId: string) => Resale | null,
): Resale | null {
  const enabled = variants.filter((variant) => !variant.disabled)
  const priced = (enabled.length > 0 ? enabled : variants)
    .flatMap(({ id }) => {
      const resale = resaleOf(id)
      return resale ? [{ id, resale }] : []
    })
    .sort((a, b) => a.resale.goodCents - b.resale.goodCents || (a.id < b.id ? -1 : 1))
  return priced[(priced.length - 1) >> 1]?.resale ?? null
}

import { LRUCache } from 'lru-cache'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import type { OwnPartCosts } from './own-part-costs.ts'
import type { BookedCost, MaybePromise } from './repair-service.ts'

const MAX_ORGANIZATIONS = 1_000

/** What parts cost each organization, learned when it is asked for and kept until costs are booked. */
export function openOwnPartCostService(options: {
  readonly readBooked: (organizationId: string) => Promise<readonly BookedCost[]>
  readonly learn: (booked: readonly BookedCost[]) => OwnPartCosts | null
  readonly reloadOnChange: ReloadOnChange
}) {
  const learned = new LRUCache<string, { readonly costs: OwnPartCosts | null }>({ max: MAX_ORGANIZATIONS })
  let changes = 0
  const reloader = options.reloadOnChange(async () => {
    changes += 1
    learned.clear()
  })

  async function learnOf(organizationId: string): Promise<OwnPartCosts | null> {
    const before = changes
    const booked = await options.readBooked(organizationId).catch(() => null)
    // Without a database the usual costs are served.
    if (booked === null) return null
    const costs = options.learn(booked)
    // What was read may be older than a change since.
    if (before === changes) learned.set(organizationId, { costs })
    return costs
  }

  return {
    /** Synchronous if it is cached. */
    of(organizationId: string): MaybePromise<OwnPartCosts | null> {
      const cached = learned.get(organizationId)
      return cached ? cached.costs : learnOf(organizationId)
    },
    close: reloader.close,
  }
}

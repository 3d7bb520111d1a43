import type { UsedPricesWire } from '../contract/account.ts'
import { covers } from '../contract/tiers.ts'
import { invalid } from '../errors.ts'
import { ApiError } from '../http/api-error.ts'
import { attentionOf } from './attention.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, reads } from './route.ts'

const RUNS_LOOKED_AT = 50
/** As many as the list of devices shows on a page. */
const MOST_DEVICES = 50

/** What the overview and the cards of the registry show beyond what /api answers. */
export function overviewRoutes(parts: AccountParts): AccountRoute[] {
  return [
    reads('/account/attention', 'member', async (c) => {
      const { id, role } = c.get('organization')
      const isOwner = role === 'owner'
      // What is imported belongs to the service, not to one organization: members are not told about it.
      const [keys, runs, feeds, lists] = await Promise.all([
        parts.access.keys(id),
        isOwner ? parts.imports(RUNS_LOOKED_AT) : [],
        isOwner ? parts.feeds() : [],
        isOwner ? parts.lists() : [],
      ])
      const sources = isOwner ? parts.sourcesDown() : []
      return { data: attentionOf({ keys, runs, feeds, lists, sources }, c.get('facts').now) }
    }),

    reads('/account/used-prices', 'member', async (c) => {
      const { tier } = c.get('organization')
      if (!covers(tier, 'paid')) {
        throw new ApiError('FORBIDDEN', `This needs the paid tier and the organization's is ${tier}.`)
      }
      const ids = c.req.queries('device_id') ?? []
      if (ids.length > MOST_DEVICES) {
        throw invalid('device_id', String(ids.length), `at most ${MOST_DEVICES} devices at once`)
      }
      const prices = await Promise.all(ids.map(async (id) => [id, await parts.usedFrom(id)] as const))
      const data: UsedPricesWire = Object.fromEntries(prices)
      return { data }
    }),
  ]
}

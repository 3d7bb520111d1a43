import type { LowestUsedPricesWire } from '../contract/dashboard.ts'
import { listDevices } from '../contract/device-endpoints.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { invalid } from '../lib/errors.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'

/** Of the devices that were appraised most often; the others follow in the usual order. */
const MAX_APPRAISED_DEVICES = 500
/** Newest lookups that count for the sort `frequent`. */
const COUNTED_LOOKUPS = 500
/** One page of the device list. */
const MAX_DEVICES = 50

/** Data of the overview and the device cards beyond the public API. */
export function overviewRoutes(dependencies: DashboardDependencies): DashboardRoute[] {
  return [
    dashboardRoute('GET /account/devices', async (c, { sort }) => {
      const query = parseOrThrow(listDevices.query, c.req.query(), { root: 'query' })
      const firstIds = sort === 'frequent' ? await frequentDeviceIds(dependencies, c.get('organization').id) : []
      const { data, meta } = await dependencies.sortedDevices(query, sort, firstIds)
      return prepareResponse(data, meta)
    }),

    dashboardRoute('GET /account/used-prices', async (c) => {
      requireTier(c, 'paid')
      const ids = c.req.queries('device_id') ?? []
      if (ids.length > MAX_DEVICES) {
        throw invalid('device_id', String(ids.length), `at most ${MAX_DEVICES} devices at once`)
      }
      const prices = await Promise.all(ids.map(async (id) => [id, await dependencies.lowestUsedPrice(id)] as const))
      const data: LowestUsedPricesWire = Object.fromEntries(prices)
      return { data }
    }),
  ]
}

/** Devices by the number of appraisals and recent lookups, most first. */
async function frequentDeviceIds(
  { appraisal, lookups }: Pick<DashboardDependencies, 'appraisal' | 'lookups'>,
  organizationId: string,
): Promise<string[]> {
  const [appraised, totals] = await Promise.all([
    appraisal.records.devices(organizationId, MAX_APPRAISED_DEVICES),
    lookups.recentDevices(organizationId, COUNTED_LOOKUPS),
  ])
  for (const { deviceId, total } of appraised) totals.set(deviceId, (totals.get(deviceId) ?? 0) + total)
  const byTotal = [...totals].sort(([leftId, left], [rightId, right]) => right - left || (leftId < rightId ? -1 : 1))
  return byTotal.map(([deviceId]) => deviceId)
}

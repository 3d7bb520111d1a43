import type { AppraisalStore } from '../appraisal/appraisal-store.ts'
import type { LookupService } from '../risk/lookup-service.ts'

/** Of the devices that were appraised most often; the others follow in the usual order. */
const MAX_APPRAISED_DEVICES = 500
/** Newest lookups that count. */
const COUNTED_LOOKUPS = 500

/** Devices of an organization by the number of appraisals and recent lookups, most first. */
export const frequentDeviceIds =
  (appraisals: Pick<AppraisalStore, 'devices'>, lookups: Pick<LookupService, 'recentDevices'>) =>
  async (organizationId: string): Promise<string[]> => {
    const [appraised, totals] = await Promise.all([
      appraisals.devices(organizationId, MAX_APPRAISED_DEVICES),
      lookups.recentDevices(organizationId, COUNTED_LOOKUPS),
    ])
    for (const { deviceId, total } of appraised) totals.set(deviceId, (totals.get(deviceId) ?? 0) + total)
    const byTotal = [...totals].sort(([leftId, left], [rightId, right]) => right - left || (leftId < rightId ? -1 : 1))
    return byTotal.map(([deviceId]) => deviceId)
  }

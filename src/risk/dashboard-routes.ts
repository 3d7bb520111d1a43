import type { ConfirmedTacWire } from '../contract/dashboard.ts'
import { isoInstant } from '../lib/time.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, DONE, dashboardRoute } from '../people/session-route.ts'

/** Models that the organization confirmed for type allocation codes. */
export function tacDashboardRoutes({ tacConfirmations }: DashboardDependencies): DashboardRoute[] {
  return [
    dashboardRoute('GET /account/tacs', async (c) => {
      const confirmed = await tacConfirmations.list(c.get('organization').id)
      const data: ConfirmedTacWire[] = confirmed.map(({ tac, deviceId, deviceName, units, confirmedAt }) => ({
        tac,
        device_id: deviceId,
        device_name: deviceName,
        units,
        confirmed_at: isoInstant(confirmedAt),
      }))
      return { data }
    }),

    dashboardRoute('POST /account/tacs/forget', async (c, { tac, device_id: deviceId }) => {
      const actor = c.get('principal').actor
      await tacConfirmations.forget(c.get('organization').id, tac, deviceId, actor, c.get('facts').now)
      return DONE
    }),
  ]
}

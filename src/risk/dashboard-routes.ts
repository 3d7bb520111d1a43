import type { ConfirmedTacWire, TacAgreementWire } from '../contract/dashboard.ts'
import { isoInstant } from '../lib/time.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import { OPERATOR } from './tac-confirmation.ts'

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
    }),

    dashboardRoute('GET /account/service/tacs', async () => {
      const agreements = await tacConfirmations.listAgreements()
      const data: TacAgreementWire[] = agreements.map((agreement) => ({
        tac: agreement.tac,
        device_id: agreement.deviceId,
        device_name: agreement.deviceName,
        units: agreement.units,
        organizations: agreement.organizations,
        confirmed_for_all: agreement.isConfirmedForAll,
        confirmed_at: isoInstant(agreement.confirmedAt),
      }))
      return { data }
    }),

    dashboardRoute('POST /account/service/tacs/confirm', async (c, { tac, device_id: deviceId }) => {
      await tacConfirmations.confirmForAll(tac, deviceId, c.get('principal').actor, c.get('facts').now)
    }),

    dashboardRoute('POST /account/service/tacs/forget', async (c, { tac, device_id: deviceId }) => {
      await tacConfirmations.forget(OPERATOR, tac, deviceId, c.get('principal').actor, c.get('facts').now)
    }),
  ]
}

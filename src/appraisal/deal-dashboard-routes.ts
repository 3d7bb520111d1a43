import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'

/** Whether the prices of deals count. */
export function dealDashboardRoutes({ appraisal: { deals } }: DashboardDependencies): DashboardRoute[] {
  return [
    dashboardRoute('GET /account/deals', async (c) => {
      const { isIncluded, prices, excluded, newestOn } = await deals.summary(c.get('organization').id)
      return { data: { included: isIncluded, prices, excluded, newest_on: newestOn } }
    }),

    dashboardRoute('POST /account/deals', async (c, { included }) => {
      await deals.setIncluded(c.get('organization').id, included, c.get('principal').actor, c.get('facts').now)
    }),
  ]
}

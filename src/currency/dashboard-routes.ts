import type { RatesPageWire } from '../contract/dashboard.ts'
import { ApiError } from '../http/api-error.ts'
import { type DashboardDependencies, isOperator } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'

/** Exchange rates in use. Rates are shared, so only the organization that runs the service updates them. */
export function currencyDashboardRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { rates } = parts.appraisal

  function present(mayUpdate: boolean): RatesPageWire {
    const currencies = rates.currencies().flatMap((currency) => {
      const { rate } = rates.exchangeFor(currency)
      return rate ? { ...rate, currency } : []
    })
    return { may_update: mayUpdate, currencies }
  }

  return [
    dashboardRoute('GET /account/rates', async (c) => {
      return { data: present(c.get('organization').role === 'owner' && (await isOperator(parts, c))) }
    }),

    dashboardRoute('POST /account/rates/update', async (c) => {
      if (!(await isOperator(parts, c))) {
        throw new ApiError('FORBIDDEN', 'Exchange rates are updated by the organization that runs this service.')
      }
      await parts.updateRates(c.get('principal').actor)
      await rates.refresh()
      return { data: present(true) }
    }),
  ]
}

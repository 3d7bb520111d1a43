import { personActor } from '../auth/actor.ts'
import type { RatesPageWire } from '../contract/dashboard.ts'
import { ApiError } from '../http/api-error.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'

/** Exchange rates in use. Rates are shared, so only the organization that runs the service updates them. */
export function currencyDashboardRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { rates } = parts.appraisal

  async function isOperator(organizationId: string): Promise<boolean> {
    return (await parts.auth.operatorOrganization()) === organizationId
  }

  function present(mayUpdate: boolean): RatesPageWire {
    const currencies = rates.currencies().flatMap((currency) => {
      const { rate } = rates.exchangeFor(currency)
      return rate ? { ...rate, currency } : []
    })
    return { may_update: mayUpdate, currencies }
  }

  return [
    dashboardRoute('GET /account/rates', async (c) => {
      const { id, role } = c.get('organization')
      return { data: present(role === 'owner' && (await isOperator(id))) }
    }),

    dashboardRoute('POST /account/rates/update', async (c) => {
      if (!(await isOperator(c.get('organization').id))) {
        throw new ApiError('FORBIDDEN', 'Exchange rates are updated by the organization that runs this service.')
      }
      await parts.updateRates(personActor(c.get('person')))
      await rates.refresh()
      return { data: present(true) }
    }),
  ]
}

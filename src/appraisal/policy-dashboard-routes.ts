import type { PolicyPageWire } from '../contract/dashboard.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { parseOrThrow } from '../lib/validate.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import type { StoredPolicy } from './policy.ts'
import { effectivePolicy } from './policy-service.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

type PolicyDependencies = Pick<DashboardDependencies['appraisal'], 'policies' | 'labourOf'> & {
  readonly rates: Pick<DashboardDependencies['appraisal']['rates'], 'exchangeFor' | 'currencies'>
}

/** The organization's buying policy. */
export function policyDashboardRoutes({ policies, rates, labourOf }: PolicyDependencies): DashboardRoute[] {
  async function present(organizationId: string, stored: StoredPolicy): Promise<PolicyPageWire> {
    const labourCentsPerHour = await labourOf(organizationId)
    return {
      policy: effectivePolicy(stored, labourCentsPerHour, rates.exchangeFor),
      own: POLICY_FIELDS.filter((field) => field in stored),
      for_all: effectivePolicy({ currency: stored.currency }, labourCentsPerHour, rates.exchangeFor),
      currencies: [...rates.currencies()],
    }
  }

  return [
    dashboardRoute('GET /account/policy', async (c) => {
      const { id } = c.get('organization')
      return { data: await present(id, await policies.of(id)) }
    }),

    dashboardRoute('POST /account/policy', async (c, { terms }) => {
      const { now } = c.get('facts')
      const resetFields = POLICY_FIELDS.filter((field) => terms[field] === null)
      const setTerms = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
      const parsedTerms = parseOrThrow(policySchema.partial(), setTerms, { root: 'terms' })
      // Rejects a currency without an exchange rate.
      rates.exchangeFor(parsedTerms.currency)
      const change = { ...parsedTerms, ...Object.fromEntries(resetFields.map((field) => [field, null])) }
      const actor = c.get('principal').actor
      const { id } = c.get('organization')
      const stored = await policies.change(id, change, actor, now, rates.exchangeFor)
      return { data: await present(id, stored) }
    }),
  ]
}

import type { PolicyPageWire } from '../contract/dashboard.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { parseOrThrow } from '../lib/validate.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import { presentPolicy, type StoredPolicy } from './policy.ts'
import { effectivePolicy } from './policy-service.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]
const FIELD_DESCRIPTIONS = Object.fromEntries(
  POLICY_FIELDS.map((term) => [term, policySchema.shape[term].description ?? '']),
) as PolicyPageWire['says']

/** The organization's buying policy. */
export function policyDashboardRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { policies, rates, labourOf } = parts.appraisal

  async function present(organizationId: string, own: StoredPolicy): Promise<PolicyPageWire> {
    const labourCentsPerHour = await labourOf(organizationId)
    return {
      policy: presentPolicy(effectivePolicy(own, labourCentsPerHour, rates.exchangeFor)),
      own: POLICY_FIELDS.filter((term) => term in own),
      for_all: presentPolicy(
        effectivePolicy(own.currency ? { currency: own.currency } : {}, labourCentsPerHour, rates.exchangeFor),
      ),
      says: FIELD_DESCRIPTIONS,
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
      const taken = POLICY_FIELDS.filter((term) => terms[term] === null)
      const set = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
      const given = parseOrThrow(policySchema.partial(), set, { root: 'terms' })
      // Rejects a currency without an exchange rate.
      rates.exchangeFor(given.currency)
      const change = { ...given, ...Object.fromEntries(taken.map((term) => [term, null])) }
      const actor = c.get('principal').actor
      const { id } = c.get('organization')
      const own = await policies.change(id, change, actor, now, rates.exchangeFor)
      return { data: await present(id, own) }
    }),
  ]
}

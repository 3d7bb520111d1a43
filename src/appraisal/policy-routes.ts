import { type PolicyWire, policySchema } from '../contract/policy.ts'
import {
  changePolicy,
  getPolicy,
  getReceiptDetails,
  type OwnPolicyWire,
  replaceReceiptDetails,
} from '../contract/policy-endpoints.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type ApiRoute, route } from '../http/context.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { effectivePolicy } from './policy-service.ts'
import type { PolicyStore } from './policy-store.ts'
import type { ReceiptDetailsStore } from './receipt-details-store.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export type PolicyRouteDependencies = {
  readonly policies: Pick<PolicyStore, 'of' | 'change'>
  readonly deals: Pick<OutcomeStore, 'summary' | 'setIncluded'>
  readonly receiptDetails: ReceiptDetailsStore
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'currencies'>
  /** Default labour rate of an organization, by its market, in US cents. */
  readonly labourOf: (organizationId: string) => Promise<number>
}

/** The buying policy of an organization, and what it prints on receipts. */
export function policyRoutes(dependencies: PolicyRouteDependencies): ApiRoute[] {
  const { policies, deals, receiptDetails, rates, labourOf } = dependencies

  async function present(organizationId: string): Promise<OwnPolicyWire> {
    const stored = await policies.of(organizationId)
    const labourCentsPerHour = await labourOf(organizationId)
    const { isIncluded, prices, excluded, newestOn } = await deals.summary(organizationId)
    return {
      policy: effectivePolicy(stored, labourCentsPerHour, rates.exchangeFor),
      own: POLICY_FIELDS.filter((field) => field in stored),
      defaults: effectivePolicy({ currency: stored.currency }, labourCentsPerHour, rates.exchangeFor),
      currencies: [...rates.currencies()],
      uses_deals: isIncluded,
      deals: { prices, excluded, newest_on: newestOn },
    }
  }

  return [
    route(getPolicy, async (c) => ({ data: await present(c.get('principal').organizationId) })),

    route(changePolicy, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { now } = c.get('facts')
      const { uses_deals: usesDeals, ...terms } = c.get('body')
      if (Object.keys(terms).length > 0) {
        await policies.change(organizationId, terms, actor, now, rates.exchangeFor)
      }
      if (usesDeals !== undefined) await deals.setIncluded(organizationId, usesDeals, actor, now)
      return { data: await present(organizationId) }
    }),

    route(getReceiptDetails, async (c) => ({ data: await receiptDetails.of(c.get('principal').organizationId) })),

    route(replaceReceiptDetails, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const details = c.get('body')
      await receiptDetails.replace(organizationId, details, actor, c.get('facts').now)
      return { data: details }
    }),
  ]
}

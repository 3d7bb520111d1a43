import type { Actor } from '../auth/actor.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { OwnPolicyWire, PolicyChangeWire } from '../contract/own-policy.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { requirePlausiblePolicy } from './plausible-terms.ts'
import { AMOUNT_FIELDS } from './policy.ts'
import { effectivePolicy } from './policy-service.ts'
import type { PolicyStore } from './policy-store.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export type OwnPolicyDependencies = {
  readonly policies: Pick<PolicyStore, 'of' | 'change'>
  readonly deals: Pick<OutcomeStore, 'summary' | 'setIncluded'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  /** Default labour rate of an organization, by its market, in US cents. */
  readonly labourOf: (organizationId: string) => Promise<number>
}

export type OwnPolicies = ReturnType<typeof ownPolicies>

/** The buying policies of organizations, beside the defaults they replace. */
export function ownPolicies({ policies, deals, rates, labourOf }: OwnPolicyDependencies) {
  /** Throws for amounts that are many times larger or smaller than the usual ones: the wrong unit. */
  async function requirePlausibleTerms(organizationId: string, terms: PolicyChangeWire): Promise<void> {
    if (!AMOUNT_FIELDS.some((field) => terms[field])) return
    const [stored, labour] = await Promise.all([policies.of(organizationId), labourOf(organizationId)])
    const currency = (terms.currency === undefined ? stored.currency : terms.currency) ?? BASE_CURRENCY
    requirePlausiblePolicy(terms, effectivePolicy({ currency }, labour, rates.exchangeFor), rates.exchangeFor)
  }

  return {
    async of(organizationId: string): Promise<OwnPolicyWire> {
      const [stored, labourCentsPerHour, { isIncluded, prices, excluded, newestOn }] = await Promise.all([
        policies.of(organizationId),
        labourOf(organizationId),
        deals.summary(organizationId),
      ])
      return {
        policy: effectivePolicy(stored, labourCentsPerHour, rates.exchangeFor),
        own: POLICY_FIELDS.filter((field) => field in stored),
        defaults: effectivePolicy({ currency: stored.currency }, labourCentsPerHour, rates.exchangeFor),
        uses_deals: isIncluded,
        deals: { prices, excluded, newest_on: newestOn },
      }
    },

    async change(
      organizationId: string,
      { uses_deals: usesDeals, confirm_amount: isConfirmed, ...terms }: PolicyChangeWire,
      actor: Actor,
      now: number,
    ): Promise<void> {
      if (!isConfirmed) await requirePlausibleTerms(organizationId, terms)
      if (Object.keys(terms).length > 0) {
        await policies.change(organizationId, terms, actor, now, rates.exchangeFor)
      }
      if (usesDeals !== undefined) await deals.setIncluded(organizationId, usesDeals, actor, now)
    },
  }
}

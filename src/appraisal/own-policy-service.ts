import type { Actor } from '../auth/actor.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { OwnPolicyWire, PolicyChangeWire } from '../contract/own-policy.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { convertBetween, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { requirePlausibleAmount } from '../pricing/plausible-amount.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { AMOUNT_FIELDS } from './policy.ts'
import { effectivePolicy } from './policy-service.ts'
import type { PolicyStore } from './policy-store.ts'

/** Amounts in the wrong unit are a hundredfold. */
const TIMES_USUAL = 50
const USUAL_CLERK_LIMIT_CENTS = 30_000

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
    const exchange = rates.exchangeFor(currency)
    const usual = {
      ...effectivePolicy({ currency }, labour, rates.exchangeFor),
      clerk_offer_limit: convertBetween(USUAL_CLERK_LIMIT_CENTS, US_DOLLARS, exchange),
    }
    for (const field of AMOUNT_FIELDS) {
      const amount = terms[field]
      if (!amount) continue
      const range = {
        // Offers may be exact.
        low: field === 'offer_rounding' ? 1 : Math.floor(usual[field] / TIMES_USUAL),
        high: Math.ceil(usual[field] * TIMES_USUAL),
      }
      requirePlausibleAmount(`policy.${field}`, amount, range, currency, '')
    }
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

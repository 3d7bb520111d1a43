import { BASE_CURRENCY } from '../contract/currency.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import {
  changePolicy,
  getPolicy,
  getReceiptDetails,
  type OwnPolicyWire,
  replaceReceiptDetails,
} from '../contract/policy-endpoints.ts'
import {
  getPriceRules,
  type PriceRulesChangeWire,
  type PriceRuleWire,
  replacePriceRules,
} from '../contract/price-rules.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { invalid } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { effectivePolicy } from './policy-service.ts'
import type { PolicyStore } from './policy-store.ts'
import type { PriceRuleStore } from './price-rule-store.ts'
import type { ReceiptDetailsStore } from './receipt-details-store.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export type PolicyRouteDependencies = {
  readonly policies: Pick<PolicyStore, 'of' | 'change'>
  readonly priceRules: Pick<PriceRuleStore, 'of' | 'replace'>
  readonly findDevice: (id: string) => unknown
  readonly deals: Pick<OutcomeStore, 'summary' | 'setIncluded'>
  readonly receiptDetails: ReceiptDetailsStore
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'currencies'>
  /** Default labour rate of an organization, by its market, in US cents. */
  readonly labourOf: (organizationId: string) => Promise<number>
}

/** The buying policy of an organization, its price rules, and what it prints on receipts. */
export function policyRoutes(dependencies: PolicyRouteDependencies): ApiRoute[] {
  const { policies, priceRules, findDevice, deals, receiptDetails, rates, labourOf } = dependencies

  const currencyOf = async (organizationId: string) => (await policies.of(organizationId)).currency ?? BASE_CURRENCY

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

    route(getPriceRules, async (c) => {
      const { organizationId } = c.get('principal')
      return {
        data: (await priceRules.of(organizationId)) ?? { currency: await currencyOf(organizationId), rules: [] },
      }
    }),

    route(replacePriceRules, async (c) => {
      const principal = c.get('principal')
      const { organizationId, actor } = principal
      const { now } = c.get('facts')
      const { currency, rules } = c.get('body')
      for (const [index, { device_ids: ids = [] }] of rules.entries()) {
        for (const id of ids) {
          if (!findDevice(id))
            throw invalid(
              `rules.${index}.device_ids`,
              id,
              'the id of a device, as /api/devices lists them',
              reason('unknown_device', { device: id }),
            )
        }
      }
      const code = rates.exchangeFor(currency ?? (await currencyOf(organizationId)), 'currency').currency
      const data = await priceRules.replace(
        organizationId,
        (current) => ({
          currency: code,
          rules: rules.map((rule) => toRule(rule, current?.rules ?? [], principal, now)),
        }),
        actor,
        now,
      )
      return { data }
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

/** A rule with a known id keeps its author. */
function toRule(
  { id, device_ids, conditions, from, until, percent, max_offer, note }: PriceRulesChangeWire['rules'][number],
  current: readonly PriceRuleWire[],
  author: AuthorWire,
  now: number,
): PriceRuleWire {
  const before = current.find((rule) => rule.id === id)
  return {
    id: before?.id ?? sortableId('rule', now),
    device_ids: device_ids ?? [],
    conditions: conditions ?? [],
    from: from ?? null,
    until: until ?? null,
    percent: percent ?? null,
    max_offer: max_offer ?? null,
    note: note ?? '',
    created_by: before?.created_by ?? { kind: author.kind, id: author.id, name: author.name },
  }
}

import { BASE_CURRENCY } from '../contract/currency.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { type BuyingPolicy, defaultPolicy, defaultPolicyIn, type StoredPolicy } from './policy.ts'
import type { PolicyStore } from './policy-store.ts'
import type { PriceRuleStore } from './price-rule-store.ts'
import type { PriceRules } from './price-rules.ts'

export type PolicyService = {
  /** The organization's own terms, completed by the defaults in its currency. */
  readonly policyOf: (organizationId: string) => BuyingPolicy
  /** What the organization's own terms replace, in its currency. */
  readonly defaultsOf: (organizationId: string) => BuyingPolicy
  /** The organization's price rules; null if it has none. */
  readonly priceRulesOf: (organizationId: string) => PriceRules | null
  readonly close: () => void
}

export function effectivePolicy(
  { currency = BASE_CURRENCY, ...terms }: StoredPolicy,
  labourCentsPerHour: number,
  exchangeFor: ExchangeRateService['exchangeFor'],
): BuyingPolicy {
  const defaults = defaultPolicy(labourCentsPerHour)
  if (currency === defaults.currency) return { ...defaults, ...terms }
  return { ...defaultPolicyIn(defaults, exchangeFor(defaults.currency), exchangeFor(currency)), ...terms }
}

/** Keeps the policies and price rules of all organizations in memory and reloads them on change. */
export async function openPolicyService(options: {
  readonly store: Pick<PolicyStore, 'all'>
  readonly priceRules: Pick<PriceRuleStore, 'all'>
  /** Default labour rate of an organization, by its market. */
  readonly labourOf: (organizationId: string) => number
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  readonly reloadOnChange: ReloadOnChange
}): Promise<PolicyService> {
  const { labourOf, rates } = options
  let stored: ReadonlyMap<string, StoredPolicy> = new Map()
  let priceRules: ReadonlyMap<string, PriceRules> = new Map()
  async function load(): Promise<void> {
    ;[stored, priceRules] = await Promise.all([options.store.all(), options.priceRules.all()])
  }
  await load()
  const reloader = options.reloadOnChange(load)
  return {
    policyOf(organizationId) {
      return effectivePolicy(stored.get(organizationId) ?? {}, labourOf(organizationId), rates.exchangeFor)
    },
    defaultsOf(organizationId) {
      const { currency } = stored.get(organizationId) ?? {}
      return effectivePolicy({ currency }, labourOf(organizationId), rates.exchangeFor)
    },
    priceRulesOf: (organizationId) => priceRules.get(organizationId) ?? null,
    close: reloader.close,
  }
}

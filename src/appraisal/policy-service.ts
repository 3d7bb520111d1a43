import { BASE_CURRENCY } from '../contract/currency.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { type BuyingPolicy, defaultPolicy, defaultPolicyIn, type StoredPolicy } from './policy.ts'
import type { PolicyStore } from './policy-store.ts'

export type PolicyService = {
  /** The organization's own terms, completed by the defaults in its currency. */
  readonly policyOf: (organizationId: string) => BuyingPolicy
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

/** Keeps the policies of all organizations in memory and reloads them on change. */
export async function openPolicyService(options: {
  readonly store: Pick<PolicyStore, 'all'>
  /** Default labour rate of an organization, by its market. */
  readonly labourOf: (organizationId: string) => number
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  readonly reloadOnChange: ReloadOnChange
}): Promise<PolicyService> {
  const { labourOf, rates } = options
  let stored: ReadonlyMap<string, StoredPolicy> = new Map()
  async function load(): Promise<void> {
    stored = await options.store.all()
  }
  await load()
  const reloader = options.reloadOnChange(load)
  return {
    policyOf(organizationId) {
      return effectivePolicy(stored.get(organizationId) ?? {}, labourOf(organizationId), rates.exchangeFor)
    },
    close: reloader.close,
  }
}

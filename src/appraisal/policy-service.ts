import type { PolicyWire } from '../contract/policy.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { type BuyingPolicy, defaultPolicy, withOverrides } from './policy.ts'
import type { PolicyStore, StoredPolicy } from './policy-store.ts'

export type PolicyService = {
  /** The organization's own terms, completed by the defaults. */
  readonly policyOf: (organizationId: string) => BuyingPolicy
  readonly close: () => void
}

export function effectivePolicy(overrides: StoredPolicy, labourCentsPerHour: number): BuyingPolicy {
  const { currency, ...terms } = overrides as Partial<PolicyWire>
  const policy = withOverrides(defaultPolicy(labourCentsPerHour), terms)
  return currency ? { ...policy, currency } : policy
}

/** Keeps the policies of all organizations in memory and reloads them on change. */
export async function openPolicyService(options: {
  readonly store: Pick<PolicyStore, 'all'>
  readonly labourCentsPerHour: number
  readonly follow: ReloadOnChange
}): Promise<PolicyService> {
  const common = defaultPolicy(options.labourCentsPerHour)
  let held: ReadonlyMap<string, BuyingPolicy> = new Map()
  async function read(): Promise<void> {
    const own = await options.store.all()
    held = new Map([...own].map(([id, said]) => [id, effectivePolicy(said, options.labourCentsPerHour)]))
  }
  await read()
  const following = options.follow(read)
  return { policyOf: (organizationId) => held.get(organizationId) ?? common, close: following.close }
}

import type { PolicyWire } from '../contract/policy.ts'
import type { Follow } from '../follow.ts'
import { defaultPolicy, type Policy, withOverrides } from './policy.ts'
import type { OwnPolicy, PolicyStore } from './policy-store.ts'

export type Policies = {
  /** What an organization wants of a deal: its own words, and what holds for all where it has none. */
  readonly of: (organizationId: string) => Policy
  readonly close: () => void
}

export function ownPolicy(own: OwnPolicy, labourCentsPerHour: number): Policy {
  const { currency, ...terms } = own as Partial<PolicyWire>
  const policy = withOverrides(defaultPolicy(labourCentsPerHour), terms)
  return currency ? { ...policy, currency } : policy
}

/** The policies of all organizations, held in memory and following the store. */
export async function openPolicies(options: {
  readonly store: Pick<PolicyStore, 'all'>
  readonly labourCentsPerHour: number
  readonly follow: Follow
}): Promise<Policies> {
  const common = defaultPolicy(options.labourCentsPerHour)
  let held: ReadonlyMap<string, Policy> = new Map()
  async function read(): Promise<void> {
    const own = await options.store.all()
    held = new Map([...own].map(([id, said]) => [id, ownPolicy(said, options.labourCentsPerHour)]))
  }
  await read()
  const following = options.follow(read)
  return { of: (organizationId) => held.get(organizationId) ?? common, close: following.close }
}

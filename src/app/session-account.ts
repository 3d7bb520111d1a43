import type { PolicyStore } from '../appraisal/policy-store.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import type { SessionAccount } from '../auth/guard.ts'
import type { Tier } from '../contract/tiers.ts'
import type { PeopleStore } from '../people/people-store.ts'
import { hasSecondFactor } from '../people/second-factor.ts'
import type { Session } from '../people/session-store.ts'

type SessionDependencies = {
  readonly people: Pick<PeopleStore, 'findSession' | 'factorsOf'>
  readonly auth: Pick<AuthStore, 'organizationTier' | 'organizationLimit' | 'operatorOrganization'>
  readonly policies: Pick<PolicyStore, 'of'>
  readonly limitsPerMinute: Readonly<Record<Tier, number>>
}

/** Finds the account of a session and what it may do, for the guard. */
export function sessionAccounts({ people, auth, policies, limitsPerMinute }: SessionDependencies) {
  async function accountOf({ account, organization }: Session): Promise<SessionAccount> {
    const { role, organizationId: id } = account
    const [tier, limit, operator, policy, factors] = await Promise.all([
      auth.organizationTier(id),
      auth.organizationLimit(id),
      auth.operatorOrganization(),
      role === 'clerk' ? policies.of(id) : undefined,
      organization.needsSecondFactor ? people.factorsOf(account.id) : undefined,
    ])
    return {
      id: account.id,
      email: account.email,
      name: account.name,
      organizationId: id,
      role,
      tier,
      membersLimitPerMinute: limit ?? limitsPerMinute[tier],
      operates: role === 'owner' && operator === id,
      seesMargins: role !== 'clerk' || (policy?.clerks_see_margins ?? false),
      lacksSecondFactor: factors !== undefined && !hasSecondFactor(factors),
    }
  }

  return {
    accountOf,
    async findSession(token: string, now: number): Promise<SessionAccount | undefined> {
      const session = await people.findSession(token, now)
      return session && accountOf(session)
    },
  }
}

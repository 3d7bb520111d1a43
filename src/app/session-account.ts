import type { StoredPolicy } from '../appraisal/policy.ts'
import type { PolicyStore } from '../appraisal/policy-store.ts'
import type { AccountsStore } from '../auth/accounts/accounts-store.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import type { SessionAccount } from '../auth/guard.ts'
import { hasSecondFactor } from '../auth/second-factor/second-factor.ts'
import type { Session } from '../auth/sign-in/session-store.ts'
import type { SessionWire } from '../contract/account.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { Tier } from '../contract/tiers.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { shownTaxRate } from '../pricing/country-market.ts'

type SessionDependencies = {
  readonly accounts: Pick<AccountsStore, 'findSession' | 'factorsOf'>
  readonly auth: Pick<
    AuthStore,
    | 'organizationTier'
    | 'sellerRecord'
    | 'showsDeveloperPages'
    | 'organizationLimit'
    | 'organizationMarket'
    | 'operatorOrganization'
  >
  readonly policies: Pick<PolicyStore, 'of'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  readonly limitsPerMinute: Readonly<Record<Tier, number>>
  /** Code of the service's market. */
  readonly serviceMarket: () => string
  readonly baseUrl: string
  readonly sampleData: () => boolean
  readonly sendsMail: boolean
}

/** The account of a session and what it may do: for the guard, and for the page that shows it. */
export function sessionAccounts(dependencies: SessionDependencies) {
  const { accounts, auth, policies, limitsPerMinute } = dependencies

  async function accountOf({ account, organization, shopDevice }: Session): Promise<SessionAccount> {
    const { role, organizationId: id } = account
    const [tier, limit, operator, policy, factors] = await Promise.all([
      auth.organizationTier(id),
      auth.organizationLimit(id),
      auth.operatorOrganization(),
      role === 'clerk' ? policies.of(id) : undefined,
      organization.needsSecondFactor ? accounts.factorsOf(account.id) : undefined,
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
      seesMargins: policy === undefined || seesMargins(policy),
      device: shopDevice,
      lacksSecondFactor: factors !== undefined && !hasSecondFactor(factors),
    }
  }

  /** Requests per minute of the keys of an organization, by tier. */
  async function limitsOf(organizationId: string): Promise<Record<Tier, number>> {
    const limit = await auth.organizationLimit(organizationId)
    const { public: publicLimit, paid, enterprise } = limitsPerMinute
    return { public: limit ?? publicLimit, paid: limit ?? paid, enterprise: limit ?? enterprise }
  }

  return {
    async findSession(token: string, now: number): Promise<SessionAccount | undefined> {
      const session = await accounts.findSession(token, now)
      return session && accountOf(session)
    },

    async describeSession(session: Session): Promise<SessionWire> {
      const { account, organization } = session
      const { organizationId, role } = account
      const [{ tier, operates, seesMargins }, policy, limits, factors, market, sellerRecord, developerPages] =
        await Promise.all([
          accountOf(session),
          policies.of(organizationId),
          limitsOf(organizationId),
          accounts.factorsOf(account.id),
          auth.organizationMarket(organizationId),
          auth.sellerRecord(organizationId),
          auth.showsDeveloperPages(organizationId),
        ])
      const { currency = BASE_CURRENCY } = policy
      return {
        person: { id: account.id, email: account.email, name: account.name, language: account.language },
        organization: {
          id: organizationId,
          name: organization.name,
          tier,
          limits,
          currency,
          units_per_usd: dependencies.rates.exchangeFor(currency).unitsPerUsd,
          market: market ?? dependencies.serviceMarket(),
          market_tax: shownTaxRate(market ?? dependencies.serviceMarket()),
          seller_record: sellerRecord.mode,
          developer_pages: developerPages,
          till_idle_minutes: organization.tillIdleMinutes,
        },
        shop_device: session.shopDevice,
        role,
        sees_margins: seesMargins,
        offer_limit: role === 'clerk' ? (policy.clerk_offer_limit ?? null) : null,
        second_factor: { has: hasSecondFactor(factors), required: organization.needsSecondFactor },
        base_url: dependencies.baseUrl,
        sample_data: dependencies.sampleData(),
        sends_mail: dependencies.sendsMail,
        runs_service: operates,
      }
    },
  }
}

/** Whether a clerk sees plans, costs and expected profit. */
const seesMargins = ({ clerks_see_margins: isAllowed = false }: StoredPolicy): boolean => isAllowed

import type { OwnPolicies } from '../appraisal/own-policy-service.ts'
import { AMOUNT_FIELDS, type BuyingPolicy } from '../appraisal/policy.ts'
import type { ReceiptDetailsStore } from '../appraisal/receipt-details-store.ts'
import type { AccountsStore } from '../auth/accounts/accounts-store.ts'
import type { Actor } from '../auth/actor.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import { changeSettings, getSettings, type OrganizationSettingsWire } from '../contract/management-settings.ts'
import { tierIncludes } from '../contract/tiers.ts'
import type { TradeInChangeWire } from '../contract/trade-in.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { can, type Principal, requirePermission } from '../http/principal.ts'
import { invalid, unknownId } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { COUNTRY_MARKETS, parseMarket } from '../pricing/country-market.ts'
import { type Quotes, requireServable } from '../quotes/quotes.ts'
import { changedTradeIn } from '../quotes/trade-in-settings.ts'
import type { TradeInStore } from '../quotes/trade-in-store.ts'

const MARKETS = COUNTRY_MARKETS.map(({ code, name, currency }) => ({ code, name, currency })).sort((left, right) =>
  left.name.localeCompare(right.name, 'en'),
)

export type OrganizationSettingsDependencies = {
  readonly auth: Pick<
    AuthStore,
    | 'findOrganization'
    | 'renameOrganization'
    | 'setMarket'
    | 'requireSecondFactor'
    | 'sellerRecord'
    | 'changeSellerRecord'
    | 'showDeveloperPages'
    | 'tillIdleMinutes'
    | 'changeTillIdleMinutes'
    | 'sessionLimits'
    | 'changeSessionLimits'
  >
  readonly accounts: Pick<AccountsStore, 'signOnRule' | 'requireSignOn'>
  readonly policies: OwnPolicies
  readonly receiptDetails: ReceiptDetailsStore
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'currencies'>
  readonly tradeIn: TradeInStore
  readonly quotes: Pick<Quotes, 'settingsOf'>
  /** Code of the service's market. */
  readonly serviceMarket: () => string
  /** Currency of a market, null for the service's; undefined if it has no exchange rate. */
  readonly currencyOfMarket: (market: string | null) => string | undefined
  /** Name of the OpenID Connect issuer; null if the service has none. */
  readonly issuer: string | null
}

/** Settings that an organization has for itself. Its currency is that of its buying policy. */
export function organizationSettingsRoutes(dependencies: OrganizationSettingsDependencies): ApiRoute[] {
  const { auth, accounts, policies, receiptDetails, rates, serviceMarket, issuer } = dependencies

  async function present(
    principal: Principal,
    policyBefore: BuyingPolicy | null,
  ): Promise<{ data: OrganizationSettingsWire }> {
    const { organizationId } = principal
    const [organization, ownPolicy, receipt, signOnRule, sellerRecord] = await Promise.all([
      auth.findOrganization(organizationId),
      policies.of(organizationId),
      receiptDetails.of(organizationId),
      accounts.signOnRule(organizationId),
      auth.sellerRecord(organizationId),
    ])
    if (!organization) throw unknownId('organization', organizationId)
    const { policy } = ownPolicy
    const signOn = { issuer, required: signOnRule !== null, break_glass_id: signOnRule?.breakGlassId ?? null }
    return {
      data: {
        name: organization.name,
        market: organization.market,
        currency: policy.currency,
        service_market: serviceMarket(),
        markets: MARKETS,
        currencies: [...rates.currencies()],
        second_factor_required: organization.requiresSecondFactor,
        seller_record: sellerRecord.mode,
        seller_retention_days: sellerRecord.retentionDays,
        developer_pages: organization.showsDeveloperPages,
        till_idle_minutes: await auth.tillIdleMinutes(organizationId),
        sessions: await auth.sessionLimits(organizationId),
        ...(can(principal, 'settings:read') ? { sign_on: signOn } : {}),
        receipt,
        ...(can(principal, 'policy:read')
          ? { policy: ownPolicy, trade_in: await dependencies.quotes.settingsOf(organizationId) }
          : {}),
        converted: policyBefore ? convertedAmounts(policyBefore, policy) : [],
      },
    }
  }

  /** With a new market comes its currency, unless the request names one or the market's has no rate. */
  function currencyFor(currency: string | undefined, market: string | null | undefined): string | undefined {
    if (currency !== undefined) return rates.exchangeFor(currency.trim().toUpperCase()).currency
    return market === undefined ? undefined : dependencies.currencyOfMarket(market)
  }

  /** The owner who is excepted from required sign-on; null ends the requirement. */
  function breakGlassId(
    { kind, id }: Principal,
    {
      required,
      break_glass_id: chosenId,
    }: { readonly required: boolean; readonly break_glass_id?: string | undefined },
  ): string | null {
    if (!required) return null
    if (issuer === null) {
      throw invalid(
        'sign_on.required',
        required,
        'false: the service has no issuer, because OIDC_ISSUER is not set',
        reason('no_issuer'),
      )
    }
    if (chosenId === undefined && kind !== 'person') {
      throw invalid(
        'sign_on.break_glass_id',
        undefined,
        'the id of an owner with a password and a second factor',
        reason('owner_with_second_factor_needed'),
      )
    }
    return chosenId ?? id
  }

  async function changeTradeIn(id: string, change: TradeInChangeWire, actor: Actor, now: number): Promise<void> {
    if (change.currency) rates.exchangeFor(change.currency, 'trade_in.currency')
    const before = await dependencies.quotes.settingsOf(id)
    const stored = changedTradeIn(before, (await dependencies.tradeIn.of(id))?.stored ?? {}, change)
    const organization = await auth.findOrganization(id)
    requireServable(stored, organization !== undefined && tierIncludes(organization.tier, 'paid'))
    await dependencies.tradeIn.save(id, stored, stored.slug ?? before.slug, actor, now)
  }

  return [
    route(getSettings, (c) => present(c.get('principal'), null)),

    route(changeSettings, async (c) => {
      const { name, market: requestedMarket, currency, second_factor_required: factor, sign_on: signOn } = c.get('body')
      const { seller_record: mode, seller_retention_days: retentionDays, receipt, policy } = c.get('body')
      const { developer_pages: developerPages, trade_in: tradeIn } = c.get('body')
      const principal = c.get('principal')
      const { organizationId: id, actor } = principal
      const { now } = c.get('facts')
      const market = requestedMarket ? parseMarket(requestedMarket).code : requestedMarket
      const newCurrency = currencyFor(currency, market)
      if (policy) requirePermission(principal, 'policy:write')
      if (policy?.currency) rates.exchangeFor(policy.currency, 'policy.currency')
      const { policy: before } = await policies.of(id)
      // First: it is the only change that can still be rejected.
      if (signOn) await accounts.requireSignOn(id, breakGlassId(principal, signOn), actor, now)
      if (name !== undefined) await auth.renameOrganization(id, name, actor, now)
      if (market !== undefined && market !== (await auth.findOrganization(id))?.market) {
        await auth.setMarket(id, market, actor, now)
      }
      if (newCurrency !== undefined && newCurrency !== before.currency) {
        await policies.change(id, { currency: newCurrency }, actor, now)
      }
      if (factor !== undefined) await auth.requireSecondFactor(id, factor, actor, now)
      if (mode !== undefined || retentionDays !== undefined) {
        await auth.changeSellerRecord(id, { mode, retentionDays }, actor, now)
      }
      if (developerPages !== undefined) await auth.showDeveloperPages(id, developerPages, actor, now)
      const { till_idle_minutes: idleMinutes, sessions } = c.get('body')
      if (idleMinutes !== undefined) await auth.changeTillIdleMinutes(id, idleMinutes, actor, now)
      if (sessions) await auth.changeSessionLimits(id, sessions, actor, now)
      if (receipt) await receiptDetails.replace(id, receipt, actor, now)
      if (policy) await policies.change(id, policy, actor, now)
      if (tradeIn) await changeTradeIn(id, tradeIn, actor, now)
      return present(principal, before)
    }),
  ]
}

function convertedAmounts(before: BuyingPolicy, after: BuyingPolicy): OrganizationSettingsWire['converted'] {
  if (before.currency === after.currency) return []
  return AMOUNT_FIELDS.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (from === null || to === null) return []
    return {
      field,
      before: { amount: from, currency: before.currency },
      after: { amount: to, currency: after.currency },
    }
  })
}

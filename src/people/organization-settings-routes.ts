import { AMOUNT_FIELDS } from '../appraisal/policy.ts'
import { effectivePolicy } from '../appraisal/policy-service.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { OrganizationSettingsWire } from '../contract/dashboard.ts'
import { COUNTRY_MARKETS } from '../pricing/country-market.ts'
import type { DashboardDependencies } from './dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from './session-route.ts'

const MARKETS = COUNTRY_MARKETS.map(({ code, name, currency }) => ({ code, name, currency })).sort((left, right) =>
  left.name.localeCompare(right.name, 'en'),
)

/** Currency and market of an organization, as its session shows amounts. */
export async function moneyOf({ appraisal, auth }: DashboardDependencies, organizationId: string) {
  const { currency = BASE_CURRENCY } = await appraisal.policies.of(organizationId)
  return {
    currency,
    units_per_usd: appraisal.rates.exchangeFor(currency).unitsPerUsd,
    market: (await auth.organizationMarket(organizationId)) ?? appraisal.serviceMarket(),
  }
}

/** Name, market and currency of the organization. Its currency is that of its buying policy. */
export function organizationSettingsRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { auth } = parts
  const { policies, rates, labourOf, serviceMarket } = parts.appraisal

  async function policyOf(organizationId: string) {
    const labour = await labourOf(organizationId)
    return effectivePolicy(await policies.of(organizationId), labour, rates.exchangeFor)
  }

  async function present(
    organizationId: string,
    name: string,
    before: Awaited<ReturnType<typeof policyOf>> | null,
  ): Promise<OrganizationSettingsWire> {
    const policy = await policyOf(organizationId)
    const converted = before && before.currency !== policy.currency ? AMOUNT_FIELDS : []
    return {
      name,
      market: await auth.organizationMarket(organizationId),
      currency: policy.currency,
      service_market: serviceMarket(),
      markets: MARKETS,
      currencies: [...rates.currencies()],
      converted: converted.flatMap((field) => {
        const [from, to] = [before?.[field] ?? null, policy[field]]
        if (from === null || to === null) return []
        return {
          field,
          before: { amount: from, currency: before?.currency ?? '' },
          after: { amount: to, currency: policy.currency },
        }
      }),
    }
  }

  /** With a new market comes its currency, unless the request names one or the market's has no rate. */
  function currencyFor(currency: string | undefined, market: string | null | undefined): string | undefined {
    if (currency !== undefined) return rates.exchangeFor(currency.trim().toUpperCase()).currency
    if (market === undefined) return undefined
    return parts.currencyOfMarket(market)
  }

  return [
    dashboardRoute('GET /account/settings', async (c) => {
      const { id, name } = c.get('organization')
      return { data: await present(id, name, null) }
    }),

    dashboardRoute('POST /account/settings', async (c, { name, market, currency }) => {
      const { id, name: nameBefore } = c.get('organization')
      const { now } = c.get('facts')
      const actor = c.get('principal').actor
      const before = await policyOf(id)
      const newCurrency = currencyFor(currency, market)
      const newName = name === undefined ? nameBefore : await auth.renameOrganization(id, name, actor, now)
      if (market !== undefined && market !== (await auth.organizationMarket(id))) {
        await auth.setMarket(id, market, actor, now)
      }
      if (newCurrency !== undefined && newCurrency !== before.currency) {
        await policies.change(id, { currency: newCurrency }, actor, now, rates.exchangeFor)
      }
      return { data: await present(id, newName, before) }
    }),
  ]
}

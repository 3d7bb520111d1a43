import { BASE_CURRENCY } from '../contract/currency.ts'
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
import type { PolicyStore } from './policy-store.ts'
import type { PriceRuleStore } from './price-rule-store.ts'

export type PriceRuleDependencies = {
  readonly policies: Pick<PolicyStore, 'of'>
  readonly priceRules: Pick<PriceRuleStore, 'of' | 'replace'>
  readonly findDevice: (id: string) => unknown
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
}

/** What an organization pays more or less for than its buying policy says. */
export function priceRuleRoutes(dependencies: PriceRuleDependencies): ApiRoute[] {
  const { policies, priceRules, findDevice, rates } = dependencies

  const currencyOf = async (organizationId: string) => (await policies.of(organizationId)).currency ?? BASE_CURRENCY

  return [
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

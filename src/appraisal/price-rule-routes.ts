import type { Device } from '../catalog/device.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import {
  getPriceRules,
  type PriceRulesChangeWire,
  type PriceRuleWire,
  replacePriceRules,
} from '../contract/price-rules.ts'
import type { AuthorWire } from '../contract/values.ts'
import { convertBetween, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { conflict, invalid } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import { configurationOf } from '../pricing/configuration.ts'
import type { FirstPriceRanges } from '../pricing/first-price-ranges.ts'
import { type PlausibleRange, plausibleRange, requirePlausibleAmount } from '../pricing/plausible-amount.ts'
import type { PolicyStore } from './policy-store.ts'
import type { PriceRuleStore } from './price-rule-store.ts'

export type PriceRuleDependencies = {
  readonly policies: Pick<PolicyStore, 'of'>
  readonly priceRules: Pick<PriceRuleStore, 'of' | 'replace'>
  readonly findDevice: (id: string) => Device | undefined
  readonly firstPricesAt: (now: number) => FirstPriceRanges
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
}

/** What an organization pays more or less for than its buying policy says. */
export function priceRuleRoutes(dependencies: PriceRuleDependencies): ApiRoute[] {
  const { policies, priceRules, findDevice, firstPricesAt, rates } = dependencies

  const currencyOf = async (organizationId: string) => (await policies.of(organizationId)).currency ?? BASE_CURRENCY

  /** Throws for a limit that the prices of its devices do not allow, unless it is confirmed or was stored before. */
  function requirePlausibleLimits(
    rules: PriceRulesChangeWire['rules'],
    current: readonly PriceRuleWire[],
    currency: string,
    now: number,
  ): void {
    const firstPriceOf = firstPricesAt(now)
    for (const [
      index,
      { id, max_offer: limit, device_ids: ids = [], confirm_amount: isConfirmed },
    ] of rules.entries()) {
      const isKnown = current.some((rule) => rule.id === id && rule.max_offer === limit)
      if (!limit || isConfirmed || isKnown) continue
      const ranges = ids.map((deviceId) => deviceRange(findDevice(deviceId), firstPriceOf, now) ?? ANY_DEVICE)
      const range = ids.length === 0 ? ANY_DEVICE : spanOf(ranges)
      const exchange = rates.exchangeFor(currency)
      const inCurrency = (cents: number) => Math.round(convertBetween(cents, US_DOLLARS, exchange))
      const subject = ids.length === 0 ? '' : undefined
      const plausible = { low: inCurrency(range.low), high: inCurrency(range.high) }
      requirePlausibleAmount(`rules.${index}.max_offer`, limit, plausible, currency, subject)
    }
  }

  return [
    route(getPriceRules, async (c) => {
      const { organizationId } = c.get('principal')
      return {
        data: (await priceRules.of(organizationId)) ?? {
          currency: await currencyOf(organizationId),
          rules: [],
          revision: 0,
        },
      }
    }),

    route(replacePriceRules, async (c) => {
      const principal = c.get('principal')
      const { organizationId, actor } = principal
      const { now } = c.get('facts')
      const { currency, rules, revision } = c.get('body')
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
      requirePlausibleLimits(rules, (await priceRules.of(organizationId))?.rules ?? [], code, now)
      const data = await priceRules.replace(
        organizationId,
        (current) => {
          const currentRevision = current?.revision ?? 0
          if (revision !== undefined && revision !== currentRevision)
            throw conflict(
              'revision',
              'The price rules were changed meanwhile. Read them again.',
              reason('changed_meanwhile'),
            )
          return {
            currency: code,
            rules: rules.map((rule) => toRule(rule, current?.rules ?? [], principal, now)),
            revision: currentRevision + 1,
          }
        },
        actor,
        now,
      )
      return { data }
    }),
  ]
}

/** US cents of a limit for all devices, or for one of which nothing is known. */
const ANY_DEVICE: PlausibleRange = { low: 100, high: 1_000_000 }

const spanOf = (ranges: readonly PlausibleRange[]): PlausibleRange => ({
  low: Math.min(...ranges.map(({ low }) => low)),
  high: Math.max(...ranges.map(({ high }) => high)),
})

/** What any variant of a device may be bought for, in US cents; null if nothing is known. */
function deviceRange(device: Device | undefined, firstPriceOf: FirstPriceRanges, now: number): PlausibleRange | null {
  const configurations = new Set(device?.variants.map(configurationOf))
  const ranges = [...configurations].flatMap((configuration) => {
    const query = {
      deviceId: device?.id ?? '',
      configuration,
      grade: 'Ungraded',
      isQuote: true,
      observedAt: now,
    } as const
    const range = plausibleRange(firstPriceOf(query), 0, { isNew: false, isDefective: false })
    return range ?? []
  })
  return ranges.length > 0 ? spanOf(ranges) : null
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

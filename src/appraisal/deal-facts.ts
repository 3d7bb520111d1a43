import type { Device } from '../catalog/device.ts'
import type { MarketGrade } from '../catalog/grade.ts'
import type { StoredAppraisalWire } from '../contract/appraisal.ts'
import { US_DOLLARS } from '../currency/exchange.ts'
import { configurationOf } from '../pricing/configuration.ts'
import { type PlausibleRange, plausibleRange } from '../pricing/plausible-amount.ts'

/** Configuration, grade and market that a price of the deal is an observation of. */
export type DealSubject = {
  readonly configuration: string
  /** Null where several colors are possible. */
  readonly variantId: string | null
  readonly grade: MarketGrade
  readonly market: string
}

/** Forecast of the appraisal, in minor units of its currency; null if it has none. */
export type DealForecast = {
  readonly currency: string
  readonly isSample: boolean
  readonly offer: number | null
  readonly sale: number | null
  /** 80 % interval of the sale price, for a device that is sold in the grade that was appraised. */
  readonly saleRange: { readonly low: number; readonly high: number } | null
  readonly costs: number | null
  readonly downside: number | null
}

/**
 * Null if the deal's price is no observation of a working device of known configuration: with defects, a carrier lock or an
 * unresolved configuration, listed as lost or stolen, or appraised with a sandbox identifier.
 */
export function dealSubject(
  { defects, identity, offer, risk, market, lock }: StoredAppraisalWire,
  findDevice: (id: string) => Device | undefined,
  defaultMarket: string,
): DealSubject | null {
  if (defects.length > 0 || lock === 'locked' || !identity.device_id) return null
  if (risk && (risk.blacklist_status === 'blacklisted' || risk.reported_lost_stolen || isSandbox(risk.source)))
    return null
  const variants = (findDevice(identity.device_id)?.variants ?? []).filter((variant) =>
    identity.variant_id
      ? variant.id === identity.variant_id
      : (identity.attributes ?? []).every(({ attribute_name: name, attribute_value: value }) =>
          variant.attributes.some((attribute) => attribute.name === name && attribute.value === value),
        ),
  )
  const configurations = new Set(variants.map(configurationOf))
  const [configuration] = configurations
  if (configuration === undefined || configurations.size > 1) return null
  // Without a stated grade the offer assumes the worst, which was not observed.
  const isAssumed = offer.reasons.some(({ code }) => code === 'condition_missing')
  return {
    configuration,
    variantId: identity.variant_id,
    grade: isAssumed || !offer.condition ? 'Ungraded' : offer.condition,
    market: market?.code ?? defaultMarket,
  }
}

type PricedAppraisal = Pick<StoredAppraisalWire, 'value' | 'defects' | 'identity' | 'lock' | 'currency'> & {
  readonly offer: Pick<StoredAppraisalWire['offer'], 'source'>
}

/** What the device may have been bought or sold for, according to the prices of its appraisal or its launch price. */
export function dealRange(
  { value, offer, defects, identity, lock, currency }: PricedAppraisal,
  isSale: boolean,
  findDevice: (id: string) => Device | undefined,
): (PlausibleRange & { readonly currency: string }) | null {
  const state = { isNew: false, isDefective: defects.length > 0 || lock === 'locked' }
  const prices = value.flatMap(({ resale, buyback }) => (isSale ? resale : (buyback ?? resale)) ?? [])
  if (prices.length > 0) {
    const expected = {
      low: Math.min(...prices.map(({ low }) => low)),
      high: Math.max(...prices.map(({ high }) => high)),
      isObserved: offer.source === 'market',
    }
    const range = plausibleRange(expected, 0, state)
    return range && { ...range, currency }
  }
  const device = identity.device_id === null ? undefined : findDevice(identity.device_id)
  const launchCents = Math.max(0, ...(device?.variants ?? []).map(({ listCents }) => listCents))
  const range = plausibleRange(null, launchCents, state)
  return range && { ...range, currency: US_DOLLARS.currency }
}

/** What a supplier may ask for the device, in minor units of the currency of the appraisal; null if nothing is known. */
export function askingRange(
  appraisal: PricedAppraisal,
  findDevice: (id: string) => Device | undefined,
): PlausibleRange | null {
  const [bought, sold] = [false, true].map((isSale) => dealRange(appraisal, isSale, findDevice))
  return bought && sold && sold.currency === appraisal.currency ? { low: bought.low, high: sold.high } : null
}

const isSandbox = (source: string) => source.split('+').includes('sandbox')

export function dealForecast({ offer, plans, value, defects, currency, sample }: StoredAppraisalWire): DealForecast {
  const plan = plans.find((candidate) => candidate.plan === offer.plan)
  const range = value.find(({ condition }) => condition === plan?.sold_as)?.resale
  const isPlain = plan?.plan === 'sell_as_is' && defects.length === 0
  return {
    currency,
    isSample: sample,
    offer: offer.recommended_offer,
    sale: plan?.expected_proceeds ?? null,
    saleRange: isPlain && range ? { low: range.low, high: range.high } : null,
    costs: plan ? Object.values(plan.costs).reduce((sum, cost) => sum + cost, 0) : null,
    downside: plan ? plan.expected_profit - plan.range.low : null,
  }
}

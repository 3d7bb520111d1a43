/** Amounts of an appraisal or a policy in the wrong unit: cents typed as dollars are a hundredfold. */
import { convertBetween, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { plausibleRange, requirePlausibleAmount } from '../pricing/plausible-amount.ts'
import type { VariantValue } from '../pricing/quotes/device-quotes.ts'
import { AMOUNT_FIELDS, type BuyingPolicy } from './policy.ts'

const TIMES_USUAL = 50
const USUAL_CLERK_LIMIT_CENTS = 30_000
/** Sellers agree to less than any market price, but seldom to a hundredth of it. */
const SHARE_OF_LOW = 0.2

/** Throws for terms that are many times larger or smaller than the defaults, all in the currency of the defaults. */
export function requirePlausiblePolicy(
  terms: Readonly<Partial<Record<(typeof AMOUNT_FIELDS)[number], number | null | undefined>>>,
  defaults: BuyingPolicy,
  exchangeFor: ExchangeRateService['exchangeFor'],
  prefix = '',
): void {
  const { currency } = defaults
  const usual = {
    ...defaults,
    clerk_offer_limit: convertBetween(USUAL_CLERK_LIMIT_CENTS, US_DOLLARS, exchangeFor(currency)),
  }
  for (const field of AMOUNT_FIELDS) {
    const amount = terms[field]
    if (!amount) continue
    const range = {
      // Offers may be exact.
      low: field === 'offer_rounding' ? 1 : Math.floor(usual[field] / TIMES_USUAL),
      high: Math.ceil(usual[field] * TIMES_USUAL),
    }
    requirePlausibleAmount(`${prefix}policy.${field}`, amount, range, currency, '')
  }
}

/** Throws for an agreed offer that no grade of the device explains. `value` is in minor units of the currency. */
export function requirePlausibleOffer(
  offer: number,
  value: VariantValue | null,
  {
    isDefective,
    currency,
    prefix,
  }: { readonly isDefective: boolean; readonly currency: string; readonly prefix: string },
): void {
  const resale = value?.resale
  if (!resale || offer === 0) return
  const lowest = Math.min(resale.Poor.low, value.buyback?.Poor.low ?? resale.Poor.low)
  const expected = { low: lowest, high: resale.Excellent.high, isObserved: false }
  const range = plausibleRange(expected, 0, { isNew: false, isDefective })
  const low = Math.floor((range?.low ?? 0) * (isDefective ? 1 : SHARE_OF_LOW))
  requirePlausibleAmount(`${prefix}agreed_offer`, offer, range && { ...range, low }, currency)
}

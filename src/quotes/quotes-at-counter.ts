import type { CounterFindings, QuotesAtCounter } from '../appraisal/quoted-price.ts'
import type { QuoteAtCounterWire, QuoteDifferenceWire } from '../contract/quotes.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { isoInstant } from '../lib/time.ts'
import { parseQuoteNumber } from './quote-number.ts'
import type { QuoteStore } from './quote-store.ts'
import type { Quotes } from './quotes.ts'
import { type Quote, type QuoteAnswers, requireSettleable, stateAt } from './trade-in-quote.ts'

type Step = Pick<QuoteDifferenceWire, 'kind' | 'said' | 'is'> & {
  readonly answers: QuoteAnswers
  /** False if the device is not bought at all. */
  readonly isBought?: boolean
}

/** Compares what customers stated at home with what the counter finds. */
export function createQuotesAtCounter({
  quotes,
  store,
}: {
  readonly quotes: Pick<Quotes, 'find' | 'shop' | 'priceOf'>
  readonly store: Pick<QuoteStore, 'settlementWrites'>
}): QuotesAtCounter {
  async function find(organizationId: string, quoteId: string): Promise<Quote> {
    const quote = await quotes.find(organizationId, parseQuoteNumber(quoteId) ?? quoteId)
    // Another organization's quote is NOT_FOUND, so that callers cannot probe for numbers.
    if (!quote) throw notFound(`Quote ${excerpt(quoteId)}`)
    return quote
  }

  /** Today's price for these answers, also above the limit of the page; null without a firm one. */
  async function priceToday(quote: Quote, answers: QuoteAnswers, now: number): Promise<number | null> {
    const shop = await quotes.shop(quote.organizationId)
    const settings = { ...shop.settings, share_percent: quote.sharePercent, max_price: Number.MAX_SAFE_INTEGER }
    const request = {
      ...(answers.variantId ? { variant_id: answers.variantId } : { device_id: answers.deviceId }),
      attributes: answers.attributes,
      condition: answers.condition,
      defects: [...answers.defects],
    }
    const { offer, currency } = await quotes.priceOf({ organizationId: quote.organizationId, settings }, request, now)
    if (currency !== quote.currency) return null
    return offer.kind === 'not_bought' ? 0 : offer.price
  }

  async function compare(
    organizationId: string,
    quoteId: string,
    found: CounterFindings,
    now: number,
  ): Promise<QuoteAtCounterWire> {
    const quote = await find(organizationId, quoteId)
    const state = stateAt(quote, now)
    const isUsable = (state === 'open' || state === 'arrived') && quote.offer.kind === 'price'
    const steps = isUsable ? findDifferences(quote.answers, found) : []
    const current = isUsable ? await priceToday(quote, quote.answers, now) : null
    const differences: QuoteDifferenceWire[] = []
    let price = quote.offer.price
    let today = current
    for (const { kind, said, is, answers, isBought = true } of steps) {
      const next = isBought ? await priceToday(quote, answers, now) : null
      // What the difference costs today; what the market did since the quote is the risk of the shop.
      const after = price === null || today === null || next === null ? null : Math.max(0, price + next - today)
      differences.push({ kind, said, is, before: price, after })
      price = after
      today = next
    }
    return {
      quote_id: quote.id,
      state,
      valid_until: isoInstant(quote.validUntil),
      answers: { condition: quote.answers.condition, defects: [...quote.answers.defects] },
      quoted_price: quote.offer.price,
      currency: quote.currency,
      differences,
      price_held: isUsable && steps.length === 0,
      price: isUsable ? price : null,
      current_price: current,
    }
  }

  return {
    compare,
    async settle(organizationId, compared, { appraisalId, state, paid }, author, now) {
      const quote = await find(organizationId, compared.quote_id)
      requireSettleable(quote, state, now)
      const { price_held: isHeld, price, quoted_price: quoted, current_price: current, differences } = compared
      const settlement = {
        appraisal_id: appraisalId,
        price_held: isHeld,
        differences,
        requote: isHeld ? null : price,
        paid,
        current_price: current,
        held_cost: isHeld ? Math.max(0, (quoted ?? 0) - (current ?? quoted ?? 0)) : 0,
      }
      return store.settlementWrites(quote, { state, settlement }, author, now)
    },
  }
}

const fold = (text: string) => text.replace(/\s/g, '').toLowerCase()

/** Each difference with the answers that include it and those before it. */
function findDifferences(stated: QuoteAnswers, found: CounterFindings): Step[] {
  const steps: Step[] = []
  let answers = stated
  const add = (step: Omit<Step, 'answers'>, change: Partial<QuoteAnswers>) => {
    answers = { ...answers, ...change }
    steps.push({ ...step, answers })
  }
  const { device_id: deviceId, device_name: deviceName, attributes } = found.identity
  const storage = attributes.find(({ attribute_name: name }) => name === 'storage')?.attribute_value
  const isOtherDevice = deviceId !== null && deviceId !== stated.deviceId
  if (isOtherDevice && deviceId)
    add(
      { kind: 'device', said: stated.deviceId, is: deviceName },
      { deviceId, variantId: null, attributes: storage ? { storage } : {} },
    )
  const statedStorage = stated.attributes.storage
  if (!isOtherDevice && storage && statedStorage && fold(storage) !== fold(statedStorage))
    add(
      { kind: 'storage', said: statedStorage, is: storage },
      { variantId: null, attributes: { ...stated.attributes, storage } },
    )
  const isGraded = !found.offer.reasons.some(({ code }) => code === 'condition_missing')
  const { condition } = found.offer
  if (isGraded && condition && condition !== stated.condition)
    add({ kind: 'grade', said: stated.condition, is: condition }, { condition })
  for (const code of found.defects)
    if (!stated.defects.includes(code))
      add({ kind: 'fault', said: null, is: code }, { defects: [...answers.defects, code] })
  for (const code of stated.defects)
    if (!found.defects.includes(code))
      add({ kind: 'fault_absent', said: code, is: null }, { defects: answers.defects.filter((each) => each !== code) })
  // Listed, lost or locked: whatever was promised, such a device is not bought.
  if (found.risk && found.offer.decision === 'reject')
    steps.push({ kind: 'check', said: null, is: found.risk.blacklist_status, answers, isBought: false })
  return steps
}

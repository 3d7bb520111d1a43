import { CONDITIONS } from '../contract/condition-grades.ts'
import type { PriceBlockWire, VariantPricingWire } from '../contract/pricing.ts'
import type { RepairWire } from '../contract/repair.ts'
import { convertCents, type Exchange } from './exchange.ts'

type Amounts = PriceBlockWire['current']
type Intervals = PriceBlockWire['interval']

/** Converts every amount of a price response and adds the rate. */
export function convertPricing(pricing: VariantPricingWire, exchange: Exchange): VariantPricingWire {
  const { buyback, resale, sources } = pricing
  return {
    ...pricing,
    ...(buyback ? { buyback: { ...buyback, ...convertBlock(buyback, exchange) } } : {}),
    ...(resale ? { resale: { ...resale, ...convertBlock(resale, exchange) } } : {}),
    sources: sources.map((source) => ({
      ...source,
      good: source.good === null ? null : convertCents(source.good, exchange),
    })),
    ...(pricing.held_deals && {
      held_deals: pricing.held_deals.map((deal) => ({
        ...deal,
        price: convertCents(deal.price, exchange),
        expected: convertCents(deal.expected, exchange),
      })),
    }),
    currency: exchange.currency,
    ...rateField(exchange),
  }
}

const rateField = ({ rate }: Exchange) => (rate ? { exchange_rate: rate } : {})

function convertBlock({ current, interval, historical }: PriceBlockWire, exchange: Exchange) {
  const amount = (cents: number | null) => (cents === null ? null : convertCents(cents, exchange))
  const amounts = CONDITIONS.map((condition) => [condition, amount(current[condition])])
  const ranges = CONDITIONS.map((condition) => {
    const range = interval[condition]
    return [condition, range && { low: convertCents(range.low, exchange), high: convertCents(range.high, exchange) }]
  })
  return {
    current: Object.fromEntries(amounts) as Amounts,
    interval: Object.fromEntries(ranges) as Intervals,
    historical: historical.map((point) => ({
      ...point,
      value: convertCents(point.value, exchange),
      currency: exchange.currency,
    })),
  }
}

/** Converts every amount of a repair response and adds the rate. */
export function convertRepairs(repairs: RepairWire, exchange: Exchange): RepairWire {
  const { currency } = exchange
  const amount = (cents: number | null) => (cents === null ? null : convertCents(cents, exchange))
  const cost = repairs.average_repair_cost
  return {
    ...repairs,
    common_repairs: repairs.common_repairs.map((repair) => ({
      ...repair,
      labour_min: amount(repair.labour_min),
      labour_max: amount(repair.labour_max),
      parts: repair.parts.map((part) => ({
        ...part,
        cost_min: amount(part.cost_min),
        cost_max: amount(part.cost_max),
        currency,
      })),
    })),
    technical_notes: repairs.technical_notes.map((note) =>
      note.replace(LABOUR_RATE, (_, dollars: string) => formatUnits(Number(dollars) * 100, exchange)),
    ),
    technical_note_codes: repairs.technical_note_codes.map(({ code, params }) => ({
      code,
      params: typeof params.rate === 'number' ? { ...params, rate: convertCents(params.rate, exchange) } : params,
    })),
    average_repair_cost: cost && {
      min: convertCents(cost.min, exchange),
      max: convertCents(cost.max, exchange),
      currency,
    },
    repair_return: repairs.repair_return && {
      resale_gain: convertCents(repairs.repair_return.resale_gain, exchange),
      repair_cost: convertCents(repairs.repair_return.repair_cost, exchange),
      currency,
    },
    ...rateField(exchange),
  }
}

/** The only amount in a note. */
const LABOUR_RATE = /\$(\d+(?:\.\d\d)?)(?= an hour)/

/** Such as "52.55 EUR". */
function formatUnits(cents: number, exchange: Exchange): string {
  const { currency, digits } = exchange
  return `${(convertCents(cents, exchange) / 10 ** digits).toFixed(digits)} ${currency}`
}

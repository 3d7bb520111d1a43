import { quotedCondition } from '../../catalog/grade.ts'
import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { isCarrierLocked, type Observation, type Trade, tradeOf } from '../model/observation.ts'
import { GRADE_COUNT, gradeIndex } from '../model/observation-columns.ts'
import type { Quote } from './quote.ts'

/** Distance (ln) of one own price from the common price of its variant and grade, and its weight. */
export type Distance = {
  /** Index of the variant × grades + grade. */
  readonly cell: number
  readonly ln: number
  readonly weight: number
  readonly observedAt: number
  readonly isAsk: boolean
}

const HALF_LIFE_DAYS = 90
/** How much higher (ln) asks are than deals, as in the prior of all markets. */
const ASK_PREMIUM = 0.05
/** Number of own deals at which half of the premium counts: prices of an organization that only asks are its asks. */
const HALF_PREMIUM_DEALS = 5

/** The distances of own prices of one device from its common quotes. */
export function ownDistances(
  quotes: readonly Quote[],
  rows: readonly Observation[],
  side: Trade,
  now: number,
): Distance[] {
  const byVariant = new Map(quotes.map((quote, at) => [quote.variantId, { quote, at }]))
  return rows.flatMap((row) => {
    const match = byVariant.get(row.variantId)
    const condition = quotedCondition(row.grade)
    const cents = condition && match?.quote[side].cents?.[condition]
    if (!match || !condition || !cents || tradeOf(row) !== side) return []
    const months = Math.max(0, now - row.observedAt) / MONTH_MS
    const lockDiscount = isCarrierLocked(row.lock) ? match.quote[side].lockDiscount.ln : 0
    const lnCents = Math.log(row.cents) + match.quote.resale.driftPerMonth * months - lockDiscount
    return {
      cell: match.at * GRADE_COUNT + gradeIndex(condition),
      ln: lnCents - Math.log(cents),
      weight: 2 ** (-(now - row.observedAt) / (HALF_LIFE_DAYS * DAY_MS)),
      observedAt: row.observedAt,
      isAsk: row.side === 'ask',
    }
  })
}

/** Beside own deals, asks count as lower by their usual premium. */
export function askPremiumOf(distances: readonly Pick<Distance, 'weight' | 'isAsk'>[]): number {
  const deals = distances.reduce((sum, { weight, isAsk }) => (isAsk ? sum : sum + weight), 0)
  return (ASK_PREMIUM * deals) / (deals + HALF_PREMIUM_DEALS)
}

export const withoutPremium = <Row extends Pick<Distance, 'ln' | 'isAsk'>>(
  distances: readonly Row[],
  askPremium: number,
): Row[] => distances.map((distance) => (distance.isAsk ? { ...distance, ln: distance.ln - askPremium } : distance))

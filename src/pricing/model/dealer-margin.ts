/**
 * What dealers keep of a resale price before a market has said so: a share of it, and the cost of handling one device. Set so
 * that a US trade-in shop pays 0.9 of it at the median; wholesale lists pay less (`npm run evaluate:appraisals`).
 */
const MARGIN_SHARE = 0.17
const HANDLING_CENTS = 1_500
/** Dealers pay at least this share for a working device. */
const MIN_PAID_SHARE = 0.3

/** ln of what a dealer pays for what resells at `ln`. */
export function buybackFromResale(ln: number): number {
  return ln + Math.log(Math.max(MIN_PAID_SHARE, 1 - MARGIN_SHARE - HANDLING_CENTS / Math.exp(ln)))
}

/** ln of what something resells for that a dealer pays `ln` for. */
export function resaleFromBuyback(ln: number): number {
  const paid = Math.exp(ln)
  return Math.log(Math.min(paid / MIN_PAID_SHARE, (paid + HANDLING_CENTS) / (1 - MARGIN_SHARE)))
}

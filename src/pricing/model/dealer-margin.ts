/**
 * Prior of the dealer margin: a share of the resale price, and the cost of handling one device. Set so that a US trade-in
 * shop pays 0.9 of it at the median; wholesale lists pay less (`npm run lab -- appraisals`).
 */
const MARGIN_SHARE = 0.17
const HANDLING_CENTS = 1_500
/** Dealers pay at least this share for a working device. */
const MIN_PAID_SHARE = 0.3

/** Buyback price (ln) for a resale price (ln). */
export function buybackFromResale(ln: number): number {
  return ln + Math.log(Math.max(MIN_PAID_SHARE, 1 - MARGIN_SHARE - HANDLING_CENTS / Math.exp(ln)))
}

/** Resale price (ln) for a buyback price (ln). */
export function resaleFromBuyback(ln: number): number {
  const paid = Math.exp(ln)
  return Math.log(Math.min(paid / MIN_PAID_SHARE, (paid + HANDLING_CENTS) / (1 - MARGIN_SHARE)))
}

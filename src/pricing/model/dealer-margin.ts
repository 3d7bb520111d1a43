/**
 * What dealers keep of a resale price before a market has said so: a share of it, and what handling one piece costs whatever it
 * is worth. So they pay four fifths for a new iPhone and three fifths for an old one; makes whose prices sink faster cost them
 * more. At the median two US dealers' lists pay 0.86 and 0.68 of the resale estimates (`npm run evaluate:appraisals`).
 */
const MARGIN_SHARE = { Apple: 0.17, other: 0.19 } as const
const HANDLING_CENTS = 2_500
/** They pay something for whatever they still take. */
const MIN_PAID_SHARE = 0.3

const marginShare = (make: string) => (make === 'Apple' ? MARGIN_SHARE.Apple : MARGIN_SHARE.other)

/** ln of what a dealer pays for what resells at `ln`. */
export function buybackFromResale(ln: number, make: string): number {
  return ln + Math.log(Math.max(MIN_PAID_SHARE, 1 - marginShare(make) - HANDLING_CENTS / Math.exp(ln)))
}

/** ln of what something resells for that a dealer pays `ln` for. */
export function resaleFromBuyback(ln: number, make: string): number {
  const paid = Math.exp(ln)
  return Math.log(Math.min(paid / MIN_PAID_SHARE, (paid + HANDLING_CENTS) / (1 - marginShare(make))))
}

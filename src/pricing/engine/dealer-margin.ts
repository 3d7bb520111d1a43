/**
 * What dealers keep of a resale price before a market has said so: a share of it, and what handling one piece costs whatever it
 * is worth. So they pay four fifths for a new iPhone and three fifths for an old one. Makes whose prices sink faster cost them more.
 */
const KEPT_SHARE = { Apple: 0.17, other: 0.3 } as const
const HANDLING_CENTS = 2_500
/** They pay something for whatever they still take. */
const LEAST_PAID = 0.3

const keptOf = (make: string) => (make === 'Apple' ? KEPT_SHARE.Apple : KEPT_SHARE.other)

/** ln of what a dealer pays for what resells at `ln`. */
export function dealersPay(ln: number, make: string): number {
  return ln + Math.log(Math.max(LEAST_PAID, 1 - keptOf(make) - HANDLING_CENTS / Math.exp(ln)))
}

/** ln of what something resells for that a dealer pays `ln` for. */
export function resellsFor(ln: number, make: string): number {
  const paid = Math.exp(ln)
  return Math.log(Math.min(paid / LEAST_PAID, (paid + HANDLING_CENTS) / (1 - keptOf(make))))
}

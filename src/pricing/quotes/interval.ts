/** The range that should hold 80 % of single deals; it goes `below` and `above` the amount (ln). */
export function intervalCents(ln: number, below: number, above: number): { low: number; high: number } {
  return { low: Math.floor(Math.exp(ln - below)), high: Math.ceil(Math.exp(ln + above)) }
}

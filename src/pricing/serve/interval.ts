/** The range that should hold 80 % of single deals; `reach` is its half-width (ln). */
export function interval(ln: number, reach: number): { low: number; high: number } {
  return { low: Math.floor(Math.exp(ln - reach)), high: Math.ceil(Math.exp(ln + reach)) }
}

/** The range that should hold 80 % of single deals; `reach` is its half-width in standard deviations. */
export function interval(ln: number, spread: number, reach: number): { low: number; high: number } {
  return { low: Math.floor(Math.exp(ln - reach * spread)), high: Math.ceil(Math.exp(ln + reach * spread)) }
}

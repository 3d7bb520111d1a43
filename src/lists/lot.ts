/** Which devices of a list to buy with a budget. */

export type LotRow = {
  readonly line: number
  /** Price per device; more than 0. */
  readonly cost: number
  /** Expected profit per device at that price. */
  readonly profit: number
  readonly quantity: number
}

export type Lot = {
  /** Devices to buy by line. */
  readonly counts: ReadonlyMap<number, number>
  readonly cost: number
  readonly profit: number
}

/** Steps of the search; beyond them the best lot so far stands. */
const MAX_STEPS = 200_000
/** Among more rows the difference to the best combination is less than one device. */
const MAX_SEARCHED_ROWS = 400

/**
 * The lot with the highest expected profit within the budget: rows by profit per money first, then a branch-and-bound
 * search for a better combination.
 */
export function chooseLot(rows: readonly LotRow[], budget: number): Lot {
  const sorted = rows
    .filter(({ cost, profit, quantity }) => profit > 0 && cost > 0 && cost <= budget && quantity > 0)
    .toSorted((a, b) => b.profit / b.cost - a.profit / a.cost)
  const counts = sorted.map(() => 0)
  let best = greedy(sorted, budget)
  let steps = 0

  /** Highest profit that the rows from `at` on could bring if devices could be split. */
  function bound(at: number, money: number): number {
    let profit = 0
    for (let index = at; index < sorted.length && money > 0; index++) {
      const { cost, profit: each, quantity } = sorted[index] as LotRow
      const affordable = Math.min(quantity, money / cost)
      profit += affordable * each
      money -= affordable * cost
    }
    return profit
  }
  function search(at: number, money: number, profit: number): void {
    if (profit > best.profit) best = { counts: [...counts], profit }
    const row = sorted[at]
    if (!row || steps++ > MAX_STEPS || profit + bound(at, money) <= best.profit) return
    const most = Math.min(row.quantity, Math.floor(money / row.cost))
    for (let count = most; count >= 0; count--) {
      counts[at] = count
      search(at + 1, money - count * row.cost, profit + count * row.profit)
      if (steps > MAX_STEPS) break
    }
    counts[at] = 0
  }
  if (sorted.length <= MAX_SEARCHED_ROWS) search(0, budget, 0)
  const chosen = sorted.flatMap(({ line, cost }, at) => {
    const count = best.counts[at] ?? 0
    return count > 0 ? [{ line, count, cost }] : []
  })
  return {
    counts: new Map(chosen.map(({ line, count }) => [line, count])),
    cost: chosen.reduce((sum, { count, cost }) => sum + count * cost, 0),
    profit: best.profit,
  }
}

function greedy(sorted: readonly LotRow[], budget: number): { counts: number[]; profit: number } {
  let money = budget
  let profit = 0
  const counts = sorted.map((row) => {
    const count = Math.min(row.quantity, Math.floor(money / row.cost))
    money -= count * row.cost
    profit += count * row.profit
    return count
  })
  return { counts, profit }
}

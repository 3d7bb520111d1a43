import { expect, test } from 'bun:test'
import { chooseLot, type LotRow } from './lot.ts'

const row = (line: number, cost: number, profit: number, quantity = 1): LotRow => ({ line, cost, profit, quantity })
const chosen = (rows: readonly LotRow[], budget: number) => [...chooseLot(rows, budget).counts].sort()

test('the lot earns the most within the budget, also where the best ratio is not the best choice', () => {
  expect(chosen([row(1, 60, 31), row(2, 50, 25), row(3, 50, 25)], 100)).toEqual([
    [2, 1],
    [3, 1],
  ])
})

test('a row is bought as often as it pays and fits, and not at a loss', () => {
  const lot = chooseLot([row(1, 30, 10, 5), row(2, 10, -1), row(3, 500, 400)], 100)
  expect(lot).toEqual({ counts: new Map([[1, 3]]), cost: 90, profit: 30 })
})

test('the lot never exceeds the budget and is as good as trying every combination', () => {
  let seed = 7
  const random = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  for (let round = 0; round < 50; round++) {
    const rows = Array.from({ length: 10 }, (_, line) => row(line, 20 + random(200), 1 + random(90)))
    const budget = 100 + random(600)
    let most = 0
    for (let mask = 0; mask < 1 << rows.length; mask++) {
      const picked = rows.filter((_, at) => mask & (1 << at))
      const cost = picked.reduce((sum, each) => sum + each.cost, 0)
      if (cost <= budget)
        most = Math.max(
          most,
          picked.reduce((sum, each) => sum + each.profit, 0),
        )
    }
    const lot = chooseLot(rows, budget)
    expect(lot.profit).toBe(most)
    expect(lot.cost).toBeLessThanOrEqual(budget)
  }
})

test('thousands of rows are chosen at once', () => {
  const rows = Array.from({ length: 10_000 }, (_, line) => row(line, 100 + (line % 97), 1 + (line % 31)))
  const lot = chooseLot(rows, 100_000)
  expect(lot.cost).toBeLessThanOrEqual(100_000)
  expect(lot.cost).toBeGreaterThan(99_800)
})

import { expect, test } from 'bun:test'
import type { FaultKind } from '../repairs/fault-kinds.ts'
import { defectRules } from './defect.ts'
import { listPlans } from './plans.ts'
import { defaultPolicy } from './policy.ts'
import { calculateRepairCost, type RepairCosts } from './repair-cost.ts'

const price = (median: number) => ({ median, low: 0.9 * median, high: 1.1 * median })
const market = {
  resale: { Excellent: price(32_000), Good: price(30_000), Fair: price(27_000), Poor: price(18_000) },
  daysToSell: 20,
  driftPerDay: -0.0006,
}
const costsOf = (parts: Partial<Record<FaultKind, number>>): RepairCosts =>
  new Map(
    Object.entries(parts).map(([kind, cents]) => [
      kind as FaultKind,
      calculateRepairCost(
        { kind: kind as FaultKind, name: kind, minutes: 30, parts: { min: cents, max: cents } },
        3_000,
      ),
    ]),
  )
const repairsOf = (parts: Partial<Record<FaultKind, number>>) =>
  listPlans({
    condition: 'Good',
    defects: defectRules(['cracked_screen', 'camera']),
    market,
    costs: costsOf(parts),
    ratios: { damaged: 0.6, broken: 0.45, dead: 0.25, halfWidth80: 0.15 },
    policy: defaultPolicy(3_000),
  })
    .plans.filter(({ name }) => name === 'repair_and_sell')
    .map(({ repairs }) => [...repairs].sort().join(' '))
    .sort()

test('each defect can be repaired without the others, and all together', () => {
  expect(repairsOf({ screen: 4_000, camera: 9_000 })).toEqual(['camera', 'camera screen', 'screen'])
})

test('an unknown repair cost leaves the plans that do not need it', () => {
  expect(repairsOf({ screen: 4_000 })).toEqual(['screen'])
})

import { describe, expect, test } from 'bun:test'
import { type LineMember, launchLimits, lineOf } from './successor-order.ts'

const line = (name: string, category = 'Smartphone') => lineOf({ make: 'Acme', name, category })

describe('the line of a device', () => {
  test.each([
    ['HERO11 Black', 'HERO12 Black', 'Action Camera'],
    ['Galaxy A53 5G', 'Galaxy A54 5G', 'Smartphone'],
    ['Mac mini (2023)', 'Mac mini (2024)', 'Desktop'],
    ['TV 4K (2nd generation)', 'TV 4K (3rd generation)', 'Streaming Player'],
    ['iPad Air 11-inch (M3)', 'iPad Air 11-inch (M4)', 'Tablet'],
    ['Alpha A7 III', 'Alpha A7 IV', 'Camera'],
    ['Mini 4 Pro', 'Mini 5 Pro', 'Drone'],
  ])('has %s before %s', (older, newer, category) => {
    const [one, other] = [line(older, category), line(newer, category)]
    expect(one?.key).toBe(other?.key as string)
    expect(one?.generation).toBeLessThan(other?.generation as number)
  })

  test.each([
    ['Galaxy A54', 'Galaxy A15', 'Smartphone'],
    ['EOS R5', 'EOS R50', 'Camera'],
    ['Xperia 5 IV', 'Xperia 10 V', 'Smartphone'],
    ['Fire HD 10 (9th generation)', 'Fire HD 8 (10th generation)', 'Tablet'],
    ['PlayStation 4 Pro', 'PlayStation 5', 'Game Console'],
  ])('has not both %s and %s', (one, other, category) => {
    const [first, second] = [line(one, category), line(other, category)]
    expect(first === null || first.key !== second?.key).toBe(true)
  })
})

describe('launch prices of a line', () => {
  const model = (generation: number, cents: number, storageGb = 128): LineMember => ({
    ...{ id: `acme-${generation}`, generation, released: Date.UTC(2020 + generation, 0, 1) },
    configurations: [{ storageGb, ramGb: null, others: '', cents }],
  })
  const halvedYearly = (age: number) => Math.log(0.5) * age
  const limitsOf = (members: readonly LineMember[], generation: number, storageGb = 128) =>
    launchLimits(members, model(generation, 0), halvedYearly)({ storageGb, ramGb: null, others: '' })

  test('leave the older model below the newer one', () => {
    expect(limitsOf([model(2, 40_000)], 1)).toBeCloseTo(2 * 0.98 * 40_000, -3)
    expect(limitsOf([model(2, 90_000), model(3, 20_000)], 1)).toBeLessThan(4 * 20_000)
  })

  test('say nothing about more memory, or without another model', () => {
    expect(limitsOf([model(2, 40_000)], 1, 256)).toBe(Number.POSITIVE_INFINITY)
    expect(limitsOf([], 1)).toBe(Number.POSITIVE_INFINITY)
  })
})

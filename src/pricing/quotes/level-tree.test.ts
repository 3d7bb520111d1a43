import { describe, expect, test } from 'bun:test'
import { fitLevelTree, type LevelSubject } from './level-tree.ts'

const phone = (make: string, year = 2023): LevelSubject => ({
  category: 'Smartphone',
  make,
  releasedAt: Date.parse(`${year}-06-01`),
})
const LAPTOP: LevelSubject = { category: 'Laptop', make: 'Apple', releasedAt: Date.parse('2023-06-01') }

/** Devices with one own price each, this far (ln) from the common price. */
const priced = (subject: LevelSubject, count: number, ln: number) =>
  Array.from({ length: count }, () => ({ subject, ln, variance: 0.08 ** 2 + 0.1 ** 2 }))

describe('how far own prices of one line reach', () => {
  const ln = Math.log(1.33)
  const movedPercent = (count: number, subject: LevelSubject) => {
    const tree = fitLevelTree(priced(phone('Apple'), count, ln))
    return Math.round(1000 * (Math.exp(tree.levelOf(subject)) - 1)) / 10
  }
  const reach = (count: number) => [
    movedPercent(count, phone('Apple')),
    movedPercent(count, phone('Apple', 2019)),
    movedPercent(count, phone('Xiaomi')),
    movedPercent(count, LAPTOP),
  ]

  test.each([5, 16, 50, 200])('%p prices at +33 %% move the family most, another category least', (count) => {
    const [family = 0, make = 0, category = 0, other = 0] = reach(count)
    expect(family).toBeGreaterThan(make)
    expect(make).toBeGreaterThan(category)
    expect(category).toBeGreaterThan(other)
    expect(other).toBeGreaterThan(0)
    expect(other).toBeLessThanOrEqual(3)
    expect(family).toBeLessThan(33)
  })

  test('16 prices at +33 % stay within 25 % for the make, 12 % for other makes and 3 % for other categories', () => {
    const [family, make, category, other] = reach(16)
    expect(family).toBeLessThanOrEqual(25)
    expect(make).toBeLessThanOrEqual(25)
    expect(category).toBeLessThanOrEqual(12)
    expect(other).toBeLessThanOrEqual(3)
  })

  test('the figures of the documentation', () => {
    expect([5, 16, 50, 200].map(reach)).toMatchInlineSnapshot(`
      [
        [
          16.1,
          12.3,
          6.8,
          1.5,
        ],
        [
          24.9,
          18.9,
          10.3,
          2.2,
        ],
        [
          29.9,
          22.6,
          12.2,
          2.6,
        ],
        [
          32.2,
          24.3,
          13.1,
          2.8,
        ],
      ]
    `)
  })
})

test('several makes that agree move the whole category, makes that contradict each other do not', () => {
  const makes = ['Apple', 'Samsung', 'Xiaomi', 'Google']
  const agreeing = fitLevelTree(makes.flatMap((make) => priced(phone(make), 8, 0.2)))
  expect(agreeing.levelOf(phone('OnePlus'))).toBeGreaterThan(0.12)
  const contradicting = fitLevelTree(makes.flatMap((make, at) => priced(phone(make), 8, at % 2 ? 0.2 : -0.2)))
  expect(Math.abs(contradicting.levelOf(phone('OnePlus')))).toBeLessThan(0.01)
  expect(contradicting.levelOf(phone('Samsung'))).toBeGreaterThan(0.08)
})

test('one or two devices of a make do not give it a level, and one device far off moves nothing', () => {
  const apples = priced(phone('Apple'), 9, 0)
  const tree = fitLevelTree([...apples, ...priced(phone('Xiaomi'), 2, 0.4)])
  expect(tree.levelOf(phone('Xiaomi'))).toBeLessThan(0.05)
  const before = fitLevelTree([...apples, ...priced(phone('Xiaomi'), 4, 0.2)])
  const after = fitLevelTree([...apples, ...priced(phone('Xiaomi'), 4, 0.2), ...priced(phone('Xiaomi'), 1, 1.4)])
  expect(Math.abs(after.levelOf(phone('Xiaomi')) - before.levelOf(phone('Xiaomi')))).toBeLessThan(0.01)
  expect(fitLevelTree(priced(phone('Apple'), 2, 0.5)).levelOf(phone('Apple'))).toBe(0)
})

test('many prices of a line converge to its own level', () => {
  const tree = fitLevelTree([...priced(phone('Apple'), 300, 0.25), ...priced(LAPTOP, 300, -0.1)])
  expect(tree.levelOf(phone('Apple'))).toBeCloseTo(0.25, 2)
  expect(tree.levelOf(LAPTOP)).toBeCloseTo(-0.1, 2)
})

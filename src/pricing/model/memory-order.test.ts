import { expect, test } from 'bun:test'
import { riseWithMemory } from './memory-order.ts'
import { GRADE_COUNT } from './observation-columns.ts'

const variant = (storageGb: number, ramGb: number | null = null, otherAttributes = '') => ({
  variantId: `${storageGb} ${ramGb} ${otherAttributes}`,
  listCents: null,
  storageGb,
  ramGb,
  otherAttributes,
})

/** Levels of the variants after ordering; each is the same in all grades. */
function ordered(
  variants: readonly ReturnType<typeof variant>[],
  levels: readonly number[],
  weights: readonly number[],
) {
  const cells = (values: readonly number[]) =>
    Float64Array.from(values.flatMap((value) => new Array<number>(GRADE_COUNT).fill(value)))
  const level = cells(levels)
  riseWithMemory(variants, cells(weights), level)
  return variants.map((_, at) => level[at * GRADE_COUNT]!)
}

test('more storage or memory never costs less', () => {
  const phones = [variant(512, 12), variant(128, 8), variant(256, 8), variant(256, 12)]
  const [largest, smallest, middle, memory] = ordered(phones, [10, 10.4, 10.2, 10.1], [1, 2, 3, 4]) as number[]
  expect(smallest).toBeLessThanOrEqual(middle as number)
  expect(middle).toBeLessThanOrEqual(memory as number)
  expect(memory).toBeLessThanOrEqual(largest as number)
})

test('an unobserved variant follows an observed one', () => {
  const [small, large] = ordered([variant(128), variant(256)], [10.4, 10], [0, 5]) as [number, number]
  expect(small).toBeCloseTo(10, 2)
  expect(large).toBeCloseTo(10, 2)
})

test('variants that differ in something else are not compared', () => {
  expect(ordered([variant(128, 8, 'rtx-4090'), variant(256, 8, 'rtx-4050')], [11, 10], [1, 1])).toEqual([11, 10])
})

import { expect, test } from 'bun:test'
import { leaveOneSetOut } from './leave-one-set-out.ts'

const foretold = (scale: number) =>
  Array.from({ length: 100 }, (_, at) => {
    const reached = (scale * (at + 1)) / 100
    return { error: 0.1, covered: reached <= 1, confidence: 60, intervalPosition: reached }
  })

test('a set is evaluated with the scale of the other sets of the same kind of split, never with its own', () => {
  const [own, other] = leaveOneSetOut([
    { set: 'own', kind: 'future', predictions: foretold(2) },
    { set: 'other', kind: 'future', predictions: foretold(1) },
    { set: 'other', kind: 'fold', predictions: foretold(9) },
  ])
  expect(own).toMatchObject({ cover: 0.5, coverByOthers: 0.4 })
  expect(own?.error).toBeCloseTo(1, 6)
  expect(own?.requiredScale).toBeCloseTo(1.6, 1)
  expect(own?.otherSetsScale).toBeCloseTo(0.8, 1)
  expect(other?.coverByOthers).toBe(1)
})

import { expect, test } from 'bun:test'
import { LABEL_INDEX } from '../../src/text/labels.ts'
import { calibrate, type Outcome } from './calibrate.ts'
import { randomFrom } from './train.ts'

const CAMERA = LABEL_INDEX.get('camera') as number
const certainty = (logOdds: number) => 1 / (1 + Math.exp(-logOdds))

test('certainties that are twice too sure become as sure as they are right', () => {
  const random = randomFrom(1)
  const outcomes: Outcome[] = Array.from({ length: 4_000 }, () => {
    const truth = (random() - 0.5) * 6
    return { label: CAMERA, logOdds: 2 * truth, isStated: random() < certainty(truth) }
  })
  const { scale, shift } = calibrate(outcomes)
  expect(scale[CAMERA]).toBeCloseTo(0.5, 1)
  expect(shift[CAMERA]).toBeCloseTo(0, 0)
})

test('a label without outcomes keeps what the network says', () => {
  const { scale, shift } = calibrate([])
  expect([scale[CAMERA], shift[CAMERA]]).toEqual([1, 0])
})

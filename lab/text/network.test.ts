import { expect, test } from 'bun:test'
import { openMatrices } from './matrix-kernel.ts'
import { createNetwork, type Sample } from './network.ts'
import { randomFrom } from './train.ts'

const SHAPE = { buckets: 8, size: 16, width: 3, dilations: [1, 2], labels: 6, wholeFrom: 4 }
const SAMPLES: readonly Sample[] = [
  {
    tokens: [[0, 1], [2], [3, 4, 5], [6]].map((ids) => Int32Array.from(ids)),
    clauses: [
      [0, 2, 0],
      [2, 4, 1],
    ],
    parts: 2,
  },
  { tokens: [[7], [1, 6]].map((ids) => Int32Array.from(ids)), clauses: [[0, 2, 0]], parts: 1 },
]

test('the gradients of texts, clauses, whole texts and tokens are the slopes of the loss', async () => {
  const network = createNetwork(SHAPE, await openMatrices(16), randomFrom(3), () => -1)
  const factor = (i: number) => Math.sin(i + 1)
  const forward = () => network.forward(SAMPLES, 0)
  /** A sum of everything that the network says, each with a factor of its own. */
  const loss = () => {
    const { textZ, clauseZ, wholeZ, tokenZ, firstRows } = forward()
    const sumOf = (z: Float32Array, counts: (i: number) => boolean, offset: number) =>
      z.reduce((sum, each, i) => (counts(i) ? sum + factor(i + offset) * each : sum), 0)
    let sum = sumOf(textZ, isOfClause, 0) + sumOf(clauseZ, isOfClause, 7) + sumOf(wholeZ, isOfWhole, 3)
    sum += (tokenZ[(firstRows[0] as number) * network.columns] as number) * 2
    return sum
  }
  const isOfClause = (i: number) => i % network.columns < SHAPE.wholeFrom
  const isOfWhole = (i: number) => !isOfClause(i) && i % network.columns < SHAPE.labels
  const pass = forward()
  pass.tokenGradient[(pass.firstRows[0] as number) * network.columns] = 2
  network.backward(
    pass,
    pass.textZ.map((_, i) => (isOfClause(i) ? factor(i) : 0)),
    pass.clauseZ.map((_, i) => (isOfClause(i) ? factor(i + 7) : 0)),
    pass.wholeZ.map((_, i) => (isOfWhole(i) ? factor(i + 3) : 0)),
  )
  const slope = (values: Float32Array, i: number) => {
    const value = values[i] as number
    const step = 0.01
    values[i] = value + step
    const above = loss()
    values[i] = value - step
    const below = loss()
    values[i] = value
    return (above - below) / (2 * step)
  }
  const pairs: (readonly [Float32Array, Float32Array])[] = [
    ...network.parameters.map(({ value, gradient }) => [value, gradient] as const),
    [network.embedding, network.embeddingGradient],
  ]
  for (const [values, gradient] of pairs)
    for (let i = 0; i < values.length; i += Math.max(1, Math.floor(values.length / 5)))
      expect(Math.abs(slope(values, i) - (gradient[i] as number))).toBeLessThan(
        0.03 * (1 + Math.abs(gradient[i] as number)),
      )
})

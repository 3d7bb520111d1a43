import { DAY_MS } from '../../src/lib/time.ts'
import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import { leastSquares } from './least-squares.ts'
import { medianOf } from './median-error.ts'
import type { EvaluationRound } from './splits.ts'

export type Predict = (row: Observation) => number | undefined
type Baseline = (round: EvaluationRound, devices: readonly DeviceInput[]) => Predict

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** A statistic of the narrowest group with rows: variant and grade, model and grade, model, grade, all. */
function pooled(statistic: (rows: Observation[]) => number): Baseline {
  return (round, devices) => {
    const model = new Map(devices.flatMap((device) => device.variants.map((v) => [v.variantId, device.deviceId])))
    const keys: ((row: Observation) => string)[] = [
      (row) => `${row.variantId}|${row.label}`,
      (row) => `${model.get(row.variantId)}|${row.label}`,
      (row) => `${model.get(row.variantId)}`,
      (row) => row.label,
      () => 'all',
    ]
    const tables = keys.map((key) => {
      const groups = Map.groupBy(round.train, key)
      return { key, values: new Map([...groups].map(([name, rows]) => [name, statistic(rows)])) }
    })
    return (row) => tables.map(({ key, values }) => values.get(key(row))).find((value) => value !== undefined)
  }
}

/** ln(price / launch price) as a straight line in age plus a step per grade, by least squares. */
const depreciationCurve: Baseline = (round, devices) => {
  const facts = new Map(
    devices.flatMap((device) =>
      device.variants.map((v) => [v.variantId, { listCents: v.listCents, releasedAt: device.releasedAt }]),
    ),
  )
  const labels = [...new Set(round.train.map((row) => row.label))]
  const features = (row: Observation) => {
    const launch = facts.get(row.variantId)
    if (!launch?.listCents || launch.releasedAt === null) return undefined
    const age = (row.observedAt - launch.releasedAt) / (365.25 * DAY_MS)
    return { x: [1, age, ...labels.map((label) => (label === row.label ? 1 : 0))], offset: Math.log(launch.listCents) }
  }
  const squares = leastSquares(2 + labels.length)
  for (let at = 0; at < 2 + labels.length; at += 1) squares.add([[at, 1]], 0, 1e-3)
  for (const row of round.train) {
    const input = features(row)
    if (input) squares.add([...input.x.entries()], Math.log(row.cents) - input.offset)
  }
  const weights = squares.solve()
  return (row) => {
    const input = features(row)
    return input && Math.exp(input.offset + input.x.reduce((sum, x, at) => sum + x * weights[at]!, 0))
  }
}

export const BASELINES: Readonly<Record<string, Baseline>> = {
  last: pooled((rows) => rows.reduce((last, row) => (row.observedAt >= last.observedAt ? row : last)).cents),
  mean: pooled((rows) => mean(rows.map((row) => row.cents))),
  median: pooled((rows) => medianOf(rows.map((row) => row.cents))),
  curve: depreciationCurve,
}

import { DAY_MS } from '../../src/lib/time.ts'
import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import type { EvaluationRound } from './splits.ts'

export type Predict = (row: Observation) => number | undefined
type Baseline = (round: EvaluationRound, devices: readonly DeviceInput[]) => Predict

const median = (values: number[]) => {
  const sorted = values.sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function grouped(rows: readonly Observation[], key: (row: Observation) => string): Map<string, Observation[]> {
  const groups = new Map<string, Observation[]>()
  for (const row of rows) {
    const name = key(row)
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return groups
}

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
      const table = new Map<string, number>()
      for (const [name, rows] of grouped(round.train, key)) table.set(name, statistic(rows))
      return table
    })
    return (row) => {
      for (const [at, table] of tables.entries()) {
        const value = table.get((keys[at] as (row: Observation) => string)(row))
        if (value !== undefined) return value
      }
      return undefined
    }
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
  const size = 2 + labels.length
  const normal = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size + 1 }, (_, j) => (i === j ? 1e-3 : 0)),
  )
  for (const row of round.train) {
    const input = features(row)
    if (!input) continue
    const y = Math.log(row.cents) - input.offset
    for (let i = 0; i < size; i += 1) {
      const line = normal[i] as number[]
      const xi = input.x[i] as number
      for (let j = 0; j < size; j += 1) line[j] = (line[j] as number) + xi * (input.x[j] as number)
      line[size] = (line[size] as number) + xi * y
    }
  }
  const weights = solve(normal)
  return (row) => {
    const input = features(row)
    return input && Math.exp(input.offset + input.x.reduce((sum, x, at) => sum + x * (weights[at] as number), 0))
  }
}

function solve(matrix: number[][]): number[] {
  const size = matrix.length
  for (let i = 0; i < size; i += 1) {
    const pivot = matrix[i] as number[]
    for (let j = i + 1; j < size; j += 1) {
      const line = matrix[j] as number[]
      const factor = (line[i] as number) / (pivot[i] as number)
      for (let k = i; k <= size; k += 1) line[k] = (line[k] as number) - factor * (pivot[k] as number)
    }
  }
  const out = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i -= 1) {
    const line = matrix[i] as number[]
    let sum = line[size] as number
    for (let k = i + 1; k < size; k += 1) sum -= (line[k] as number) * (out[k] as number)
    out[i] = sum / (line[i] as number)
  }
  return out
}

export const BASELINES: Readonly<Record<string, Baseline>> = {
  last: pooled((rows) => rows.reduce((last, row) => (row.observedAt >= last.observedAt ? row : last)).cents),
  mean: pooled((rows) => mean(rows.map((row) => row.cents))),
  median: pooled((rows) => median(rows.map((row) => row.cents))),
  curve: depreciationCurve,
}
